"""`ronda audit`: mounts the referee's own command."""

import argparse

from ronda_referee import audit_command


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    audit_command.add_parser(subparsers)


def run(args: argparse.Namespace) -> int:
    """Run it; return the exit code."""
    return audit_command.run(args)
