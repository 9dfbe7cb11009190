"""The time of one match: its own clock, and the timer that comes when a deadline has passed."""

import asyncio
from collections.abc import Callable

from ronda_referee.surroundings import Surroundings

_RETRY_MS = 1000


class MatchClock:
    """Milliseconds since a match was created, without those in which no referee had it.

    It goes on from the last record on disk, however long ago that was written. Each move puts the
    deadline off; the timer stays, and is set again where it comes before the deadline.
    """

    __slots__ = (
        "_comes_ms",
        "_deadline",
        "_due",
        "_frozen",
        "_surroundings",
        "_timer",
        "_written_ms",
        "_zero",
    )

    def __init__(self, surroundings: Surroundings, due: Callable[[], object]) -> None:
        """Begin at 0; `due` is called when a deadline may have passed."""
        self._surroundings = surroundings
        self._due = due
        self._zero = surroundings.monotonic_ms()
        self._written_ms = 0
        self._deadline: int | None = None
        self._timer: asyncio.TimerHandle | None = None
        # The time on this clock at which the timer comes.
        self._comes_ms = 0
        self._frozen = False

    def now_ms(self) -> int:
        """Give the time on this clock."""
        return self._surroundings.monotonic_ms() - self._zero

    def written(self, clock_ms: int, deadline: int | None) -> None:
        """Note the time of the last record on disk, and the next deadline, if there is one."""
        self._written_ms = clock_ms
        self._deadline = deadline
        if deadline is None or self._timer is None or deadline < self._comes_ms:
            self.set_timer()

    def start(self) -> None:
        """Go on from the last record, however long ago that was written."""
        self._zero = self._surroundings.monotonic_ms() - self._written_ms
        self.set_timer()

    def stop(self) -> None:
        """Let no deadline pass any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def freeze(self) -> None:
        """Let no deadline pass any more, whatever comes."""
        self._frozen = True
        self.stop()

    def set_timer(self, *, retry: bool = False) -> None:
        """Come back when the next deadline has passed, or soon where the disk has failed."""
        self.stop()
        if self._deadline is None or self._frozen:
            return
        now = self.now_ms()
        wait = max(_RETRY_MS if retry else 0, self._deadline - now)
        self._comes_ms = now + wait
        self._timer = asyncio.get_running_loop().call_later(wait / 1000, self._came)

    def _came(self) -> None:
        self._timer = None
        if self._deadline is not None and self.now_ms() < self._deadline:
            self.set_timer()
        else:
            self._due()
