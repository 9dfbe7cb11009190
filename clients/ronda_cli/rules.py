"""`ronda rules`: the rule sets that are shipped, and what each of their values is."""

import argparse
import json

from ronda.v1.rule_set_pb2 import RuleSet
from ronda_cli.failures import CommandError
from ronda_conformance import data_folders, rule_set_files
from ronda_conformance.parameters import (
    PARAMETERS,
    clauses_of_parameters,
    differences,
    value_text,
    values,
)


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
            lines = [
                f"{name}: {value_text(a)} -> {value_text(b)}" for name, (a, b) in changes.items()
            ]
            print(json.dumps(changes) if args.json else "\n".join(lines))
    return 0


def _find(rule_sets: dict[str, RuleSet], name: str) -> RuleSet:
    if name not in rule_sets:
        known = ", ".join(sorted(rule_sets))
        raise CommandError(f"there is no rule set {name!r}; there are: {known}", code=2)
    return rule_sets[name]


def _about(rule_set: RuleSet) -> dict[str, str]:
    return {name: getattr(rule_set, name) for name in rule_set_files.OWN_FIELDS}


def _shown(rule_set: RuleSet) -> str:
    clauses = clauses_of_parameters(data_folders.spec())
    lines = [f"{rule_set.title} ({rule_set.id}): {rule_set.summary}", f"source: {rule_set.source}"]
    given = values(rule_set)
    for name in PARAMETERS:
        known = ", ".join(clauses.get(name, []))
        lines.append(f"{name:<21} {value_text(given[name]):<42} {known}".rstrip())
    return "\n".join(lines)
