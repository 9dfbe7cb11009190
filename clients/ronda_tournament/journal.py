"""The tournament's journal: a JSON object a line, of which nothing is ever changed."""

import asyncio
import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

VERSION = 1


class JournalError(Exception):
    """A journal cannot be used; the message names it and says what is wrong."""


def read(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of a journal; a last one that was cut off is none.

    Raises:
        JournalError: Another line is no JSON object.
        OSError: It cannot be read.
    """
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                # The process or the machine went down while it was written: it said nothing yet.
                return
            try:
                value = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise JournalError(f"{path}, line {number}: {error}") from error
            if not isinstance(value, dict) or not isinstance(value.get("type"), str):
                raise JournalError(f"{path}, line {number}: it is no line of a journal")
            yield value


class Journal:
    """A journal that is being written: each line is applied as it is noted."""

    def __init__(self, path: Path, apply: Callable[[Mapping[str, Any]], None]) -> None:
        """Read what is there, apply it, and go on from there.

        Args:
            path: The file; it is made where it is not there.
            apply: Takes every line in, old and new.

        Raises:
            JournalError: It cannot be used.
            OSError: It cannot be read or written.
        """
        self._apply = apply
        self._whole = 0
        if path.exists():
            for line in read(path):
                apply(line)
            data = path.read_bytes()
            self._whole = data.rfind(b"\n") + 1
        self._file = path.open("ab")
        self._file.truncate(self._whole)
        self._unsynced = False
        self._syncing = asyncio.Lock()
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def note(self, kind: str, /, **fields: object) -> None:
        """Write a line and apply it. It outlives this process, and after `sync` the machine too."""
        line = {"type": kind, **fields}
        self._file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        self._file.flush()
        self._unsynced = True
        self._apply(line)

    async def sync(self) -> None:
        """Return when all that was noted is on disk; those who wait together share one sync."""
        async with self._syncing:
            if self._unsynced:
                self._unsynced = False
                await asyncio.to_thread(os.fsync, self._file.fileno())

    def sync_now(self) -> None:
        """As `sync`, where nothing else goes on."""
        self._unsynced = False
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Write what is left and close the file."""
        self.sync_now()
        self._file.close()
