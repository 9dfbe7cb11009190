"""`ronda conform`: mounts the conformance runner's own command."""

import argparse

from ronda_conformance import command


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    command.add_parser(subparsers)


def run(args: argparse.Namespace) -> int:
    """Run it; return the exit code."""
    return command.run(args)
