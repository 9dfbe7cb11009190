"""A bot that plays on in its mind, over many deals that may be.

It is the one bot that knows the engine, through `ronda_table`.
"""

import random
import time

from ronda.v1.decision_pb2 import Decision
from ronda.v1.event_pb2 import Event
from ronda.v1.move_pb2 import Move
from ronda.v1.rule_set_pb2 import RuleSet
from ronda.v1.view_pb2 import SeatView
from ronda_bots.announcing import moves_of
from ronda_bots.calls import call
from ronda_bots.expectation import Expectation
from ronda_bots.memory import Memory, place
from ronda_table.knowledge import Contradiction, Knowledge
from ronda_table.play_outs import Horizon
from ronda_table.searching import Search

SIMULATIONS = 32

# Halfway, cards that are worse than the best by so many points are tried no more.
_MARGIN = 1.0

# What the expectation of the cards alone counts for, in simulations: few of those are much noise.
_PRIOR = 8

_TWO = 2

# With more than two seats a round is tried instead of a batch, in a third of the time.
_ROUNDS_FOR_A_BATCH = 3

# How often an announcement is taken to be true where it need not be.
TRUST = 0.9


class SearcherBot:
    """Tries each card in many deals that fit what it has seen, and plays the best on the whole.

    In each of them every card of its hand is tried, then the batch, with more than two seats the
    round, is played to its end by a quick policy that sees no hand but its own, and points, cards
    and a match won are counted. What
    besides a card is to be said it decides as the `CountingBot` does. With a fixed number of
    simulations its choices follow from the seed; with a time they do not.

    It remembers one match at a time. Where it is not told the rules and the events it plays as the
    `CountingBot`.
    """

    def __init__(
        self, seed: int, *, simulations: int = SIMULATIONS, seconds: float | None = None
    ) -> None:
        """Take the seed and how long to think.

        Args:
            seed: Fixes its choices, where no time is given.
            simulations: How many deals to try, each with every card that is not clearly worse;
                with more than two seats three times as many, each for a round.
            seconds: How long to try deals instead, for one card; at least one deal is tried.

        Raises:
            ValueError: There is nothing to think with.
        """
        if simulations < 1:
            raise ValueError(f"at least one simulation is needed, not {simulations}")
        if seconds is not None and not seconds > 0:
            raise ValueError(f"a positive time is needed, not {seconds} s")
        self._random = random.Random(seed)
        self._simulations = simulations
        self._seconds = seconds
        self._memory = Memory()
        self._knowledge: Knowledge | None = None
        self._events: list[Event] = []

    def begins(self, rule_set: RuleSet, seats: int) -> None:
        """Take note of the rules of a new match."""
        self._memory.begins(rule_set, seats)
        self._knowledge = None
        self._events = []

    def saw(self, event: Event) -> None:
        """Take note of what happened."""
        self._memory.saw(event)
        self._events.append(event)

    def choose(self, view: SeatView, decision: Decision) -> Move:
        """Return the move that does best on the whole."""
        self._memory.looks_at(view)
        said = call(self._memory, view, decision)
        if said is not None:
            return said
        plays = moves_of(decision.legal_moves, "play")
        # Suits decide nothing.
        by_rank = {move.play.card.rank: move for move in plays}
        if len(by_rank) == 1:
            return plays[0]
        knowledge = self._known(view)
        expectation = Expectation(self._memory, view)
        worth = [expectation.worth(place(move.play.card)) for move in by_rank.values()]
        if knowledge is not None:
            worth = self._searched(knowledge, list(by_rank.values()), worth)
        return max(zip(worth, by_rank.values(), strict=True), key=lambda one: one[0])[1]

    def _known(self, view: SeatView) -> Knowledge | None:
        """Return what the seat knows, now that the view says which seat it is."""
        if self._knowledge is None:
            if self._memory.rules is None or not self._events:
                return None
            self._knowledge = Knowledge(self._memory.rules, view.seat, view.public.seats)
        for event in self._events:
            self._knowledge.saw(event)
        self._events.clear()
        return self._knowledge

    def _searched(self, knowledge: Knowledge, plays: list[Move], prior: list[float]) -> list[float]:
        """Return what the cards are worth by playing on, and a little by the prior."""
        # With more seats a batch is long, and what the last cards bring is mostly noise.
        until = Horizon.BATCH if self._memory.seats == _TWO else Horizon.ROUND
        search = Search(knowledge, plays, until=until, trust=TRUST)
        try:
            self._simulate(search)
        except Contradiction:
            return prior
        # What counts is how far a card is behind; where the match stands is the same for all.
        found, expected = search.worth(), max(prior)
        best = max(found)
        return [
            ((worth - best) * tries + (before - expected) * _PRIOR) / (tries + _PRIOR)
            for worth, tries, before in zip(found, search.tries(), prior, strict=True)
        ]

    def _simulate(self, search: Search) -> None:
        if self._seconds is not None:
            end = time.monotonic() + self._seconds
            search.simulate(self._random)
            while time.monotonic() < end:
                search.simulate(self._random)
            return
        simulations = self._simulations
        if self._memory.seats != _TWO:
            simulations *= _ROUNDS_FOR_A_BATCH
        half = (simulations + 1) // 2
        for number in range(simulations):
            if number == half and search.drop(_MARGIN) == 1:
                break
            search.simulate(self._random)
