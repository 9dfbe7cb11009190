"""Copies of the store, made while matches go on, each as the store is at one moment.

SQLite copies some pages at a time through the connection that also writes; what is written
meanwhile goes into the copy as well, so that it is the store as of the last step. A copy has its
name only once it is whole, checked and on disk.
"""

import asyncio
import errno
import shutil
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import apsw
import structlog

from ronda_referee.errors import ServiceError, ServiceReason, StoreError
from ronda_referee.store import SqliteStore
from ronda_referee.store_copy import PARTIAL, keep, new_partial

# A copy that filled the disk would stop every match.
_LEFT_FREE = 64 * 1024 * 1024

_log = structlog.get_logger(__name__)


class Backups:
    """Makes copies of a store that is in use, in a folder of their own."""

    def __init__(self, store: SqliteStore, folder: Path, now_ms: Callable[[], int]) -> None:
        """Copy a store into a folder, which is made where it is missing.

        `now_ms` gives the time in milliseconds since 1970 UTC, which the copies are named after.
        """
        self._store = store
        self._folder = folder
        self._now_ms = now_ms
        self._one_at_a_time = asyncio.Lock()

    async def make(self) -> Path:
        """Make a copy and give its file, as `matches-20240229T120000Z.sqlite`, once it is on disk.

        Raises:
            ServiceError: it cannot be written; nothing is left of it.
        """
        async with self._one_at_a_time:
            try:
                return await self._make()
            except (apsw.Error, OSError, StoreError) as error:
                _log.error("backup failed", exc_info=error)
                raise ServiceError(
                    ServiceReason.STORE_UNAVAILABLE,
                    "the copy could not be written; the referee's log lines say why",
                ) from error

    async def _make(self) -> Path:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        # They are left over from a referee that was killed: only one copy is made at a time.
        for stale in self._folder.glob(f"{PARTIAL}*"):
            stale.unlink()
        free = shutil.disk_usage(self._folder).free
        if free < self._store.size + _LEFT_FREE:
            raise OSError(errno.ENOSPC, f"{free} bytes are free, too few beside matches that go on")
        partial = new_partial(self._folder)
        try:
            with closing(self._store.copied_to(partial)) as steps:
                for _ in steps:
                    await asyncio.sleep(0)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
        name = datetime.fromtimestamp(self._now_ms() // 1000, UTC).strftime(
            "matches-%Y%m%dT%H%M%SZ"
        )
        # From here on it comes to its end even where whoever asked is gone.
        file = await asyncio.shield(asyncio.to_thread(_keep_named, partial, self._folder, name))
        _log.info("store copied", file=file.name)
        return file


def _keep_named(partial: Path, folder: Path, name: str) -> Path:
    """Keep a copy under a name that no other has."""
    number = 1
    file = folder / f"{name}.sqlite"
    while file.exists():
        number += 1
        file = folder / f"{name}-{number}.sqlite"
    keep(partial, file)
    return file
