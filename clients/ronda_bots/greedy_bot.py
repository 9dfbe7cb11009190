"""A bot that takes what it can get now and looks one seat ahead."""

import random

from ronda.v1.card_pb2 import Card, Rank
from ronda.v1.decision_pb2 import Decision
from ronda.v1.move_pb2 import Move
from ronda.v1.view_pb2 import SeatView
from ronda_bots.announcing import best_true_announcement, moves_of

_SUITS = 4
# What follows what: 10 comes right after 7, and nothing after 12.
_ORDER = (
    Rank.RANK_1,
    Rank.RANK_2,
    Rank.RANK_3,
    Rank.RANK_4,
    Rank.RANK_5,
    Rank.RANK_6,
    Rank.RANK_7,
    Rank.RANK_10,
    Rank.RANK_11,
    Rank.RANK_12,
)


class GreedyBot:
    """Plays for the points and cards of this turn, by a few plain rules.

    1. It claims whatever it can claim, and announces the best kind that its hand makes true. It
       never bluffs and never challenges.
    2. It plays the card that scores most, a caida and a mesa counting one each.
    3. Among those, the one that captures most cards: its own, the equal one and the run above.
    4. Among cards that only lie, the one that gives the next seat least: first, fewest cards to
       capture with one equal card; then, fewest equal cards that others may still hold.
    5. What is then still equal is decided by chance.
    """

    def __init__(self, seed: int) -> None:
        """Take the seed that decides between cards that are equally good."""
        self._random = random.Random(seed)

    def choose(self, view: SeatView, decision: Decision) -> Move:
        """Return the move that the rules of this bot prefer."""
        claims = moves_of(decision.legal_moves, "claim")
        if claims:
            return claims[0]
        announcement = best_true_announcement(decision)
        if announcement is not None:
            return announcement
        plays = moves_of(decision.legal_moves, "play")
        if not plays:
            passes = moves_of(decision.legal_moves, "pass")
            return passes[0] if passes else decision.legal_moves[0]
        values = [card_value(view, move.play.card) for move in plays]
        best = max(values)
        return self._random.choice(
            [move for move, value in zip(plays, values, strict=True) if value == best]
        )


def card_value(view: SeatView, card: Card) -> tuple[int, int, int, int]:
    """Return how good a card of the hand is to play now; the greater tuple is the better card.

    The parts are points won, cards captured, cards given to the next seat (negative), and equal
    cards that others may hold (negative).
    """
    table = [lying.rank for lying in view.public.table]
    captured = _captured(table, card.rank)
    if captured:
        caida = view.public.HasField("caida_card") and view.public.caida_card.rank == card.rank
        mesa = len(captured) == len(table)
        return (int(caida) + int(mesa), len(captured) + 1, 0, 0)
    given = _given([*table, card.rank], card.rank)
    own = sum(held.rank == card.rank for held in view.hand)
    return (0, 0, -given, -(_SUITS - own))


def _captured(table: list[Rank.ValueType], rank: Rank.ValueType) -> list[Rank.ValueType]:
    """Return the ranks that a card of this rank takes: the equal one and the run above it."""
    captured = []
    for above in _ORDER[_ORDER.index(rank) :]:
        if above not in table:
            break
        captured.append(above)
    return captured


def _given(table: list[Rank.ValueType], laid: Rank.ValueType) -> int:
    """Return how many table cards one card can take together with the one that was laid."""
    longest = 0
    for rank in table:
        captured = _captured(table, rank)
        if laid in captured:
            longest = max(longest, len(captured))
    return longest
