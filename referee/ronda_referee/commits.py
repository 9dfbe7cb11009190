"""Group commit: what all matches want written in one turn of the event loop is one commit."""

import asyncio

import structlog

from ronda_referee.observing import observer
from ronda_referee.store import Store, Write

_log = structlog.get_logger(__name__)


class Commits:
    """Writes to the store for everybody; a write that returns is on disk.

    The commit runs in the event loop's thread: waiting for the disk there costs less than going
    to another thread and back, and everything that arrives meanwhile shares the next commit.
    """

    def __init__(self, store: Store) -> None:
        """Write to this store."""
        self._store = store
        self._waiting: list[tuple[Write, asyncio.Future[None]]] = []

    async def write(self, write: Write) -> None:
        """Write and wait until it is on disk.

        Raises:
            Exception: the store's own, where this write failed; others' are not affected.
        """
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_soon(self._commit)
        done: asyncio.Future[None] = loop.create_future()
        self._waiting.append((write, done))
        await done

    def _commit(self) -> None:
        waiting, self._waiting = self._waiting, []
        began = observer().now()
        try:
            self._store.write([write for write, _ in waiting])
        except Exception as error:  # noqa: BLE001 - whoever waits is told
            observer().commit_failed()
            # One of them may be at fault: each is tried by itself, so that only it fails.
            for write, done in waiting:
                self._commit_alone(write, done)
            _log.warning("group commit failed", matches=len(waiting), error=type(error).__name__)
            return
        observer().committed(len(waiting), began)
        for _, done in waiting:
            if not done.done():
                done.set_result(None)

    def _commit_alone(self, write: Write, done: asyncio.Future[None]) -> None:
        try:
            self._store.write([write])
        except Exception as error:  # noqa: BLE001 - whoever waits for this write is told
            if not done.done():
                done.set_exception(error)
        else:
            if not done.done():
                done.set_result(None)
