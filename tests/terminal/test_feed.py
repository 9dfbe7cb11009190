"""What comes is shown in order, and slowly enough to follow."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from ronda.v1.card_pb2 import Card
from ronda.v1.decision_pb2 import Decision
from ronda.v1.event_pb2 import CardPlayed, CardsCaptured, Event, PilesCounted
from ronda.v1.move_pb2 import Move, Play
from ronda.v1.view_pb2 import SeatView
from ronda_table import rule_set_of
from ronda_terminal.feed import Feed
from ronda_terminal.person import Person
from ronda_terminal.sight import Clock, Sight
from tests.terminal.tables import cards, language

SEVEN, FIVE = cards("7o 5c")


def played(seat: int, card: Card) -> Event:
    """Give the event of a card that is played."""
    return Event(card_played=CardPlayed(seat=seat, card=card))


@asynccontextmanager
async def running(
    pace: float = 0.0, *, asked: asyncio.Event | None = None, most: int | None = None
) -> AsyncIterator[tuple[Feed, list[float]]]:
    """Run a feed for seat 0 of two; give it, and the waits that it makes.

    Args:
        pace: seconds that a card of somebody else is looked at.
        asked: is set once the seat is asked something.
        most: with more than this still to come nothing is looked at.
    """
    waits: list[float] = []

    def changed() -> None:
        if asked is not None and feed.sight.turn is not None:
            asked.set()

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    feed = Feed(Sight(language("en"), 0), changed, pace, most=most, sleep=sleep)
    feed.begin(rule_set_of("maghribi"), 2, {})
    task = asyncio.create_task(feed.run())
    try:
        yield feed, waits
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def test_the_cards_of_others_are_looked_at_and_ones_own_are_not() -> None:
    """Each once the pace, the count of the piles twice."""
    async with running(0.5) as (feed, waits):
        feed.event(played(0, SEVEN))
        await feed.shown()
        assert waits == []
        feed.event(played(1, FIVE))
        feed.event(Event(cards_captured=CardsCaptured(seat=1, cards=cards("5o"))))
        feed.event(Event(piles_counted=PilesCounted(piles=[20, 20])))
        await feed.shown()
        assert waits == [0.5, 0.5, 1.0]


async def test_nothing_is_waited_for_while_a_clock_runs() -> None:
    """It would be the person's own time."""
    async with running(0.5) as (feed, waits):
        await feed.shown()
        feed.sight.clocks = [Clock(1000, running=True, since=0.0)]
        feed.event(played(1, FIVE))
        await feed.shown()
        assert waits == []


async def test_who_comes_late_does_not_look_at_everything() -> None:
    """Of five cards the last three: with two or fewer still to come each is looked at."""
    async with running(0.5, most=2) as (feed, waits):
        await feed.shown()
        for _ in range(5):
            feed.event(played(1, FIVE))
        await feed.shown()
        assert waits == [0.5, 0.5, 0.5]


async def test_a_card_that_is_played_stands_alone_until_it_has_taken_something() -> None:
    """Then it is gone to a pile."""
    async with running() as (feed, _):
        feed.event(played(1, FIVE))
        await feed.shown()
        assert feed.sight.played == (5, 2)
        feed.event(Event(cards_captured=CardsCaptured(seat=1, cards=cards("5o"))))
        await feed.shown()
        assert feed.sight.played is None


async def test_a_person_is_asked_once_everything_before_is_shown() -> None:
    """While the feed is held up nothing is asked."""
    move = Move(play=Play(card=SEVEN))
    asked = asyncio.Event()
    async with running(asked=asked) as (feed, _):
        person = Person(feed)
        feed.pause(paused=True)
        feed.event(played(1, FIVE))
        choosing = asyncio.ensure_future(
            person.choose(SeatView(hand=[SEVEN]), Decision(decision_id=4, legal_moves=[move]))
        )
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert not asked.is_set()
        feed.pause(paused=False)
        await feed.shown()
        await asked.wait()
        assert feed.sight.told[-1].text == "seat 1 plays 5 of cups"
        person.answer(move)
        assert await choosing == move
        assert not person.is_closed(4)


async def test_a_decision_that_is_closed_has_no_answer() -> None:
    """What is returned for it is known not to be the person's; another decision is not closed."""
    move = Move(play=Play(card=SEVEN))
    asked = asyncio.Event()
    async with running(asked=asked) as (feed, _):
        person = Person(feed)
        choosing = asyncio.ensure_future(
            person.choose(SeatView(hand=[SEVEN]), Decision(decision_id=4, legal_moves=[move]))
        )
        await asked.wait()
        person.close(3)
        assert not choosing.done()
        person.close(4)
        await choosing
        assert person.is_closed(4)
        assert feed.sight.turn is None


async def test_a_decision_without_a_legal_move_is_closed_as_any_other() -> None:
    """A referee that errs may ask for nothing; that it closes while it is looked at, or before."""
    asked = asyncio.Event()
    async with running(asked=asked) as (feed, _):
        person = Person(feed)
        choosing = asyncio.ensure_future(person.choose(SeatView(), Decision(decision_id=4)))
        await asked.wait()
        assert not choosing.done()
        person.close()
        await choosing
        feed.pause(paused=True)
        feed.event(played(1, FIVE))
        choosing = asyncio.ensure_future(person.choose(SeatView(), Decision(decision_id=5)))
        await asyncio.sleep(0)
        person.close(5)
        feed.pause(paused=False)
        await choosing
        assert person.is_closed(4)
        assert person.is_closed(5)
