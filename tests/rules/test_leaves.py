"""Counted leaves: every way to play out a last batch, by the engine and by brute force.

Both are held against the same literals, which `brute_force.py` printed: it shares no code with
the engine. A leaf is one sequence of announcements and cards to the end of the deal.
"""

from collections import Counter

import pytest

from ronda_rules import engine
from ronda_rules.events import (
    CardsCaptured,
    DealEnded,
    Event,
    PilesCounted,
    PlayAwarded,
)
from ronda_rules.moves import SeatMove
from ronda_rules.position import parse_position
from ronda_rules.state import MatchState
from tests.rules.brute_force import POSITIONS, tally
from tests.rules.rule_sets import MAGHRIBI

NOTATION = {
    "two seats": (
        "seats 2; batch 6; turn 0; hands 6 6 11 / 12 6 12; table 6 7 10; piles 15 16; capturer 1; "
        "said 1:0:ronda:4, 1:1:ronda:4, 2:1:ronda:false"
    ),
    "two seats, after a card": (
        "seats 2; dealer 0; batch 6; turn 0; hands 1 3 4 / 2 10; table 1 3 5 7; piles 20 11; "
        "capturer 0; laid 3; said 5:0:tringa:2, 6:1:ronda:false"
    ),
    "three seats": (
        "seats 3; dealer 1; batch 4; turn 2; hands 1 2 2 / 7 7 7 / 2 10 1; table 2 3; "
        "piles 11 10 8; capturer 0; said 2:2:tringa:false"
    ),
    "four seats, from the third": (
        "seats 4; batch 3; turn 2; hands 3 5 / 12 12 / 4 4 11 / 4 3 5; table 3 4 5; piles 12 15; "
        "capturer 1; laid 3; said 3:0:tringa:false, 3:1:ronda:12"
    ),
}
TALLIES = {
    "two seats": {
        "leaves": 324,
        "caidas": 216,
        "mesas": 396,
        "captures": 900,
        "draws": 32,
        "points 0": 1152,
        "points 1": 1008,
        "cards 0": 6552,
        "cards 1": 6408,
    },
    "two seats, after a card": {
        "leaves": 36,
        "caidas": 12,
        "captures": 69,
        "points 0": 552,
        "points 1": 72,
        "cards 0": 1044,
        "cards 1": 396,
    },
    "three seats": {
        "leaves": 5832,
        "caidas": 3564,
        "mesas": 8748,
        "captures": 20412,
        "draws": 792,
        "points 0": 53460,
        "points 1": 25596,
        "points 2": 7776,
        "cards 0": 90720,
        "cards 1": 76788,
        "cards 2": 65772,
    },
    "four seats, from the third": {
        "leaves": 1296,
        "caidas": 792,
        "mesas": 468,
        "captures": 5508,
        "draws": 24,
        "points 0": 3312,
        "points 1": 14148,
        "cards 0": 22680,
        "cards 1": 29160,
    },
}


def counted(state: MatchState, past: tuple[Event, ...] = ()) -> Counter[str]:
    """Count the leaves below a state with the engine, as `brute_force.tally` does."""
    match engine.decide(state):
        case engine.SeatsToAct((seat,)):
            total: Counter[str] = Counter()
            for move in engine.legal_moves(state, seat):
                events = engine.apply(state, SeatMove(seat, move))
                if any(isinstance(event, DealEnded) for event in events):
                    total += leaf((*past, *events))
                else:
                    total += counted(engine.fold(state, events), (*past, *events))
            return total
        case decision:
            raise AssertionError(decision)


def leaf(events: tuple[Event, ...]) -> Counter[str]:
    """Sum up what happened on the way to the end of the deal."""
    found: Counter[str] = Counter(leaves=1)
    for event in events:
        match event:
            case CardsCaptured():
                found["captures"] += 1
            case PlayAwarded():
                found["caidas"] += event.caida
                found["mesas"] += event.mesa
            case PilesCounted():
                for side, pile in enumerate(event.piles):
                    found[f"cards {side}"] += pile
            case DealEnded():
                best = max(event.scores)
                found["draws"] += event.scores.count(best) > 1
                for side, score in enumerate(event.scores):
                    found[f"points {side}"] += score
            case _:
                pass
    return +found


@pytest.mark.parametrize("name", POSITIONS)
def test_leaves_by_brute_force(name: str) -> None:
    """The literals are what the independent program counts."""
    assert tally(POSITIONS[name]) == TALLIES[name]


@pytest.mark.parametrize("name", POSITIONS)
def test_leaves_by_the_engine(name: str) -> None:
    """CAP-1 to COUNT-2: the engine finds as many ways, captures, caidas, mesas and points."""
    assert counted(parse_position(NOTATION[name], MAGHRIBI)) == TALLIES[name]
