"""Commands that wait in line: no order and no delay of them costs a seat its time or its match."""

import asyncio
import contextvars
import io
from collections.abc import Sequence
from pathlib import Path

import pytest

from ronda.v1 import log_pb2, match_terms_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_referee.audit import audit_stream
from ronda_referee.errors import ServiceError, StoreError
from ronda_referee.match import Match
from ronda_referee.match_commands import Command, Done, nobody
from ronda_referee.match_line import Line
from ronda_referee.referee import Referee
from ronda_referee.store import SqliteStore, StoredMatch, Write
from ronda_referee.tokens import token_hash
from ronda_referee.watching import watch
from tests.referee.running import Running, Table, refused, running
from tests.referee.test_terms import TERMS, Hands, ended, log_of, resign, surroundings, timed

_FORFEIT = match_terms_pb2.TIME_OUT_FORFEIT


async def accepted(table: Table) -> log_pb2.MoveAccepted:
    """Give a legal move of the seat that must act, as the referee takes it."""
    seat, _, decision = await table.turn()
    return log_pb2.MoveAccepted(
        seat=seat,
        decision_id=decision.decision_id,
        request_id="mine",
        move=decision.legal_moves[-1],
    )


def failing(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """Have the next commits fail, so many of them, and those after succeed."""
    written = SqliteStore.write
    left = times

    def write(store: SqliteStore, writes: Sequence[Write]) -> None:
        nonlocal left
        if left:
            left -= 1
            raise OSError("the disk is full")
        written(store, writes)

    monkeypatch.setattr(SqliteStore, "write", write)


def match_of(run: Running, table: Table) -> Match:
    """Give the match itself."""
    return run.serving.referee.match(table.match_id)


async def test_a_move_does_not_wait_behind_what_is_no_part_of_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seat 1 has its token changed twenty times, 100 ms each: seat 0's move is taken first."""
    hands = Hands()
    async with running(tmp_path, surroundings=surroundings(hands)) as run:
        table = await run.table(2, terms=timed(1000, _FORFEIT))
        match, move = match_of(run, table), await accepted(table)
        written = SqliteStore.write

        def write(store: SqliteStore, writes: Sequence[Write]) -> None:
            hands.now_ms += 100
            written(store, writes)

        monkeypatch.setattr(SqliteStore, "write", write)
        token = table.tokens[1]
        flood = [match.change_token(token, token_hash(token)) for _ in range(20)]
        *_, sequence = await asyncio.gather(*flood, match.submit(move))
        assert sequence == move.decision_id + 1
        (record,) = (row.record for row in match.rows(sequence, 1))
        assert log_pb2.LogRecord.FromString(record).clock_ms == 0


async def test_a_move_that_finds_the_line_empty_is_done_at_once() -> None:
    """What is no part of play waits a turn of the event loop, and a move overtakes it meanwhile."""
    done: list[str] = []
    names: dict[int, str] = {}

    def do(command: Command) -> bool:
        done.append(names[id(command)])
        return True

    def command(name: str) -> Command:
        made = Command(lambda *_: Done(0), nobody)
        names[id(made)] = name
        return made

    line, context = Line(do), contextvars.copy_context()
    first, token, second = command("first"), command("token"), command("second")
    line.add(first, context, is_play=True)
    assert (done, line.busy) == (["first"], False)
    line.add(token, context, is_play=False)
    line.add(second, context, is_play=True)
    assert (done, line.busy) == (["first"], True)
    await line.settled()
    assert done == ["first", "second", "token"]


async def test_a_disk_that_refuses_takes_no_time_from_a_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its move comes in time and cannot be written; half a second later it is taken."""
    hands = Hands()
    async with running(tmp_path, surroundings=surroundings(hands)) as run:
        table = await run.table(2, terms=timed(1000, _FORFEIT))
        match, move = match_of(run, table), await accepted(table)
        hands.now_ms += 999
        failing(monkeypatch, 2)
        with pytest.raises(ServiceError, match="STORE_UNAVAILABLE"):
            await match.submit(move)
        hands.now_ms += 500
        # The clock has gone on from the last record, as after a restart.
        assert await match.submit(move) == move.decision_id + 1


async def test_a_time_out_that_could_not_be_written_is_written_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would end the match, so no other deadline comes that would bring it up again."""
    async with running(tmp_path) as run:
        table = await run.table(2, terms=timed(200, _FORFEIT))
        # The group's commit, and the match's by itself.
        failing(monkeypatch, 2)
        result = await ended(table)
        assert (result.reason, list(result.winners)) == (log_pb2.END_REASON_FORFEITED, [1])


async def test_where_a_clock_gives_no_time_nothing_comes_between(tmp_path: Path) -> None:
    """Both banks are empty: what is left is the referee's, all of it before seat 1 resigns."""
    hands = Hands()
    terms = TERMS(
        time_control=match_terms_pb2.TimeControl(bank_ms=1000),
        time_out=match_terms_pb2.TIME_OUT_AUTOMATIC,
    )
    async with running(tmp_path, surroundings=surroundings(hands)) as run:
        table = await run.table(2, "sarii", terms=terms)
        move = (await accepted(table)).move
        hands.now_ms += 1000
        late = await refused(lambda: run.stub.SubmitMove(table.request(0, 1, move)))
        assert late.reason == "STALE_DECISION"
        hands.now_ms += 1000
        assert (await refused(lambda: run.stub.Resign(resign(table, 1)))).reason == "MATCH_OVER"
        report = audit_stream(io.BytesIO(await log_of(table)))
        assert (report.finding, report.ended, report.forfeits) == (None, "PLAYED", {})


async def test_a_seat_cannot_give_up_what_was_cancelled(tmp_path: Path) -> None:
    """It is refused, and the match is not held to be broken."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        await match_of(run, table).cancel()
        answer = await refused(lambda: run.stub.Resign(resign(table, 0)))
        assert (answer.status, answer.reason) == ("FAILED_PRECONDITION", "MATCH_CANCELLED")
        assert match_of(run, table).fault is None
        assert (await ended(table)).reason == log_pb2.END_REASON_CANCELLED


async def test_a_token_that_was_replaced_meanwhile_replaces_nothing(tmp_path: Path) -> None:
    """Who has stolen it and comes second is refused, although it opened the seat when he asked."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        match = match_of(run, table)
        owner, thief = await asyncio.gather(
            match.change_token(table.tokens[0], token_hash("the owner's")),
            match.change_token(table.tokens[0], token_hash("the thief's")),
            return_exceptions=True,
        )
        assert owner is None
        assert isinstance(thief, ServiceError)
        assert thief.reason == "WRONG_TOKEN"
        assert match.seat_of("the owner's") == 0


async def test_nobody_pays_for_the_time_in_which_others_are_brought_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three matches take two seconds each to load; each seat still has its whole second."""
    hands = Hands()
    async with running(tmp_path, surroundings=surroundings(hands)) as run:
        tables = [await run.table(2, terms=timed(1000, _FORFEIT)) for _ in range(3)]
    load = Referee._load

    def slowly(referee: Referee, stored: StoredMatch) -> Match:
        match = load(referee, stored)
        hands.now_ms += 2000
        return match

    monkeypatch.setattr(Referee, "_load", slowly)
    async with running(tmp_path, surroundings=surroundings(hands)) as run:
        for table in tables:
            table.stub = run.stub
            assert (await table.view(0)).decision.milliseconds_left == 1000


async def test_a_disk_that_cannot_be_read_freezes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match that is to come back to memory does so when the disk does."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        request = table.request(0, 0, (await accepted(table)).move)
        request.decision_id = (await table.view(0)).decision.decision_id
        assert match_of(run, table).sleep()

        def rows(*_: object) -> None:
            raise OSError("no such device")

        with monkeypatch.context() as patched:
            patched.setattr(SqliteStore, "rows", rows)
            answer = await refused(lambda: run.stub.SubmitMove(request))
            assert (answer.status, answer.reason) == ("UNAVAILABLE", "STORE_UNAVAILABLE")
            assert "device" not in answer.detail
        assert (await run.stub.SubmitMove(request)).sequence == request.decision_id + 1


async def test_a_disk_that_cannot_be_read_at_the_start_freezes_nothing_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The referee does not start, and with a disk that reads it does and every match goes on."""
    async with running(tmp_path) as run:
        table = await run.table(2)

    def rows(*_: object) -> None:
        raise OSError("no such device")

    with monkeypatch.context() as patched:
        patched.setattr(SqliteStore, "rows", rows)
        with pytest.raises(StoreError, match="cannot be read from the store"):
            async with running(tmp_path):
                pytest.fail("it serves")
    async with running(tmp_path) as run:
        table.stub = run.stub
        await table.play_lowest()


async def test_signs_of_life_come_however_often_a_watcher_is_woken(tmp_path: Path) -> None:
    """A sealed answer wakes watchers and shows nothing; nor does it show in when the beat comes."""
    async with running(tmp_path) as run:
        table = await run.table(2, joined=False)
        match = match_of(run, table)

        async def wake() -> None:
            while True:
                match.wake_watchers()
                await asyncio.sleep(0.001)

        messages = watch(run.serving.referee, match, "", 0, 0.1)
        assert len((await anext(messages)).entries) == 1
        waking = asyncio.create_task(wake())
        assert await anext(messages) == pb.WatchMatchResponse(next_sequence=1)
        waking.cancel()
        await messages.aclose()
