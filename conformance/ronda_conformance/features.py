"""Features of scenarios: what a program has to implement to play one.

A feature has a name and a value, both texts. `rule_set` is the rule set's id; `seats` how many
play; `opening` how a deal begins with so many; `steps` how many steps the ladder has as it is
played with so many (clause CHAIN-1); `move` is a kind of move that is made, and `position` a field
of the position that it starts from, of both of which there may be several. Every other name is a
field of ronda.v1.RuleSet, or a part of one as `kinds.tringa`, with the value that the scenario is
played with: the words of enumerations without their prefix, lists with blanks between, `none` for
what is not set.
"""

from collections.abc import Iterable
from fnmatch import fnmatchcase

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from ronda.conformance.v1 import testee_service_pb2
from ronda.v1 import move_pb2, rule_set_pb2
from ronda_conformance.cards import NONE
from ronda_conformance.position_fields import FIELDS, position_fields
from ronda_conformance.rule_set_sources import OWN_FIELDS
from ronda_conformance.rule_set_values import enum_prefix, enum_words

_OPENINGS = rule_set_pb2.Opening.DESCRIPTOR
# The values of what is no field, or no single one; None: any text.
_OWN: dict[str, list[str] | None] = {
    "rule_set": None,
    "seats": ["2", "3", "4"],
    "opening": [*enum_words(_OPENINGS), NONE],
    "steps": ["0", "1", "2", "3"],
    "move": [field.name for field in move_pb2.Move.DESCRIPTOR.fields],
    "position": list(FIELDS),
}
# Messages of amounts, of which one that is not set is 0.
_AMOUNTS = (rule_set_pb2.KindAmounts.DESCRIPTOR, rule_set_pb2.DealerDuty.DESCRIPTOR)


def _fields() -> dict[str, tuple[FieldDescriptor, ...]]:
    found: dict[str, tuple[FieldDescriptor, ...]] = {}
    for field in rule_set_pb2.RuleSet.DESCRIPTOR.fields:
        if field.name in (*OWN_FIELDS, "seats"):
            continue
        if field.message_type is None:
            found[field.name] = (field,)
            continue
        if field.message_type not in _AMOUNTS:
            found[field.name] = (field,)
        for part in field.message_type.fields:
            found[f"{field.name}.{part.name}"] = (field, part)
    return found


_FIELDS = _fields()
NAMES = (*_OWN, *_FIELDS)
"""Every name of a feature."""


def values_of(name: str, rule_sets: Iterable[str]) -> list[str] | None:
    """Return the values that a feature can have; None: numbers, lists and `none`.

    Args:
        name: one of `NAMES`.
        rule_sets: the ids of the rule sets that there are.
    """
    if name == "rule_set":
        return list(rule_sets)
    if name in _OWN:
        return _OWN[name]
    field = _FIELDS[name][-1]
    if field.is_repeated:
        return None
    if field.message_type is not None:
        return ["set", NONE]
    if field.enum_type is not None:
        return [*enum_words(field.enum_type), NONE]
    if field.type == FieldDescriptor.TYPE_BOOL:
        return ["true", "false"]
    return None


def has(request: testee_service_pb2.RunRequest, name: str, value: str) -> bool:
    """Return whether a run has a feature; the value may be a pattern with `*`, `?`, `[...]`."""
    return any(fnmatchcase(one, value) for one in _values(request, name))


def _values(request: testee_service_pb2.RunRequest, name: str) -> list[str]:
    rules = request.rule_set
    match name:
        case "rule_set":
            return [rules.id]
        case "seats":
            return [str(request.seats)]
        case "opening":
            return [_opening(request)]
        case "steps":
            cut = 1 if request.seats < rules.chain_min_seats else len(rules.ladder)
            return [str(min(cut, len(rules.ladder)))]
        case "move":
            return [str(made.move.WhichOneof("move")) for made in request.moves]
        case "position":
            return list(position_fields(request.position))
        case _:
            return [_field_value(rules, *_FIELDS[name])]


def _opening(request: testee_service_pb2.RunRequest) -> str:
    for allowed in request.rule_set.seats:
        if allowed.count == request.seats:
            word = rule_set_pb2.Opening.Name(allowed.opening).removeprefix(enum_prefix(_OPENINGS))
            return NONE if word == "UNSPECIFIED" else word
    return NONE


def _field_value(
    message: Message, field: FieldDescriptor, part: FieldDescriptor | None = None
) -> str:
    if part is not None:
        whole = getattr(message, field.name)
        lacks = not message.HasField(field.name) and field.message_type not in _AMOUNTS
        if lacks or (part.has_presence and not whole.HasField(part.name)):
            return NONE
        return _field_value(whole, part)
    if field.message_type is not None:
        return "set" if message.HasField(field.name) else NONE
    value = getattr(message, field.name)
    if field.is_repeated:
        return " ".join(_text(one, field) for one in value) or NONE
    return _text(value, field)


def _text(value: object, field: FieldDescriptor) -> str:
    if field.enum_type is not None:
        named = field.enum_type.values_by_number.get(int(str(value)))
        word = named.name.removeprefix(enum_prefix(field.enum_type)) if named else str(value)
        return NONE if word == "UNSPECIFIED" else word
    return str(value).lower()
