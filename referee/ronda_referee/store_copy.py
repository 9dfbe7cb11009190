"""Copying a store: pages step by step, then the whole copy onto the disk under its name."""

import os
import secrets
from collections.abc import Generator
from pathlib import Path

import apsw

from ronda_referee.durable_file import sync_folder
from ronda_referee.errors import StoreError
from ronda_referee.store_check import file_findings

# A step of so many pages of 4 KiB holds the matches up for about a millisecond.
PAGES_AT_ONCE = 32

PARTIAL = ".partial-"


def copied(source: apsw.Connection, target: Path) -> Generator[tuple[int, int], None, None]:
    """Copy a store into an empty file, some pages at each step.

    Each step gives how many pages are copied, and of how many. Between the steps the source may be
    written through the same connection.

    Raises:
        apsw.Error: the file cannot be written.
    """
    copy = apsw.Connection(str(target), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        # A copy that is not finished is thrown away, and `keep` brings a finished one to the disk.
        copy.pragma("journal_mode", "off")
        copy.pragma("synchronous", "off")
        with copy.backup("main", source, "main") as backup:
            while not backup.done:
                backup.step(PAGES_AT_ONCE)
                yield backup.page_count - backup.remaining, backup.page_count
    finally:
        copy.close()


def new_partial(folder: Path) -> Path:
    """Make an empty file for a copy that is not finished, for its owner alone.

    Raises:
        OSError: it cannot be made.
    """
    partial = folder / f"{PARTIAL}{secrets.token_hex(8)}"
    os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    return partial


def keep(partial: Path, file: Path) -> None:
    """Give a finished copy its name, once it is found sound and is on disk.

    The partial file is gone afterwards, whatever happens.

    Raises:
        StoreError: it is not sound.
        FileExistsError: there is a file of that name; it is left as it is.
        OSError: it cannot be brought to the disk.
    """
    try:
        _check(partial)
        descriptor = os.open(partial, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.link(partial, file)
    finally:
        partial.unlink(missing_ok=True)
    sync_folder(file.parent)


def _check(partial: Path) -> None:
    # Immutable: SQLite makes no files beside it.
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    copy = apsw.Connection(f"{partial.absolute().as_uri()}?immutable=1", flags=flags)
    try:
        for finding in file_findings(copy, full=False):
            raise StoreError(f"the copy is damaged: {finding.detail}")
    finally:
        copy.close()
