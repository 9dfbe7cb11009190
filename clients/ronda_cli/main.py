"""The one `ronda` command: finds the subcommand asked for and imports no other."""

import argparse
import importlib
import importlib.metadata
import logging
import os
import sys
from collections.abc import Sequence
from typing import Protocol, cast

from ronda_cli.commands import COMMANDS, Command
from ronda_cli.extras import DISTRIBUTION, MissingExtraError, require
from ronda_cli.failures import CommandError, Terminated

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130
EXIT_TERMINATED = 143
# As of a process that SIGPIPE ended.
EXIT_BROKEN_PIPE = 141


class _CommandModule(Protocol):
    def add_parser(
        self, subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]"
    ) -> None: ...

    def run(self, args: argparse.Namespace) -> int: ...


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `ronda` with these arguments, or the process's own, and return the exit code.

    0 is success, 1 a failure that was reported, 2 a wrong use of the command, 130 an interrupt,
    143 a termination, and 141 an output that nobody reads any more.
    """
    # Before grpc is first imported: a connection that breaks is our message to give, not its own.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    logging.basicConfig(level=logging.WARNING, format="%(message)s", stream=sys.stderr)
    try:
        try:
            return _dispatch(sys.argv[1:] if arguments is None else list(arguments))
        finally:
            sys.stdout.flush()
    except Terminated as error:
        return _give_up(str(error) or "terminated", EXIT_TERMINATED)
    except KeyboardInterrupt as error:
        return _give_up(str(error) or "interrupted", EXIT_INTERRUPTED)
    except BrokenPipeError:
        # The interpreter flushes standard output once more at exit, into the closed pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_BROKEN_PIPE
    except MissingExtraError as error:
        return _give_up(str(error), EXIT_USAGE)
    except CommandError as error:
        return _give_up(str(error), error.code)


def _dispatch(arguments: list[str]) -> int:
    chosen = _chosen(arguments)
    parser = argparse.ArgumentParser(
        prog="ronda", description="The rules of Ronda as data, a referee for bots, and its tools."
    )
    parser.add_argument(
        "--version", action="version", version=f"ronda {importlib.metadata.version(DISTRIBUTION)}"
    )
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    module: _CommandModule | None = None
    for command in COMMANDS:
        if command is chosen:
            require(command.name, command.extras)
            module = cast("_CommandModule", importlib.import_module(command.module))
            module.add_parser(subparsers)
        else:
            subparsers.add_parser(command.name, help=command.summary, add_help=False)
    args = parser.parse_args(arguments)
    # Without a command argparse has ended the process, with its own message.
    return module.run(args) if module is not None else EXIT_USAGE


def _chosen(arguments: list[str]) -> Command | None:
    """Return the command that the arguments name; the options of `ronda` itself take no values."""
    for argument in arguments:
        if not argument.startswith("-"):
            return next((command for command in COMMANDS if command.name == argument), None)
    return None


def _give_up(message: str, code: int) -> int:
    print(f"ronda: {message}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
