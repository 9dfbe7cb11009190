"""Values of rule sets as people write them: checked, and turned into ronda.v1.RuleSet.

Files and scenarios name fields as ronda.v1.RuleSet does and may leave the prefix off the words of
enumerations: `timing = "FIRST_TURN"`.
"""

import difflib
from collections.abc import Iterable, Mapping

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.json_format import ParseDict

from ronda.v1 import rule_set_pb2

_LARGEST = 2**32 - 1


class RuleSetValueError(Exception):
    """A value that a rule set cannot take.

    Attributes:
        path: field names and list indices from the rule set down to the value.
        problem: what is wrong, with the value and what would be right.
    """

    def __init__(self, path: tuple[str | int, ...], problem: str) -> None:
        """Keep both parts apart, so that a reader can add the place in its file."""
        super().__init__(f"{path_text(path)}: {problem}")
        self.path = path
        self.problem = problem


_Faults = list[RuleSetValueError]


def path_text(path: Iterable[str | int]) -> str:
    """Return a path as `seats[0].count`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if text else part
    return text


def suggestion(word: str, allowed: Iterable[str]) -> str:
    """Return the end of a message that names the nearest allowed word, or all of them."""
    words = list(allowed)
    near = difflib.get_close_matches(word, words, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"allowed: {', '.join(words)}"


def enum_prefix(enum: EnumDescriptor) -> str:
    """Return the prefix that every value of an enumeration has, as `TIMING_`."""
    first: str = enum.values[0].name
    return first.removesuffix("UNSPECIFIED")


def enum_words(enum: EnumDescriptor) -> list[str]:
    """Return the short words of an enumeration, without the unset one."""
    return [value.name.removeprefix(enum_prefix(enum)) for value in enum.values[1:]]


def _scalar(value: object, field: FieldDescriptor, path: tuple[str | int, ...]) -> object:
    if field.enum_type is not None:
        if not isinstance(value, str):
            raise RuleSetValueError(
                path, f"{value!r} is no word; allowed: {', '.join(enum_words(field.enum_type))}"
            )
        word = value.removeprefix(enum_prefix(field.enum_type))
        if word not in enum_words(field.enum_type):
            raise RuleSetValueError(
                path,
                f"{value!r} is unknown; {suggestion(word, enum_words(field.enum_type))}",
            )
        return enum_prefix(field.enum_type) + word
    if field.type == FieldDescriptor.TYPE_BOOL:
        if not isinstance(value, bool):
            raise RuleSetValueError(path, f"{value!r} is neither true nor false")
        return value
    if field.type == FieldDescriptor.TYPE_STRING:
        if not isinstance(value, str) or not value.strip():
            raise RuleSetValueError(path, f"{value!r} is no text; a text of at least a letter")
        return value
    # A number read from a google.protobuf.Struct is a float.
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _LARGEST:
        raise RuleSetValueError(path, f"{value!r} is no whole number from 0 to {_LARGEST}")
    return value


def _field(
    value: object, field: FieldDescriptor, path: tuple[str | int, ...], faults: _Faults
) -> object:
    if field.is_repeated:
        if not isinstance(value, list):
            raise RuleSetValueError(path, f"{value!r} is no list")
        items = []
        for index, item in enumerate(value):
            try:
                items.append(_single(item, field, (*path, index), faults))
            except RuleSetValueError as fault:
                faults.append(fault)
        return items
    return _single(value, field, path, faults)


def _single(
    value: object, field: FieldDescriptor, path: tuple[str | int, ...], faults: _Faults
) -> object:
    if field.message_type is None:
        return _scalar(value, field, path)
    if not isinstance(value, Mapping):
        names = ", ".join(child.name for child in field.message_type.fields)
        raise RuleSetValueError(path, f"{value!r} is no table of {names}")
    return _message(value, field.message_type, path, faults)


def _message(
    values: Mapping[str, object],
    descriptor: Descriptor,
    path: tuple[str | int, ...],
    faults: _Faults,
) -> dict[str, object]:
    """Return the values that can be taken, with full enumeration names; note the others."""
    names = [field.name for field in descriptor.fields]
    result: dict[str, object] = {}
    taken: dict[str, str] = {}
    for name, value in values.items():
        if name not in names:
            problem = f"no such field; {suggestion(name, names)}"
            faults.append(RuleSetValueError((*path, name), problem))
            continue
        field = descriptor.fields_by_name[name]
        choice = field.containing_oneof
        if choice is not None and taken.setdefault(choice.name, name) != name:
            problem = f"it cannot stand beside {taken[choice.name]!r}; keep one of them"
            faults.append(RuleSetValueError((*path, name), problem))
            continue
        try:
            result[name] = _field(value, field, (*path, name), faults)
        except RuleSetValueError as fault:
            faults.append(fault)
    return result


def overlay(base: rule_set_pb2.RuleSet, changes: Mapping[str, object]) -> rule_set_pb2.RuleSet:
    """Return a copy of a rule set with some fields replaced whole; None clears a field.

    Raises:
        RuleSetValueError: a field or a word is unknown, or a value is of the wrong type.
    """
    result, faults = overlay_with_faults(base, changes)
    if faults:
        raise faults[0]
    return result


def overlay_with_faults(
    base: rule_set_pb2.RuleSet, changes: Mapping[str, object]
) -> tuple[rule_set_pb2.RuleSet, list[RuleSetValueError]]:
    """Do as `overlay`, and return everything that is wrong instead of raising the first.

    With faults the rule set is not to be used: what is wrong is left out of it.
    """
    descriptor = rule_set_pb2.RuleSet.DESCRIPTOR
    kept = {name: value for name, value in changes.items() if value is not None}
    names = [field.name for field in descriptor.fields]
    faults = [
        RuleSetValueError((name,), f"no such field; {suggestion(name, names)}")
        for name, value in changes.items()
        if value is None and name not in names
    ]
    values = _message(kept, descriptor, (), faults)
    result = rule_set_pb2.RuleSet()
    result.CopyFrom(base)
    for name in changes:
        if name in names:
            result.ClearField(name)  # type: ignore[arg-type]  # the stub lists names as literals
    if not faults:
        ParseDict(values, result)
    return result, faults
