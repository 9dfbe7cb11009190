"""Copies of a store that is in use: whole, the owner's alone, and good enough to go on from."""

import asyncio
import shutil
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import apsw
import pytest

from ronda.v1 import referee_service_pb2 as pb
from ronda_referee import store_copy
from ronda_referee.match_log import LogRow
from ronda_referee.store import SqliteStore, StoredMatch, Write
from ronda_referee.store_check import file_findings, match_findings
from ronda_referee.store_file import connect
from ronda_referee.store_records import MatchState
from tests.referee.organising import as_organiser
from tests.referee.running import Running, Table, refused, running, steady_surroundings

TABLES = ("match", "seat", "log_row")


def _contents(store: Path) -> list[list[tuple[object, ...]]]:
    db = apsw.Connection(str(store))
    try:
        return [
            list(db.execute(f"SELECT * FROM {table} ORDER BY 1, 2"))  # noqa: S608  # ours
            for table in TABLES
        ]
    finally:
        db.close()


def _findings(store: Path) -> list[str]:
    db = connect(store)
    try:
        return [one.detail for one in [*file_findings(db, full=True), *match_findings(db)]]
    finally:
        db.close()


async def _copied(run: Running) -> pb.BackupStoreResponse:
    return await run.stub.BackupStore(pb.BackupStoreRequest(), metadata=as_organiser(run.data))


async def _backup(run: Running) -> Path:
    answer = await _copied(run)
    return run.data / "backups" / answer.file


def _new_match(number: int, rows: int) -> Write:
    match_id = f"{number:020x}"
    stored = StoredMatch(match_id, bytes(32), (bytes(32), bytes(32)), "maghribi", number)
    return Write(match_id, _rows(0, rows), created=stored)


def _rows(start: int, count: int) -> list[LogRow]:
    return [LogRow(start + n, bytes([start % 256]) * 900) for n in range(count)]


def test_what_is_written_between_the_steps_is_in_the_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """New matches, further rows and states, in pages copied already and in those to come."""
    monkeypatch.setattr(store_copy, "PAGES_AT_ONCE", 4)
    copy = tmp_path / "copy.sqlite"
    copy.touch()
    with SqliteStore(tmp_path / "store.sqlite") as store:
        store.write([_new_match(number, 20) for number in range(30)])
        written = 0
        for done, total in store.copied_to(copy):
            if done < total:
                match_id = f"{written:020x}"
                store.write([_new_match(100 + written, 3)])
                store.write(
                    [
                        Write(
                            match_id,
                            _rows(20, 5),
                            state=MatchState.PLAYING,
                            names={1: "Amina"},
                            refusals={0: 7},
                        )
                    ]
                )
                written = (written + 1) % 30
            if written == 29:
                monkeypatch.setattr(store_copy, "PAGES_AT_ONCE", 10_000)
        assert written >= 20
    assert _contents(copy) == _contents(tmp_path / "store.sqlite")
    assert list(apsw.Connection(str(copy)).execute("PRAGMA integrity_check")) == [("ok",)]


@dataclass
class HeldUp:
    """Holds a copy up after its first step, until it is told to go on."""

    begun: asyncio.Event = field(default_factory=asyncio.Event)
    go_on: asyncio.Event = field(default_factory=asyncio.Event)

    def patch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Hold every copy up, which is made page by page."""
        monkeypatch.setattr(store_copy, "PAGES_AT_ONCE", 1)
        copied_to = SqliteStore.copied_to

        def held_up(store: SqliteStore, target: Path) -> Generator[tuple[int, int], None, None]:
            with closing(copied_to(store, target)) as steps:
                yield next(steps)
                self.begun.set()
                while not self.go_on.is_set():
                    yield 1, 2
                yield from steps

        monkeypatch.setattr(SqliteStore, "copied_to", held_up)


async def test_matches_go_on_while_the_store_is_copied_and_the_copy_goes_on_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match is played on and another one created while a copy is under way.

    The copy is sound, and a referee on it brings both matches back and plays them to the end.
    """
    held_up = HeldUp()
    held_up.patch(monkeypatch)
    async with running(tmp_path / "data") as run:
        table = await run.table(4)
        await table.play_lowest()
        backup = asyncio.create_task(_backup(run))
        await held_up.begun.wait()
        for _ in range(30):
            await table.play_lowest()
        other = await run.table(2, "sarii")
        assert not backup.done()
        held_up.go_on.set()
        copy = await backup
        views = [await table.view(2), await other.view(0)]
    assert _findings(copy) == []
    restored = tmp_path / "restored"
    restored.mkdir()
    shutil.copy(copy, restored / "matches.sqlite")
    shutil.copy(run.data / "signing-key.pem", restored)
    async with running(restored) as again:
        assert again.serving.restored == 2
        tables = [
            Table(again.stub, one.match_id, one.tokens, one.requests) for one in (table, other)
        ]
        assert [await tables[0].view(2), await tables[1].view(0)] == views
        for one in tables:
            await one.play_to_the_end()


async def test_a_copy_is_named_after_its_time_and_is_its_owners_alone(tmp_path: Path) -> None:
    """The time is UTC; a second one of the same second has a number; nothing is overwritten."""
    async with running(tmp_path, surroundings=steady_surroundings()) as run:
        await run.table(2)
        (tmp_path / "backups").mkdir()
        mine = tmp_path / "backups" / "matches-20231114T221320Z-2.sqlite"
        mine.write_text("mine")
        first, second = await _backup(run), await _backup(run)
        assert (first.name, second.name) == (
            "matches-20231114T221320Z.sqlite",
            "matches-20231114T221320Z-3.sqlite",
        )
        assert mine.read_text() == "mine"
        assert [file.stat().st_mode & 0o777 for file in (first, second)] == [0o600, 0o600]
        assert sorted(file.name for file in first.parent.iterdir()) == [
            "matches-20231114T221320Z-2.sqlite",
            "matches-20231114T221320Z-3.sqlite",
            "matches-20231114T221320Z.sqlite",
        ]


async def test_the_folder_of_copies_is_its_owners_alone(tmp_path: Path) -> None:
    """Its names say when a referee was copied, and the files hold every seed."""
    async with running(tmp_path) as run:
        copy = await _backup(run)
        assert copy.parent.stat().st_mode & 0o777 == 0o700


async def test_a_copy_that_cannot_be_written_is_refused_and_matches_go_on(tmp_path: Path) -> None:
    """The referee is not at fault, and it is worth trying again."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        (tmp_path / "backups").write_text("no folder")
        answer = await refused(lambda: _copied(run))
        assert (answer.status, answer.reason) == ("UNAVAILABLE", "STORE_UNAVAILABLE")
        assert str(tmp_path) not in answer.detail
        await table.play_lowest()
        (tmp_path / "backups").unlink()
        assert (await _backup(run)).exists()


async def test_a_copy_for_which_the_disk_has_no_room_is_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would stop the matches: 64 MiB beside it stay free."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        needed = (tmp_path / "matches.sqlite").stat().st_size + 64 * 1024 * 1024
        usage = shutil.disk_usage(tmp_path)

        def free(size: int) -> None:
            monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=size))

        free(needed - 1_000_000)
        answer = await refused(lambda: _copied(run))
        assert answer.reason == "STORE_UNAVAILABLE"
        assert list((tmp_path / "backups").iterdir()) == []
        await table.play_lowest()
        free(needed + 1_000_000)
        assert (await _backup(run)).exists()


async def test_a_copy_that_is_not_sound_gets_no_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is looked at before anybody relies on it, and nothing is left of it."""
    async with running(tmp_path) as run:
        await run.table(2)
        fsync = store_copy.keep

        def keep(partial: Path, file: Path) -> None:
            data = bytearray(partial.read_bytes())
            data[5000:9000] = b"\xff" * 4000
            partial.write_bytes(data)
            fsync(partial, file)

        monkeypatch.setattr("ronda_referee.backups.keep", keep)
        answer = await refused(lambda: _copied(run))
        assert answer.reason == "STORE_UNAVAILABLE"
        assert list((tmp_path / "backups").iterdir()) == []


async def test_what_a_killed_referee_left_of_a_copy_is_removed_with_the_next(
    tmp_path: Path,
) -> None:
    """It has no name of a copy, so nobody has taken it for one."""
    async with running(tmp_path) as run:
        (tmp_path / "backups").mkdir()
        (tmp_path / "backups" / ".partial-00ff").write_text("half a copy")
        copy = await _backup(run)
        assert list((tmp_path / "backups").iterdir()) == [copy]


async def test_a_caller_that_goes_away_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copying ends, and the next copy is made as ever."""
    held_up = HeldUp()
    async with running(tmp_path) as run:
        await run.table(2)
        with monkeypatch.context() as patched:
            held_up.patch(patched)
            removed = asyncio.Event()
            unlink = Path.unlink

            def unlinked(path: Path, *, missing_ok: bool = False) -> None:
                unlink(path, missing_ok=missing_ok)
                removed.set()

            patched.setattr(Path, "unlink", unlinked)
            asking = asyncio.create_task(_backup(run))
            await held_up.begun.wait()
            asking.cancel()
            await removed.wait()
        assert list((tmp_path / "backups").iterdir()) == []
        assert _findings(await _backup(run)) == []


async def test_copies_asked_for_together_are_made_one_after_the_other(tmp_path: Path) -> None:
    """Each caller gets a copy of its own."""
    async with running(tmp_path) as run:
        await run.table(2)
        copies = await asyncio.gather(*(_backup(run) for _ in range(3)))
        assert len(set(copies)) == 3
        for copy in copies:
            assert _findings(copy) == []
