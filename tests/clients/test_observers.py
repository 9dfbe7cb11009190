"""What a bot has seen: every event as its seat may see it, once, in order, before its decision."""

import asyncio
from pathlib import Path

import pytest

from ronda.v1.decision_pb2 import Decision
from ronda.v1.event_pb2 import Event, MatchStarted
from ronda.v1.move_pb2 import Move
from ronda.v1.rule_set_pb2 import RuleSet
from ronda.v1.view_pb2 import SeatView
from ronda_bots import RandomBot
from ronda_client import (
    Backoff,
    BotError,
    Observer,
    RefereeClient,
    SeatResult,
    play_match,
    play_seat,
    play_seats,
    read_records,
)
from tests.clients.test_end_to_end import MilestoneBot
from tests.referee.referee_process import RefereeProcess
from tests.table.noting import NotingBot

QUICK = Backoff(first=0.01, cap=0.2, patience=60)


class MilestoneObserver(MilestoneBot):
    """A greedy bot that notes events and decisions, and says when it is asked the n-th time."""

    def __init__(self, milestones: list[int]) -> None:
        super().__init__(milestones)
        self.story: list[Event | SeatView] = []

    def saw(self, event: Event) -> None:
        """Note an event."""
        self.story.append(event)

    def choose(self, view: SeatView, decision: Decision) -> Move:
        """Return the greedy bot's move."""
        self.story.append(view)
        return super().choose(view, decision)


def public(event: Event) -> Event:
    """Return an event without what only its owner may see."""
    shown = Event()
    shown.CopyFrom(event)
    if shown.HasField("hand_dealt"):
        shown.hand_dealt.ClearField("cards")
    if shown.HasField("announcement_sealed"):
        shown.announcement_sealed.ClearField("answer")
    return shown


def logged(log: bytes) -> list[Event]:
    """Return the public events of a log."""
    return [
        record.event_logged.event for record in read_records(log) if record.HasField("event_logged")
    ]


def check_story(story: list[Event | SeatView], seat: int, log: bytes) -> None:
    """Check that the events are the log's, each once, and that the views come in their places.

    At every decision the cards seen to leave the own hand leave those that the view shows.
    """
    events = [one for one in story if isinstance(one, Event)]
    assert [public(event) for event in events] == logged(log)
    hand: list[tuple[int, int]] = []
    views = 0
    for one in story:
        if isinstance(one, SeatView):
            views += 1
            assert [(held.rank, held.suit) for held in one.hand] == hand
        elif one.HasField("hand_dealt"):
            assert bool(one.hand_dealt.cards) == (one.hand_dealt.seat == seat)
            if one.hand_dealt.seat == seat:
                hand = [(dealt.rank, dealt.suit) for dealt in one.hand_dealt.cards]
        elif one.HasField("card_played") and one.card_played.seat == seat:
            hand.remove((one.card_played.card.rank, one.card_played.card.suit))
        elif one.HasField("announcement_sealed"):
            own = one.announcement_sealed.seat == seat
            assert (one.announcement_sealed.WhichOneof("answer") is not None) == own
    assert views > 20


async def test_events_come_once_through_kills_of_the_referee(tmp_path: Path) -> None:
    """With the simple calls and over a stream, where the referee is killed or stopped meanwhile.

    Answers are sealed in this rule set, so an event may be known only later than it happened.
    """
    milestones = [4, 15, 25]
    bots = [MilestoneObserver(milestones), MilestoneObserver([])]
    async with (
        RefereeProcess(tmp_path / "data") as referee,
        RefereeClient.connect(referee.address, backoff=QUICK) as client,
    ):
        rules = (await client.get_rule_set("khlaso")).rule_set
        rules.id, rules.target = "short", 21
        match = await client.create_match(rules, 2)
        first, second = match.seat_tokens
        playing = asyncio.gather(
            play_seat(client, match.match_id, first, bots[0]),
            play_seats(client, [(match.match_id, second)], bots[1], verify=False),
        )
        for milestone in milestones:
            await bots[0].reached[milestone].wait()
            if milestone == 15:
                assert await referee.stop() == 0
            else:
                await referee.kill()
            await referee.start()
        own, streamed = await playing
        log = await client.get_match_log(match.match_id)
    assert isinstance(streamed[match.match_id], SeatResult)
    assert own.winners
    for seat, bot in enumerate(bots):
        check_story(bot.story, seat, log)
        assert bot.story[0] == Event(match_started=MatchStarted(seats=2))
        assert isinstance(bot.story[-1], Event)
        assert bot.story[-1].HasField("match_ended")


async def test_a_bot_that_was_restarted_sees_the_match_from_its_beginning(tmp_path: Path) -> None:
    """The one that takes over the seat knows all that its seat has seen."""

    class FailingBot(NotingBot):
        def choose(self, view: SeatView, decision: Decision) -> Move:
            if len(self.story) > 60:
                raise RuntimeError("out of luck")
            return super().choose(view, decision)

    failing, returning = FailingBot(RandomBot(1)), NotingBot(RandomBot(3))
    async with (
        RefereeProcess(tmp_path / "data") as referee,
        RefereeClient.connect(referee.address) as client,
    ):
        match = await client.create_match("sarii", 2)
        first, second = match.seat_tokens
        other = asyncio.create_task(play_seat(client, match.match_id, second, RandomBot(2)))
        with pytest.raises(BotError, match="out of luck"):
            await play_seat(client, match.match_id, first, failing)
        await play_seat(client, match.match_id, first, returning)
        await other
        log = await client.get_match_log(match.match_id)
    assert [public(event) for event in returning.events] == logged(log)
    # What the first one saw is how it begins.
    assert failing.events == returning.events[: len(failing.events)]
    hands = [one.hand_dealt for one in returning.events if one.HasField("hand_dealt")]
    assert {dealt.seat for dealt in hands if dealt.cards} == {0}


async def test_each_match_of_a_stream_has_a_bot_of_its_own(tmp_path: Path) -> None:
    """The class is given where a bot remembers what it has seen; one object for two is refused."""
    made: list[NotingBot] = []

    class Noting(NotingBot):
        def __init__(self) -> None:
            super().__init__(RandomBot(len(made)))
            made.append(self)

    async with (
        RefereeProcess(tmp_path / "data") as referee,
        RefereeClient.connect(referee.address) as client,
    ):
        rules = (await client.get_rule_set("sarii")).rule_set
        rules.id, rules.target = "short", 3
        matches = [await client.create_match(rules, 2) for _ in range(3)]
        seats = [[(one.match_id, one.seat_tokens[seat]) for one in matches] for seat in (0, 1)]
        with pytest.raises(ValueError, match="Noting sees the events of one match"):
            await play_seats(client, seats[0], Noting())
        made.clear()
        await asyncio.gather(
            play_seats(client, seats[0], Noting), play_seats(client, seats[1], RandomBot(9))
        )
        logs = [logged(await client.get_match_log(one.match_id)) for one in matches]
    seen = [[public(event) for event in bot.events] for bot in made]
    assert len(seen) == 3
    assert all(events in logs for events in seen)
    assert seen[0] != seen[1]


async def test_a_bot_that_wants_to_know_the_rules_is_told_them(tmp_path: Path) -> None:
    """In full, house rules too, before the first event; over a stream that follows no log as well.

    Whoever knows no more than the rule set's id could not play by rules that nobody has heard of.
    """

    class Reading(RandomBot):
        def __init__(self) -> None:
            super().__init__(1)
            self.told: list[RuleSet | Event] = []

        def begins(self, rule_set: RuleSet, seats: int) -> None:
            assert seats == 2
            self.told.append(rule_set)

    class ReadingAndSeeing(Reading):
        def saw(self, event: Event) -> None:
            self.told.append(event)

    first, second = ReadingAndSeeing(), Reading()
    async with (
        RefereeProcess(tmp_path / "data") as referee,
        RefereeClient.connect(referee.address) as client,
    ):
        rules = (await client.get_rule_set("sarii")).rule_set
        rules.id, rules.target = "house", 3
        match = await client.create_match(rules, 2)
        one, other = match.seat_tokens
        await asyncio.gather(
            play_seat(client, match.match_id, one, first),
            play_seats(client, [(match.match_id, other)], second, verify=False),
        )
    assert first.told[:2] == [rules, Event(match_started=MatchStarted(seats=2))]
    assert not any(isinstance(told, RuleSet) for told in first.told[1:])
    assert second.told == [rules]


def test_what_has_the_method_is_an_observer() -> None:
    """One that has only `choose` is none."""
    assert isinstance(NotingBot(RandomBot(0)), Observer)
    assert not isinstance(RandomBot(0), Observer)


async def test_a_bot_that_fails_to_take_note_is_named(tmp_path: Path) -> None:
    """It ends the match with the place where it raised, or is told that it must be plain."""

    class Raising(RandomBot):
        def saw(self, event: Event) -> None:
            raise KeyError("nine")

    class Waiting(RandomBot):
        async def saw(self, event: Event) -> None:
            await asyncio.sleep(0)

    async with (
        RefereeProcess(tmp_path / "data") as referee,
        RefereeClient.connect(referee.address) as client,
    ):
        with pytest.raises(BotError, match=r"saw\(\) raised KeyError: 'nine' \(.*:\d+\)"):
            await play_match(client, "sarii", [Raising(1), RandomBot(2)])
        with pytest.raises(BotError, match=r"saw\(\) must be a plain method"):
            await play_match(client, "sarii", [RandomBot(1), Waiting(2)])
