"""`ronda serve`: runs a referee."""

import argparse
import os
import signal
import sys
import threading

from ronda_conformance import rule_set_files
from ronda_referee import serve_command


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command, with an option that ties it to the process that started it."""
    serve_command.add_parser(subparsers)
    subparsers.choices["serve"].add_argument(
        "--until-input-ends",
        action="store_true",
        help="stop when standard input ends, as it does when the process at its other end dies",
    )


def run(args: argparse.Namespace) -> int:
    """Run the referee until it is told to stop; return the exit code."""
    if args.until_input_ends:
        threading.Thread(target=_stop_when_input_ends, daemon=True).start()
    return serve_command.run(args, rule_set_files.load_rule_sets())


def _stop_when_input_ends() -> None:
    while sys.stdin.buffer.read(4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
