"""A bot without a plan."""

import random

from ronda.v1.decision_pb2 import Decision
from ronda.v1.move_pb2 import Move
from ronda.v1.view_pb2 import SeatView
from ronda_bots.announcing import without_false_announcements


class RandomBot:
    """Makes any legal move, each as likely as the others.

    It says only what is true, unless it is told to bluff: then, each time that it is asked, false
    announcements are among its choices with the given probability.
    """

    def __init__(self, seed: int, *, bluff: float = 0.0) -> None:
        """Take the seed that fixes its choices.

        Args:
            seed: Fixes every choice: the same decisions get the same moves.
            bluff: Probability, 0 to 1, of considering false announcements.

        Raises:
            ValueError: `bluff` is no probability.
        """
        if not 0.0 <= bluff <= 1.0:
            raise ValueError(f"bluff is a probability from 0 to 1, not {bluff}")
        self._random = random.Random(seed)
        self._bluff = bluff

    def choose(self, view: SeatView, decision: Decision) -> Move:
        """Return one of the legal moves."""
        moves = list(decision.legal_moves)
        if self._random.random() >= self._bluff:
            moves = without_false_announcements(decision)
        return self._random.choice(moves)
