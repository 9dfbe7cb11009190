"""Playing a match by hand in a test: cards as text, whose turn it is taken from the engine."""

import random
from typing import Self

import pytest

from ronda_rules import engine
from ronda_rules.cards import Card, cards_of, parse_card
from ronda_rules.errors import IllegalMove, Reason
from ronda_rules.events import Event
from ronda_rules.moves import (
    Announce,
    AnyMove,
    DealerDrawn,
    Drawn,
    Move,
    Play,
    SeatMove,
)
from ronda_rules.position import parse_position
from ronda_rules.rule_set import AnnouncementKind, RuleSet
from ronda_rules.state import MatchState
from tests.rules.rule_sets import MAGHRIBI

RONDA = AnnouncementKind.RONDA
TRINGA = AnnouncementKind.TRINGA


def card(text: str) -> Card:
    """Read one card."""
    return parse_card(text)


def cards(text: str) -> tuple[Card, ...]:
    """Read cards parted by blanks."""
    return tuple(map(parse_card, text.split()))


class Game:
    """A match under way: its state and all events since it began or since its position."""

    def __init__(self, state: MatchState, events: tuple[Event, ...] = ()) -> None:
        """Go on from a state."""
        self.state = state
        self.events = list(events)

    @classmethod
    def begin(cls, seats: int, rules: RuleSet = MAGHRIBI) -> Self:
        """Begin a match."""
        return cls(*engine.begin(rules, seats))

    @classmethod
    def at(cls, position: str, rules: RuleSet = MAGHRIBI) -> Self:
        """Begin in the middle."""
        return cls(parse_position(position, rules))

    def make(self, move: AnyMove) -> list[Event]:
        """Make a move of a seat or of chance; give its events."""
        events = engine.apply(self.state, move)
        self.state = engine.fold(self.state, events)
        self.events += events
        return list(events)

    def turn(self) -> int:
        """Give the one seat that must act."""
        decision = engine.decide(self.state)
        assert isinstance(decision, engine.SeatsToAct)
        (seat,) = decision.seats
        return seat

    def play(self, text: str) -> list[Event]:
        """Play cards, each for the seat whose turn it is; give all their events."""
        played = cards(text)
        return [event for one in played for event in self.make(SeatMove(self.turn(), Play(one)))]

    def announce(self, kind: AnnouncementKind) -> list[Event]:
        """Announce for the seat whose turn it is."""
        return self.make(SeatMove(self.turn(), Announce(kind)))

    def draw(self, text: str) -> list[Event]:
        """Draw cards for what must be dealt next."""
        return self.make(Drawn(cards(text)))

    def deal(self, text: str) -> list[Event]:
        """Draw several times, parted by ``/``; give all the events."""
        return [event for part in text.split("/") for event in self.draw(part)]

    def pack(self) -> set[Card]:
        """Give the cards that may be drawn now."""
        decision = engine.decide(self.state)
        assert isinstance(decision, engine.DrawCards)
        return set(cards_of(decision.pack))

    def play_out(self, rng: random.Random, deals: int) -> None:
        """Go on with random draws and cards, without announcements, for a number of deals."""
        last = self.state.deal + deals
        while True:
            match engine.decide(self.state):
                case engine.DrawDealer(seats):
                    self.make(DealerDrawn(rng.randrange(seats)))
                case engine.DrawCards(count, pack):
                    if self.state.deal == last:
                        return
                    self.make(Drawn(tuple(rng.sample(list(cards_of(pack)), count))))
                case engine.SeatsToAct((seat,)):
                    self.make(SeatMove(seat, Play(rng.choice(self.state.hands[seat]))))
                case _:
                    return


def refusal(game: Game, seat: int, move: Move) -> tuple[Reason, str]:
    """Try an illegal move and see that nothing changes; give its reason and clause."""
    before = game.state.copied()
    whose = engine.decide(game.state)
    moves = [engine.legal_moves(game.state, one) for one in range(game.state.seats)]
    assert move not in engine.legal_moves(game.state, seat)
    with pytest.raises(IllegalMove) as caught:
        engine.apply(game.state, SeatMove(seat, move))
    assert game.state == before
    assert engine.decide(game.state) == whose
    assert [engine.legal_moves(game.state, one) for one in range(game.state.seats)] == moves
    return caught.value.reason, caught.value.clause
