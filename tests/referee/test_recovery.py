"""What survives a kill, a restart, a caller that goes away, a disk that refuses."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from ronda.v1 import log_pb2, move_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.match_terms_pb2 import MatchTerms, TimeControl
from ronda_bots import by_name
from ronda_client import RefereeClient, play_match, read_records
from ronda_referee.audit import audit_file
from ronda_referee.play import MatchPlay
from ronda_referee.restoring import restore
from ronda_referee.store import SqliteStore, Write
from ronda_referee.watching import clocks_of
from tests.referee.referee_process import RefereeProcess
from tests.referee.running import Table, play, refused, running, steady_surroundings


@dataclass
class Acknowledged:
    """Counts the moves that a referee has acknowledged to a client, and keeps them."""

    moves: list[tuple[str, int, int, bytes]] = field(default_factory=list)
    _reached: asyncio.Condition = field(default_factory=asyncio.Condition)

    def listen(self, client: RefereeClient, monkeypatch: pytest.MonkeyPatch) -> None:
        """Keep every move whose acknowledgement this client gets."""
        submit = client.submit_move

        async def submit_move(
            match_id: str,
            seat_token: str,
            decision_id: int,
            move: move_pb2.Move,
            *,
            request_id: str | None = None,
        ) -> int:
            sequence = await submit(match_id, seat_token, decision_id, move, request_id=request_id)
            async with self._reached:
                content = move.SerializeToString(deterministic=True)
                self.moves.append((match_id, sequence, decision_id, content))
                self._reached.notify_all()
            return sequence

        monkeypatch.setattr(client, "submit_move", submit_move)

    async def reach(self, count: int) -> None:
        """Wait until so many moves were acknowledged."""
        async with self._reached:
            await self._reached.wait_for(lambda: len(self.moves) >= count)


async def test_a_kill_loses_no_acknowledged_move_and_every_match_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nine matches of two, three and four seats; the referee is killed three times under way.

    Afterwards every match has ended, every acknowledged move stands in its log once, at the
    place that was acknowledged, and every log audits.
    """
    acknowledged = Acknowledged()
    async with RefereeProcess(tmp_path / "data") as referee:
        client = RefereeClient.connect(referee.address)
        async with client:
            acknowledged.listen(client, monkeypatch)
            async with asyncio.TaskGroup() as group:
                matches = [
                    group.create_task(
                        play_match(
                            client, "sarii", [by_name("random", seed=n) for n in range(seats)]
                        )
                    )
                    for seats in (2, 3, 4) * 3
                ]
                for kill in (100, 300, 500):
                    await acknowledged.reach(kill)
                    await referee.kill()
                    await referee.start()
            played = [match.result() for match in matches]
        assert await referee.stop() == 0
    assert len(played) == 9
    in_logs: Counter[tuple[str, int, int, bytes]] = Counter()
    for match in played:
        path = tmp_path / f"{match.match_id}.rlog"
        path.write_bytes(match.log)
        report = audit_file(path)
        assert report.ok, report
        for record in read_records(match.log):
            if record.WhichOneof("record") == "move_accepted":
                move = record.move_accepted
                content = move.move.SerializeToString(deterministic=True)
                in_logs[match.match_id, record.sequence, move.decision_id, content] += 1
    assert set(in_logs.values()) == {1}
    assert set(acknowledged.moves) <= set(in_logs)
    assert len(acknowledged.moves) >= 500


async def test_a_match_goes_on_after_a_restart_as_if_nothing_had_happened(tmp_path: Path) -> None:
    """Views, open decision and log are the same, and the seats play on with their tokens."""
    async with running(tmp_path) as run:
        table = await run.table(4)
        for _ in range(17):
            await table.play_lowest()
        views = [await table.view(seat) for seat in range(4)]
        records = await table.records(2)
    async with running(tmp_path) as run:
        again = Table(run.stub, table.match_id, table.tokens, table.requests)
        assert [await again.view(seat) for seat in range(4)] == views
        assert await again.records(2) == records
        await again.play_to_the_end()


async def test_no_clock_runs_while_the_referee_brings_its_matches_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of three takes a minute to come back; all have their 45 seconds when calls are taken."""
    terms = MatchTerms(time_control=TimeControl(per_move_ms=45_000))
    async with running(tmp_path, surroundings=steady_surroundings()) as run:
        tables = [await run.table(2, terms=terms) for _ in range(3)]
    elapsed_ms = 0

    def restored(*args: Any, **more: Any) -> MatchPlay:  # noqa: ANN401 - as the real one
        nonlocal elapsed_ms
        elapsed_ms += 60_000
        return restore(*args, **more)

    monkeypatch.setattr("ronda_referee.referee.restore", restored)
    surroundings = replace(steady_surroundings(), monotonic_ms=lambda: elapsed_ms)
    async with running(tmp_path, surroundings=surroundings) as run:
        matches = [run.serving.referee.match(table.match_id) for table in tables]
        lefts = [clocks_of(match, 0)[0].milliseconds_left for match in matches]
        assert elapsed_ms == 180_000
        assert lefts == [45_000, 45_000, 45_000]
        for table in tables:
            again = Table(run.stub, table.match_id, table.tokens)
            monkeypatch.undo()
            await again.play_lowest()
            assert await again.seat_to_act() == 1


async def test_a_match_that_waits_for_seats_still_waits_after_a_restart(tmp_path: Path) -> None:
    """Who has joined stays joined; the last one starts the match."""
    async with running(tmp_path) as run:
        table = await run.table(2, joined=False)
        await table.join(1, "Amal", b"salt")
    async with running(tmp_path) as run:
        again = Table(run.stub, table.match_id, table.tokens)
        await again.join(1, "Amal", b"salt")
        await again.join(0)
        assert await again.seat_to_act() == 0


async def test_an_answer_is_given_when_the_move_is_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the commit has not returned, neither the player nor anybody else sees the move."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        seat, view, decision = await table.turn()
        before = await table.view(None)
        written = SqliteStore.write
        seen: list[pb.GetViewResponse] = []

        def write(store: SqliteStore, writes: Sequence[Write]) -> None:
            match = run.serving.referee.match(table.match_id)
            seen.append(pb.GetViewResponse(next_sequence=match.published.sequence))
            written(store, writes)

        monkeypatch.setattr(SqliteStore, "write", write)
        request = table.request(seat, decision.decision_id, play(view.hand[0]))
        answer = await run.stub.SubmitMove(request)
        assert [one.next_sequence for one in seen] == [before.next_sequence]
        assert answer.sequence == before.next_sequence
        # Nobody else may open the store meanwhile; its write-ahead log can be read as a file.
        assert request.request_id.encode() in (tmp_path / "matches.sqlite-wal").read_bytes()


async def test_a_caller_that_goes_away_does_not_stop_its_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cancellation or deadline that arrives during the commit changes nothing."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        seat, view, decision = await table.turn()
        request = table.request(seat, decision.decision_id, play(view.hand[0]))
        call = run.stub.SubmitMove(request)
        written = SqliteStore.write
        cancelled = asyncio.Event()

        def write(store: SqliteStore, writes: Sequence[Write]) -> None:
            call.cancel()
            cancelled.set()
            written(store, writes)

        monkeypatch.setattr(SqliteStore, "write", write)
        with pytest.raises(asyncio.CancelledError):
            await call
        await cancelled.wait()
        answer = await run.stub.SubmitMove(request)
        assert answer.sequence == decision.decision_id + 1
        assert await table.seat_to_act() == 1


async def test_a_disk_that_refuses_holds_up_its_match_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The move is neither acknowledged nor seen; sent again later, it is accepted."""
    async with running(tmp_path) as run:
        broken, sound = await run.table(2), await run.table(2)
        before = await broken.view(0)
        written = SqliteStore.write

        def write(store: SqliteStore, writes: Sequence[Write]) -> None:
            if any(one.match_id == broken.match_id for one in writes):
                raise OSError("the disk is full")
            written(store, writes)

        monkeypatch.setattr(SqliteStore, "write", write)
        request = broken.request(0, before.decision.decision_id, before.decision.legal_moves[-1])
        for _ in range(2):
            answer = await refused(lambda: run.stub.SubmitMove(request))
            assert (answer.status, answer.reason) == ("UNAVAILABLE", "STORE_UNAVAILABLE")
            assert "the disk is full" not in answer.detail
        await sound.play_to_the_end()
        assert await broken.view(0) == before
        monkeypatch.undo()
        accepted = await run.stub.SubmitMove(request)
        assert accepted.sequence == before.next_sequence
        assert await run.stub.SubmitMove(request) == accepted
        await broken.play_to_the_end()


async def test_a_fault_of_the_referee_freezes_its_match_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A frozen match takes no move and has no result; whoever watches it is told, also later."""
    async with running(tmp_path) as run:
        broken, sound = await run.table(2), await run.table(2)
        before = await broken.view(0)
        request = broken.request(0, before.decision.decision_id, before.decision.legal_moves[-1])

        def move(*_: object) -> None:
            raise ZeroDivisionError("a secret of the engine")

        with monkeypatch.context() as patched:
            patched.setattr(MatchPlay, "move", move)
            answer = await refused(lambda: run.stub.SubmitMove(request))
        assert (answer.status, answer.reason) == ("INTERNAL", "REFEREE_FAULT")
        assert "secret" not in answer.detail
        assert (await refused(lambda: run.stub.SubmitMove(request))).reason == "REFEREE_FAULT"
        assert (await refused(lambda: _watch(broken))).reason == "REFEREE_FAULT"
        assert await broken.view(0) == before
        await sound.play_to_the_end()
    async with running(tmp_path) as run:
        again = Table(run.stub, broken.match_id, broken.tokens)
        assert (await refused(lambda: run.stub.SubmitMove(request))).reason == "REFEREE_FAULT"
        assert await again.view(0) == before


async def _watch(table: Table) -> None:
    async for _ in table.stub.WatchMatch(pb.WatchMatchRequest(match_id=table.match_id)):
        pass


async def test_a_hidden_hand_that_was_tampered_with_is_found_at_the_start(tmp_path: Path) -> None:
    """What a row hides is compared with what follows from the seed, before anyone plays on."""
    async with running(tmp_path) as run:
        table = await run.table(2)
    database = sqlite3.connect(tmp_path / "matches.sqlite")
    sequence, data = database.execute(
        "SELECT sequence, opening FROM log_row WHERE visible_to = 0"
    ).fetchone()
    opening = log_pb2.CommitmentOpening.FromString(data)
    opening.nonce = bytes(32)
    database.execute(
        "UPDATE log_row SET opening = ? WHERE sequence = ?",
        (opening.SerializeToString(), sequence),
    )
    database.commit()
    database.close()
    async with running(tmp_path) as run:
        assert run.serving.restored == 0
        request = pb.GetViewRequest(match_id=table.match_id)
        assert (await refused(lambda: run.stub.GetView(request))).reason == "REFEREE_FAULT"


async def test_rows_that_contradict_themselves_freeze_their_match_and_no_other(
    tmp_path: Path,
) -> None:
    """A store that was tampered with is found out at the start; it never gives a result."""
    async with running(tmp_path) as run:
        broken, sound = await run.table(2), await run.table(2)
    database = sqlite3.connect(tmp_path / "matches.sqlite")
    (seed,) = database.execute(
        "SELECT seed FROM match WHERE match_id = ?", (broken.match_id,)
    ).fetchone()
    database.execute(
        "UPDATE match SET seed = ? WHERE match_id = ?",
        (bytes([seed[0] ^ 1]) + seed[1:], broken.match_id),
    )
    database.commit()
    database.close()
    async with running(tmp_path) as run:
        assert run.serving.restored == 1
        request = pb.GetViewRequest(match_id=broken.match_id)
        answer = await refused(lambda: run.stub.GetView(request))
        assert (answer.status, answer.reason) == ("INTERNAL", "REFEREE_FAULT")
        await Table(run.stub, sound.match_id, sound.tokens).play_to_the_end()
