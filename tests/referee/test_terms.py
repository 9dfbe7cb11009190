"""What a match was created with is kept: clocks, forfeits, refusals, times to join, spectators."""

import asyncio
import io
import itertools
from functools import partial
from pathlib import Path

import grpc
import pytest

from ronda.v1 import log_pb2, match_terms_pb2, move_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_referee.audit import audit_stream
from ronda_referee.chain import NonceSealer
from ronda_referee.surroundings import Surroundings
from tests.referee.running import Running, Table, play, refused, running

HOUR_MS = 3_600_000
TERMS = match_terms_pb2.MatchTerms


class Hands:
    """A monotonic clock whose hands the test moves."""

    def __init__(self) -> None:
        """Begin anywhere."""
        self.now_ms = 5_000_000

    def __call__(self) -> int:
        """Give the time."""
        return self.now_ms


def surroundings(hands: Hands) -> Surroundings:
    """Give surroundings with a clock of the test's own."""
    return Surroundings(monotonic_ms=hands, sealer=NonceSealer())


def timed(per_move_ms: int, time_out: match_terms_pb2.TimeOut.ValueType) -> TERMS:
    """Give terms with so much time for each move."""
    control = match_terms_pb2.TimeControl(per_move_ms=per_move_ms)
    return TERMS(time_control=control, time_out=time_out)


async def ended(table: Table) -> log_pb2.MatchResult:
    """Watch a match to its end; give its result."""
    request = pb.WatchMatchRequest(match_id=table.match_id)
    records = [
        log_pb2.LogRecord.FromString(entry.record)
        async for message in table.stub.WatchMatch(request)
        for entry in message.entries
    ]
    (result,) = (one.match_result for one in records if one.HasField("match_result"))
    return result


async def log_of(table: Table) -> bytes:
    """Give the log file of a match."""
    request = pb.GetMatchLogRequest(match_id=table.match_id)
    return b"".join([part.data async for part in table.stub.GetMatchLog(request)])


def resign(table: Table, seat: int) -> pb.ResignRequest:
    """Ask for a seat to give up."""
    return pb.ResignRequest(match_id=table.match_id, seat_token=table.tokens[seat])


async def test_a_seat_resigns_and_the_other_has_won(tmp_path: Path) -> None:
    """Again it gets the same answer, also after a restart; moves are refused as after any end."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        first = await run.stub.Resign(resign(table, 1))
        assert await run.stub.Resign(resign(table, 1)) == first
        result = await ended(table)
        assert (result.reason, list(result.winners)) == (log_pb2.END_REASON_FORFEITED, [0])
        assert (await refused(lambda: run.stub.Resign(resign(table, 0)))).reason == "MATCH_OVER"
        assert audit_stream(io.BytesIO(await log_of(table))).forfeits == {1: "RESIGNED"}
    async with running(tmp_path) as run:
        assert await run.stub.Resign(resign(table, 1)) == first


async def test_nobody_resigns_before_the_match_has_started(tmp_path: Path) -> None:
    """There is nothing yet to give up."""
    async with running(tmp_path) as run:
        table = await run.table(2, joined=False)
        answer = await refused(lambda: run.stub.Resign(resign(table, 0)))
        assert (answer.status, answer.reason) == ("FAILED_PRECONDITION", "MATCH_NOT_STARTED")


async def test_nobody_resigns_from_a_match_that_was_cancelled(tmp_path: Path) -> None:
    """It is refused however far the match has come, and leaves the match as it was."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        await table.play_lowest()
        match = run.serving.referee.match(table.match_id)
        await match.cancel()
        before = await log_of(table)
        answer = await refused(lambda: run.stub.Resign(resign(table, 0)))
        assert (answer.status, answer.reason) == ("FAILED_PRECONDITION", "MATCH_CANCELLED")
        assert match.fault is None
        assert await log_of(table) == before


async def test_a_seat_whose_moves_are_refused_too_often_forfeits(tmp_path: Path) -> None:
    """Illegal and malformed ones count, also over a restart; stale decisions do not."""
    terms = TERMS(most_refusals=4)

    async def wrong(run: Running, table: Table) -> list[str]:
        view = (await table.view(0)).seat_view
        held = view.hand[0]
        other = next(rank for rank in range(1, 11) if all(rank != one.rank for one in view.hand))
        held.rank = other  # type: ignore[assignment]
        now = (await table.view(0)).decision.decision_id
        requests = [
            table.request(0, now, play(held)),
            table.request(0, now, move_pb2.Move()),
            table.request(0, now + 1, play(held)),
        ]
        return [(await refused(partial(run.stub.SubmitMove, one))).reason for one in requests]

    async with running(tmp_path) as run:
        table = await run.table(2, terms=terms)
        assert await wrong(run, table) == [
            "CARD_NOT_IN_HAND",
            "MALFORMED_REQUEST",
            "STALE_DECISION",
        ]
    async with running(tmp_path) as run:
        again = Table(run.stub, table.match_id, table.tokens, requests=9)
        assert (await again.view(0)).HasField("decision")
        assert await wrong(run, again) == ["CARD_NOT_IN_HAND", "MALFORMED_REQUEST", "MATCH_OVER"]
        result = await ended(again)
        assert (result.reason, list(result.winners)) == (log_pb2.END_REASON_FORFEITED, [1])
        assert audit_stream(io.BytesIO(await log_of(again))).forfeits == {0: "REFUSALS"}


async def test_a_seat_that_does_not_answer_in_time_forfeits(tmp_path: Path) -> None:
    """Nobody does anything; whoever watches sees the end come."""
    async with running(tmp_path) as run:
        table = await run.table(2, terms=timed(30, match_terms_pb2.TIME_OUT_FORFEIT))
        result = await ended(table)
        assert (result.reason, list(result.winners)) == (log_pb2.END_REASON_FORFEITED, [1])
        report = audit_stream(io.BytesIO(await log_of(table)))
        assert (report.finding, report.forfeits) == (None, {0: "TIME_OUT"})


@pytest.mark.parametrize("seats", [2, 3, 4])
async def test_a_match_can_be_played_by_the_clock_alone(tmp_path: Path, seats: int) -> None:
    """The referee plays every card in time, to an end by the rules that audits."""
    async with running(tmp_path) as run:
        terms = timed(1, match_terms_pb2.TIME_OUT_AUTOMATIC)
        table = await run.table(seats, "sarii", terms=terms)
        result = await ended(table)
        assert result.reason == log_pb2.END_REASON_PLAYED
        assert audit_stream(io.BytesIO(await log_of(table))).ok


async def test_a_match_that_is_not_joined_in_time_is_cancelled(tmp_path: Path) -> None:
    """Nobody has won it, and nobody can join or play it any more."""
    async with running(tmp_path) as run:
        table = await run.table(2, joined=False, terms=TERMS(join_timeout_ms=30))
        result = await ended(table)
        assert (result.reason, list(result.winners)) == (log_pb2.END_REASON_NOT_JOINED, [])
        answer = await refused(lambda: table.join(0))
        assert (answer.status, answer.reason) == ("FAILED_PRECONDITION", "MATCH_CANCELLED")
        move = table.request(0, 1, move_pb2.Move(claim=move_pb2.Claim(seat=1)))
        assert (await refused(lambda: run.stub.SubmitMove(move))).reason == "MATCH_CANCELLED"
        assert audit_stream(io.BytesIO(await log_of(table))).ended == "NOT_JOINED"


async def test_no_clock_runs_while_the_referee_is_down(tmp_path: Path) -> None:
    """An hour passes between two runs; the seat has as much left as before the stop."""
    hands = Hands()
    async with running(tmp_path, surroundings=surroundings(hands)) as run:
        table = await run.table(2, terms=timed(HOUR_MS, match_terms_pb2.TIME_OUT_FORFEIT))
        hands.now_ms += 1000
        await table.play_lowest()
        hands.now_ms += 500
        view = await table.view(1)
        assert view.decision.milliseconds_left == HOUR_MS - 500
        assert [(clock.milliseconds_left, clock.running) for clock in view.clocks] == [
            (0, False),
            (HOUR_MS - 500, True),
        ]
        assert list((await table.view(None)).clocks) == list(view.clocks)
    hands.now_ms += HOUR_MS
    async with running(tmp_path, surroundings=surroundings(hands)) as run:
        again = Table(run.stub, table.match_id, table.tokens, requests=9)
        # What passed after the last record before the stop is nobody's.
        assert (await again.view(1)).decision.milliseconds_left == HOUR_MS
        hands.now_ms += 7
        assert (await again.view(1)).decision.milliseconds_left == HOUR_MS - 7
        await again.play_lowest()


async def test_a_late_move_is_no_move(tmp_path: Path) -> None:
    """At its deadline the seat has forfeited, whoever comes first, the move or the timer."""
    hands = Hands()
    async with running(tmp_path, surroundings=surroundings(hands)) as run:
        table = await run.table(2, terms=timed(HOUR_MS, match_terms_pb2.TIME_OUT_FORFEIT))
        seat, view, decision = await table.turn()
        hands.now_ms += HOUR_MS
        request = table.request(seat, decision.decision_id, play(view.hand[0]))
        assert (await refused(lambda: run.stub.SubmitMove(request))).reason == "MATCH_OVER"
        assert list((await ended(table)).winners) == [1]


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        (TERMS(most_refusals=1_000_001), "terms.most_refusals"),
        (TERMS(spectator_delay=1_001), "terms.spectator_delay"),
        (TERMS(join_timeout_ms=604_800_001), "terms.join_timeout_ms"),
        (TERMS(time_control=match_terms_pb2.TimeControl(increment_ms=5)), "terms.time_control"),
        (timed(86_400_001, match_terms_pb2.TIME_OUT_FORFEIT), "terms.time_control.per_move_ms"),
        (TERMS(time_out=match_terms_pb2.TIME_OUT_FORFEIT), "terms.time_out"),
        (timed(5, 9), "terms.time_out"),  # type: ignore[arg-type]
    ],
)
async def test_terms_that_cannot_be_kept_are_refused(
    tmp_path: Path, terms: TERMS, field: str
) -> None:
    """Each with the field at fault."""
    async with running(tmp_path) as run:
        answer = await refused(lambda: run.table(2, terms=terms))
        assert (answer.status, answer.reason) == ("INVALID_ARGUMENT", "MALFORMED_REQUEST")
        assert answer.fields == (field,)


async def test_a_token_is_changed_and_the_old_one_opens_nothing(tmp_path: Path) -> None:
    """Its streams end, its calls are refused; the new one goes on, also after a restart."""
    new = "A" * 42 + "E"
    async with running(tmp_path) as run:
        table = await run.table(2)
        old = table.tokens[0]
        watching = run.stub.WatchMatch(
            pb.WatchMatchRequest(match_id=table.match_id, seat_token=old)
        )
        reading = aiter(watching)
        await anext(reading)
        change = pb.RotateSeatTokenRequest(
            match_id=table.match_id, seat_token=old, new_seat_token=new
        )
        await run.stub.RotateSeatToken(change)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            async for _ in watching:
                pass
        assert caught.value.code() is grpc.StatusCode.PERMISSION_DENIED
        assert (await refused(lambda: table.view(0))).reason == "WRONG_TOKEN"
        assert (await refused(lambda: run.stub.RotateSeatToken(change))).reason == "WRONG_TOKEN"
        table.tokens[0] = new
        await table.play_lowest()
    async with running(tmp_path) as run:
        again = Table(run.stub, table.match_id, table.tokens, requests=9)
        assert (await again.view(0)).seat_view.seat == 0
        again.tokens[0] = old
        assert (await refused(lambda: again.view(0))).reason == "WRONG_TOKEN"


@pytest.mark.parametrize("new", ["", "A" * 42, "A" * 44, "A" * 42 + "B", "A" * 42 + "*"])
async def test_a_weak_token_is_refused(tmp_path: Path, new: str) -> None:
    """It must be 256 bits in their one spelling; the old one stays."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        change = pb.RotateSeatTokenRequest(
            match_id=table.match_id, seat_token=table.tokens[0], new_seat_token=new
        )
        answer = await refused(lambda: run.stub.RotateSeatToken(change))
        assert (answer.reason, answer.fields) == ("MALFORMED_REQUEST", ("new_seat_token",))
        assert (await table.view(0)).seat_view.seat == 0


async def test_who_watches_without_a_seat_is_behind(tmp_path: Path) -> None:
    """Log, view and clocks of the public are those of three turns ago; at the end it sees all."""
    async with running(tmp_path) as run:
        table = await run.table(2, terms=TERMS(spectator_delay=3))
        answer = await refused(lambda: table.view(None))
        assert answer.reason == "MATCH_NOT_STARTED"
        assert answer.detail == (
            "who watches this match without a seat is kept behind its start for now"
        )
        seen = []
        for _ in range(5):
            views = [await table.view(seat) for seat in (0, 1)]
            seat = [view.HasField("decision") for view in views].index(True)
            view = views[seat]
            seen.append(view.seat_view.public)
            card = view.seat_view.hand[0]
            await run.stub.SubmitMove(table.request(seat, view.decision.decision_id, play(card)))
        public = await table.view(None)
        assert public.public_view == seen[2]
        entries = await table.records()
        assert len(entries) == public.next_sequence
        own = (await table.view(0)).next_sequence
        assert public.next_sequence < own
        start = pb.WatchMatchRequest(match_id=table.match_id, from_sequence=own)

        async def watch_from_there() -> None:
            async for _ in run.stub.WatchMatch(start):
                pass

        answer = await refused(watch_from_there)
        assert answer.reason == "SEQUENCE_OUT_OF_RANGE"
        data = await log_of(table)
        await run.stub.Resign(resign(table, 0))
        assert len(await log_of(table)) > len(data)
        assert list((await ended(table)).winners) == [1]


async def test_matches_that_are_idle_leave_memory_and_nobody_notices(tmp_path: Path) -> None:
    """Views, streams, moves and clocks are as if they had stayed."""
    hands = Hands()
    async with running(tmp_path, surroundings=surroundings(hands)) as run:
        referee = run.serving.referee
        table = await run.table(2, terms=timed(HOUR_MS, match_terms_pb2.TIME_OUT_FORFEIT))
        other = await run.table(2)
        watching = aiter(
            run.stub.WatchMatch(
                pb.WatchMatchRequest(match_id=table.match_id, seat_token=table.tokens[1])
            )
        )
        await anext(watching)
        hands.now_ms += 1000
        before = [await table.view(seat) for seat in (0, 1, None)]
        hands.now_ms += 299_000
        assert referee.send_to_sleep() == 1
        hands.now_ms += 1000
        assert referee.send_to_sleep() == 1
        assert [match.asleep for match in referee.matches()] == [True, True]
        hands.now_ms -= 300_000
        assert [await table.view(seat) for seat in (0, 1, None)] == before
        assert [match.asleep for match in referee.matches()] == [False, True]
        hands.now_ms += 900_000
        assert referee.send_to_sleep() == 1
        await table.play_lowest()
        message = await anext(watching)
        assert message.turn.decision.milliseconds_left == HOUR_MS
        await other.play_to_the_end()


async def test_a_clock_runs_while_its_match_is_asleep(tmp_path: Path) -> None:
    """The deadline passes, and the seat has forfeited."""
    async with running(tmp_path) as run:
        table = await run.table(2, terms=timed(300, match_terms_pb2.TIME_OUT_FORFEIT))
        (match,) = run.serving.referee.matches()
        assert match.sleep()
        assert list((await ended(table)).winners) == [1]


async def test_several_seats_of_a_window_have_clocks_of_their_own(tmp_path: Path) -> None:
    """Both are asked at once; one answers in time and the other forfeits."""
    hands = Hands()
    async with running(tmp_path, surroundings=surroundings(hands)) as run:
        terms = timed(HOUR_MS, match_terms_pb2.TIME_OUT_FORFEIT)
        table = await run.table(2, "khlaso", terms=terms)
        hands.now_ms += 1000
        view = await table.view(1)
        passing = view.decision.legal_moves[-1]
        await run.stub.SubmitMove(table.request(1, view.decision.decision_id, passing))
        # That seat 1 has answered is shown to nobody, by no clock either.
        clocks = (await table.view(None)).clocks
        assert [clock.running for clock in clocks] == [True, True]
        hands.now_ms += HOUR_MS - 1000
        move = table.request(0, (await table.view(0)).decision.decision_id, passing)
        assert (await refused(lambda: run.stub.SubmitMove(move))).reason == "MATCH_OVER"
        result = await ended(table)
        assert list(result.winners) == [1]
        assert audit_stream(io.BytesIO(await log_of(table))).forfeits == {0: "TIME_OUT"}


async def test_cancelling_ends_a_match_without_winners(tmp_path: Path) -> None:
    """Also one that has not started; again it is the same, and one that is over is refused."""
    async with running(tmp_path) as run:
        started, waiting, over = (
            await run.table(2),
            await run.table(2, joined=False),
            await run.table(2),
        )
        await started.play_lowest()
        for table in (started, waiting):
            for _ in range(2):
                await run.serving.referee.match(table.match_id).cancel()
            result = await ended(table)
            assert (result.reason, list(result.winners)) == (log_pb2.END_REASON_CANCELLED, [])
            assert audit_stream(io.BytesIO(await log_of(table))).ended == "CANCELLED"
        await run.stub.Resign(resign(over, 0))
        with pytest.raises(Exception, match="MATCH_OVER"):
            await run.serving.referee.match(over.match_id).cancel()


async def test_the_same_seat_may_be_late_in_many_matches(tmp_path: Path) -> None:
    """Deadlines of many matches pass together, each for itself."""
    async with running(tmp_path) as run:
        terms = timed(20, match_terms_pb2.TIME_OUT_FORFEIT)
        tables = await asyncio.gather(*(run.table(seats, terms=terms) for seats in (2, 4) * 20))
        results = await asyncio.gather(*map(ended, tables))
        winners = list(itertools.chain.from_iterable(result.winners for result in results))
        assert winners == [1] * 40
