"""Counting the piles at the end of a deal (clauses COUNT-1, COUNT-2)."""

from ronda_rules.events import PilesCounted
from ronda_rules.unfolding import Unfolding


def count_piles(u: Unfolding) -> None:
    """Give each side a point for every card of its pile above the threshold.

    What the sides still owe each other lapses.
    """
    thresholds = u.state.rules.count
    if thresholds is None:
        return
    three_sides = u.state.sides == 3  # noqa: PLR2004 - the number of sides itself
    threshold = thresholds.three_sides if three_sides else thresholds.two_sides
    shares = tuple(
        (side, cards - threshold) for side, cards in enumerate(u.state.piles) if cards > threshold
    )
    u.emit(PilesCounted(u.state.piles, shares))
