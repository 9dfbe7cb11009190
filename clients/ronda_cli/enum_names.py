"""How values of the schema's enums are printed, also those of a newer schema."""

from google.protobuf.descriptor import EnumDescriptor


def enum_name(enum: EnumDescriptor, value: int, prefix: str) -> str:
    """Return a value's name without the prefix of all, as `PLAYED`; its number where it has none.

    A newer referee may have values that this version does not know.
    """
    known = enum.values_by_number.get(value)
    return str(value) if known is None else known.name.removeprefix(prefix)
