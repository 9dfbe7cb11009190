"""Playing a whole match in one process."""

import grpc
import pytest

from ronda.v1.decision_pb2 import Decision
from ronda.v1.move_pb2 import Move
from ronda.v1.rule_set_pb2 import RuleSet
from ronda.v1.view_pb2 import SeatView
from ronda_client import BotError, RefereeClient, RefereeError, play_match
from tests.clients.fake_referee import Fail, FakeReferee, Hold, serving
from tests.clients.scripted_log import Book, play, turn


class FirstMoveBot:
    """Makes the first legal move."""

    def choose(self, view: SeatView, decision: Decision) -> Move:
        """Return the first legal move."""
        return decision.legal_moves[0]


class BrokenBot:
    """Fails."""

    def choose(self, view: SeatView, decision: Decision) -> Move:
        """Raise."""
        raise ZeroDivisionError


def scripted(seats: int) -> FakeReferee:
    """Return a referee whose match lets every seat make one move and then ends."""
    fake = FakeReferee()
    for seat in range(seats):
        book = Book()
        fake.joins.append(seat)
        fake.watches.append(
            [
                book.header(seats),
                turn(1, [play(seat + 1)], seat),
                book.result([1], [3, 41]),
                book.ended(),
            ]
        )
        fake.submits.append(2)
    fake.logs.append([b"RONDALOG", b"..."])
    return fake


async def test_match_is_played_at_every_seat_and_its_log_returned() -> None:
    """Each seat has its own token, bot and name."""
    fake = scripted(2)
    async with serving(fake) as target:
        played = await play_match(
            target, "maghribi", [FirstMoveBot(), FirstMoveBot()], names=["Amina", "Brahim"]
        )
    assert fake.created[0].rule_set_id == "maghribi"
    assert fake.created[0].seats == 2
    assert {(join.seat_token, join.name) for join in fake.joined} == {
        ("token 0", "Amina"),
        ("token 1", "Brahim"),
    }
    assert {sent.seat_token for sent in fake.submitted} == {"token 0", "token 1"}
    assert played.match_id == "m1"
    assert played.winners == (1,)
    assert played.scores == (3, 41)
    assert len(played.seats) == 2
    assert played.log == b"RONDALOG..."


async def test_open_client_can_be_used_and_rules_sent_in_full() -> None:
    """One connection serves many matches."""
    fake = scripted(3)
    async with serving(fake) as target, RefereeClient.connect(target) as client:
        played = await play_match(client, RuleSet(id="house"), [FirstMoveBot()] * 3)
    assert fake.created[0].rule_set.id == "house"
    assert len(played.seats) == 3


async def test_seat_that_fails_gives_up_the_others() -> None:
    """The bot's error comes out as it is, and nobody waits for a match that cannot go on."""
    fake = FakeReferee()
    fake.joins.extend([0, 1])
    for seat in range(2):
        book = Book()
        step = Hold() if seat else turn(1, [play(1)], seat)
        fake.watches.append([book.header(), step])
    async with serving(fake) as target:
        with pytest.raises(BotError) as caught:
            await play_match(target, "maghribi", [BrokenBot(), BrokenBot()])
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


async def test_refused_match_is_raised() -> None:
    """A log that is refused is no result."""
    fake = scripted(2)
    fake.logs.clear()
    fake.logs.append([Fail(grpc.StatusCode.INTERNAL, "REFEREE_FAULT")])
    async with serving(fake) as target:
        with pytest.raises(RefereeError, match="REFEREE_FAULT"):
            await play_match(target, "maghribi", [FirstMoveBot()] * 2)


async def test_names_must_be_as_many_as_bots() -> None:
    """Nothing is created where they are not."""
    fake = scripted(2)
    async with serving(fake) as target:
        with pytest.raises(ValueError, match="2 bots and 1 names"):
            await play_match(target, "maghribi", [FirstMoveBot()] * 2, names=["Amina"])
    assert fake.created == []
