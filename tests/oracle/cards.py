"""DEAL-1: the pack. A card is a tuple of rank and suit, both numbered as in the schema."""

from collections.abc import Iterable

from ronda.v1 import card_pb2

Card = tuple[int, int]

RANKS = [1, 2, 3, 4, 5, 6, 7, 10, 11, 12]
SUITS = [1, 2, 3, 4]
PACK: list[Card] = [(rank, suit) for suit in SUITS for rank in RANKS]


def to_message(card: Card) -> card_pb2.Card:
    """Write a card as its message."""
    return card_pb2.Card(
        rank=card_pb2.Rank.ValueType(card[0]), suit=card_pb2.Suit.ValueType(card[1])
    )


def to_messages(cards: Iterable[Card]) -> list[card_pb2.Card]:
    """Write cards as messages, in their order."""
    return [to_message(card) for card in cards]


def from_message(message: card_pb2.Card) -> Card:
    """Read a card; it may be none of the pack."""
    return (message.rank, message.suit)


def read(text: str) -> list[Card]:
    """Read cards written as `7o 10c 12b`; a `/` between them is for the eye alone."""
    words = text.replace("/", " ").split()
    return [(int(word[:-1]), "oceb".index(word[-1]) + 1) for word in words]
