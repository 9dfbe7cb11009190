"""What the cards played in a batch show of the hands it was dealt (clauses SHOW-1, SHOW-2).

A completion of a hand is the cards that its seat has played in this batch and any ranks for the
others. No other knowledge counts.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final

from ronda_rules.cards import Card, RankIndex, rank_index
from ronda_rules.holdings import BEST_FIRST, best_rank, two_pairs_make_double
from ronda_rules.rule_set import AnnouncementKind, KindAmounts, RankOrder
from ronda_rules.state import MatchState

_RANK_COUNT: Final = 10


def possible_ranks(state: MatchState, seat: int, kind: AnnouncementKind) -> frozenset[RankIndex]:
    """Give the ranks with which a seat's announcement can be true; none: it is proved false."""
    return _outcomes(state, seat, kind)[0]


def settled_true(state: MatchState, seat: int, kind: AnnouncementKind) -> bool:
    """Whether every completion of a seat's hand contains the combination."""
    return _outcomes(state, seat, kind)[1]


def settled(state: MatchState, seat: int, kind: AnnouncementKind) -> bool:
    """Whether the cards played prove a seat's announcement true or false."""
    ranks, certain = _outcomes(state, seat, kind)
    return certain or not ranks


def proved_kind(state: MatchState, seat: int, amounts: KindAmounts) -> AnnouncementKind | None:
    """Give the best kind with an amount that the cards played prove a seat's hand to hold."""
    for kind in BEST_FIRST:
        if amounts.of(kind) and settled_true(state, seat, kind):
            return kind
    return None


def _outcomes(
    state: MatchState, seat: int, kind: AnnouncementKind
) -> tuple[frozenset[RankIndex], bool]:
    return _shown(
        kind,
        state.dealt[seat],
        state.hands[seat],
        state.rules.rank_order,
        two_pairs_make_double(state),
    )


# At every card all seats are asked what the same few hands show.
@lru_cache(maxsize=4_096)
def _shown(
    kind: AnnouncementKind,
    dealt: tuple[Card, ...],
    hand: tuple[Card, ...],
    order: RankOrder,
    pairs_make_double: bool,  # noqa: FBT001 - a cache finds what has no names in half the time
) -> tuple[frozenset[RankIndex], bool]:
    """Give the ranks of the combination in a hand's completions, and whether all contain it."""
    played = tuple(sorted([rank_index(card) for card in dealt if card not in hand]))
    return _ranks_of_completions(kind, played, len(hand), order, pairs_make_double)


@lru_cache(maxsize=16_384)
def _ranks_of_completions(
    kind: AnnouncementKind,
    played: Sequence[RankIndex],
    unknown: int,
    order: RankOrder,
    pairs_make_double: bool,  # noqa: FBT001 - as above
) -> tuple[frozenset[RankIndex], bool]:
    """Give the combination's ranks in the completions, and whether every one contains it."""
    found = {
        best_rank(kind, (*played, *others), order, two_pairs_make_double=pairs_make_double)
        for others in combinations_with_replacement(range(_RANK_COUNT), unknown)
    }
    return frozenset(rank for rank in found if rank is not None), None not in found
