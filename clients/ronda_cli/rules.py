"""`ronda rules`: the rule sets that are shipped, and what each of their values is."""

import argparse
import json
import re
from pathlib import Path

from google.protobuf import json_format

from ronda.v1.rule_set_pb2 import Opening, RuleSet
from ronda_cli.failures import CommandError
from ronda_conformance import data_folders, rule_set_files

_ABOUT = ("id", "title", "summary", "source")
_HEADING = re.compile(r"^## ([A-Z]+-[0-9]+) ", re.MULTILINE)
_PARAMETERS = re.compile(r"^\*\*Parameter\.\*\* (.*?)\n\n", re.MULTILINE | re.DOTALL)
_NAME = re.compile(r"`([a-z_]+)`")


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and what it can do."""
    parser = subparsers.add_parser(
        "rules",
        help="show the rule sets and how they differ",
        description="Shows the rule sets that are shipped, and how they differ.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="every rule set in a line")
    showing = actions.add_parser("show", help="every value of a rule set, with its clauses")
    showing.add_argument("rule_set", metavar="ID")
    diffing = actions.add_parser("diff", help="the values in which two rule sets differ")
    diffing.add_argument("rule_set", metavar="A")
    diffing.add_argument("other", metavar="B")
    for action in (listing, showing, diffing):
        action.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print what is asked for; return 0."""
    rule_sets = rule_set_files.load_rule_sets()
    match args.action:
        case "list":
            shown = [_about(rule_sets[name]) for name in sorted(rule_sets)]
            text = "\n".join(f"{one['id']:<22}  {one['summary']}" for one in shown)
            print(json.dumps(shown) if args.json else text)
        case "show":
            rule_set = _find(rule_sets, args.rule_set)
            print(json.dumps(values(rule_set)) if args.json else _shown(rule_set))
        case _:
            changes = differences(_find(rule_sets, args.rule_set), _find(rule_sets, args.other))
            lines = [f"{name}: {_text(a)} -> {_text(b)}" for name, (a, b) in changes.items()]
            print(json.dumps(changes) if args.json else "\n".join(lines))
    return 0


def values(rule_set: RuleSet) -> dict[str, object]:
    """Return every parameter of a rule set by its name in the schema, as values for JSON.

    Enum values are the words of the rules; None stands for a parameter that is not set.
    """
    given = json_format.MessageToDict(
        rule_set, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    prefixes = {
        field.name: field.enum_type.values[0].name.removesuffix("UNSPECIFIED")
        for field in RuleSet.DESCRIPTOR.fields
        if field.enum_type is not None
    }
    found: dict[str, object] = {}
    for field in RuleSet.DESCRIPTOR.fields:
        value = given.get(field.name)
        if field.name in prefixes:
            value = _worded(value, prefixes[field.name])
        found[field.name] = value
    found["seats"] = [
        {"count": seats.count, "opening": _worded(Opening.Name(seats.opening), "OPENING_")}
        for seats in rule_set.seats
    ]
    return found


def differences(one: RuleSet, other: RuleSet) -> dict[str, tuple[object, object]]:
    """Return the parameters in which two rule sets differ, with the value of each."""
    first, second = values(one), values(other)
    return {
        name: (first[name], second[name])
        for name in first
        if name not in _ABOUT and first[name] != second[name]
    }


def clauses_of_parameters(folder: Path) -> dict[str, list[str]]:
    """Return the clauses of the specification in `folder` that hang on each parameter."""
    found: dict[str, list[str]] = {}
    for page in sorted(folder.glob("*.md")):
        parts = _HEADING.split(page.read_text(encoding="utf-8"))
        for clause, text in zip(parts[1::2], parts[2::2], strict=True):
            named = _PARAMETERS.search(text)
            for name in dict.fromkeys(_NAME.findall(named[1] if named else "")):
                found.setdefault(name, []).append(clause)
    return found


def _find(rule_sets: dict[str, RuleSet], name: str) -> RuleSet:
    if name not in rule_sets:
        known = ", ".join(sorted(rule_sets))
        raise CommandError(f"there is no rule set {name!r}; there are: {known}", code=2)
    return rule_sets[name]


def _about(rule_set: RuleSet) -> dict[str, str]:
    return {name: getattr(rule_set, name) for name in _ABOUT}


def _shown(rule_set: RuleSet) -> str:
    clauses = clauses_of_parameters(data_folders.spec())
    lines = [f"{rule_set.title} ({rule_set.id}): {rule_set.summary}", f"source: {rule_set.source}"]
    for name, value in values(rule_set).items():
        if name not in _ABOUT:
            known = ", ".join(clauses.get(name, []))
            lines.append(f"{name:<21} {_text(value):<42} {known}".rstrip())
    return "\n".join(lines)


def _worded(value: object, prefix: str) -> object:
    if isinstance(value, list):
        return [_worded(one, prefix) for one in value]
    word = str(value).removeprefix(prefix)
    return None if word == "UNSPECIFIED" else word


def _text(value: object) -> str:
    match value:
        case None | []:
            return "-"
        case list():
            return ", ".join(map(_text, value))
        case dict():
            return " ".join(f"{name} {_text(part)}" for name, part in value.items())
        case bool():
            return "yes" if value else "no"
        case _:
            return str(value)
