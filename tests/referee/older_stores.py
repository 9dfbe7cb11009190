"""Stores as older referees made them: the tables of each version, and how to fill them."""

from pathlib import Path

import apsw

VERSION_1 = """
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
PRAGMA user_version = 1;
"""

FROM_TODAY_TO_1 = """
INSERT INTO match SELECT match_id, seed, state IN (3, 4), fault FROM today.match;
INSERT INTO seat SELECT match_id, seat, token_hash FROM today.seat;
INSERT INTO log_row SELECT * FROM today.log_row;
"""

VERSION_2 = """
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
CREATE INDEX frozen_match ON match (number) WHERE fault IS NOT NULL;
CREATE INDEX match_by_state ON match (state, number);
CREATE INDEX match_by_rule_set ON match (rule_set_id, number);
PRAGMA user_version = 2;
"""

FROM_TODAY_TO_2 = """
INSERT INTO match SELECT * FROM today.match;
INSERT INTO seat SELECT * FROM today.seat;
INSERT INTO log_row SELECT * FROM today.log_row;
"""

OLDER = {1: (VERSION_1, FROM_TODAY_TO_1), 2: (VERSION_2, FROM_TODAY_TO_2)}


def make_older(store: Path, version: int) -> None:
    """Replace a store of today by one of an older version with the same matches."""
    tables, filling = OLDER[version]
    older = store.with_name("older.sqlite")
    db = apsw.Connection(str(older))
    db.pragma("journal_mode", "wal")
    db.execute(tables)
    db.execute("ATTACH ? AS today", (str(store),))
    db.execute("BEGIN; " + filling + " COMMIT;")
    db.execute("DETACH today")
    db.close()
    for rest in store.parent.glob(store.name + "*"):
        rest.unlink()
    older.rename(store)
    store.chmod(0o600)
