"""Options and running of the commands that show a table in the terminal."""

import argparse
import asyncio
import logging
import os
import select
import signal
import sys

from ronda_cli import options
from ronda_cli.failures import CommandError, Terminated
from ronda_conformance.glossary import GlossaryError, GlossaryUnknownError, load_glossary
from ronda_replay.telling import Language
from ronda_terminal.app import TableApp

USAGE = 2
_PACE = 0.6
_LOOK_SECONDS = 1.0
# What a shell says of a program that SIGHUP has ended.
_HUNG_UP = 129


def add_looks(parser: argparse.ArgumentParser) -> None:
    """Add how the table looks, and in which language it speaks."""
    parser.add_argument(
        "--lang", default="en", metavar="CODE", help="ar, ary, fa, es, fr or en (default: en)"
    )
    parser.add_argument(
        "--latin",
        action="store_true",
        help="speak in Latin letters, for terminals that cannot show the script",
    )
    parser.add_argument(
        "--no-colour",
        action="store_true",
        help="show everything without colours, as where NO_COLOR is set",
    )
    parser.add_argument(
        "--pace",
        type=options.seconds,
        default=_PACE,
        metavar="SECONDS",
        help="how long each card of the others is shown before what follows; while clocks run it "
        f"is not waited (default: {_PACE})",
    )


def language_of(args: argparse.Namespace) -> Language:
    """Return in what the table speaks.

    Raises:
        CommandError: There is no such language, or its glossary cannot be used.
    """
    try:
        return Language(load_glossary(args.lang), args.latin)
    except GlossaryUnknownError as error:
        raise CommandError(f"--lang: {error}", code=USAGE) from error
    except GlossaryError as error:
        raise CommandError(str(error)) from error


def check_terminal(command: str) -> None:
    """Make sure that there is a terminal to show a table on and to take keys from.

    Raises:
        CommandError: There is none.
    """
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()):
        raise CommandError(
            f"{command} shows a table and waits for keys, and there is no terminal; `ronda match` "
            "has bots play, and `ronda replay` tells a log",
            code=USAGE,
        )


def prepare(args: argparse.Namespace) -> None:
    """Take the colours away where that is wanted, before the table is made."""
    if args.no_colour:
        os.environ["NO_COLOR"] = "1"


def run_table(app: TableApp) -> None:
    """Show a table until the person leaves it.

    Raises:
        CommandError: The match could not go on.
        Terminated: SIGTERM arrived; the terminal is as it was.
    """
    # A line of a log would stand in the middle of the table; what matters is shown there.
    logging.disable(logging.CRITICAL)
    try:
        terminated = asyncio.run(_shown(app))
    finally:
        logging.disable(logging.NOTSET)
    if terminated:
        raise Terminated
    if app.fault is not None:
        raise app.fault
    if app.failure is not None:
        raise CommandError(str(app.failure)) from app.failure


async def _shown(app: TableApp) -> bool:
    terminated = False

    def terminate() -> None:
        nonlocal terminated
        terminated = True
        app.exit()

    # Event loops of Windows take no signals, and its terminals are not polled.
    if sys.platform != "win32":
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, terminate)
        _end_with_the_terminal()
    await app.run_async()
    return terminated


def _end_with_the_terminal() -> None:
    """Look now and then whether the terminal is there; end the process where it is gone.

    Also where no SIGHUP comes: what reads the keys would read for ever that there are none.
    Nothing is left undone, since there is nobody to show anything to, and a seat on a referee is
    left as by a lost connection.
    """
    poll = select.poll()
    poll.register(sys.stdin, 0)
    if poll.poll(0):
        os._exit(_HUNG_UP)
    asyncio.get_running_loop().call_later(_LOOK_SECONDS, _end_with_the_terminal)
