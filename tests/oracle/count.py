"""COUNT-1 and COUNT-2: points for captured cards; PAY-4: debts lapse."""

from ronda.v1 import event_pb2
from tests.oracle.match import Match


def count(m: Match) -> None:
    """Count the piles, in points whatever awards are paid in; debts lapse."""
    if m.rules.HasField("count"):
        thresholds = m.rules.count
        threshold = thresholds.three_sides if m.sides == 3 else thresholds.two_sides
        gained = []
        for side in range(m.sides):
            points = max(0, m.piles[side] - threshold)
            m.scores[side] += points
            if points:
                gained.append(event_pb2.Share(side=side, points=points))
        m.events.append(
            event_pb2.Event(piles_counted=event_pb2.PilesCounted(piles=m.piles, shares=gained))
        )
    m.debts = []
