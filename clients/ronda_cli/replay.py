"""`ronda replay`: mounts the referee's own command."""

import argparse

from ronda_referee import replay_command


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    replay_command.add_parser(subparsers)


def run(args: argparse.Namespace) -> int:
    """Run it; return the exit code."""
    return replay_command.run(args)
