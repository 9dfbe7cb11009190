"""`ronda rules`: the rule sets, what each of their values is and where it comes from."""

import argparse
import json
from collections.abc import Iterable
from pathlib import Path

from ronda.v1.listed_rule_set_pb2 import ListedRuleSet, ParameterSource
from ronda_cli import rule_set_choice, rules_check
from ronda_conformance import data_folders
from ronda_conformance.parameters import clauses_of_parameters, differences, value_text, values
from ronda_conformance.rule_set_sources import OWN_FIELDS, letter, rulings


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and what it can do."""
    parser = subparsers.add_parser(
        "rules",
        help="show the rule sets, how they differ and where their values come from",
        description="Shows the rule sets, how they differ and where their values come from, and "
        "checks files of house rules.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="every rule set in a line")
    showing = actions.add_parser(
        "show", help="every value of a rule set, with its clauses and its source"
    )
    showing.add_argument("rule_set", metavar=rule_set_choice.ID_OR_FILE)
    diffing = actions.add_parser("diff", help="the values in which two rule sets differ")
    diffing.add_argument("rule_set", metavar="A", help="an id or a file")
    diffing.add_argument("other", metavar="B", help="an id or a file")
    checking = actions.add_parser(
        "check",
        help="say everything that is wrong with files of house rules",
        description="Says everything that is wrong with rule-set files. The exit code is 0 where "
        "all can be played, 1 where one has a fault, 2 where one cannot be read.",
    )
    checking.add_argument("files", nargs="+", type=Path, metavar="FILE")
    for action in (listing, showing, diffing):
        rule_set_choice.add_folders(action)
    for action in (listing, showing, diffing, checking):
        action.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print what is asked for; return 0, or what the check of files gives."""
    if args.action == "check":
        return rules_check.run(args.files, as_json=args.json)
    known = rule_set_choice.known_rule_sets(args.rule_sets)
    match args.action:
        case "list":
            shown = [_about(known[name]) for name in sorted(known)]
            text = "\n".join(f"{one['id']:<22}  {one['summary']}" for one in shown)
            print(json.dumps(shown) if args.json else text)
        case "show":
            listed = rule_set_choice.find(args.rule_set, known)
            print(json.dumps(_as_json(listed)) if args.json else _as_text(listed))
        case _:
            one, other = (
                rule_set_choice.find(name, known).rule_set for name in (args.rule_set, args.other)
            )
            changes = differences(one, other)
            lines = [
                f"{name}: {value_text(a)} -> {value_text(b)}" for name, (a, b) in changes.items()
            ]
            print(json.dumps(changes) if args.json else "\n".join(lines))
    return 0


def _about(listed: ListedRuleSet) -> dict[str, object]:
    about: dict[str, object] = {name: getattr(listed.rule_set, name) for name in OWN_FIELDS}
    return {**about, "rulings": len(rulings(listed.sources))}


def _as_json(listed: ListedRuleSet) -> dict[str, object]:
    clauses = clauses_of_parameters(data_folders.spec())
    sources = {source.parameter: source for source in listed.sources}
    parameters = {
        name: {
            "value": value,
            "clauses": clauses.get(name, []),
            "source": _source_as_json(sources[name]) if name in sources else None,
            "parts": {
                source.parameter.partition(".")[2]: _source_as_json(source)
                for source in _parts(name, listed.sources)
            },
        }
        for name, value in values(listed.rule_set).items()
        if name not in OWN_FIELDS
    }
    return {**_about(listed), "parameters": parameters}


def _source_as_json(source: ParameterSource) -> dict[str, str | None]:
    return {
        "place": source.place,
        "ruling": letter(source) or None,
        "other_reading": source.other_reading or None,
    }


def _as_text(listed: ListedRuleSet) -> str:
    rule_set = listed.rule_set
    clauses = clauses_of_parameters(data_folders.spec())
    sources = {source.parameter: source for source in listed.sources}
    lines = [f"{rule_set.title} ({rule_set.id}): {rule_set.summary}", f"source: {rule_set.source}"]
    for name, value in values(rule_set).items():
        if name in OWN_FIELDS:
            continue
        known = ", ".join(clauses.get(name, []))
        lines.append(f"{name:<21} {value_text(value):<42} {known}".rstrip())
        if name in sources:
            lines.append(f"    {_from(sources[name])}")
        lines += [
            f"    {source.parameter}: {_from(source)}" for source in _parts(name, listed.sources)
        ]
    return "\n".join(lines)


def _from(source: ParameterSource) -> str:
    if not letter(source):
        return source.place
    return f"{source.place} ({letter(source)}); other reading: {source.other_reading}"


def _parts(name: str, sources: Iterable[ParameterSource]) -> list[ParameterSource]:
    return [source for source in sources if source.parameter.startswith(f"{name}.")]
