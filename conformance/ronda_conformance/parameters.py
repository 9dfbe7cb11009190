"""The parameters of rule sets: what each of their values is, how two differ, what hangs on each."""

import re
from pathlib import Path

from google.protobuf import json_format

from ronda.v1.rule_set_pb2 import Opening, RuleSet
from ronda_conformance.rule_set_sources import OWN_FIELDS
from ronda_conformance.rule_set_values import enum_prefix

# Every parameter in the order of the schema; the other fields say what a rule set is called.
PARAMETERS = tuple(
    field.name for field in RuleSet.DESCRIPTOR.fields if field.name not in OWN_FIELDS
)

_HEADING = re.compile(r"^## ([A-Z]+-[0-9]+) ", re.MULTILINE)
_NAMED = re.compile(r"^\*\*Parameter\.\*\* (.*?)\n\n", re.MULTILINE | re.DOTALL)
_NAME = re.compile(r"`([a-z_]+)`")


def values(rule_set: RuleSet) -> dict[str, object]:
    """Return every field of a rule set by its name in the schema, as values for JSON.

    Enum values are the words of the rules; None stands for a field that is not set.
    """
    given = json_format.MessageToDict(
        rule_set, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    found: dict[str, object] = {}
    for field in RuleSet.DESCRIPTOR.fields:
        value = given.get(field.name)
        if field.enum_type is not None:
            value = _worded(value, enum_prefix(field.enum_type))
        found[field.name] = value
    found["seats"] = [
        {"count": seats.count, "opening": _worded(Opening.Name(seats.opening), "OPENING_")}
        for seats in rule_set.seats
    ]
    return found


def value_of(rule_set: RuleSet, parameter: str) -> object:
    """Return the value of a parameter, as `mesa`, or of a part of one, as `kinds.tringa`."""
    field, _, part = parameter.partition(".")
    value = values(rule_set).get(field)
    return value.get(part) if part and isinstance(value, dict) else value


def differences(one: RuleSet, other: RuleSet) -> dict[str, tuple[object, object]]:
    """Return the parameters in which two rule sets differ, with the value of each."""
    first, second = values(one), values(other)
    return {name: (first[name], second[name]) for name in PARAMETERS if first[name] != second[name]}


def value_text(value: object) -> str:
    """Return a value of `values` as people read it; a dash stands for none."""
    match value:
        case None | []:
            return "-"
        case list():
            return ", ".join(map(value_text, value))
        case dict():
            return " ".join(f"{name} {value_text(part)}" for name, part in value.items())
        case bool():
            return "yes" if value else "no"
        case _:
            return str(value)


def clauses_of_parameters(folder: Path) -> dict[str, list[str]]:
    """Return the clauses of the specification in `folder` that hang on each parameter."""
    found: dict[str, list[str]] = {}
    for page in sorted(folder.glob("*.md")):
        parts = _HEADING.split(page.read_text(encoding="utf-8"))
        for clause, text in zip(parts[1::2], parts[2::2], strict=True):
            named = _NAMED.search(text)
            for name in dict.fromkeys(_NAME.findall(named[1] if named else "")):
                found.setdefault(name, []).append(clause)
    return found


def _worded(value: object, prefix: str) -> object:
    if isinstance(value, list):
        return [_worded(one, prefix) for one in value]
    word = str(value).removeprefix(prefix)
    return None if word == "UNSPECIFIED" else word
