"""A bot that counts cards."""

import random

from ronda.v1.decision_pb2 import Decision
from ronda.v1.event_pb2 import Event
from ronda.v1.move_pb2 import Move
from ronda.v1.rule_set_pb2 import RuleSet
from ronda.v1.view_pb2 import SeatView
from ronda_bots.announcing import moves_of
from ronda_bots.calls import call
from ronda_bots.expectation import Expectation
from ronda_bots.memory import Memory, place


class CountingBot:
    """Remembers every card, and plays for what it can expect.

    1. It claims whatever it can claim, and announces the best kind that its hand makes true. It
       challenges, and bluffs, where by the cards that it has not seen that is worth its price.
    2. It plays the card that is worth most: cards captured, caida, mesa and chain, less what the
       next seat can be expected to answer, by the ranks that it may still hold; with a sense of
       the leftovers, of the dealer's duty, and of what its other cards can take next.
    3. What is then equal is decided by chance.

    It remembers one match at a time.
    """

    def __init__(self, seed: int) -> None:
        """Take the seed that decides between cards that are equally good."""
        self._random = random.Random(seed)
        self._memory = Memory()

    def begins(self, rule_set: RuleSet, seats: int) -> None:
        """Take note of the rules of a new match."""
        self._memory.begins(rule_set, seats)

    def saw(self, event: Event) -> None:
        """Take note of what happened."""
        self._memory.saw(event)

    def choose(self, view: SeatView, decision: Decision) -> Move:
        """Return the move that can be expected to bring most."""
        self._memory.looks_at(view)
        said = call(self._memory, view, decision)
        if said is not None:
            return said
        plays = moves_of(decision.legal_moves, "play")
        expectation = Expectation(self._memory, view)
        worth = [expectation.worth(place(move.play.card)) for move in plays]
        best = max(worth)
        return self._random.choice(
            [move for move, value in zip(plays, worth, strict=True) if value == best]
        )
