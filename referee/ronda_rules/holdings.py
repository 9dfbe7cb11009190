"""What a hand holds: which announcements it makes true, and with which rank (clause ANN-1)."""

from collections import Counter
from collections.abc import Sequence

from ronda_rules.cards import ACE, Card, RankIndex, rank_index
from ronda_rules.rule_set import AnnouncementKind, DoubleRonda, RankOrder
from ronda_rules.state import MatchState

PAIR = 2
TRIPLE = 3
QUADRUPLE = 4
_FEWEST_CARDS = {
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
    hand: Sequence[Card],
    order: RankOrder,
    *,
    two_pairs_make_double: bool,
) -> RankIndex | None:
    """Give the rank with which a hand makes an announcement true, or None where it is false.

    A ronda is true with two or more equal cards, and of two pairs the higher counts; a tringa
    with exactly three equal cards; a double ronda with four equal cards, or with two pairs
    where `two_pairs_make_double` (clauses ANN-1, ANN-3).
    """
    counts = Counter(rank_index(card) for card in hand)
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


def held_rank(state: MatchState, seat: int, kind: AnnouncementKind) -> RankIndex | None:
    """Give the rank with which a seat's present hand makes an announcement true, or None."""
    anywhere = state.rules.double_ronda is DoubleRonda.ANY_FOUR_CARD_HAND
    return best_rank(
        kind,
        state.hands[seat],
        state.rules.rank_order,
        two_pairs_make_double=anywhere or state.batch == 1,
    )
