"""Hooks for whoever counts what a referee does. Where nobody does, they do nothing.

The observer is the one of the referee that a call or a commit belongs to: it goes with the
context in which the server is started, to everything that starts from there.
"""

from contextvars import ContextVar


class Observer:
    """Is told what happens. What it is told holds no id, token, seed or card."""

    def now(self) -> float:
        """Give the time by which it measures, in seconds; where nobody does, always 0."""
        return 0.0

    def move_accepted(self, came_in: float) -> None:
        """A move is on disk that came in at this time."""

    def refused(self, reason: str) -> None:
        """A request was refused, for a reason of `ErrorReason`."""

    def committed(self, matches: int, began: float) -> None:
        """One commit has put so many matches' rows on disk, and began at this time."""

    def commit_failed(self) -> None:
        """A commit was not made; what was in it is refused or tried again."""

    def matches_restored(self, matches: int) -> None:
        """So many open matches were brought back at the start."""

    def match_frozen(self) -> None:
        """A fault has stopped a match."""


_NOBODY = Observer()

current: ContextVar[Observer] = ContextVar("ronda_referee_observer", default=_NOBODY)
"""The observer of whatever runs now."""


def observer() -> Observer:
    """Give the observer of whatever runs now."""
    return current.get()
