"""Damage in a store: what a start refuses, what it freezes, and what the full check finds."""

from collections.abc import Sequence
from pathlib import Path

import apsw
import pytest

from ronda.v1.log_pb2 import LogRecord
from ronda_referee.errors import StoreError
from ronda_referee.server import Settings, serving
from ronda_referee.store import SqliteStore
from ronda_referee.store_check import Finding, file_findings, match_findings
from ronda_referee.store_file import connect
from tests.referee.referee_process import RefereeProcess
from tests.referee.running import Table, refused, running


def _change(data: Path, sql: str, bindings: Sequence[str | int | bytes] = ()) -> None:
    db = apsw.Connection(str(data / "matches.sqlite"))
    db.execute(sql, bindings)
    db.close()


def _findings(store: Path) -> list[Finding]:
    db = connect(store)
    try:
        return [*file_findings(db, full=True), *match_findings(db)]
    finally:
        db.close()


def _spoil_a_page(store: Path) -> None:
    """Overwrite the cells of the log rows' first page with what they cannot be."""
    data = bytearray(store.read_bytes())
    db = apsw.Connection(str(store))
    (root,) = next(db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'log_row'"))
    db.close()
    assert isinstance(root, int)
    start = (root - 1) * 4096
    data[start + 8 : start + 4096] = b"\xa5" * 4088
    store.write_bytes(data)


async def test_a_damaged_file_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    """The message says what to do; with the file mended, matches go on."""
    async with running(tmp_path) as run:
        table = await run.table(2)
    store = tmp_path / "matches.sqlite"
    sound = store.read_bytes()
    _spoil_a_page(store)
    damaged = store.read_bytes()
    assert damaged != sound
    with pytest.raises(StoreError, match=r"is damaged: .*; it is left as it is.*restore a backup"):
        async with serving(Settings(tmp_path, "127.0.0.1:0"), {}):
            pytest.fail("it serves")
    assert store.read_bytes() == damaged
    store.write_bytes(sound)
    async with running(tmp_path) as run:
        await Table(run.stub, table.match_id, table.tokens).play_lowest()


async def test_what_a_killed_referee_left_is_not_touched_by_a_start_that_refuses(
    tmp_path: Path,
) -> None:
    """What was committed last is in the WAL alone, and stays there for whoever mends the file."""
    data = tmp_path / "data"
    async with running(data) as run:
        await run.table(2)
    async with RefereeProcess(data) as referee:
        await referee.kill()
    store, wal = data / "matches.sqlite", data / "matches.sqlite-wal"
    db = apsw.Connection(str(store))
    db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    db.execute("CREATE TABLE witness (id INTEGER)")
    db.close()
    assert wal.stat().st_size > 0
    _spoil_file(store)
    before = store.read_bytes(), wal.read_bytes()
    with pytest.raises(StoreError, match="is damaged"):
        SqliteStore(store)
    assert (store.read_bytes(), wal.read_bytes()) == before


def _spoil_file(store: Path) -> None:
    data = bytearray(store.read_bytes())
    for start in range(4096, len(data), 4096):
        data[start : start + 16] = b"\xa5" * 16
    store.write_bytes(data)


async def test_rows_that_belong_to_no_match_are_refused(tmp_path: Path) -> None:
    """A match that is gone has left something; nobody guesses what."""
    async with running(tmp_path) as run:
        table = await run.table(2)
    _change(
        tmp_path,
        "PRAGMA foreign_keys = 0; DELETE FROM match WHERE match_id = ?",
        (table.match_id,),
    )
    with pytest.raises(StoreError, match="a row of the table log_row belongs to no match"):
        SqliteStore(tmp_path / "matches.sqlite")


SPOILT = {
    "a row is missing": (
        "DELETE FROM log_row WHERE match_id = ? AND sequence = 4",
        "row 4 is missing",
    ),
    "the header is missing": (
        "DELETE FROM log_row WHERE match_id = ? AND sequence = 0",
        "its first record is not a header",
    ),
    "the header is unreadable": (
        "UPDATE log_row SET record = x'ff' WHERE match_id = ? AND sequence = 0",
        "a record cannot be read",
    ),
    "the state is another": (
        "UPDATE match SET state = 3 WHERE match_id = ?",
        "it is stored as ended, and by its log it is playing",
    ),
    "the state is none": (
        "UPDATE match SET state = 9 WHERE match_id = ?",
        "it is stored as in the unknown state 9, and by its log it is playing",
    ),
    "it still waits": (
        "UPDATE match SET state = 1 WHERE match_id = ?",
        "it is stored as joining, and by its log it is playing",
    ),
    "a seat is missing": (
        "DELETE FROM seat WHERE match_id = ? AND seat = 1",
        "it has 2 seats, and the tokens of [0]",
    ),
    "a token's hash is cut": (
        "UPDATE seat SET token_hash = x'00' WHERE match_id = ? AND seat = 1",
        "what is kept of the token of seat 1 has 1 bytes, not 32",
    ),
}

FOUND_BY_THE_FULL_CHECK = {
    "the seed is cut": (
        "UPDATE match SET seed = x'0102' WHERE match_id = ?",
        "its seed has 2 bytes, not 32",
    ),
    "the rule set is another": (
        "UPDATE match SET rule_set_id = 'qahwa' WHERE match_id = ?",
        "its rule set or its time is not that of its header",
    ),
    "a name is another": (
        "UPDATE seat SET name = 'Nobody' WHERE match_id = ? AND seat = 0",
        "the name of seat 0 is not that of its log",
    ),
    "a record is another's": (
        "UPDATE log_row SET record = (SELECT record FROM log_row AS one WHERE one.match_id = "  # noqa: ISC004  # one statement
        "log_row.match_id AND sequence = 1) WHERE match_id = ? AND sequence = 2",
        "row 2 holds record 1",
    ),
    "a record is unreadable": (
        "UPDATE log_row SET record = x'ff' WHERE match_id = ? AND sequence = 3",
        "record 3 cannot be read",
    ),
}


@pytest.mark.parametrize("what", SPOILT)
async def test_a_match_that_contradicts_itself_is_frozen_and_the_others_go_on(
    tmp_path: Path, what: str
) -> None:
    """It is marked with what is wrong, and takes no move."""
    sql, detail = SPOILT[what]
    async with running(tmp_path) as run:
        broken, sound = await run.table(2), await run.table(2)
        for table in (broken, sound):
            await table.play_lowest()
        _, _, decision = await sound.turn()
        request = broken.request(0, decision.decision_id, decision.legal_moves[-1])
    _change(tmp_path, sql, (broken.match_id,))
    store = tmp_path / "matches.sqlite"
    assert Finding(broken.match_id, detail) in _findings(store)
    async with running(tmp_path) as run:
        answer = await refused(lambda: run.stub.SubmitMove(request))
        assert answer.reason == "REFEREE_FAULT"
        await Table(run.stub, sound.match_id, sound.tokens).play_lowest()
    db = apsw.Connection(str(store))
    faults = list(db.execute("SELECT match_id, fault FROM match WHERE fault IS NOT NULL"))
    assert faults == [(broken.match_id, f"StoreDamaged: {detail}")]


@pytest.mark.parametrize("what", FOUND_BY_THE_FULL_CHECK)
async def test_the_full_check_finds_what_a_start_does_not_look_at(
    tmp_path: Path, what: str
) -> None:
    """The finding names the match; of the sound one there is none."""
    sql, detail = FOUND_BY_THE_FULL_CHECK[what]
    async with running(tmp_path) as run:
        broken, sound = await run.table(2), await run.table(2)
        for table in (broken, sound):
            await table.play_lowest()
    _change(tmp_path, sql, (broken.match_id,))
    found = _findings(tmp_path / "matches.sqlite")
    assert Finding(broken.match_id, detail) in found
    assert {finding.match_id for finding in found} == {broken.match_id}


async def test_a_chain_that_does_not_close_is_found(tmp_path: Path) -> None:
    """A record that can be read, is in its place, and is not the one that the next one covers."""
    async with running(tmp_path) as run:
        table = await run.table(2)
    db = apsw.Connection(str(tmp_path / "matches.sqlite"))
    (record,) = next(db.execute("SELECT record FROM log_row WHERE sequence = 1"))
    assert isinstance(record, bytes)
    changed = LogRecord.FromString(record)
    changed.time_ms += 1
    written = changed.SerializeToString(deterministic=True)
    db.execute("UPDATE log_row SET record = ? WHERE sequence = 1", (written,))
    db.close()
    assert _findings(tmp_path / "matches.sqlite") == [
        Finding(table.match_id, "record 2 does not follow the one before it")
    ]


async def test_a_sound_store_has_no_findings(tmp_path: Path) -> None:
    """With matches that wait, are played and have ended."""
    async with running(tmp_path) as run:
        waiting = await run.table(4, joined=False)
        await waiting.join(3, "Driss")
        await (await run.table(3)).play_lowest()
        await (await run.table(2, "sarii")).play_to_the_end()
    assert _findings(tmp_path / "matches.sqlite") == []


async def test_an_ended_match_with_another_state_is_frozen(tmp_path: Path) -> None:
    """Its log is signed; a state that says otherwise would have it played on."""
    async with running(tmp_path) as run:
        table = await run.table(2, "sarii")
        await table.play_to_the_end()
    _change(tmp_path, "UPDATE match SET state = 2 WHERE match_id = ?", (table.match_id,))
    detail = "it is stored as playing, and by its log it is ended"
    assert _findings(tmp_path / "matches.sqlite") == [Finding(table.match_id, detail)]
    SqliteStore(tmp_path / "matches.sqlite").close()
    db = apsw.Connection(str(tmp_path / "matches.sqlite"))
    assert list(db.execute("SELECT fault FROM match")) == [(f"StoreDamaged: {detail}",)]
