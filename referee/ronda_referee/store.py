"""The store: matches and their log rows in SQLite, each commit on disk before it returns.

A row is written once and never changed; the primary key (match, sequence) is the fence against
writing one twice. Nothing here knows the rules.
"""

import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

import apsw

from ronda_referee.match_log import LogRow

SCHEMA_VERSION = 1

_SCHEMA = """
CREATE TABLE match (
    match_id    TEXT PRIMARY KEY,
    seed        BLOB NOT NULL,
    ended       INTEGER NOT NULL DEFAULT 0,
    fault       TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE seat (
    match_id    TEXT NOT NULL REFERENCES match,
    seat        INTEGER NOT NULL,
    token_hash  BLOB NOT NULL,
    PRIMARY KEY (match_id, seat)
) STRICT, WITHOUT ROWID;
CREATE TABLE log_row (
    match_id    TEXT NOT NULL REFERENCES match,
    sequence    INTEGER NOT NULL,
    record      BLOB NOT NULL,
    opening     BLOB,
    visible_to  INTEGER,
    PRIMARY KEY (match_id, sequence)
) STRICT, WITHOUT ROWID;
CREATE INDEX open_match ON match (match_id) WHERE ended = 0;
"""


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """What the store keeps of a match beside its log.

    Attributes:
        match_id: its id.
        seed: the 32 secret bytes behind its shuffle.
        token_hashes: the SHA-256 of each seat's token, by seat.
        ended: whether its log is complete.
        fault: what went wrong where the match is frozen, or None.
    """

    match_id: str
    seed: bytes = field(repr=False)
    token_hashes: tuple[bytes, ...] = field(repr=False)
    ended: bool = False
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Write:
    """What one commit adds to one match.

    Attributes:
        match_id: the match.
        rows: log rows that follow those stored.
        created: set where the match is new.
        ended: whether the rows complete the log.
    """

    match_id: str
    rows: Sequence[LogRow]
    created: StoredMatch | None = None
    ended: bool = False


class Store(Protocol):
    """What the referee needs of a store."""

    def write(self, writes: Sequence[Write]) -> None:
        """Write all of it in one transaction, on disk when it returns; or nothing at all."""
        ...

    def freeze(self, match_id: str, fault: str) -> None:
        """Mark a match as frozen by a fault of the referee."""
        ...

    def match(self, match_id: str) -> StoredMatch | None:
        """Give a match, or None where there is none of that id."""
        ...

    def rows(self, match_id: str, start: int, limit: int) -> list[LogRow]:
        """Give up to `limit` log rows from a sequence number on, in order."""
        ...

    def open_matches(self) -> list[str]:
        """Give the ids of the matches whose logs are not complete."""
        ...


class StoreError(Exception):
    """The store cannot be opened or is not what it should be; the text says what to do."""


class SqliteStore:
    """The store in one SQLite file, in WAL mode with every commit synced to disk."""

    def __init__(self, path: Path) -> None:
        """Open the file, or create it, for its owner alone: it holds every seed and hand.

        Raises:
            StoreError: the file is not a store, or one of a newer version, or open to others.
        """
        try:
            path.touch(mode=0o600)
            if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise StoreError(
                    f"{path} is open to other users and holds what they must not know; "
                    "take their permissions away with chmod 600"
                )
            self._db = apsw.Connection(str(path))
            # Nobody else may write or hold a lock while a referee runs: every match would wait.
            self._db.pragma("locking_mode", "exclusive")
            self._db.pragma("journal_mode", "wal")
            self._db.pragma("synchronous", "full")
            # Where fsync alone does not reach the disk (macOS), ask for more; elsewhere no change.
            self._db.pragma("fullfsync", value=True)
            self._db.pragma("foreign_keys", value=True)
            self._migrate(path)
        except (apsw.Error, OSError) as error:
            raise StoreError(f"{path} cannot be opened as a store: {error}") from error

    def __enter__(self) -> Self:
        """Give the store; leaving closes it."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self.close()

    def close(self) -> None:
        """Close the file; what was written stays."""
        self._db.close()

    def write(self, writes: Sequence[Write]) -> None:
        """Write all of it in one transaction, on disk when it returns; or nothing at all.

        Raises:
            apsw.Error: the disk refuses, or a row of this number exists; nothing was written.
        """
        with self._transaction():
            for write in writes:
                self._write(write)

    def freeze(self, match_id: str, fault: str) -> None:
        """Mark a match as frozen by a fault of the referee."""
        with self._transaction():
            self._db.execute("UPDATE match SET fault = ? WHERE match_id = ?", (fault, match_id))

    def match(self, match_id: str) -> StoredMatch | None:
        """Give a match, or None where there is none of that id."""
        found = self._db.execute(
            "SELECT seed, ended, fault FROM match WHERE match_id = ?", (match_id,)
        ).fetchone()
        if found is None:
            return None
        seed, ended, fault = found
        hashes = self._db.execute(
            "SELECT token_hash FROM seat WHERE match_id = ? ORDER BY seat", (match_id,)
        ).fetchall()
        token_hashes = tuple(_blob(row[0]) for row in hashes)
        return StoredMatch(match_id, _blob(seed), token_hashes, bool(ended), fault)

    def rows(self, match_id: str, start: int, limit: int) -> list[LogRow]:
        """Give up to `limit` log rows from a sequence number on, in order."""
        found = self._db.execute(
            "SELECT sequence, record, opening, visible_to FROM log_row "
            "WHERE match_id = ? AND sequence >= ? ORDER BY sequence LIMIT ?",
            (match_id, start, limit),
        )
        return [LogRow(*row) for row in found]

    def open_matches(self) -> list[str]:
        """Give the ids of the matches whose logs are not complete."""
        found = self._db.execute("SELECT match_id FROM match WHERE ended = 0 ORDER BY match_id")
        return [row[0] for row in found]

    def _write(self, write: Write) -> None:
        created = write.created
        if created is not None:
            self._db.execute(
                "INSERT INTO match (match_id, seed) VALUES (?, ?)", (created.match_id, created.seed)
            )
            self._db.executemany(
                "INSERT INTO seat VALUES (?, ?, ?)",
                [
                    (created.match_id, seat, token_hash)
                    for seat, token_hash in enumerate(created.token_hashes)
                ],
            )
        self._db.executemany(
            "INSERT INTO log_row VALUES (?, ?, ?, ?, ?)",
            [
                (write.match_id, row.sequence, row.record, row.opening, row.visible_to)
                for row in write.rows
            ],
        )
        if write.ended:
            self._db.execute("UPDATE match SET ended = 1 WHERE match_id = ?", (write.match_id,))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if not self._db.get_autocommit():
                self._db.execute("ROLLBACK")
            raise

    def _migrate(self, path: Path) -> None:
        version = self._db.pragma("user_version")
        if version == SCHEMA_VERSION:
            return
        tables = self._db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if version or tables != (0,):
            raise StoreError(
                f"{path} is a store of version {version}; this referee reads {SCHEMA_VERSION}"
            )
        with self._transaction():
            self._db.execute(_SCHEMA)
            self._db.pragma("user_version", SCHEMA_VERSION)


def _blob(value: object) -> bytes:
    if not isinstance(value, bytes):
        raise StoreError(f"the store holds {type(value).__name__} where bytes belong")
    return value
