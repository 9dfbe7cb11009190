"""The rule sets that are played by name, read from their files."""

import tomllib
from pathlib import Path
from typing import Any

from google.protobuf import json_format
from google.protobuf.descriptor import EnumDescriptor

from ronda.v1 import rule_set_pb2

FOLDER = Path(__file__).parents[2] / "conformance" / "rule_sets"


def names() -> list[str]:
    """Tell the ids of all rule sets."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def load(name: str, **changes: Any) -> rule_set_pb2.RuleSet:  # noqa: ANN401 - as in TOML
    """Read a rule set; each change replaces a whole field, None clears it."""
    fields = read(name)
    fields.update(changes)
    fields = {key: value for key, value in fields.items() if value is not None}
    message = rule_set_pb2.RuleSet()
    json_format.ParseDict(full_words(fields), message)
    return message


def read(name: str) -> dict[str, Any]:
    """Read a file on top of its base."""
    fields = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    fields.pop("sources", None)
    base = read(fields.pop("base")) if "base" in fields else {}
    for unset in fields.pop("unset", []):
        base.pop(unset, None)
    return {**base, **fields}


def full_words(fields: dict[str, Any]) -> dict[str, Any]:
    """Put the prefixes of enumerations before their words."""
    result: dict[str, Any] = {}
    for key, value in fields.items():
        descriptor = rule_set_pb2.RuleSet.DESCRIPTOR.fields_by_name[key]
        if key == "seats":
            opening = rule_set_pb2.Opening.DESCRIPTOR
            result[key] = [
                {**item, "opening": full_word(opening, item["opening"])} for item in value
            ]
        elif descriptor.enum_type is None:
            result[key] = value
        elif isinstance(value, list):
            result[key] = [full_word(descriptor.enum_type, word) for word in value]
        else:
            result[key] = full_word(descriptor.enum_type, value)
    return result


def full_word(enumeration: EnumDescriptor, word: str) -> str:
    """Find the value of an enumeration that ends in a word."""
    prefix = enumeration.values_by_number[0].name.removesuffix("UNSPECIFIED")
    return prefix + word
