"""Group commit: what many matches want written at about the same time is one commit.

What comes in one turn of the event loop always is. gRPC hands calls over one by one, a turn for
each, so that with many calls under way each would have its own commit and wait for the disk alone.
Where commits take longer than that costs, a commit waits for as long as further writes keep coming.
Whether it is worth it is seen from what came: where nobody else plays nothing comes, and no move
waits for others but once in a long while.
"""

import asyncio
import contextvars
from collections.abc import Callable
from typing import TypeAlias

import structlog

from ronda_referee.observing import observer
from ronda_referee.store import Store, Write

_log = structlog.get_logger(__name__)

Written: TypeAlias = Callable[[Exception | None], None]

# So long without a further write, and the writes that wait are committed; the event loop's timers
# are no finer. All together none waits for longer than the second.
_GAP_SECONDS = 0.001
_LONGEST_SECONDS = 0.008
# After a wait for which too little came so many commits do without, and after each further one
# twice as many.
_FEWEST_WITHOUT = 8
_MOST_WITHOUT = 256
# Where so many commits do not take longer than a wait, none is worth it.
_MOST_SAVED = 8


class Commits:
    """Writes to the store for everybody; a write of which that is said is on disk.

    The commit runs in the event loop's thread: waiting for the disk there costs less than going
    to another thread and back, and everything that arrives meanwhile shares the next commit.
    """

    def __init__(self, store: Store) -> None:
        """Write to this store."""
        self._store = store
        self._waiting: list[tuple[Write, Written]] = []
        self.context = _nobodys()
        # How long commits take, in seconds: a mean of which each new one makes up an eighth.
        self._usual_seconds = 0.0
        self._without = 0
        self._next_without = _FEWEST_WITHOUT
        # When the first and the last of the writes that wait came, and how many did so at once.
        self._began = 0.0
        self._latest = 0.0
        self._at_once = 0

    def belong_here(self) -> None:
        """Have commits belong to nothing but what the calling context belongs to."""
        self.context = _nobodys()

    def add(self, write: Write, written: Written) -> None:
        """Write, and say when it is on disk, or which error of the store has kept it from that.

        Args:
            write: what is to be written; others' writes do not make it fail.
            written: is told, in the commits' own context; it must not raise.
        """
        loop = asyncio.get_running_loop()
        self._latest = loop.time()
        if not self._waiting:
            loop.call_soon(self._turn_over, context=self.context)
        self._waiting.append((write, written))

    async def write(self, write: Write) -> None:
        """Write and wait until it is on disk.

        Raises:
            Exception: the store's own, where this write failed; others' are not affected.
        """
        done: asyncio.Future[Exception | None] = asyncio.get_running_loop().create_future()

        def written(error: Exception | None) -> None:
            if not done.done():
                done.set_result(error)

        self.add(write, written)
        error = await done
        if error is not None:
            raise error

    def _turn_over(self) -> None:
        """Commit, or wait for writes that other calls are about to bring."""
        self._at_once = len(self._waiting)
        if self._without or self._usual_seconds * _MOST_SAVED < _GAP_SECONDS:
            self._without = max(0, self._without - 1)
            self._commit()
            return
        self._began = self._latest
        self._look_later()

    def _look_later(self) -> None:
        loop = asyncio.get_running_loop()
        loop.call_at(self._latest + _GAP_SECONDS, self._look, context=self.context)

    def _look(self) -> None:
        now = asyncio.get_running_loop().time()
        if now < min(self._latest + _GAP_SECONDS, self._began + _LONGEST_SECONDS):
            self._look_later()
            return
        came = len(self._waiting) - self._at_once
        if came * self._usual_seconds > _GAP_SECONDS:
            self._next_without = _FEWEST_WITHOUT
        else:
            self._without = self._next_without
            self._next_without = min(2 * self._next_without, _MOST_WITHOUT)
        self._commit()

    def _commit(self) -> None:
        waiting, self._waiting = self._waiting, []
        loop = asyncio.get_running_loop()
        started, began = loop.time(), observer().now()
        try:
            self._store.write([write for write, _ in waiting])
        except Exception as error:  # noqa: BLE001 - whoever waits is told
            observer().commit_failed()
            # One of them may be at fault: each is tried by itself, so that only it fails.
            for write, written in waiting:
                self._commit_alone(write, written)
            _log.warning("group commit failed", matches=len(waiting), error=type(error).__name__)
            return
        self._usual_seconds += (loop.time() - started - self._usual_seconds) / 8
        observer().committed(len(waiting), began)
        for _, written in waiting:
            written(None)

    def _commit_alone(self, write: Write, written: Written) -> None:
        try:
            self._store.write([write])
        except Exception as error:  # noqa: BLE001 - whoever waits for this write is told
            written(error)
        else:
            written(None)


def _nobodys() -> contextvars.Context:
    """Give the present context without what log lines of a call would hold."""
    context = contextvars.copy_context()
    context.run(structlog.contextvars.clear_contextvars)
    return context
