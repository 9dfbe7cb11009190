"""Progress bars: at a terminal, and only there."""

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from ronda_cli.extras import is_installed


class Progress(Protocol):
    """Where a piece of work says how far it is."""

    def update(self, done: float, note: str = "") -> None:
        """Say how much is done by now, and something about it."""


class Silent:
    """Progress that nobody looks at."""

    def update(self, done: float, note: str = "") -> None:
        """Say nothing."""


@contextmanager
def progress(label: str, total: float | None) -> Iterator[Progress]:
    """Show a bar for a piece of work while the context lasts.

    Without a total it only shows that something is done. It goes to standard error; where that is
    no terminal, or the extra `terminal` is not installed, nothing is shown.
    """
    if not sys.stderr.isatty() or not is_installed("rich"):
        yield Silent()
        return
    rich_progress = importlib.import_module("ronda_cli.rich_progress")
    with rich_progress.bar(label, total) as bar:
        yield bar
