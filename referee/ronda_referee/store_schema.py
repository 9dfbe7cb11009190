"""The store's tables, and how a store of an older version becomes one of this version.

The version is SQLite's `user_version`. A store is brought forward one version at a time, all of it
in one transaction, so that it is of the old version or of the new one whatever happens meanwhile.
A table is never altered in a release that its version has been in: add a migration.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import apsw

from ronda_referee.errors import StoreError
from ronda_referee.late_log import log
from ronda_referee.sqlite import query, transaction
from ronda_referee.store_records import both_ends, summary

SCHEMA_VERSION = 3

_MATCHES_2 = """
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
CREATE INDEX open_match ON match (number) WHERE state IN (1, 2);
CREATE INDEX frozen_match ON match (number) WHERE fault IS NOT NULL;
CREATE INDEX match_by_state ON match (state, number);
CREATE INDEX match_by_rule_set ON match (rule_set_id, number);
"""

_LOG_ROWS = """
CREATE TABLE log_row (
    match_id    TEXT NOT NULL REFERENCES match (match_id),
    sequence    INTEGER NOT NULL,
    record      BLOB NOT NULL,
    opening     BLOB,
    visible_to  INTEGER,
    PRIMARY KEY (match_id, sequence)
) STRICT"""

_TABLES_2 = f"{_MATCHES_2}{_LOG_ROWS}, WITHOUT ROWID;"

# Rows are appended one after the other. Where they lay together match by match, each commit had to
# write a page for every match that it was about, and the more matches were open the more pages.
_LOG_ROWS_3 = f"{_LOG_ROWS};"

SCHEMA = f"{_MATCHES_2}{_LOG_ROWS_3}"


def check_version(db: apsw.Connection, path: Path) -> None:
    """Refuse a store that this referee cannot bring to its own version; nothing is changed.

    Raises:
        StoreError: it is no store, or one of a newer version.
    """
    version = db.pragma("user_version")
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"{path} is a store of version {version}, made by a newer referee; this one reads "
            f"versions up to {SCHEMA_VERSION}: start the newer one, or restore a backup"
        )
    if version < 0 or (version == 0 and _tables(db)):
        raise StoreError(f"{path} is an SQLite file of another program, not a store of matches")


def migrate(db: apsw.Connection) -> None:
    """Make the tables of a new store, or bring an older one to this version; in one transaction.

    `check_version` must have let the store pass.

    Raises:
        apsw.Error: the disk refuses, or the tables are not those of its version; nothing has
            changed.
    """
    before = db.pragma("user_version")
    if before == SCHEMA_VERSION:
        return
    with _without_foreign_keys(db), transaction(db):
        if before == 0:
            db.execute(SCHEMA)
        else:
            log(__name__).info("store is being migrated", version=before, to=SCHEMA_VERSION)
            for version in range(before, SCHEMA_VERSION):
                MIGRATIONS[version](db)
            strays = list(query(db, "PRAGMA foreign_key_check"))
            if strays:
                raise apsw.ConstraintError(f"{len(strays)} rows belong to no match")
        db.pragma("user_version", SCHEMA_VERSION)


@contextmanager
def _without_foreign_keys(db: apsw.Connection) -> Iterator[None]:
    # Tables that refer to each other cannot be replaced otherwise; SQLite ignores this pragma
    # within a transaction.
    db.pragma("foreign_keys", value=False)
    try:
        yield
    finally:
        db.pragma("foreign_keys", value=True)


def _tables(db: apsw.Connection) -> int:
    return int(next(query(db, "SELECT count(*) FROM sqlite_schema"))[0])


_SET_ASIDE_1 = """
DROP INDEX open_match;
ALTER TABLE match RENAME TO match_1;
ALTER TABLE seat RENAME TO seat_1;
ALTER TABLE log_row RENAME TO log_row_1;
"""


def _from_1(db: apsw.Connection) -> None:
    """State, rule set, time and names come from the log; a match without a header is frozen."""
    db.execute(_SET_ASIDE_1)
    db.execute(_TABLES_2)
    db.execute(
        "INSERT INTO log_row SELECT match_id, sequence, record, opening, visible_to FROM log_row_1"
    )
    migrated = []
    for match_id, seed, ended, fault in query(
        db, "SELECT match_id, seed, ended, fault FROM match_1"
    ):
        found = summary(*both_ends(db, match_id))
        contradiction = found.fault
        if contradiction is None and bool(ended) != found.complete:
            contradiction = "it was stored as ended, and its log is not complete"
            if found.complete:
                contradiction = "it was stored as going on, and its log is complete"
        migrated.append((found, match_id, seed, fault or contradiction))
    # The order in which matches were created was not stored.
    migrated.sort(key=lambda one: (one[0].created_ms, one[1]))
    for found, match_id, seed, fault in migrated:
        db.execute(
            "INSERT INTO match (match_id, seed, state, rule_set_id, created_ms, fault) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (match_id, seed, found.state, found.rule_set_id, found.created_ms, fault),
        )
        db.execute(
            "INSERT INTO seat (match_id, seat, token_hash) "
            "SELECT match_id, seat, token_hash FROM seat_1 WHERE match_id = ?",
            (match_id,),
        )
        db.executemany(
            "UPDATE seat SET name = ? WHERE match_id = ? AND seat = ?",
            [(name, match_id, seat) for seat, name in found.names.items()],
        )
    strays = query(
        db, "SELECT 1 FROM seat_1 WHERE match_id NOT IN (SELECT match_id FROM match_1) LIMIT 1"
    )
    if list(strays):
        raise apsw.ConstraintError("seats belong to no match")
    db.execute("DROP TABLE log_row_1; DROP TABLE seat_1; DROP TABLE match_1;")


def _from_2(db: apsw.Connection) -> None:
    """The same rows, match by match, in a table that grows at its end."""
    db.execute("ALTER TABLE log_row RENAME TO log_row_2")
    db.execute(_LOG_ROWS_3)
    db.execute(
        "INSERT INTO log_row SELECT match_id, sequence, record, opening, visible_to "
        "FROM log_row_2 ORDER BY match_id, sequence"
    )
    db.execute("DROP TABLE log_row_2")


MIGRATIONS: Mapping[int, Callable[[apsw.Connection], None]] = {1: _from_1, 2: _from_2}
