"""Group commit: what all matches want written in one turn of the event loop is one commit."""

import asyncio
import contextvars
from collections.abc import Callable
from typing import TypeAlias

import structlog

from ronda_referee.observing import observer
from ronda_referee.store import Store, Write

_log = structlog.get_logger(__name__)

Written: TypeAlias = Callable[[Exception | None], None]


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

    def belong_here(self) -> None:
        """Have commits belong to nothing but what the calling context belongs to."""
        self.context = _nobodys()

    def add(self, write: Write, written: Written) -> None:
        """Write, and say when it is on disk, or which error of the store has kept it from that.

        Args:
            write: what is to be written; others' writes do not make it fail.
            written: is told, in the commits' own context; it must not raise.
        """
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._commit, context=self.context)
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

    def _commit(self) -> None:
        waiting, self._waiting = self._waiting, []
        began = observer().now()
        try:
            self._store.write([write for write, _ in waiting])
        except Exception as error:  # noqa: BLE001 - whoever waits is told
            observer().commit_failed()
            # One of them may be at fault: each is tried by itself, so that only it fails.
            for write, written in waiting:
                self._commit_alone(write, written)
            _log.warning("group commit failed", matches=len(waiting), error=type(error).__name__)
            return
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
