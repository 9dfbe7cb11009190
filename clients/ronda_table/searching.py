"""Trying moves in deals that may be: what each is worth on the whole."""

import random
from collections.abc import Sequence

from ronda.v1.move_pb2 import Move
from ronda_referee.convert import move_from_proto
from ronda_rules.engine import advance, seat_to_play
from ronda_rules.moves import SeatMove
from ronda_rules.state import MatchState
from ronda_table.knowledge import Knowledge
from ronda_table.play_outs import CARD_WORTH, Horizon, Policy, card_worth, play_out, quick_policy

# What a match won is worth beside its points.
_MATCH_WORTH = 10.0


class Search:
    """What some moves of a seat are worth, by playing on from each in the same imagined deals."""

    def __init__(
        self,
        knowledge: Knowledge,
        moves: Sequence[Move],
        *,
        policy: Policy = quick_policy,
        until: Horizon = Horizon.BATCH,
        trust: float = 0.0,
    ) -> None:
        """Take the moves to compare, legal ones of the seat that knows.

        Args:
            knowledge: What the seat knows.
            moves: The moves.
            policy: How every seat plays on.
            until: How far.
            trust: With which probability announcements are taken to be true where they need not be.

        Raises:
            MalformedMessage: A move is none.
        """
        self._knowledge = knowledge
        self._moves = [SeatMove(knowledge.seat, move_from_proto(move)) for move in moves]
        self._policy = policy
        self._until = until
        self._trust = trust
        self._sums = [0.0] * len(moves)
        self._tries = [0] * len(moves)
        self._active = list(range(len(moves)))

    def simulate(self, generator: random.Random) -> None:
        """Imagine one more deal, and try every move in it that is still looked at.

        Raises:
            Contradiction: No deal fits what was seen.
            IllegalMove: A move is not legal now.
        """
        state = self._knowledge.imagine(generator, trust=self._trust)
        for number in self._active:
            after, _ = advance(state, self._moves[number])
            if not self._reached(state, after):
                after = play_out(after, self._policy, generator, until=self._until)
            self._sums[number] += standing_worth(after, self._knowledge.seat)
            if self._until is Horizon.ROUND:
                self._sums[number] += self._turn_worth(after)
            self._tries[number] += 1

    def drop(self, margin: float) -> int:
        """Look no more at moves that are worse than the best by more than a margin, in points.

        Returns:
            how many moves are still looked at.

        Raises:
            ValueError: Nothing was tried yet.
        """
        worth = self.worth()
        best = max(worth[number] for number in self._active)
        self._active = [number for number in self._active if worth[number] >= best - margin]
        return len(self._active)

    def worth(self) -> list[float]:
        """Return what each move is worth on average, in points, in the order given.

        Raises:
            ValueError: Nothing was tried yet.
        """
        if not all(self._tries):
            raise ValueError("simulate first: nothing was tried yet")
        return [total / tries for total, tries in zip(self._sums, self._tries, strict=True)]

    def tries(self) -> list[int]:
        """Return in how many deals each move was tried, in the order given."""
        return list(self._tries)

    def _reached(self, before: MatchState, after: MatchState) -> bool:
        """Tell whether a move itself has reached the horizon."""
        if self._until is Horizon.MATCH:
            return False
        if after.deal != before.deal:
            return True
        return self._until is not Horizon.DEAL and after.batch != before.batch

    def _turn_worth(self, state: MatchState) -> float:
        """Return what the seat's best card is worth where it is its turn again, else nothing."""
        seat = self._knowledge.seat
        if state.first_card or state.hands_empty or seat_to_play(state) != seat:
            return 0.0
        return max(card_worth(state, seat, card) for card in state.hands[seat])


def standing_worth(state: MatchState, seat: int) -> float:
    """Return about how many points a seat's side is ahead in a state, cards in piles included.

    A match that is over counts ten points more, or less.
    """
    side = state.side(seat)
    others = state.opponents(side)
    worth = state.scores[side] - sum(state.scores[other] for other in others) / len(others)
    if state.winners:
        if side in state.winners:
            return worth + _MATCH_WORTH / len(state.winners)
        return worth - _MATCH_WORTH
    if state.rules.count is not None:
        cards = state.piles[side] - sum(state.piles[other] for other in others) / len(others)
        worth += CARD_WORTH * cards
    return worth
