"""Opening the store's file: what is refused, how SQLite is set, and what is looked at first.

A file that is refused is left as it is, byte for byte.
"""

import stat
from pathlib import Path

import apsw

from ronda_referee.errors import StoreError
from ronda_referee.late_log import log
from ronda_referee.sqlite import transaction
from ronda_referee.store_check import contradictions, file_findings
from ronda_referee.store_schema import check_version, migrate

# A file of this size is looked through for some seconds.
_LARGE = 100_000_000


def open_store(path: Path) -> apsw.Connection:
    """Open a store for a referee, or create it, for its owner alone: it holds every seed and hand.

    An older version is migrated. A damaged file is refused; a match that contradicts itself is
    marked as frozen, and the others go on.

    Raises:
        StoreError: the file is not a store, or one of a newer version, or damaged, or in use, or
            open to others.
    """
    try:
        path.touch(mode=0o600)
        db = connect(path)
    except (apsw.Error, OSError) as error:
        raise StoreError(f"{path} cannot be opened as a store: {error}") from error
    try:
        _refuse_damaged(db, path)
        db.pragma("journal_mode", "wal")
        db.pragma("synchronous", "full")
        # Where fsync alone does not reach the disk (macOS), ask for more; elsewhere no change.
        db.pragma("fullfsync", value=True)
        db.pragma("foreign_keys", value=True)
        migrate(db)
        db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
        _freeze_damaged(db)
    except apsw.Error as error:
        db.close()
        raise StoreError(f"{path} cannot be opened as a store: {error}") from error
    except BaseException:
        db.close()
        raise
    return db


def connect(path: Path) -> apsw.Connection:
    """Open a store that must be there, for this process alone; closing it changes nothing.

    Raises:
        StoreError: the file is open to others, not a store, or one of a newer version.
        apsw.Error: it cannot be read, or is in use.
        OSError: it cannot be found.
    """
    if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise StoreError(
            f"{path} is open to other users and holds what they must not know; "
            "take their permissions away with chmod 600"
        )
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        # What was committed last may be in the WAL alone, and stays there while nothing is written.
        db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        # Nobody else may write or hold a lock while a referee runs: every match would wait.
        db.pragma("locking_mode", "exclusive")
        check_version(db, path)
    except BaseException:
        db.close()
        raise
    return db


def _refuse_damaged(db: apsw.Connection, path: Path) -> None:
    size = path.stat().st_size
    if size >= _LARGE:
        log(__name__).info("store is being checked", bytes=size)
    findings = list(file_findings(db, full=False))
    if findings:
        raise StoreError(
            f"{path} is damaged: {findings[0].detail}; it is left as it is. `ronda store check` "
            "lists all that is wrong; restore a backup"
        )


def _freeze_damaged(db: apsw.Connection) -> None:
    found = contradictions(db)
    if not found:
        return
    with transaction(db):
        for finding in found:
            log(__name__).error("match frozen", match_id=finding.match_id, detail=finding.detail)
            db.execute(
                "UPDATE match SET fault = ? WHERE match_id = ? AND fault IS NULL",
                (f"StoreDamaged: {finding.detail}", finding.match_id),
            )
