"""The course of a match in the engine: a state, what chance answers, and how both go on.

Nothing here knows the protocol; `ronda_table.local_match` shows a course as the referee would.
"""

import random
from copy import deepcopy
from typing import Protocol

from ronda_referee.automatic import automatic_move
from ronda_referee.shuffle import SEED_SIZE, FixedDrawsExhausted, MatchDraws, match_key
from ronda_rules.cards import Card, cards_of
from ronda_rules.engine import DrawCards, DrawDealer, SeatsToAct, advance, begin, decide
from ronda_rules.events import Event
from ronda_rules.moves import AnyMove, DealerDrawn, Drawn, Forfeit, SeatMove
from ronda_rules.rule_set import RuleSet
from ronda_rules.state import MatchState


class Draws(Protocol):
    """What chance answers wherever it must decide."""

    def answer(self, state: MatchState) -> DealerDrawn | Drawn | None:
        """Return what chance says in this state; None where a seat or nobody must act."""
        ...


class RandomDraws:
    """Cards and dealers from a generator of the caller's: quick, and no referee's shuffle."""

    def __init__(self, generator: random.Random) -> None:
        """Draw with a generator, which is used and not copied."""
        self._generator = generator

    def answer(self, state: MatchState) -> DealerDrawn | Drawn | None:
        """Return what chance says in this state; None where a seat or nobody must act."""
        match decide(state):
            case DrawDealer(seats):
                return DealerDrawn(self._generator.randrange(seats))
            case DrawCards(count, pack):
                return Drawn(tuple(self._generator.sample(tuple(cards_of(pack)), count)))
            case _:
                return None


def shuffled_draws(
    seed: int | bytes, seats: int, match_id: str = "", entropies: tuple[bytes, ...] = ()
) -> MatchDraws:
    """Return the draws of the referee's own shuffle (SHUFFLE-1 to SHUFFLE-8).

    With the seed, the match id and the seats' bytes of a match that a referee has played, as its
    log reveals them, they are the draws of that match.

    Args:
        seed: 32 bytes, or a number that is written into 32 bytes, big-endian.
        seats: How many seats play.
        match_id: The match's id.
        entropies: What each seat brought, by seat; empty: no seat brought anything.

    Raises:
        ValueError: The seed is negative, too large, or not 32 bytes; the bytes are not one for
            each seat.
    """
    if isinstance(seed, int):
        if not 0 <= seed < 1 << 8 * SEED_SIZE:
            raise ValueError(f"a seed is a number from 0 to 2**256 - 1, not {seed}")
        seed = seed.to_bytes(SEED_SIZE)
    if entropies and len(entropies) != seats:
        raise ValueError(f"{len(entropies)} seats' bytes were given; {seats} seats play")
    return MatchDraws(match_key(seed, match_id, entropies or (b"",) * seats))


def fixed_draws(cards: tuple[Card, ...]) -> MatchDraws:
    """Return draws that are these cards, in the order of leaving the pack."""
    return MatchDraws(bytes(SEED_SIZE), cards)


class Course:
    """A match that goes on move by move, through whatever chance decides.

    Attributes:
        state: The state, with everything hidden.
        visible: The state that seats may be shown. While answers are sealed it is the one before
            the first of them (clause ANN-2).
        exhausted: Whether cards were fixed and have run out, so that nothing can go on.
    """

    def __init__(self, state: MatchState, draws: Draws) -> None:
        """Go on from a state, with these draws; `unfold` does what chance must do first."""
        self.state = state
        self.visible = state
        self.exhausted = False
        self._draws = draws

    @classmethod
    def begin(cls, rules: RuleSet, seats: int, draws: Draws) -> tuple["Course", list[Event]]:
        """Begin a match; return it at its first decision, and its events so far.

        Raises:
            RuleSetError: The rule set or the seat count cannot be played.
        """
        state, events = begin(rules, seats)
        course = cls(state, draws)
        return course, [*events, *course.unfold()]

    def clone(self, draws: Draws | None = None) -> "Course":
        """Return a copy that goes on by itself: with the same draws to come, or with others."""
        copy = Course(self.state, deepcopy(self._draws) if draws is None else draws)
        copy.visible = self.visible
        copy.exhausted = self.exhausted
        return copy

    def unfold(self) -> list[Event]:
        """Go on through all that chance decides; return the events.

        Raises:
            DrawError: The draws give a card that is not in the pack.
        """
        unfolded: list[Event] = []
        while True:
            try:
                drawn = self._draws.answer(self.state)
            except FixedDrawsExhausted:
                self.exhausted = True
                break
            if drawn is None:
                break
            self.state, events = advance(self.state, drawn)
            unfolded += events
        if not self.state.sealed or self.state.winners:
            self.visible = self.state
        return unfolded

    def move(self, move: AnyMove) -> list[Event]:
        """Apply a seat's move or a forfeit and what follows from it; return the events.

        Raises:
            IllegalMove: The rules do not allow it; nothing has changed.
        """
        self.state, events = advance(self.state, move)
        return [*events, *self.unfold()]

    def forfeit(self, seat: int) -> list[Event]:
        """Let a seat give the match up; return the events.

        Raises:
            IllegalMove: The match is over, or the seat has forfeited before.
        """
        return self.move(Forfeit(seat))

    def in_its_stead(self, seat: int) -> SeatMove:
        """Return the move that the referee makes for a seat that has forfeited (LOG-15)."""
        return SeatMove(seat, automatic_move(self.state, seat))

    def to_act(self) -> tuple[int, ...]:
        """Return the seats that must act, ascending; those that have answered are not among them.

        Empty: the match is over.
        """
        match decide(self.state):
            case SeatsToAct(seats):
                return seats
            case _:
                return ()
