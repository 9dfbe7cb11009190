"""`ronda testee`: serves the engine as a program under test, one stateless call at a time."""

import argparse
import sys

from ronda_cli.failures import CommandError
from ronda_referee.testee_stdio import BadInputError, serve


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "testee",
        help="serve the engine to a conformance run over standard input and output",
        description=(
            "Answer ronda.conformance.v1.RunRequest with RunResponse until the input ends, each "
            "message after its length as a varint. Over gRPC `ronda serve` does the same."
        ),
    )
    parser.add_argument(
        "--stdio",
        action="store_true",
        required=True,
        help="read requests from standard input, write answers to standard output",
    )


def run(_args: argparse.Namespace) -> int:
    """Serve until the input ends; return the exit code."""
    try:
        serve(sys.stdin.buffer, sys.stdout.buffer)
    except BadInputError as error:
        message = f"testee: {error}"
        raise CommandError(message) from error
    return 0
