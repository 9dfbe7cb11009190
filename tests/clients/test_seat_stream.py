"""Playing many seats over one stream, against a script."""

import asyncio
from collections.abc import Sequence

import grpc
import pytest

from ronda.v1.decision_pb2 import Decision
from ronda.v1.move_pb2 import Move
from ronda.v1.referee_service_pb2 import (
    PlayAnswer,
    PlayMove,
    PlayRefusal,
    PlayResponse,
    PlayUpdate,
    WatchMatchResponse,
)
from ronda.v1.view_pb2 import SeatView
from ronda_client import (
    Backoff,
    BotError,
    ClientError,
    ForkedLog,
    Outcome,
    RefereeClient,
    RefereeError,
    RefereeUnavailableError,
    SeatResult,
    SeatStream,
    play_seats,
)
from ronda_client.play_connection import StreamedSeat
from tests.clients.fake_referee import (
    Book,
    Close,
    Fail,
    FakeReferee,
    Hold,
    Until,
    of_match,
    play,
    serving,
    turn,
)

QUICK = Backoff(first=0.001, cap=0.01, patience=20)
MOVES = [play(1), play(2)]


class FirstMoveBot:
    """Makes the first legal move and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def choose(self, view: SeatView, decision: Decision) -> Move:
        """Return the first legal move."""
        self.asked.append(decision.decision_id)
        return decision.legal_moves[0]


def accepted(moves: Sequence[PlayMove]) -> PlayResponse:
    """Return the answer that every move so far is accepted; it may come again."""
    return PlayResponse(
        answers=[
            PlayAnswer(match_id=move.match_id, request_id=move.request_id, sequence=7)
            for move in moves
        ]
    )


def at(next_sequence: int, news: WatchMatchResponse) -> WatchMatchResponse:
    """Return news of a match whose log has so many records."""
    news.next_sequence = next_sequence
    return news


def refusing(code: grpc.StatusCode, reason: str, **metadata: str) -> PlayRefusal:
    """Return a refusal."""
    return PlayRefusal(code=code.value[0], reason=reason, detail="as it is", metadata=metadata)


async def seats_played(
    fake: FakeReferee, *match_ids: str, bot: FirstMoveBot | None = None, backoff: Backoff = QUICK
) -> dict[str, SeatResult | ClientError]:
    """Play a seat each of these matches against the script."""
    async with serving(fake) as target, RefereeClient.connect(target, backoff=backoff) as client:
        return await play_seats(
            client, [(one, "token") for one in match_ids], bot or FirstMoveBot()
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
    "end", [Close(), Fail(grpc.StatusCode.UNAVAILABLE, "DRAINING"), Fail(grpc.StatusCode.CANCELLED)]
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


async def test_slow_bot_holds_up_no_other_match_and_few_are_asked_at_once() -> None:
    """One of three matches waits for its bot while the others end; two calls at once at most."""
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
        def __init__(self) -> None:
            self.calls = 0
            self.most = 0

        async def choose(self, view: SeatView, decision: Decision) -> Move:
            self.calls += 1
            self.most = max(self.most, self.calls)
            if asyncio.current_task() is slow:
                await asyncio.gather(*others)
            await asyncio.sleep(0)
            self.calls -= 1
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
    assert bot.most == 2


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
