"""A progress bar drawn with rich, which the extra `terminal` brings."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn


class Bar:
    """One bar that is being shown."""

    def __init__(self, bars: Progress, task: TaskID) -> None:
        """Take the display and its only task."""
        self._bars = bars
        self._task = task

    def update(self, done: float, note: str = "") -> None:
        """Show how much is done by now, and something about it."""
        self._bars.update(self._task, completed=done, note=note)


@contextmanager
def bar(label: str, total: float | None) -> Iterator[Bar]:
    """Show a bar on standard error while the context lasts."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[note]}"),
    )
    with Progress(
        *columns,
        console=Console(stderr=True),
        # At the same terminal what is printed goes above the bar; elsewhere it is none of its
        # business.
        redirect_stdout=sys.stdout.isatty(),
    ) as bars:
        yield Bar(bars, bars.add_task(label, total=total, note=""))
