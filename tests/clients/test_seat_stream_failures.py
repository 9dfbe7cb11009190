"""Many seats over one stream where something fails: a match alone, or the stream."""

import asyncio
from collections.abc import Sequence

import grpc
import pytest

from ronda.v1.decision_pb2 import Decision
from ronda.v1.move_pb2 import Move
from ronda.v1.referee_service_pb2 import (
    PlayMove,
    PlayResponse,
    PlayUpdate,
)
from ronda.v1.view_pb2 import SeatView
from ronda_client import (
    Backoff,
    BotError,
    ForkedLog,
    Outcome,
    RefereeClient,
    RefereeError,
    RefereeUnavailableError,
    SeatResult,
    SeatStream,
    play_seats,
)
from ronda_client.play_connection import PlayConnection, StreamedSeat
from tests.clients.fake_referee import Close, Fail, FakeReferee, Hold, Until, serving
from tests.clients.scripted_log import Book, of_match, turn
from tests.clients.stream_scripts import (
    MOVES,
    QUICK,
    FirstMoveBot,
    accepted,
    refusing,
    seats_played,
)


async def test_failures_are_their_matches_own() -> None:
    """A fork, an illegal move and a frozen match end three of four; the fourth is played."""
    fake = FakeReferee()
    books = {name: Book() for name in ("forked", "illegal", "frozen", "sound")}
    headers = {name: book.header() for name, book in books.items()}
    other = Book()
    other.header(3)

    def illegal(moves: Sequence[PlayMove]) -> PlayResponse:
        answer = accepted(moves)
        refusal = refusing(grpc.StatusCode.FAILED_PRECONDITION, "CARD_NOT_IN_HAND", clause="CAP-1")
        answer.answers[0].refusal.CopyFrom(refusal)
        return answer

    internal = refusing(grpc.StatusCode.INTERNAL, "REFEREE_FAULT")
    fake.plays.append(
        [
            Until(seats=4),
            *(of_match(name, header, seat=0) for name, header in headers.items()),
            of_match("forked", other.deal(1)),
            of_match("illegal", turn(1, MOVES)),
            Until(moves=1),
            illegal,
            PlayResponse(updates=[PlayUpdate(match_id="frozen", refusal=internal)]),
            of_match("sound", books["sound"].result([1], [0, 41]), books["sound"].ended()),
        ]
    )
    results = await seats_played(fake, *books)
    assert list(results) == ["forked", "illegal", "frozen", "sound"]
    forked, illegally, frozen, sound = results.values()
    assert isinstance(forked, ForkedLog)
    assert (forked.match_id, forked.sequence) == ("forked", 1)
    assert isinstance(illegally, RefereeError)
    assert (illegally.reason, illegally.clause) == ("CARD_NOT_IN_HAND", "CAP-1")
    assert "seat 0 of match illegal, decision 1" in str(illegally)
    assert isinstance(frozen, RefereeError)
    assert frozen.reason == "REFEREE_FAULT"
    assert isinstance(sound, SeatResult)
    assert sound.outcome is Outcome.LOST


async def test_log_that_is_shorter_than_it_was_is_a_fork() -> None:
    """A referee that has lost records is not believed."""
    fake, book = FakeReferee(), Book()
    fake.plays.append([Until(seats=1), of_match("m1", book.header(), book.deal(1)), Close()])
    refusal = refusing(grpc.StatusCode.OUT_OF_RANGE, "SEQUENCE_OUT_OF_RANGE")
    fake.plays.append(
        [Until(seats=1), PlayResponse(updates=[PlayUpdate(match_id="m1", refusal=refusal)]), Hold()]
    )
    result = (await seats_played(fake, "m1"))["m1"]
    assert isinstance(result, ForkedLog)
    assert result.sequence == 2


async def test_refused_stream_ends_every_match_and_not_the_client() -> None:
    """A referee without the call, say; what is played afterwards is tried anew."""
    fake, book = FakeReferee(), Book()
    fake.plays.append([Until(seats=2), Fail(grpc.StatusCode.UNIMPLEMENTED)])
    fake.plays.append(
        [Until(seats=1), of_match("m1", book.header(), book.result([0], [41, 0]), book.ended())]
    )
    async with (
        serving(fake) as target,
        RefereeClient.connect(target, backoff=QUICK) as client,
        SeatStream(client) as stream,
    ):
        failed = await asyncio.gather(
            *(stream.play(one, "token", FirstMoveBot()) for one in ("m1", "m2")),
            return_exceptions=True,
        )
        result = await stream.play("m1", "token", FirstMoveBot())
    for error in failed:
        assert isinstance(error, RefereeError)
        assert error.code is grpc.StatusCode.UNIMPLEMENTED
    assert result.outcome is Outcome.WON


async def test_stream_lost_while_a_message_was_written_is_opened_anew() -> None:
    """GRPC says INTERNAL then, and no reason of the referee's: every match goes on."""
    fake = FakeReferee()
    books = {name: Book() for name in ("m1", "m2")}
    opening = [of_match(name, book.header(), seat=0) for name, book in books.items()]
    fake.plays.append([Until(seats=2), *opening, Fail(grpc.StatusCode.INTERNAL)])
    ends = [of_match(name, book.result([0], [41, 0])) for name, book in books.items()]
    over = [of_match(name, book.ended()) for name, book in books.items()]
    fake.plays.append([Until(seats=2), *ends, *over])
    for result in (await seats_played(fake, *books)).values():
        assert isinstance(result, SeatResult)
        assert result.outcome is Outcome.WON


async def test_stream_that_ends_by_a_fault_of_the_referee_is_not_opened_anew() -> None:
    """The fault has a reason; what has failed so once would fail so again."""
    fake = FakeReferee()
    fake.plays.append([Until(seats=1), Fail(grpc.StatusCode.INTERNAL, "REFEREE_FAULT")])
    result = (await seats_played(fake, "m1"))["m1"]
    assert isinstance(result, RefereeError)
    assert result.reason == "REFEREE_FAULT"


async def test_referee_that_stays_away_is_given_up() -> None:
    """Patience has an end, for every match of the stream."""
    fake, book = FakeReferee(), Book()
    impatient = Backoff(first=0.001, cap=0.01, patience=0.1)
    fake.plays.append(
        [Until(seats=2), of_match("m1", book.header(), turn(1, MOVES)), Until(moves=1), Close()]
    )
    fake.plays.extend([Fail(grpc.StatusCode.UNAVAILABLE)] for _ in range(1000))
    results = await seats_played(fake, "m1", "m2", backoff=impatient)
    assert [type(result) for result in results.values()] == [RefereeUnavailableError] * 2


async def test_silent_stream_is_opened_anew() -> None:
    """Where not even a sign of life comes, the connection counts as lost."""
    fake, book = FakeReferee(), Book()
    fake.plays.append([Until(seats=1), Hold()])
    fake.plays.append(
        [Until(seats=1), of_match("m1", book.header(), book.result([0], [41, 0]), book.ended())]
    )
    async with (
        serving(fake) as target,
        RefereeClient(target, backoff=QUICK, silence=0.05) as client,
    ):
        results = await play_seats(client, [("m1", "token")], FirstMoveBot())
    assert isinstance(results["m1"], SeatResult)


async def test_seat_that_failed_is_played_on_over_the_same_stream() -> None:
    """The stream is opened anew for it, and the other match goes on."""
    fake, book, other = FakeReferee(), Book(), Book()
    header, theirs = book.header(), other.header()
    fake.plays.append(
        [
            Until(seats=2),
            of_match("m2", theirs),
            of_match("m1", header, turn(1, MOVES)),
            Hold(),
        ]
    )
    fake.plays.append(
        [
            Until(seats=2),
            of_match("m1", header, turn(1, MOVES)),
            Until(moves=1),
            accepted,
            of_match("m2", other.result([1], [0, 41]), other.ended()),
            of_match("m1", book.result([0], [41, 0]), book.ended()),
        ]
    )

    class FailingBot:
        def choose(self, view: SeatView, decision: Decision) -> Move:
            raise RuntimeError("out of luck")

    async with (
        serving(fake) as target,
        RefereeClient.connect(target, backoff=QUICK) as client,
        SeatStream(client) as stream,
    ):
        second = asyncio.create_task(stream.play("m2", "token", FirstMoveBot()))
        with pytest.raises(BotError, match="out of luck"):
            await stream.play("m1", "token", FailingBot())
        assert (await stream.play("m1", "token", FirstMoveBot())).moves == 1
        assert (await second).outcome is Outcome.LOST
    assert [
        {seat.match_id: seat.from_sequence for seat in seats} for seats in fake.seats_taken
    ] == [
        {"m1": 0, "m2": 0},
        {"m1": 0, "m2": 1},
    ]


async def test_fault_of_the_client_leaves_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever goes wrong where messages are taken in, whoever plays hears of it."""
    fake, book = FakeReferee(), Book()
    fake.plays.append([Until(seats=1), of_match("m1", book.header()), Hold()])

    def take_in(*_: object) -> None:
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr(StreamedSeat, "take_in", take_in)
    async with serving(fake) as target, RefereeClient.connect(target, backoff=QUICK) as client:
        stream = await SeatStream(client).__aenter__()
        with pytest.raises(ZeroDivisionError, match="a fault"):
            await stream.play("m1", "token", FirstMoveBot())
        with pytest.raises(RuntimeError, match="not open"):
            await stream.play("m2", "token", FirstMoveBot())
        with pytest.raises(ZeroDivisionError, match="a fault"):
            await stream.__aexit__(None, None, None)


async def test_a_move_goes_out_under_the_request_id_that_it_is_given() -> None:
    """Sent again it gets the same answer; an id that no answer could name never goes out."""
    fake = FakeReferee()
    fake.plays.append([Until(seats=1), Until(moves=1), accepted, Until(moves=2), accepted, Hold()])
    async with serving(fake) as target, RefereeClient.connect(target, backoff=QUICK) as client:
        connection = PlayConnection(client)
        seat = StreamedSeat("m1", "token", None)
        connection.add(seat)
        running = asyncio.create_task(connection.run())
        for _ in range(2):
            assert await connection.submit(seat, 1, MOVES[0], "mine") == 7
        for unusable in ("", "x" * 65):
            with pytest.raises(ValueError, match=f"{len(unusable)} characters; it must have 1 to"):
                await connection.submit(seat, 1, MOVES[0], unusable)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
    assert [move.request_id for move in fake.moves_sent[0]] == ["mine", "mine"]
