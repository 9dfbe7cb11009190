"""`ronda store` on real files, with and without a referee that runs on them."""

import asyncio
import shutil
from pathlib import Path

import apsw
import pytest

from tests.clients.command import ronda
from tests.referee.older_stores import make_older
from tests.referee.referee_process import RefereeProcess
from tests.referee.running import Table, running


async def _data(tmp_path: Path) -> tuple[Path, Table]:
    """Make a data folder with one match that is being played."""
    data = tmp_path / "data"
    async with running(data) as run:
        table = await run.table(2)
        await table.play_lowest()
    return data, table


async def test_a_sound_store_is_said_to_be_sound_and_stays_as_it_is(tmp_path: Path) -> None:
    """A data folder or a store's file can be named; the exit code is 0."""
    data, _ = await _data(tmp_path)
    store = data / "matches.sqlite"
    before = store.read_bytes()
    for named in (data, store):
        ran = await ronda("store", "check", named)
        assert (ran.code, ran.out) == (0, f"{store}: sound, 1 matches\n")
    ran = await ronda("store", "check", data, "--json")
    assert ran.json == {"store": str(store), "sound": True, "matches": 1, "findings": []}
    assert store.read_bytes() == before


async def test_what_is_damaged_is_listed_with_its_match(tmp_path: Path) -> None:
    """The exit code is 1; nothing is changed or frozen by looking."""
    data, table = await _data(tmp_path)
    store = data / "matches.sqlite"
    db = apsw.Connection(str(store))
    db.execute("DELETE FROM log_row WHERE sequence = 4")
    db.execute("UPDATE match SET seed = x'00'")
    db.close()
    before = store.read_bytes()
    ran = await ronda("store", "check", data)
    assert ran.code == 1
    assert ran.out.splitlines()[:2] == [
        f"{store}: match {table.match_id}: row 4 is missing",
        f"{store}: match {table.match_id}: its seed has 1 bytes, not 32",
    ]
    ran = await ronda("store", "check", data, "--json")
    assert (ran.code, ran.json["sound"]) == (1, False)
    assert ran.json["findings"][0] == {"match_id": table.match_id, "detail": "row 4 is missing"}
    assert store.read_bytes() == before


async def test_a_file_that_is_damaged_as_a_whole_is_a_finding(tmp_path: Path) -> None:
    """No match is to blame, and there is no traceback."""
    data, _ = await _data(tmp_path)
    store = data / "matches.sqlite"
    content = bytearray(store.read_bytes())
    for start in range(4096, len(content), 4096):
        content[start : start + 64] = b"\xa5" * 64
    store.write_bytes(content)
    ran = await ronda("store", "check", data, "--json")
    assert (ran.code, ran.json["findings"][0]["match_id"]) == (1, None)
    store.write_bytes(b"no database at all, and long enough to be looked at" * 100)
    ran = await ronda("store", "check", data)
    assert (ran.code, ran.out) == (1, f"{store}: file is not a database\n")


async def test_a_store_that_cannot_be_looked_at_is_no_finding(tmp_path: Path) -> None:
    """It is missing, in use, older, or open to others: the exit code is 2."""
    ran = await ronda("store", "check", tmp_path)
    assert (ran.code, "there is no store" in ran.err) == (2, True)
    data, _ = await _data(tmp_path)
    async with running(data):
        for named in (data, data / "matches.sqlite"):
            ran = await ronda("store", "check", named)
            assert (ran.code, ran.out) == (2, "")
            assert "in use" in ran.err or "locked" in ran.err
    (data / "matches.sqlite").chmod(0o644)
    ran = await ronda("store", "check", data)
    assert (ran.code, "chmod 600" in ran.err) == (2, True)
    (data / "matches.sqlite").chmod(0o600)
    make_older(data / "matches.sqlite", 1)
    ran = await ronda("store", "check", data)
    assert (ran.code, "the store is of version 1" in ran.err) == (2, True)


async def _goes_on(copy: Path, data: Path, tmp_path: Path, table: Table) -> None:
    """Have a referee on a copy play a match to its end."""
    assert copy.stat().st_mode & 0o777 == 0o600
    assert (await ronda("store", "check", copy)).code == 0
    restored = tmp_path / "restored"
    restored.mkdir()
    shutil.copy(copy, restored / "matches.sqlite")
    shutil.copy(data / "signing-key.pem", restored)
    async with running(restored) as run:
        again = Table(run.stub, table.match_id, table.tokens, table.requests)
        await again.play_to_the_end()


async def test_a_store_that_no_referee_uses_is_copied_directly(tmp_path: Path) -> None:
    """The copy is its owner's alone and a referee goes on from it; the store stays as it is."""
    data, table = await _data(tmp_path)
    before = (data / "matches.sqlite").read_bytes()
    copy = tmp_path / "copy.sqlite"
    ran = await ronda("store", "backup", "--data", data, "--out", copy, "--json")
    assert (ran.code, ran.json) == (0, {"file": str(copy), "bytes": copy.stat().st_size})
    assert (data / "matches.sqlite").read_bytes() == before
    await _goes_on(copy, data, tmp_path, table)


async def test_what_a_killed_referee_wrote_last_is_in_a_direct_copy(tmp_path: Path) -> None:
    """It may be in the WAL alone."""
    data = tmp_path / "data"
    async with RefereeProcess(data) as referee:
        ran = await ronda("match", "--target", referee.address, "--json")
        match_id = ran.json["match_id"]
        await referee.kill()
    assert (data / "matches.sqlite-wal").stat().st_size > 0
    copy = tmp_path / "copy.sqlite"
    assert (await ronda("store", "backup", "--data", data, "--out", copy)).code == 0
    db = apsw.Connection(str(copy))
    assert list(db.execute("SELECT match_id, state FROM match")) == [(match_id, 3)]


async def test_a_referee_that_runs_is_asked_for_the_copy(tmp_path: Path) -> None:
    """The file is moved out of the data folder; the referee goes on."""
    data = tmp_path / "data"
    copy = tmp_path / "copy.sqlite"
    async with running(data) as run:
        table = await run.table(2)
        await table.play_lowest()
        ran = await ronda("store", "backup", "--data", data, "--out", copy)
        assert ran.code == 0, ran.err
        assert ran.out.startswith(f"{copy}: {copy.stat().st_size} bytes")
        assert list((data / "backups").iterdir()) == []
        requests = table.requests
        await table.play_lowest()
        table.requests = requests
    await _goes_on(copy, data, tmp_path, table)


@pytest.mark.parametrize("runs", [True, False])
async def test_a_file_that_exists_is_never_overwritten(tmp_path: Path, runs: bool) -> None:
    """Nor is anything left in the data folder."""
    data, _ = await _data(tmp_path)
    copy = tmp_path / "copy.sqlite"
    copy.write_text("mine")
    stop = asyncio.Event()

    async def referee() -> None:
        async with running(data):
            started.set()
            await stop.wait()

    started = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        if runs:
            group.create_task(referee())
            await started.wait()
        ran = await ronda("store", "backup", "--data", data, "--out", copy)
        stop.set()
    assert (ran.code, copy.read_text()) == (2, "mine")
    assert "the file exists, and stays as it is" in ran.err
    assert not (data / "backups").exists()


async def test_a_folder_without_a_store_has_nothing_to_copy(tmp_path: Path) -> None:
    """The folder is not made, nor is anything put there."""
    ran = await ronda("store", "backup", "--data", tmp_path / "none", "--out", tmp_path / "copy")
    assert (ran.code, "holds no store" in ran.err) == (2, True)
    assert list(tmp_path.iterdir()) == []


async def test_a_damaged_store_gives_no_copy(tmp_path: Path) -> None:
    """A copy of damage would be taken for a backup."""
    data, _ = await _data(tmp_path)
    store = data / "matches.sqlite"
    content = bytearray(store.read_bytes())
    for start in range(4096, len(content), 4096):
        content[start : start + 64] = b"\xa5" * 64
    store.write_bytes(content)
    ran = await ronda("store", "backup", "--data", data, "--out", tmp_path / "copy.sqlite")
    assert ran.code == 1
    assert "the store cannot be copied: " in ran.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data"]
