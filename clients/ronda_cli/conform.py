"""`ronda conform`: mounts the conformance runner's own command."""

import argparse
from collections.abc import Iterator

from ronda.v1.rule_set_pb2 import RuleSet
from ronda_conformance import command
from ronda_referee.convert import problems_of


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    command.add_parser(subparsers, contradictions)


def contradictions(rule_set: RuleSet) -> Iterator[tuple[str, str]]:
    """Find why the engine refuses a rule set: each field, and what is wrong with it."""
    for problem in problems_of(rule_set):
        yield problem.field, problem.detail


def run(args: argparse.Namespace) -> int:
    """Run it; return the exit code."""
    return command.run(args)
