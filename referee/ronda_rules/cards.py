"""Cards, ranks and sets of cards (clause DEAL-1).

A card is an int from 0 to 39, ``suit * 10 + rank index``: this is the canonical order of the
pack. A set of cards is a 40-bit mask with bit ``card`` set. A rank index runs from 0 (the ace)
to 9 (the king), a set of ranks is a 10-bit mask.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final, TypeAlias

from ronda_rules.errors import NotationError

Card: TypeAlias = int
CardSet: TypeAlias = int
RankIndex: TypeAlias = int
RankSet: TypeAlias = int

RANKS: Final = (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)
SUITS: Final = "oceb"
PACK_SIZE: Final = 40
FULL_PACK: Final[CardSet] = (1 << PACK_SIZE) - 1
ACE: Final[RankIndex] = 0
KING: Final[RankIndex] = 9

_ALL_SUITS: Final = 1 | 1 << 10 | 1 << 20 | 1 << 30
_TEXTS: Final = tuple(f"{rank}{suit}" for suit in SUITS for rank in RANKS)
_BY_TEXT: Final = {text: card for card, text in enumerate(_TEXTS)}
_RANK_INDEX: Final = {rank: index for index, rank in enumerate(RANKS)}


def rank_index(card: Card) -> RankIndex:
    """Give the rank index, 0 to 9, of a card."""
    return card % 10


def rank_of(card: Card) -> int:
    """Give the rank of a card as people say it: 1 to 7, 10, 11 or 12."""
    return RANKS[card % 10]


def index_of_rank(rank: int) -> RankIndex:
    """Give the rank index of a rank.

    Raises:
        NotationError: the number is no rank of the pack.
    """
    try:
        return _RANK_INDEX[rank]
    except KeyError:
        raise NotationError(str(rank), f"a rank: {', '.join(map(str, RANKS))}") from None


def card_text(card: Card) -> str:
    """Write a card, as ``7o`` or ``12b``."""
    return _TEXTS[card]


def parse_card(text: str) -> Card:
    """Read a card as `card_text` writes it.

    Raises:
        NotationError: the text is no card.
    """
    try:
        return _BY_TEXT[text]
    except KeyError:
        wanted = f"a rank ({', '.join(map(str, RANKS))}) and a suit ({', '.join(SUITS)}), as 7o"
        raise NotationError(text, wanted) from None


def set_of(cards: Iterable[Card]) -> CardSet:
    """Give the set of some cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_of(mask: CardSet) -> tuple[Card, ...]:
    """Give the cards of a set in canonical order."""
    return (
        *_cards_of_suit(mask & 0x3FF, 0),
        *_cards_of_suit(mask >> 10 & 0x3FF, 10),
        *_cards_of_suit(mask >> 20 & 0x3FF, 20),
        *_cards_of_suit(mask >> 30, 30),
    )


# There are four times 1024 answers at most.
@cache
def _cards_of_suit(ranks: RankSet, first: Card) -> tuple[Card, ...]:
    """Give the cards of some ranks of the suit that begins with a card."""
    return tuple([first + rank for rank in range(10) if ranks >> rank & 1])


# What is captured is mostly a card or two, and a table is shown to many.
@lru_cache(maxsize=4_096)
def ascending(mask: CardSet) -> tuple[Card, ...]:
    """Give the cards of a set by rank, and by suit where ranks are equal."""
    return tuple(sorted(cards_of(mask), key=_rank_then_suit))


def ranks_of(mask: CardSet) -> RankSet:
    """Give the ranks that a set of cards holds."""
    return (mask | mask >> 10 | mask >> 20 | mask >> 30) & 0x3FF


def with_ranks(mask: CardSet, ranks: RankSet) -> CardSet:
    """Give the cards of a set that have one of some ranks."""
    return mask & (ranks * _ALL_SUITS)


def size_of(mask: CardSet) -> int:
    """Give the number of cards in a set."""
    return mask.bit_count()


def _rank_then_suit(card: Card) -> tuple[int, int]:
    return card % 10, card // 10
