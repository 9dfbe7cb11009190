"""Cards as text: `7o 10c 11e 12b`, and bare ranks that stand for any suit (clause DEAL-1)."""

from collections.abc import Iterable, Sequence

from ronda.v1 import card_pb2

RANKS = ("1", "2", "3", "4", "5", "6", "7", "10", "11", "12")
SUITS = "oceb"
NONE = "none"


class CardTextError(ValueError):
    """A text that names no card; the message quotes it and says what would be right."""


class MalformedCardError(ValueError):
    """A card message whose rank or suit is unset or unknown."""


def parse_card(text: str) -> card_pb2.Card:
    """Return the card written as rank and suit.

    Raises:
        CardTextError: it is no card with its suit.
    """
    rank, suit = text[:-1], text[-1:]
    if rank not in RANKS or suit not in SUITS or not suit:
        message = (
            f"{text!r} is no card: a rank ({' '.join(RANKS)}) and a suit ({' '.join(SUITS)}), as 7o"
        )
        raise CardTextError(message)
    return card_pb2.Card(
        rank=card_pb2.Rank.ValueType(int(rank)),
        suit=card_pb2.Suit.ValueType(SUITS.index(suit) + 1),
    )


def card_text(card: card_pb2.Card) -> str:
    """Return a card as `7o`.

    Raises:
        MalformedCardError: its rank or suit is unset or unknown.
    """
    rank = str(int(card.rank))
    if rank not in RANKS or not 1 <= card.suit <= len(SUITS):
        message = f"a card with rank {int(card.rank)} and suit {int(card.suit)} does not exist"
        raise MalformedCardError(message)
    return rank + SUITS[card.suit - 1]


def cards_text(cards: Iterable[card_pb2.Card]) -> str:
    """Return cards as `7o 10c`, or `none`.

    Raises:
        MalformedCardError: a rank or suit is unset or unknown.
    """
    return " ".join(card_text(card) for card in cards) or NONE


def check_pattern(text: str) -> None:
    """Check cards of an expectation: cards or bare ranks with blanks between, or `none`.

    Raises:
        CardTextError: a word is neither.
    """
    words = text.split()
    if not words:
        message = f"no card is written {NONE!r}"
        raise CardTextError(message)
    if words == [NONE]:
        return
    for word in words:
        if word not in RANKS:
            parse_card(word)


def word_matches(expected: str, got: str) -> bool:
    """Return whether a word is the expected one; a bare rank matches its card in any suit."""
    return expected == got or (
        expected in RANKS and got[:-1] == expected and got[-1:] in SUITS and got[-1:] != ""
    )


def words_match(expected: Sequence[str], got: Sequence[str]) -> bool:
    """Return whether each word matches the one at its place and there are equally many."""
    return len(expected) == len(got) and all(map(word_matches, expected, got))
