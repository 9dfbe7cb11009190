"""Checking requests before anything is done with them.

What the schema says of a field (required, how long) is checked here; what the rules say is the
engine's business. Fields that this version does not know are refused rather than ignored: a rule
set or a move would mean something else to whoever sent it.
"""

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from ronda_referee.convert import MalformedMessage

LONGEST_REQUEST_ID = 64
LONGEST_NAME = 64
LONGEST_ENTROPY = 64


def check_length(field: str, value: str | bytes, lowest: int, highest: int) -> None:
    """Refuse a text (counted in characters) or bytes that are too short or too long.

    Raises:
        MalformedMessage: with the lengths that are allowed.
    """
    if not lowest <= len(value) <= highest:
        unit = "characters" if isinstance(value, str) else "bytes"
        raise MalformedMessage(
            field, f"has {len(value)} {unit}; from {lowest} to {highest} are allowed"
        )


def check_printable(field: str, value: str) -> None:
    """Refuse a text with characters that cannot be shown on one line.

    Raises:
        MalformedMessage: the text holds such a character.
    """
    if not value.isprintable():
        raise MalformedMessage(field, "holds a character that cannot be printed on one line")


def check_known(message: Message, path: str = "") -> None:
    """Refuse a message that holds a field which its schema does not know, at any depth.

    Raises:
        MalformedMessage: with the path of the message and the number of the field.
    """
    unknown = UnknownFieldSet(message)
    if len(unknown):
        detail = f"field number {unknown[0].field_number} is not known to this version"
        raise MalformedMessage(path or message.DESCRIPTOR.name, detail)
    for field, value in message.ListFields():
        if field.type != FieldDescriptor.TYPE_MESSAGE:
            continue
        for part in value if field.is_repeated else (value,):
            check_known(part, f"{path}.{field.name}" if path else field.name)
