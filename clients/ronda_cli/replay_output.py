"""Where the lines of a replay go: in colour to a terminal, plain elsewhere, or key by key."""

import importlib
import os
import sys
from collections.abc import Callable, Iterable

from ronda_cli import keys
from ronda_cli.extras import is_installed
from ronda_cli.failures import CommandError
from ronda_conformance.event_sentences import Sentences
from ronda_referee.output import write_line
from ronda_replay.lines import Line, plain
from ronda_replay.telling import Language

_END = "q"


def show(blocks: Iterable[list[Line]]) -> None:
    """Write all blocks."""
    write = _writer()
    for block in blocks:
        for line in block:
            write(line)


def check_keys() -> None:
    """Make sure that there is a terminal which keys come from and lines go to.

    Raises:
        CommandError: there is none.
    """
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()):
        raise CommandError(
            "--step waits for keys, and there is no terminal; without it everything is printed, "
            "and --html makes a page to step through",
            code=2,
        )


def step_through(blocks: Iterable[list[Line]], language: Language) -> None:
    """Write block after block, each but the first when a key has been pressed, until q is.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    write = _writer()
    words = Sentences(language.glossary, latin=language.latin)
    write_line(sys.stdout, f"[{words.say('replay', 'step_keys', key=_END)}]")
    with keys.keys_at_once():
        for number, block in enumerate(blocks):
            sys.stdout.flush()
            if number and keys.read_key() == _END:
                return
            for line in block:
                write(line)


def _writer() -> Callable[[Line], None]:
    if sys.stdout.isatty() and not os.environ.get("NO_COLOR") and is_installed("rich"):
        rich_replay = importlib.import_module("ronda_cli.rich_replay")
        writer: Callable[[Line], None] = rich_replay.writer()
        return writer
    return lambda line: write_line(sys.stdout, plain(line))
