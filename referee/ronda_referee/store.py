"""The store: matches and their log rows in SQLite, each commit on disk before it returns.

A row is written once and never changed; the primary key (match, sequence) is the fence against
writing one twice. Nothing here knows the rules.
"""

import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

import apsw

from ronda_referee.match_log import LogRow

SCHEMA_VERSION = 2

_SCHEMA = """
CREATE TABLE match (
    number      INTEGER PRIMARY KEY,
    match_id    TEXT NOT NULL UNIQUE,
    seed        BLOB NOT NULL,
    state       INTEGER NOT NULL,
    rule_set_id TEXT NOT NULL,
    created_ms  INTEGER NOT NULL,
    fault       TEXT
) STRICT;
CREATE TABLE seat (
    match_id    TEXT NOT NULL REFERENCES match (match_id),
    seat        INTEGER NOT NULL,
    token_hash  BLOB NOT NULL,
    name        TEXT NOT NULL DEFAULT '',
    refusals    INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (match_id, seat)
) STRICT, WITHOUT ROWID;
CREATE TABLE log_row (
    match_id    TEXT NOT NULL REFERENCES match (match_id),
    sequence    INTEGER NOT NULL,
    record      BLOB NOT NULL,
    opening     BLOB,
    visible_to  INTEGER,
    PRIMARY KEY (match_id, sequence)
) STRICT, WITHOUT ROWID;
CREATE INDEX open_match ON match (number) WHERE state IN (1, 2);
CREATE INDEX match_by_state ON match (state, number);
"""


class MatchState(IntEnum):
    """Where a match stands, numbered as in ronda.v1.MatchState."""

    JOINING = 1
    PLAYING = 2
    ENDED = 3
    CANCELLED = 4


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """What the store keeps of a match beside its log.

    Attributes:
        match_id: its id.
        seed: the 32 secret bytes behind its shuffle.
        token_hashes: the SHA-256 of each seat's token, by seat.
        rule_set_id: the id of its rule set.
        created_ms: when it was created, milliseconds since 1970 UTC.
        state: where it stands; a frozen match keeps the state that it had.
        names: what each seat's player goes by, by seat; empty where it has not joined.
        refusals: how many of each seat's moves were refused, by seat.
        fault: what went wrong where the match is frozen, or None.
    """

    match_id: str
    seed: bytes = field(repr=False)
    token_hashes: tuple[bytes, ...] = field(repr=False)
    rule_set_id: str
    created_ms: int
    state: MatchState = MatchState.JOINING
    names: tuple[str, ...] = ()
    refusals: tuple[int, ...] = ()
    fault: str | None = None

    @property
    def open(self) -> bool:
        """Whether its log can still grow."""
        return self.state in {MatchState.JOINING, MatchState.PLAYING}


@dataclass(frozen=True, slots=True)
class Write:
    """What one commit adds to one match.

    Attributes:
        match_id: the match.
        rows: log rows that follow those stored.
        created: set where the match is new.
        state: where the match stands from now on; None: where it stood.
        names: names of seats that have joined, by seat.
        refusals: how many of a seat's moves have been refused by now, by seat.
        token_hashes: the SHA-256 of a seat's new token, by seat.
    """

    match_id: str
    rows: Sequence[LogRow] = ()
    created: StoredMatch | None = None
    state: MatchState | None = None
    names: Mapping[int, str] = field(default_factory=dict)
    refusals: Mapping[int, int] = field(default_factory=dict)
    token_hashes: Mapping[int, bytes] = field(default_factory=dict, repr=False)


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
            "SELECT seed, rule_set_id, created_ms, state, fault FROM match WHERE match_id = ?",
            (match_id,),
        ).fetchone()
        if found is None:
            return None
        seed, rule_set_id, created_ms, state, fault = found
        seats = self._db.execute(
            "SELECT token_hash, name, refusals FROM seat WHERE match_id = ? ORDER BY seat",
            (match_id,),
        ).fetchall()
        return StoredMatch(
            match_id,
            _blob(seed),
            tuple(_blob(token_hash) for token_hash, _, _ in seats),
            rule_set_id,
            created_ms,
            MatchState(state),
            tuple(name for _, name, _ in seats),
            tuple(refusals for _, _, refusals in seats),
            fault,
        )

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
        found = self._db.execute("SELECT match_id FROM match WHERE state IN (1, 2) ORDER BY number")
        return [row[0] for row in found]

    def _write(self, write: Write) -> None:
        created = write.created
        if created is not None:
            self._db.execute(
                "INSERT INTO match (match_id, seed, state, rule_set_id, created_ms) "
                "VALUES (?, ?, ?, ?, ?)",
                (
                    created.match_id,
                    created.seed,
                    created.state,
                    created.rule_set_id,
                    created.created_ms,
                ),
            )
            self._db.executemany(
                "INSERT INTO seat (match_id, seat, token_hash) VALUES (?, ?, ?)",
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
        if write.state is not None:
            self._db.execute(
                "UPDATE match SET state = ? WHERE match_id = ?", (write.state, write.match_id)
            )
        columns: list[tuple[str, Mapping[int, bytes] | Mapping[int, str] | Mapping[int, int]]] = [
            ("token_hash", write.token_hashes),
            ("name", write.names),
            ("refusals", write.refusals),
        ]
        for column, values in columns:
            for seat, value in values.items():
                self._db.execute(
                    f"UPDATE seat SET {column} = ? WHERE match_id = ? AND seat = ?",  # noqa: S608  # one of the three above
                    (value, write.match_id, seat),
                )

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
