"""Stores of older versions are brought forward with everything in them."""

import itertools
from pathlib import Path

import apsw
import pytest

from ronda.v1 import referee_service_pb2 as pb
from ronda_referee import store_schema
from ronda_referee.chain import NonceSealer
from ronda_referee.errors import StoreError
from ronda_referee.store import SqliteStore
from ronda_referee.surroundings import Surroundings
from tests.referee.older_stores import OLDER, make_older
from tests.referee.running import CountedEntropy, Running, Table, running


def _ticking() -> Surroundings:
    """Give surroundings whose clock goes on by a millisecond whenever it is asked."""
    ticks = itertools.count(1_700_000_000_000)
    entropy = CountedEntropy()
    return Surroundings(
        now_ms=lambda: next(ticks),
        monotonic_ms=lambda: 7,
        entropy=entropy,
        sealer=NonceSealer(entropy),
    )


def _dump(store: Path, sql: str) -> list[tuple[object, ...]]:
    db = apsw.Connection(str(store), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return list(db.execute(sql))
    finally:
        db.close()


async def _log(run: Running, match_id: str) -> bytes:
    request = pb.GetMatchLogRequest(match_id=match_id)
    return b"".join([part.data async for part in run.stub.GetMatchLog(request)])


def test_every_older_version_has_its_migration_and_its_tables_here() -> None:
    """A new version cannot come without the way to it."""
    older = set(range(1, store_schema.SCHEMA_VERSION))
    assert set(store_schema.MIGRATIONS) == older
    assert set(OLDER) == older


async def test_a_store_of_version_1_goes_on_with_every_match(tmp_path: Path) -> None:
    """A match that waits, one that is played and one that has ended come back as they were.

    State, rule set, time and names were not stored then and come from the log.
    """
    store = tmp_path / "matches.sqlite"
    async with running(tmp_path, surroundings=_ticking()) as run:
        ended = await run.table(2, "sarii", joined=False)
        await ended.join(1, "Brahim")
        await ended.join(0, "Amina")
        await ended.play_to_the_end()
        played = await run.table(3)
        await played.play_lowest()
        waiting = await run.table(4, joined=False)
        await waiting.join(2, "Chama", b"salt")
        view, log = await played.view(1), await _log(run, ended.match_id)
    before = _dump(store, "SELECT * FROM log_row ORDER BY match_id, sequence")
    seats = _dump(store, "SELECT match_id, seat, token_hash FROM seat ORDER BY 1, 2")
    make_older(store, 1)
    async with running(tmp_path) as run:
        assert run.serving.restored == 2
        assert await _log(run, ended.match_id) == log
        again = Table(run.stub, played.match_id, played.tokens, played.requests)
        assert await again.view(1) == view
        await again.play_to_the_end()
        for seat in (0, 1, 3):
            await Table(run.stub, waiting.match_id, waiting.tokens).join(seat)
    rows = _dump(store, "SELECT * FROM log_row ORDER BY match_id, sequence")
    assert [row for row in rows if row in set(before)] == before
    assert _dump(store, "SELECT match_id, seat, token_hash FROM seat ORDER BY 1, 2") == seats
    assert _dump(store, "PRAGMA user_version") == [(3,)]
    assert _dump(store, "SELECT number, match_id, state, rule_set_id, fault FROM match") == [
        (1, ended.match_id, 3, "sarii", None),
        (2, played.match_id, 3, "maghribi", None),
        (3, waiting.match_id, 2, "maghribi", None),
    ]
    assert _dump(store, "SELECT created_ms FROM match WHERE number = 1") == [(1_700_000_000_000,)]
    assert _dump(store, "SELECT name, refusals FROM seat JOIN match USING (match_id)") == [
        *[("Amina", 0), ("Brahim", 0), ("", 0), ("", 0), ("", 0)],
        *[("", 0), ("", 0), ("Chama", 0), ("", 0)],
    ]


async def test_states_of_a_store_of_version_1_come_from_the_logs(tmp_path: Path) -> None:
    """Nothing is played after the migration: 1 waits for seats, 2 is played, 3 has ended."""
    store = tmp_path / "matches.sqlite"
    async with running(tmp_path, surroundings=_ticking()) as run:
        ended = await run.table(2, "sarii")
        await ended.play_to_the_end()
        await run.table(2)
        await run.table(2, joined=False)
    make_older(store, 1)
    SqliteStore(store).close()
    assert _dump(store, "SELECT state FROM match ORDER BY number") == [(3,), (2,), (1,)]


async def test_a_store_of_version_2_goes_on_with_every_match(tmp_path: Path) -> None:
    """Every row is there, byte for byte, and a match that is played goes on to its end."""
    store = tmp_path / "matches.sqlite"
    async with running(tmp_path, surroundings=_ticking()) as run:
        ended = await run.table(2, "sarii")
        await ended.play_to_the_end()
        played = await run.table(3)
        await played.play_lowest()
        view, log = await played.view(1), await _log(run, ended.match_id)
    everything = (
        "SELECT * FROM match ORDER BY number",
        "SELECT * FROM seat ORDER BY match_id, seat",
        "SELECT * FROM log_row ORDER BY match_id, sequence",
    )
    before = [_dump(store, sql) for sql in everything]
    make_older(store, 2)
    assert _dump(store, "PRAGMA user_version") == [(2,)]
    SqliteStore(store).close()
    assert _dump(store, "PRAGMA user_version") == [(3,)]
    assert [_dump(store, sql) for sql in everything] == before
    async with running(tmp_path) as run:
        assert run.serving.restored == 1
        assert await _log(run, ended.match_id) == log
        again = Table(run.stub, played.match_id, played.tokens, played.requests)
        assert await again.view(1) == view
        await again.play_to_the_end()


@pytest.mark.parametrize("version", [1, 2])
async def test_a_migrated_store_has_the_tables_of_a_new_one(tmp_path: Path, version: int) -> None:
    """Tables and indexes are the same, word for word, and the file is sound."""
    new, old = tmp_path / "new.sqlite", tmp_path / "old.sqlite"
    SqliteStore(new).close()
    SqliteStore(old).close()
    make_older(old, version)
    SqliteStore(old).close()
    schema = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name"
    assert _dump(old, schema) == _dump(new, schema)
    assert len(_dump(old, schema)) == 9
    assert _dump(old, "PRAGMA integrity_check") == [("ok",)]


async def test_a_match_of_version_1_without_a_header_is_kept_and_frozen(tmp_path: Path) -> None:
    """Its rows stay; the others are migrated as ever."""
    store = tmp_path / "matches.sqlite"
    async with running(tmp_path, surroundings=_ticking()) as run:
        broken, sound, frozen = [await run.table(2) for _ in range(3)]
    make_older(store, 1)
    db = apsw.Connection(str(store))
    db.execute("DELETE FROM log_row WHERE match_id = ? AND sequence = 0", (broken.match_id,))
    db.execute("UPDATE match SET fault = 'an old fault' WHERE match_id = ?", (frozen.match_id,))
    rows = db.execute("SELECT count(*) FROM log_row").fetchone()
    db.close()
    async with running(tmp_path) as run:
        # One of them is frozen as it was before.
        assert run.serving.restored == 2
        await Table(run.stub, sound.match_id, sound.tokens).play_lowest()
    assert _dump(store, "SELECT match_id, fault FROM match WHERE fault IS NOT NULL") == [
        (broken.match_id, "its first record is not a header"),
        (frozen.match_id, "an old fault"),
    ]
    kept = _dump(store, "SELECT count(*) FROM log_row")
    # The sound match has been played on: one move and what follows from it.
    assert rows is not None
    assert kept[0] > rows


def test_a_migration_that_fails_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is one transaction: what the old version holds is there for the next attempt."""
    store = tmp_path / "matches.sqlite"
    SqliteStore(store).close()
    make_older(store, 1)
    before = _dump(store, "SELECT * FROM sqlite_schema")
    migrate = store_schema.MIGRATIONS[1]

    def fail(db: apsw.Connection) -> None:
        migrate(db)
        raise apsw.FullError("the disk is full")

    monkeypatch.setattr(store_schema, "MIGRATIONS", {1: fail, 2: store_schema.MIGRATIONS[2]})
    with pytest.raises(StoreError, match="the disk is full"):
        SqliteStore(store)
    assert _dump(store, "SELECT * FROM sqlite_schema") == before
    assert _dump(store, "PRAGMA user_version") == [(1,)]
    monkeypatch.undo()
    SqliteStore(store).close()
    assert _dump(store, "PRAGMA user_version") == [(3,)]


@pytest.mark.parametrize(
    ("version", "said"), [(4, "version 4, made by a newer referee"), (0, "of another program")]
)
def test_a_file_of_another_version_or_program_is_refused_unchanged(
    tmp_path: Path, version: int, said: str
) -> None:
    """The message says what would be right, and not a byte differs afterwards."""
    store = tmp_path / "matches.sqlite"
    db = apsw.Connection(str(store))
    db.execute("CREATE TABLE thing (name TEXT)")
    db.pragma("user_version", version)
    db.close()
    store.chmod(0o600)
    before = store.read_bytes()
    with pytest.raises(StoreError, match=said):
        SqliteStore(store)
    assert store.read_bytes() == before
