"""Cards and ranks as people write them."""

from ronda.v1.card_pb2 import Card, Rank, Suit

_SUITS: dict[Suit.ValueType, str] = {
    Suit.SUIT_OROS: "o",
    Suit.SUIT_COPAS: "c",
    Suit.SUIT_ESPADAS: "e",
    Suit.SUIT_BASTOS: "b",
}


def rank_number(rank: Rank.ValueType) -> int:
    """Return the number on a card of this rank: 1 to 7 or 10 to 12.

    Raises:
        ValueError: It is no rank.
    """
    if rank == Rank.RANK_UNSPECIFIED or rank not in Rank.values():
        raise ValueError(f"{rank} is no rank")
    return int(Rank.Name(rank).removeprefix("RANK_"))


def card_text(card: Card) -> str:
    """Return a card as `7o`, `10c`, `12b`.

    Raises:
        ValueError: Its rank or its suit is unset or unknown.
    """
    if card.suit not in _SUITS:
        raise ValueError(f"{card.suit} is no suit")
    return f"{rank_number(card.rank)}{_SUITS[card.suit]}"
