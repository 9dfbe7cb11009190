"""A progress bar, at a terminal alone."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


def _show_nothing(result: object) -> None:
    """Take a result and show nothing."""


@contextmanager
def progress(total: int, what: str = "scenarios") -> Iterator[Callable[[object], None]]:
    """Show a bar on standard error while results come in, and give what is to be told of each.

    Nothing is shown in a pipe, nor without the extra `terminal`.

    Args:
        total: how many results will come.
        what: what they are of.
    """
    if not sys.stderr.isatty():
        yield _show_nothing
        return
    try:
        # Loaded late: the bar is an extra, and loading it takes longer than a short run.
        from rich.console import Console  # noqa: PLC0415  # see above
        from rich.progress import BarColumn, MofNCompleteColumn, Progress  # noqa: PLC0415  # same
    except ImportError:
        yield _show_nothing
        return
    columns = (what, BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda _result: bar.advance(task)
