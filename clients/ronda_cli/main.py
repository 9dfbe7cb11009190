"""The one `ronda` command: finds the subcommand asked for and imports no other."""

import argparse
import contextlib
import importlib
import logging
import os
import sys
from collections.abc import Sequence
from typing import Protocol, cast

from ronda_cli.commands import COMMANDS, Command
from ronda_cli.extras import DISTRIBUTION, MissingExtraError, require
from ronda_cli.failures import CommandError, Terminated
from ronda_cli.parsing import Parser

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130
EXIT_TERMINATED = 143
# As of a process that SIGPIPE ended.
EXIT_BROKEN_PIPE = 141


class _Version(argparse.Action):
    """Prints which version is installed and ends the process; it alone looks that up."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        help_text = "show program's version number and exit"
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help=help_text)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib import metadata  # noqa: PLC0415  # it takes longer than all else here

        print(f"ronda {metadata.version(DISTRIBUTION)}")
        parser.exit()


class _CommandModule(Protocol):
    def add_parser(
        self, subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]"
    ) -> None: ...

    def run(self, args: argparse.Namespace) -> int: ...


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `ronda` with these arguments, or the process's own, and return the exit code.

    0 is success, 1 a failure that was reported, 2 a wrong use of the command or an output that
    cannot be written, 130 an interrupt, 143 a termination, and 141 an output that nobody reads any
    more.
    """
    # Before grpc is first imported: a connection that breaks is our message to give, not its own.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    if sys.stdout is None:
        return _give_up("standard output is closed", EXIT_USAGE)
    logging.basicConfig(level=logging.WARNING, format="%(message)s", stream=sys.stderr)
    try:
        try:
            return _dispatch(_utf8(sys.argv[1:] if arguments is None else arguments))
        finally:
            sys.stdout.flush()
    except Terminated as error:
        return _give_up(str(error) or "terminated", EXIT_TERMINATED)
    except KeyboardInterrupt as error:
        return _give_up(str(error) or "interrupted", EXIT_INTERRUPTED)
    except BrokenPipeError:
        _drop_output()
        return EXIT_BROKEN_PIPE
    except MissingExtraError as error:
        return _give_up(str(error), EXIT_USAGE)
    except CommandError as error:
        return _give_up(str(error), error.code)
    except OSError as error:
        if error.filename is not None:
            raise
        # It is that of an output, which alone has no name.
        _drop_output()
        return _give_up(f"the output cannot be written: {error.strerror}", EXIT_USAGE)


def _dispatch(arguments: list[str]) -> int:
    chosen = _chosen(arguments)
    parser: argparse.ArgumentParser = Parser(
        prog="ronda", description="The rules of Ronda as data, a referee for bots, and its tools."
    )
    parser.add_argument("--version", action=_Version)
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


def _utf8(arguments: Sequence[str]) -> list[str]:
    """Return the arguments, none of which has a byte that is not UTF-8.

    Raises:
        CommandError: One has; nothing that it ends up in could be printed, sent or logged.
    """
    for argument in arguments:
        try:
            argument.encode()
        except UnicodeEncodeError as error:
            shown = argument.encode(errors="backslashreplace").decode()
            raise CommandError(f"the argument '{shown}' is not UTF-8", code=EXIT_USAGE) from error
    return list(arguments)


def _drop_output() -> None:
    """Let what is left of standard output go nowhere: the interpreter flushes it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _give_up(message: str, code: int) -> int:
    # Without standard error, or where it is full, the exit code has to say it.
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            print(f"ronda: {message}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
