"""`ronda serve`: runs a referee."""

import argparse
import contextlib
import os
import signal
import sys
import threading

from ronda_cli import rule_set_choice
from ronda_cli.failures import CommandError
from ronda_referee import serve_command

_STANDARD_INPUT = 0


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command, with house rules and an option that ties it to who started it."""
    serve_command.add_parser(subparsers)
    parser = subparsers.choices["serve"]
    rule_set_choice.add_folders(parser)
    parser.add_argument(
        "--until-input-ends",
        action="store_true",
        help="stop when standard input ends, as it does when the process at its other end dies",
    )


def run(args: argparse.Namespace) -> int:
    """Run the referee until it is told to stop; return the exit code."""
    rule_sets = rule_set_choice.known_rule_sets(args.rule_sets)
    if args.until_input_ends:
        if sys.stdin is None:
            raise CommandError("--until-input-ends: standard input is closed", code=2)
        threading.Thread(target=_stop_when_input_ends, daemon=True).start()
    return serve_command.run(args, rule_sets)


def _stop_when_input_ends() -> None:
    # Not by sys.stdin: its buffer's lock, held by a thread that waits, would abort the exit.
    with contextlib.suppress(OSError):
        while os.read(_STANDARD_INPUT, 4096):
            pass
    os.kill(os.getpid(), signal.SIGTERM)
