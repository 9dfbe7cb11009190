"""What the runner reads out of a position in notation: the hands and the card fields.

The program under test reads positions itself; the runner needs the hands alone, to know the suit
of a bare rank in a move and to hold the views against. A text that it cannot read gives no hands:
whether a position is right is the program's to say.
"""

from ronda_conformance.cards import RANKS, SUITS, CardTextError, card_text, parse_card

FIELDS = (
    *("seats", "deal", "dealer", "batch", "turn", "hands", "table", "piles", "scores", "laid"),
    *("held", "capturer", "said", "played", "award", "owed", "claimed", "punished", "pack"),
)
"""Every field that a position can have."""

_CARD_FIELDS = ("hands", "table", "laid", "played", "pack")


def position_fields(text: str) -> dict[str, str]:
    """Return the `name value` fields of a position, in the order written."""
    fields: dict[str, str] = {}
    for part in text.split(";"):
        name, _, value = part.strip().partition(" ")
        if name:
            fields[name] = value.strip()
    return fields


def position_hands(text: str) -> list[list[str]] | None:
    """Return the hands by seat, each card with its suit; None where they cannot be read.

    A bare rank takes the first suit, in the order o c e b, not used elsewhere in the position.
    """
    fields = position_fields(text)
    if "hands" not in fields:
        return None
    words = [
        word
        for name in _CARD_FIELDS
        for word in fields.get(name, "").replace("/", " ").split()
        if word != "-"
    ]
    used = {word for word in words if word not in RANKS}
    hands: list[list[str]] = []
    for name in _CARD_FIELDS:
        for hand_text in fields.get(name, "").split("/"):
            hand = []
            for word in hand_text.split():
                card = _with_suit(word, used)
                if card is None:
                    return None
                if card != "-":
                    hand.append(card)
            if name == "hands":
                hands.append(hand)
    return hands


def _with_suit(word: str, used: set[str]) -> str | None:
    if word == "-":
        return word
    if word in RANKS:
        free = next((word + suit for suit in SUITS if word + suit not in used), None)
        if free is not None:
            used.add(free)
        return free
    try:
        return card_text(parse_card(word))
    except CardTextError:
        return None
