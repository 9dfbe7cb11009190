"""What a hand holds: which announcements it makes true, and with which rank (clause ANN-1)."""

from collections.abc import Sequence
from typing import Final

from ronda_rules.cards import ACE, RankIndex, rank_index
from ronda_rules.rule_set import AnnouncementKind, DoubleRonda, RankOrder
from ronda_rules.state import MatchState

# The order in which the kinds are looked for where the best one counts (clause ANN-1).
BEST_FIRST: Final = (AnnouncementKind.TRINGA, AnnouncementKind.DOUBLE_RONDA, AnnouncementKind.RONDA)

PAIR: Final = 2
TRIPLE: Final = 3
QUADRUPLE: Final = 4
_FEWEST_CARDS: Final = {
    AnnouncementKind.RONDA: PAIR,
    AnnouncementKind.TRINGA: TRIPLE,
    AnnouncementKind.DOUBLE_RONDA: QUADRUPLE,
}


def strength(rank: RankIndex, order: RankOrder) -> int:
    """Give how a rank compares between announcements: the higher the better (clause ANN-5)."""
    above_the_king = 10
    return above_the_king if order is RankOrder.ACE_HIGH and rank == ACE else rank


def best_rank(
    kind: AnnouncementKind,
    ranks_held: Sequence[RankIndex],
    order: RankOrder,
    *,
    two_pairs_make_double: bool,
) -> RankIndex | None:
    """Give the rank with which a hand of ranks makes an announcement true; None: it is false.

    A ronda is true with two or more equal cards, and of two pairs the higher counts; a tringa
    with exactly three equal cards; a double ronda with four equal cards, or with two pairs
    where `two_pairs_make_double` (clauses ANN-1, ANN-3).
    """
    counts = {rank: ranks_held.count(rank) for rank in ranks_held}
    pairs = [rank for rank, count in counts.items() if count >= PAIR]
    ranks: list[RankIndex]
    match kind:
        case AnnouncementKind.RONDA:
            ranks = pairs
        case AnnouncementKind.TRINGA:
            ranks = [rank for rank, count in counts.items() if count == TRIPLE]
        case AnnouncementKind.DOUBLE_RONDA if len(pairs) == PAIR and two_pairs_make_double:
            ranks = pairs
        case AnnouncementKind.DOUBLE_RONDA:
            ranks = [rank for rank, count in counts.items() if count == QUADRUPLE]
    return max(ranks, key=lambda rank: strength(rank, order), default=None)


def possible(kind: AnnouncementKind, hand_size: int) -> bool:
    """Whether a hand of this many cards can hold the combination at all (clause ANN-1)."""
    return hand_size >= _FEWEST_CARDS[kind]


def two_pairs_make_double(state: MatchState) -> bool:
    """Whether two pairs are a double ronda in this batch (clause ANN-1)."""
    return state.rules.double_ronda is DoubleRonda.ANY_FOUR_CARD_HAND or state.batch == 1


def held_rank(state: MatchState, seat: int, kind: AnnouncementKind) -> RankIndex | None:
    """Give the rank with which the hand dealt to a seat makes an announcement true, or None."""
    return best_rank(
        kind,
        [rank_index(card) for card in state.dealt[seat]],
        state.rules.rank_order,
        two_pairs_make_double=two_pairs_make_double(state),
    )


def best_kind_held(state: MatchState, seat: int) -> AnnouncementKind | None:
    """Give the first of tringa, double and ronda with a value that a seat's hand makes true."""
    for kind in BEST_FIRST:
        if state.rules.kinds.of(kind) and held_rank(state, seat, kind) is not None:
            return kind
    return None
