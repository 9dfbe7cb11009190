"""Playing a seat with a bot."""

import re
import sys
from collections.abc import Awaitable

import grpc
import pytest

from ronda.v1.decision_pb2 import Decision
from ronda.v1.log_pb2 import EndReason, LogRecord, MoveAccepted, SeatJoined
from ronda.v1.move_pb2 import Move
from ronda.v1.view_pb2 import SeatView
from ronda_client import (
    Backoff,
    Bot,
    BotError,
    FalseRecord,
    Outcome,
    RefereeClient,
    RefereeError,
    SeatResult,
    play_seat,
)
from tests.clients.fake_referee import Fail, FakeReferee, Hold, serving
from tests.clients.scripted_log import Book, card, play, turn

QUICK = Backoff(first=0.001, cap=0.01, patience=20)
UNAVAILABLE = Fail(grpc.StatusCode.UNAVAILABLE)
MOVES = [play(1), play(2)]


class FirstMoveBot:
    """Makes the first legal move and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def choose(self, view: SeatView, decision: Decision) -> Move:
        """Return the first legal move."""
        self.asked.append(decision.decision_id)
        return decision.legal_moves[0]


class FickleBot(FirstMoveBot):
    """Makes another move each time it is asked."""

    def choose(self, view: SeatView, decision: Decision) -> Move:
        """Return the next one of the legal moves."""
        self.asked.append(decision.decision_id)
        return decision.legal_moves[(len(self.asked) - 1) % len(decision.legal_moves)]


class AsyncBot:
    """Takes its time."""

    async def choose(self, view: SeatView, decision: Decision) -> Move:
        """Return the last legal move."""
        return decision.legal_moves[-1]


async def seat_played(fake: FakeReferee, bot: Bot, **options: str | bytes) -> SeatResult:
    """Play seat 0 against the script."""
    name = options.get("name")
    entropy = options.get("entropy")
    assert not isinstance(name, bytes)
    assert not isinstance(entropy, str)
    async with serving(fake) as target, RefereeClient.connect(target, backoff=QUICK) as client:
        return await play_seat(client, "m1", "token 0", bot, name=name, entropy=entropy)


async def test_seat_is_joined_and_every_turn_answered() -> None:
    """One move for each decision, and the result at the end."""
    fake, book, bot = FakeReferee(), Book(), FirstMoveBot()
    fake.watches.append(
        [
            book.header(),
            turn(1, MOVES),
            book.deal(1),
            turn(2, [play(2)]),
            book.result([0], [41, 12]),
            book.ended(),
        ]
    )
    fake.submits.extend([3, 4])
    result = await seat_played(fake, bot)
    assert [(sent.decision_id, sent.move) for sent in fake.submitted] == [
        (1, play(1)),
        (2, play(2)),
    ]
    assert result == SeatResult(
        match_id="m1",
        seat=0,
        side=0,
        outcome=Outcome.WON,
        winners=(0,),
        scores=(41, 12),
        reason=EndReason.END_REASON_PLAYED,
        moves=2,
    )


async def test_seat_joins_under_the_bots_name_with_bytes_of_its_own() -> None:
    """The cards are not the referee's alone to decide unless the caller wants it so."""
    fake = FakeReferee()
    for _ in range(3):
        book = Book()
        fake.watches.append([book.header(), book.result([0], [41, 0]), book.ended()])
    await seat_played(fake, FirstMoveBot())
    await seat_played(fake, FirstMoveBot())
    await seat_played(fake, FirstMoveBot(), name="Amina", entropy=b"mine")
    first, second, third = fake.joined
    assert first.name == "FirstMoveBot"
    assert len(first.entropy) == len(second.entropy) == 32
    assert first.entropy != second.entropy
    assert (third.name, third.entropy) == ("Amina", b"mine")


async def test_async_bot_is_awaited() -> None:
    """`choose` may be a coroutine."""
    fake, book = FakeReferee(), Book()
    fake.watches.append([book.header(), turn(1, MOVES), book.result([0], [1, 0]), book.ended()])
    fake.submits.append(2)
    await seat_played(fake, AsyncBot())
    assert fake.submitted[0].move == play(2)


async def test_decision_is_never_answered_in_two_ways() -> None:
    """A move is lost on its way, the turn comes twice: what was chosen first is sent throughout."""
    fake, book, bot = FakeReferee(), Book(), FickleBot()
    fake.watches.append([book.header(), turn(1, MOVES), UNAVAILABLE])
    fake.watches.append([turn(1, MOVES), book.result([1], [0, 41]), book.ended()])
    fake.submits.extend([UNAVAILABLE, UNAVAILABLE, 2])
    await seat_played(fake, bot)
    assert bot.asked == [1]
    assert len(fake.submitted) == 3
    assert fake.submitted[0] == fake.submitted[1] == fake.submitted[2]


async def test_decision_closed_by_others_is_let_go() -> None:
    """A stale decision is nobody's fault; what is asked next is answered."""
    fake, book, bot = FakeReferee(), Book(), FirstMoveBot()
    fake.watches.append(
        [book.header(), turn(1, MOVES), turn(5, MOVES), book.result([0], [41, 2]), book.ended()]
    )
    fake.submits.extend([Fail(grpc.StatusCode.FAILED_PRECONDITION, "STALE_DECISION"), 6])
    result = await seat_played(fake, bot)
    assert bot.asked == [1, 5]
    assert result.moves == 1


async def test_illegal_move_is_raised_with_the_referees_reason() -> None:
    """The bot's author learns which rule it was."""
    fake, book = FakeReferee(), Book()
    fake.watches.append([book.header(), turn(1, MOVES)])
    fake.submits.append(
        Fail(grpc.StatusCode.FAILED_PRECONDITION, "CARD_NOT_IN_HAND", {"clause": "CAP-1"})
    )

    class ForeignCardBot:
        def choose(self, view: SeatView, decision: Decision) -> Move:
            return play(12)

    with pytest.raises(RefereeError) as caught:
        await seat_played(fake, ForeignCardBot())
    assert (caught.value.reason, caught.value.clause) == ("CARD_NOT_IN_HAND", "CAP-1")
    assert caught.value.metadata == {"clause": "CAP-1"}
    assert str(caught.value) == (
        "CARD_NOT_IN_HAND (CAP-1): as the script says (seat 0 of match m1, decision 1)"
    )
    assert fake.submitted[0].move == play(12)


async def test_bot_that_raises_is_named_with_its_decision() -> None:
    """What it raised is the cause, and nothing was sent."""
    fake, book = FakeReferee(), Book()
    fake.watches.append([book.header(), turn(9, MOVES)])

    class BrokenBot:
        def choose(self, view: SeatView, decision: Decision) -> Move:
            raise KeyError("nine")

    with pytest.raises(BotError) as caught:
        await seat_played(fake, BrokenBot())
    assert isinstance(caught.value.__cause__, KeyError)
    assert re.fullmatch(
        r"the bot at seat 0 of match m1, decision 9: choose\(\) raised KeyError: 'nine' "
        rf"\({re.escape(__file__)}:\d+\)",
        str(caught.value),
    )
    assert fake.submitted == []


async def test_bot_that_exits_does_not_take_the_process_along() -> None:
    """`sys.exit` in a bot is its failure, plain or async, as any other that it raises."""

    class ExitingBot:
        def choose(self, view: SeatView, decision: Decision) -> Move:
            sys.exit(5)

    class AsyncExitingBot:
        async def choose(self, view: SeatView, decision: Decision) -> Move:
            sys.exit(5)

    for bot in (ExitingBot(), AsyncExitingBot()):
        fake, book = FakeReferee(), Book()
        fake.watches.append([book.header(), turn(9, MOVES)])
        with pytest.raises(BotError, match=r"choose\(\) raised SystemExit: 5 \(.*test_seat.py:"):
            await seat_played(fake, bot)


async def test_bot_that_cannot_be_asked_is_told_no_place() -> None:
    """Its method takes too little: no line of the bot was reached, and ours is none of its."""
    fake, book = FakeReferee(), Book()
    fake.watches.append([book.header(), turn(9, MOVES)])

    class DeafBot:
        def choose(self, view: SeatView) -> Move:
            return MOVES[0]

    with pytest.raises(BotError) as caught:
        await seat_played(fake, DeafBot())  # type: ignore[arg-type]
    assert caught.value.detail.endswith(
        "DeafBot.choose() takes 2 positional arguments but 3 were given"
    )


async def test_bot_that_chooses_no_move_is_told_what_is_wanted() -> None:
    """Forgetting to return is the likeliest mistake."""
    fake, book = FakeReferee(), Book()
    fake.watches.append([book.header(), turn(9, MOVES)])

    class ForgetfulBot:
        def choose(self, view: SeatView, decision: Decision) -> Move | Awaitable[Move]:
            return None  # type: ignore[return-value]

    with pytest.raises(BotError) as caught:
        await seat_played(fake, ForgetfulBot())
    assert caught.value.detail == "choose() must return a ronda.v1 Move, it returned NoneType"


@pytest.mark.parametrize("told_by", ["turn", "hand"])
async def test_seat_joined_in_an_earlier_run_is_played_on(told_by: str) -> None:
    """A bot that was restarted cannot join with the same bytes, and plays all the same."""
    fake, book = FakeReferee(), Book()
    fake.joins.append(Fail(grpc.StatusCode.FAILED_PRECONDITION, "ALREADY_JOINED"))
    told = turn(1, MOVES, seat=1) if told_by == "turn" else None
    fake.watches.append(
        [
            book.header(),
            told or book.hand(1, [card(3)]),
            book.result([1], [5, 41]),
            book.ended(),
        ]
    )
    fake.submits.append(2)
    result = await seat_played(fake, FirstMoveBot())
    assert (result.seat, result.side, result.outcome) == (1, 1, Outcome.WON)


async def test_refused_join_is_raised() -> None:
    """With a wrong token there is nothing to play."""
    fake = FakeReferee()
    fake.watches.append([Book().header(), Hold()])
    fake.joins.append(Fail(grpc.StatusCode.PERMISSION_DENIED, "WRONG_TOKEN"))
    with pytest.raises(RefereeError, match="WRONG_TOKEN"):
        await seat_played(fake, FirstMoveBot())


async def test_seat_brings_nothing_before_it_has_seen_the_header() -> None:
    """The referee must be bound to its seed before it knows the bytes of the seats."""
    fake = FakeReferee()
    fake.watches.append([Fail(grpc.StatusCode.NOT_FOUND, "MATCH_NOT_FOUND")])
    with pytest.raises(RefereeError, match="MATCH_NOT_FOUND"):
        await seat_played(fake, FirstMoveBot())
    assert fake.joined == []


@pytest.mark.parametrize(("name", "entropy"), [("Amina", b"other"), ("Brahim", b"mine")])
async def test_log_that_has_the_seat_join_otherwise_is_refused(name: str, entropy: bytes) -> None:
    """Neither its name nor its bytes may be changed by the referee."""
    fake, book = FakeReferee(), Book()
    joined = SeatJoined(seat=0, name=name, entropy=entropy)
    fake.watches.append([book.header(), book.add(LogRecord(seat_joined=joined)), Hold()])
    with pytest.raises(FalseRecord, match="record 1 is false: seat 0 joined") as caught:
        await seat_played(fake, FirstMoveBot(), name="Amina", entropy=b"mine")
    assert str(caught.value).endswith(", unless another process plays with the same token")


async def test_log_that_has_the_seat_move_otherwise_is_refused() -> None:
    """A decision that the seat answered stands in the log as it answered it."""
    fake, book = FakeReferee(), Book()
    moved = MoveAccepted(seat=0, decision_id=1, request_id="r", move=MOVES[1])
    fake.watches.append(
        [book.header(), turn(1, MOVES), book.add(LogRecord(move_accepted=moved)), Hold()]
    )
    fake.submits.append(1)
    with pytest.raises(FalseRecord, match="seat 0 answered decision 1 otherwise") as caught:
        await seat_played(fake, FirstMoveBot())
    assert str(caught.value).endswith(", unless another process plays with the same token")


@pytest.mark.parametrize(("recorded", "true"), [(0, True), (1, False)])
async def test_hidden_answer_of_the_seat_is_compared_as_it_is_opened(
    recorded: int, true: bool
) -> None:
    """Where the log hides an answer from the others, its own seat can look inside."""
    fake, book = FakeReferee(), Book()
    fake.watches.append(
        [
            book.header(),
            turn(1, MOVES),
            book.sealed_move(0, 1, MOVES[recorded]),
            book.result([0], [1, 0]),
            book.ended(),
        ]
    )
    fake.submits.append(1)
    if true:
        assert (await seat_played(fake, FirstMoveBot())).moves == 1
    else:
        with pytest.raises(FalseRecord, match="seat 0 answered decision 1 otherwise"):
            await seat_played(fake, FirstMoveBot())


async def test_log_that_says_what_the_seat_did_is_followed() -> None:
    """Its own joining and moves, and what other seats brought and moved."""
    fake, book, bot = FakeReferee(), Book(), FirstMoveBot()
    mine = SeatJoined(seat=0, name="Amina", entropy=b"mine")
    other = SeatJoined(seat=1, name="Brahim", entropy=b"")
    fake.watches.append(
        [
            book.header(),
            book.add(LogRecord(seat_joined=other)),
            book.add(LogRecord(seat_joined=mine)),
            turn(1, MOVES),
            book.add(LogRecord(move_accepted=MoveAccepted(seat=0, decision_id=1, move=MOVES[0]))),
            book.add(LogRecord(move_accepted=MoveAccepted(seat=1, decision_id=1, move=MOVES[1]))),
            book.result([0], [1, 0]),
            book.ended(),
        ]
    )
    fake.submits.append(3)
    result = await seat_played(fake, bot, name="Amina", entropy=b"mine")
    assert result.outcome is Outcome.WON


@pytest.mark.parametrize(
    ("seats", "seat", "winners", "side", "outcome"),
    [
        (2, 1, [1], 1, Outcome.WON),
        (2, 1, [0], 1, Outcome.LOST),
        (2, 0, [0, 1], 0, Outcome.DRAWN),
        (3, 2, [2], 2, Outcome.WON),
        (3, 0, [1, 2], 0, Outcome.LOST),
        (4, 2, [0], 0, Outcome.WON),
        (4, 3, [0], 1, Outcome.LOST),
        (4, 3, [1], 1, Outcome.WON),
        (4, 1, [0, 1], 1, Outcome.DRAWN),
    ],
)
async def test_outcome_is_that_of_the_seats_side(
    seats: int, seat: int, winners: list[int], side: int, outcome: Outcome
) -> None:
    """With four seats 0 and 2 are one side, 1 and 3 the other; otherwise each is its own."""
    fake, book = FakeReferee(), Book()
    fake.joins.append(seat)
    fake.watches.append([book.header(seats), book.result(winners, [41, 41]), book.ended()])
    result = await seat_played(fake, FirstMoveBot())
    assert (result.seat, result.side, result.outcome) == (seat, side, outcome)
