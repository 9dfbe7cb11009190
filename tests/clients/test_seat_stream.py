"""Playing many seats over one stream, against a script."""

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
    WatchMatchResponse,
)
from ronda.v1.view_pb2 import SeatView
from ronda_client import (
    Outcome,
    RefereeClient,
    RefereeError,
    SeatResult,
    SeatStream,
    play_seats,
)
from tests.clients.fake_referee import Close, Fail, FakeReferee, Hold, Until, serving
from tests.clients.scripted_log import Book, of_match, play, turn
from tests.clients.stream_scripts import (
    MOVES,
    QUICK,
    FirstMoveBot,
    accepted,
    at,
    refusing,
    seats_played,
)


async def test_seat_joins_when_it_has_seen_the_header_and_answers_its_turns() -> None:
    """The log is asked for from its start; the seat brings its bytes only then."""
    fake, book, bot = FakeReferee(), Book(), FirstMoveBot()
    fake.joins.append(1)
    fake.plays.append(
        [
            Until(seats=1),
            of_match("m1", book.header(), seat=1),
            of_match("m1", turn(1, MOVES, seat=1)),
            Until(moves=1),
            accepted,
            of_match("m1", book.result([1], [12, 41]), book.ended()),
        ]
    )
    result = (await seats_played(fake, "m1", bot=bot))["m1"]
    assert isinstance(result, SeatResult)
    assert (result.seat, result.outcome, result.moves) == (1, Outcome.WON, 1)
    ((seat,),) = fake.seats_taken
    assert (seat.match_id, seat.seat_token, seat.from_sequence) == ("m1", "token", 0)
    assert not seat.HasField("join")
    ((move,),) = fake.moves_sent
    assert (move.match_id, move.decision_id, move.move) == ("m1", 1, play(1))
    assert [len(joined.entropy) for joined in fake.joined] == [32]
    assert fake.joined[0].name == "FirstMoveBot"


async def test_seat_brings_nothing_before_it_has_seen_the_header() -> None:
    """The referee must be bound to its seed before it knows the bytes of the seats."""
    fake = FakeReferee()
    refusal = refusing(grpc.StatusCode.NOT_FOUND, "MATCH_NOT_FOUND", match_id="m1")
    fake.plays.append(
        [Until(seats=1), PlayResponse(updates=[PlayUpdate(match_id="m1", refusal=refusal)]), Hold()]
    )
    result = (await seats_played(fake, "m1"))["m1"]
    assert isinstance(result, RefereeError)
    assert (result.code, result.reason) == (grpc.StatusCode.NOT_FOUND, "MATCH_NOT_FOUND")
    assert result.metadata == {"match_id": "m1"}
    assert fake.joined == []


@pytest.mark.parametrize(
    "end",
    [
        Close(),
        Fail(grpc.StatusCode.UNAVAILABLE, "DRAINING"),
        Fail(grpc.StatusCode.CANCELLED),
        Fail(grpc.StatusCode.RESOURCE_EXHAUSTED, "SLOW_WATCHER"),
    ],
)
async def test_stream_that_breaks_off_is_gone_on_with(end: Fail | Close) -> None:
    """The bot is asked once; the same request goes out again, the log comes from where it was."""
    fake, book, bot = FakeReferee(), Book(), FirstMoveBot()
    fake.plays.append(
        [
            Until(seats=1),
            of_match("m1", book.header(), turn(1, MOVES), seat=0),
            Until(moves=1),
            of_match("m1", book.draining()),
            end,
        ]
    )
    fake.plays.append(
        [
            Until(seats=1, moves=1),
            of_match("m1", turn(1, MOVES), seat=0),
            accepted,
            of_match("m1", book.result([0], [41, 0]), book.ended()),
        ]
    )
    result = (await seats_played(fake, "m1", bot=bot))["m1"]
    assert isinstance(result, SeatResult)
    assert (result.moves, bot.asked) == (1, [1])
    assert [seat.from_sequence for seats in fake.seats_taken for seat in seats] == [0, 1]
    assert fake.moves_sent[0] == fake.moves_sent[1]


@pytest.mark.parametrize("reason", ["STORE_UNAVAILABLE", "DRAINING"])
async def test_move_that_cannot_be_taken_now_goes_out_again_unchanged(reason: str) -> None:
    """UNAVAILABLE within the stream is as good as a lost answer."""
    fake, book, bot = FakeReferee(), Book(), FirstMoveBot()

    def busy(moves: Sequence[PlayMove]) -> PlayResponse:
        answer = accepted(moves)
        answer.answers[0].refusal.CopyFrom(refusing(grpc.StatusCode.UNAVAILABLE, reason))
        return answer

    fake.plays.append(
        [
            Until(seats=1),
            of_match("m1", book.header(), turn(1, MOVES)),
            Until(moves=1),
            busy,
            Until(moves=2),
            accepted,
            of_match("m1", book.result([0], [41, 0]), book.ended()),
        ]
    )
    result = (await seats_played(fake, "m1", bot=bot))["m1"]
    assert isinstance(result, SeatResult)
    ((first, second),) = fake.moves_sent
    assert first == second
    assert 1 <= len(first.request_id) <= 64


async def test_without_verifying_only_turns_come_over_the_stream() -> None:
    """The header is looked at before the seat joins, and the result is fetched at the end."""
    fake, book, bot = FakeReferee(), Book(), FirstMoveBot()
    fake.watches.append([book.header(), Hold()])
    fake.plays.append(
        [
            Until(seats=1),
            of_match("m1", at(1, turn(1, MOVES, seat=1)), seat=1),
            Until(moves=1),
            accepted,
            of_match("m1", at(2, turn(2, MOVES, seat=1))),
            Until(moves=2),
            accepted,
            of_match("m1", book.ended()),
        ]
    )
    book.deal(1)
    fake.watches.append([book.result([1], [5, 41]), Hold()])
    async with serving(fake) as target, RefereeClient.connect(target, backoff=QUICK) as client:
        results = await play_seats(client, [("m1", "token")], bot, verify=False)
    result = results["m1"]
    assert isinstance(result, SeatResult)
    assert (result.seat, result.outcome, result.moves) == (1, Outcome.WON, 2)
    assert [request.from_sequence for request in fake.watched] == [0, 2]
    ((seat,),) = fake.seats_taken
    assert not seat.HasField("from_sequence")
    assert len(fake.joined) == 1


async def test_slow_bot_holds_up_no_other_match() -> None:
    """One of three matches waits for its bot while the others end."""
    fake = FakeReferee()
    books = {name: Book() for name in ("slow", "b", "c")}
    headers = {name: book.header() for name, book in books.items()}

    def over(name: str) -> list[WatchMatchResponse]:
        return [books[name].result([0], [41, 0]), books[name].ended()]

    fake.plays.append(
        [
            Until(seats=3),
            *(of_match(name, header, turn(1, MOVES)) for name, header in headers.items()),
            Until(moves=1),
            accepted,
            Until(moves=2),
            accepted,
            of_match("b", *over("b")),
            of_match("c", *over("c")),
            Until(moves=3),
            accepted,
            of_match("slow", *over("slow")),
        ]
    )

    class Bot:
        async def choose(self, view: SeatView, decision: Decision) -> Move:
            if asyncio.current_task() is slow:
                await asyncio.gather(*others)
            return decision.legal_moves[0]

    bot = Bot()
    async with (
        serving(fake) as target,
        RefereeClient.connect(target, backoff=QUICK) as client,
        SeatStream(client, bot_calls_at_once=2) as stream,
    ):
        slow = asyncio.create_task(stream.play("slow", "token", bot))
        others = [asyncio.create_task(stream.play(one, "token", bot)) for one in ("b", "c")]
        assert (await slow).moves == 1


async def test_few_bots_are_asked_at_once() -> None:
    """Five turns come in one message, and no more than two calls are under way."""
    fake = FakeReferee()
    books = {name: Book() for name in "abcde"}
    headers = PlayResponse()
    turns = PlayResponse()
    for name, book in books.items():
        headers.MergeFrom(of_match(name, book.header()))
        turns.MergeFrom(of_match(name, turn(1, MOVES)))
    ends = [of_match(name, book.result([0], [1, 0]), book.ended()) for name, book in books.items()]
    fake.plays.append([Until(seats=5), headers, turns, Until(moves=5), accepted, *ends])

    class Bot:
        def __init__(self) -> None:
            self.calls = 0
            self.most = 0

        async def choose(self, view: SeatView, decision: Decision) -> Move:
            self.calls += 1
            self.most = max(self.most, self.calls)
            # Every task that may ask its bot does so meanwhile.
            for _ in range(20):
                await asyncio.sleep(0)
            self.calls -= 1
            return decision.legal_moves[0]

    bot = Bot()
    async with serving(fake) as target, RefereeClient.connect(target, backoff=QUICK) as client:
        seats = [(name, "token") for name in books]
        results = await play_seats(client, seats, bot, bot_calls_at_once=2)
    assert all(isinstance(result, SeatResult) for result in results.values())
    assert bot.most == 2


async def test_two_seats_of_one_match_need_two_streams() -> None:
    """A stream plays one seat of a match, and says so before anything is sent."""
    fake, book = FakeReferee(), Book()
    fake.plays.append([Until(seats=1), of_match("m1", book.header()), Hold()])
    async with serving(fake) as target, RefereeClient.connect(target, backoff=QUICK) as client:
        with pytest.raises(ValueError, match="two of the seats are of match m1"):
            await play_seats(client, [("m1", "a"), ("m1", "b")], FirstMoveBot())
        async with SeatStream(client) as stream:
            first = asyncio.create_task(stream.play("m1", "a", FirstMoveBot()))
            await fake.holding.wait()
            with pytest.raises(ValueError, match="already; another seat of the same match"):
                await stream.play("m1", "b", FirstMoveBot())
            first.cancel()
        with pytest.raises(RuntimeError, match="async with"):
            await SeatStream(client).play("m1", "a", FirstMoveBot())
