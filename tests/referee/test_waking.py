"""Matches that come back to memory: played again beside the event loop, or not at all."""

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from ronda.v1 import referee_service_pb2 as pb
from ronda_referee import match_memory, referee, restoring
from ronda_referee.chain import Sealer
from ronda_referee.commits import Commits, Written
from ronda_referee.match_log import LogRow
from ronda_referee.play import MatchPlay, Sign
from ronda_referee.store import Write
from tests.referee.running import Running, Table, running
from tests.referee.streaming import Streaming, seat_of
from tests.referee.test_terms import log_of


class Replays:
    """Notes each time that a match is played again whether the event loop waits for it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Look on from now on."""
        self.seen: list[str] = []
        monkeypatch.setattr(referee, "restore", self._restore)

    def _restore(
        self, match_id: str, seed: bytes, rows: Sequence[LogRow], sealer: Sealer, sign: Sign
    ) -> MatchPlay:
        waits = threading.current_thread() is threading.main_thread()
        self.seen.append("in the event loop" if waits else "beside it")
        return restoring.restore(match_id, seed, rows, sealer, sign)

    def since(self) -> list[str]:
        """Give what was noted since it was asked last."""
        seen, self.seen = self.seen, []
        return seen


def table_of(run: Running, table: Table) -> Table:
    """Give the same match at a referee that was started later."""
    return Table(run.stub, table.match_id, table.tokens, requests=99)


async def test_a_match_that_has_ended_is_played_again_only_to_be_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its log is on disk; who asks for its view waits for that alone."""
    monkeypatch.setattr(match_memory, "_FEW_ROWS", 0)
    async with running(tmp_path) as run:
        table = await run.table(2, "sarii")
        await table.play_to_the_end()
        view, log, records = await table.view(0), await log_of(table), await table.records(0)
    replays = Replays(monkeypatch)
    async with running(tmp_path) as run:
        table = table_of(run, table)
        assert await log_of(table) == log
        request = pb.WatchMatchRequest(match_id=table.match_id, seat_token=table.tokens[0])
        messages = [message async for message in run.stub.WatchMatch(request)]
        assert [entry for message in messages for entry in message.entries] == records
        assert messages[-1].ended.log_complete
        assert replays.since() == []
        assert await table.view(0) == view
        assert replays.since() == ["beside it"]


async def test_an_open_match_wakes_beside_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever wakes it: a view, a move, a seat that watches, a seat of a stream that plays."""
    monkeypatch.setattr(match_memory, "_FEW_ROWS", 0)
    async with running(tmp_path) as run:
        table = await run.table(2)
        _, _, decision = await table.turn()
        replays = Replays(monkeypatch)
        match = run.serving.referee.match(table.match_id)

        assert match.sleep()
        await table.view(0)
        assert replays.since() == ["beside it"]

        assert match.sleep()
        watching = run.stub.WatchMatch(
            pb.WatchMatchRequest(match_id=table.match_id, seat_token=table.tokens[0])
        )
        message = await watching.read()
        assert isinstance(message, pb.WatchMatchResponse)
        assert message.turn.decision == decision
        watching.cancel()
        assert replays.since() == ["beside it"]

        assert match.sleep()
        stream = Streaming(run.stub)
        await stream.send([seat_of(table, 0)])
        assert (await stream.turn(table)).decision == decision
        stream.call.cancel()
        assert replays.since() == ["beside it"]

        assert match.sleep()
        move = table.request(0, decision.decision_id, decision.legal_moves[-1])
        assert (await run.stub.SubmitMove(move)).sequence == decision.decision_id + 1
        assert replays.since() == ["beside it"]


async def test_a_match_that_has_just_begun_wakes_in_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to a hundred records take a few milliseconds; a thread would take more from the others."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        replays = Replays(monkeypatch)
        view = await table.view(0)
        match = run.serving.referee.match(table.match_id)
        assert match.published.sequence < 100
        assert match.sleep()
        assert await table.view(0) == view
        assert replays.since() == ["in the event loop"]
        while match.published.sequence <= 100:
            seat, _, decision = await table.turn()
            request = table.request(seat, decision.decision_id, decision.legal_moves[-1])
            await run.stub.SubmitMove(request)
        view = await table.view(0)
        assert match.sleep()
        assert await table.view(0) == view
        assert replays.since() == ["beside it"]


async def test_a_match_woken_by_a_move_shows_nothing_of_it_before_it_is_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the move is being written the seat is shown, and asked, what it was before."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        seat, view, decision = await table.turn()
        add = Commits.add
        looking: list[asyncio.Task[None]] = []
        shown: list[pb.GetViewResponse] = []
        asked: list[pb.Turn] = []

        async def look(commits: Commits, one: Write, written: Written) -> None:
            shown.append(await table.view(seat))
            watching = run.stub.WatchMatch(
                pb.WatchMatchRequest(match_id=table.match_id, seat_token=table.tokens[seat])
            )
            message = await watching.read()
            assert isinstance(message, pb.WatchMatchResponse)
            asked.append(message.turn)
            watching.cancel()
            add(commits, one, written)

        def add_later(commits: Commits, one: Write, written: Written) -> None:
            looking.append(asyncio.create_task(look(commits, one, written)))

        assert run.serving.referee.match(table.match_id).sleep()
        monkeypatch.setattr(Commits, "add", add_later)
        request = table.request(seat, decision.decision_id, decision.legal_moves[-1])
        answer = await run.stub.SubmitMove(request)
        monkeypatch.undo()
        assert [response.seat_view for response in shown] == [view]
        assert [(turn.view, turn.decision) for turn in asked] == [(view, decision)]
        assert answer.sequence == decision.decision_id + 1
        assert len((await table.view(seat)).seat_view.hand) == len(view.hand) - 1
