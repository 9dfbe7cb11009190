"""`ronda audit` has its logs from a referee that runs, from its store, or from a copy of that."""

import shutil
from pathlib import Path
from typing import cast

import apsw

from ronda.v1 import log_pb2
from ronda_client import RefereeClient
from tests.clients.command import ronda
from tests.referee.organising import organiser_token
from tests.referee.running import Running, Table, running


async def play_and_cancel(run: Running, data: Path) -> tuple[Table, Table, Table]:
    """Play a match to its end, cancel another one, and leave a third open."""
    ended, cancelled, opened = [await run.table(2) for _ in range(3)]
    await ended.play_to_the_end()
    token = organiser_token(data)
    async with RefereeClient.connect(run.serving.address, organiser_token=token) as client:
        await client.cancel_match(cancelled.match_id)
    await opened.play_lowest()
    return ended, cancelled, opened


async def test_every_match_that_has_ended_is_audited(tmp_path: Path) -> None:
    """At a referee, in the data folder that it runs on, in that folder afterwards, in a copy."""
    data = tmp_path / "data"
    async with running(data) as run:
        ended, cancelled, _ = await play_and_cancel(run, tmp_path / "data")
        address = run.serving.address
        for arguments in (("--target", address), (data,)):
            ran = await ronda("audit", "--json", *arguments)
            assert (ran.code, ran.err) == (0, "")
            *logs, last = ran.json_lines
            assert [(one["match_id"], one["ended"]) for one in logs] == [
                (ended.match_id, "PLAYED"),
                (cancelled.match_id, "CANCELLED"),
            ]
            assert [one["file"] for one in logs] == [
                f"{address}: match {ended.match_id}",
                f"{address}: match {cancelled.match_id}",
            ]
            assert last["summary"]["clean"] == 2
    before = (data / "matches.sqlite").read_bytes()
    copy = tmp_path / "copy.sqlite"
    shutil.copyfile(data / "matches.sqlite", copy)
    copy.chmod(0o600)
    for path in (data, copy):
        ran = await ronda("audit", "--json", path)
        assert (ran.code, ran.err) == (0, "")
        assert [one["file"] for one in ran.json_lines[:-1]] == [
            f"{path}: match {ended.match_id}",
            f"{path}: match {cancelled.match_id}",
        ]
    assert (data / "matches.sqlite").read_bytes() == before


async def test_what_was_changed_in_a_store_is_found(tmp_path: Path) -> None:
    """A letter more in a player's name, in the file of the store."""
    async with running(tmp_path / "data") as run:
        ended, _, _ = await play_and_cancel(run, tmp_path / "data")
    store = tmp_path / "data" / "matches.sqlite"
    db = apsw.Connection(str(store))
    [(record,)] = db.execute(
        "SELECT record FROM log_row WHERE match_id = ? AND sequence = 1", (ended.match_id,)
    )
    changed = log_pb2.LogRecord.FromString(cast("bytes", record))
    changed.seat_joined.name += "x"
    db.execute(
        "UPDATE log_row SET record = ? WHERE match_id = ? AND sequence = 1",
        (changed.SerializeToString(deterministic=True), ended.match_id),
    )
    db.close()
    ran = await ronda("audit", store)
    assert ran.code == 1
    assert f"{store}: match {ended.match_id}: CHAIN_BROKEN in record 1 at byte " in ran.out


async def test_stores_that_cannot_be_used_say_why(tmp_path: Path) -> None:
    """In use by nobody knows whom, open to others, or no store of matches: exit code 2."""
    data = tmp_path / "data"
    async with running(data):
        (data / "listening").unlink()
        ran = await ronda("audit", data)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err == (
            f"audit: {data} cannot be read: it is in use, and nothing says where its referee "
            "listens\n"
        )
    (data / "matches.sqlite").chmod(0o644)
    ran = await ronda("audit", data)
    assert ran.code == 2
    assert "is open to other users" in ran.err
    other = tmp_path / "other.sqlite"
    apsw.Connection(str(other)).execute("CREATE TABLE t (x)")
    other.chmod(0o600)
    ran = await ronda("audit", other)
    assert ran.code == 2
    assert "an SQLite file of another program" in ran.err


async def test_a_referee_that_is_not_there_is_told(tmp_path: Path) -> None:
    """Exit code 2 and no traceback."""
    ran = await ronda("audit", "--target", "127.0.0.1:1", "--patience", "0")
    assert ran.code == 2
    assert "Traceback" not in ran.err
    assert "127.0.0.1:1" in ran.err


async def test_fairness_of_an_archive_is_told(tmp_path: Path) -> None:
    """Of a match or two nothing can be said, and a picture is drawn all the same."""
    async with running(tmp_path / "data") as run:
        await play_and_cancel(run, tmp_path / "data")
    picture = tmp_path / "fair.svg"
    ran = await ronda("audit", "--fairness", "--plot", picture, tmp_path / "data")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0].startswith("2 logs: 2 all right; ")
    assert lines[1].startswith("fairness of ")
    assert lines[1].endswith(" in 2 logs:")
    assert lines[-1] == "there are too few deals to say anything"
    assert picture.read_bytes().startswith(b"<?xml")
    ran = await ronda("audit", "--plot", picture, tmp_path / "data")
    assert (ran.code, ran.err) == (2, "ronda: --plot goes with --fairness\n")
    ran = await ronda("audit", "--fairness", "--json", tmp_path / "data")
    assert ran.json_lines[-1]["fairness"]["unlikely"] is None
    assert ran.json_lines[-1]["fairness"]["measures"][0]["name"] == "cards by position"
