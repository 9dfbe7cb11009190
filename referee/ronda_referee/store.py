"""The store: matches and their log rows in SQLite, each commit on disk before it returns.

A row is written once and never changed; the primary key (match, sequence) is the fence against
writing one twice. Nothing here knows the rules.
"""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from ronda_referee.match_log import LogRow
from ronda_referee.sqlite import query, transaction
from ronda_referee.store_copy import copied
from ronda_referee.store_file import open_store
from ronda_referee.store_records import MatchState


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
        number: its place in the order of creation; None until it is stored.
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
    number: int | None = None

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

    def length(self, match_id: str) -> int:
        """Give how many log rows a match has."""
        ...

    def matches(
        self,
        limit: int,
        before: int | None = None,
        state: MatchState | None = None,
        rule_set_id: str | None = None,
        *,
        frozen: bool | None = None,
    ) -> list[StoredMatch]:
        """Give matches, the newest first."""
        ...

    def open_matches(self) -> list[str]:
        """Give the ids of the matches whose logs are not complete."""
        ...


class SqliteStore:
    """The store in one SQLite file, in WAL mode with every commit synced to disk."""

    def __init__(self, path: Path) -> None:
        """Open the file, or create it, for its owner alone: it holds every seed and hand.

        Raises:
            StoreError: the file is not a store, or one of a newer version, or open to others.
        """
        self._db = open_store(path)

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

    @property
    def size(self) -> int:
        """How many bytes the store takes up, without what is only in its WAL."""
        return int(self._db.pragma("page_count")) * int(self._db.pragma("page_size"))

    def copied_to(self, target: Path) -> Generator[tuple[int, int], None, None]:
        """Copy the store into an empty file, step by step; it may be written between the steps.

        Each step gives how many pages are copied, and of how many.

        Raises:
            apsw.Error: the file cannot be written.
        """
        return copied(self._db, target)

    def write(self, writes: Sequence[Write]) -> None:
        """Write all of it in one transaction, on disk when it returns; or nothing at all.

        Raises:
            apsw.Error: the disk refuses, or a row of this number exists; nothing was written.
        """
        with transaction(self._db):
            for write in writes:
                if write.created is not None:
                    self._create(write.created)
            self._db.executemany(
                "INSERT INTO log_row VALUES (?, ?, ?, ?, ?)",
                [
                    (write.match_id, row.sequence, row.record, row.opening, row.visible_to)
                    for write in writes
                    for row in write.rows
                ],
            )
            for write in writes:
                self._change(write)

    def freeze(self, match_id: str, fault: str) -> None:
        """Mark a match as frozen by a fault of the referee; its first fault is the one kept."""
        with transaction(self._db):
            self._db.execute(
                "UPDATE match SET fault = ? WHERE match_id = ? AND fault IS NULL", (fault, match_id)
            )

    def match(self, match_id: str) -> StoredMatch | None:
        """Give a match, or None where there is none of that id."""
        found = self._matches("SELECT number FROM match WHERE match_id = ?", (match_id,))
        return found[0] if found else None

    def matches(
        self,
        limit: int,
        before: int | None = None,
        state: MatchState | None = None,
        rule_set_id: str | None = None,
        *,
        frozen: bool | None = None,
    ) -> list[StoredMatch]:
        """Give matches, the newest first.

        Args:
            limit: how many at most.
            before: only matches with lower numbers, or None.
            state: only matches that stand there, or None.
            rule_set_id: only matches of this rule set, or None.
            frozen: only matches that are frozen, or that are not, or None.
        """
        conditions: list[tuple[str, int | str | None]] = [
            ("number < ?", before),
            ("state = ?", state),
            ("rule_set_id = ?", rule_set_id),
        ]
        asked = [(text, value) for text, value in conditions if value is not None]
        where = [text for text, _ in asked]
        if frozen is not None:
            where.append("fault IS NOT NULL" if frozen else "fault IS NULL")
        wanted = "SELECT number FROM match"
        if where:
            wanted += " WHERE " + " AND ".join(where)
        wanted += " ORDER BY number DESC LIMIT ?"
        return self._matches(wanted, (*(value for _, value in asked), limit))

    def rows(self, match_id: str, start: int, limit: int) -> list[LogRow]:
        """Give up to `limit` log rows from a sequence number on, in order."""
        found = query(
            self._db,
            "SELECT sequence, record, opening, visible_to FROM log_row "
            "WHERE match_id = ? AND sequence >= ? ORDER BY sequence LIMIT ?",
            (match_id, start, limit),
        )
        return [LogRow(*row) for row in found]

    def length(self, match_id: str) -> int:
        """Give how many log rows a match has."""
        last = "SELECT coalesce(max(sequence) + 1, 0) FROM log_row WHERE match_id = ?"
        return int(next(query(self._db, last, (match_id,)))[0])

    def open_matches(self) -> list[str]:
        """Give the ids of the matches whose logs are not complete."""
        found = query(self._db, "SELECT match_id FROM match WHERE state IN (1, 2) ORDER BY number")
        return [match_id for (match_id,) in found]

    def _matches(self, numbers: str, bindings: Sequence[int | str]) -> list[StoredMatch]:
        """Give the matches whose numbers a query gives, the newest first, each with its seats."""
        rows = query(
            self._db,
            "SELECT number, match_id, seed, rule_set_id, created_ms, state, fault, "  # noqa: S608  # numbers is ours
            "seat, token_hash, name, refusals FROM match LEFT JOIN seat USING (match_id) "
            f"WHERE number IN ({numbers}) ORDER BY number DESC, seat",
            bindings,
        )
        found = []
        for match, seats in groupby(rows, lambda row: row[:7]):
            number, match_id, seed, rule_set_id, created_ms, state, fault = match
            held = [seat[8:] for seat in seats if seat[7] is not None]
            found.append(
                StoredMatch(
                    match_id,
                    seed,
                    tuple(token_hash for token_hash, _, _ in held),
                    rule_set_id,
                    created_ms,
                    MatchState(state),
                    tuple(name for _, name, _ in held),
                    tuple(refusals for _, _, refusals in held),
                    fault,
                    number,
                )
            )
        return found

    def _create(self, created: StoredMatch) -> None:
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

    def _change(self, write: Write) -> None:
        if write.state is not None:
            self._db.execute(
                "UPDATE match SET state = ? WHERE match_id = ?", (write.state, write.match_id)
            )
        if not (write.token_hashes or write.names or write.refusals):
            return
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
