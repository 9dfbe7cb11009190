"""Actions: the numbers that stand for moves, the same for every rule set and seat count."""

from ronda.v1.card_pb2 import Card, Rank, Suit
from ronda.v1.move_pb2 import Announce, Challenge, Claim, Move, Play
from ronda.v1.rule_set_pb2 import AnnouncementKind

PACK = 40
MOST_SEATS = 4
RANKS: tuple[Rank.ValueType, ...] = (
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
SUITS: tuple[Suit.ValueType, ...] = (
    Suit.SUIT_OROS,
    Suit.SUIT_COPAS,
    Suit.SUIT_ESPADAS,
    Suit.SUIT_BASTOS,
)
KINDS: tuple[AnnouncementKind.ValueType, ...] = (
    AnnouncementKind.ANNOUNCEMENT_KIND_RONDA,
    AnnouncementKind.ANNOUNCEMENT_KIND_TRINGA,
    AnnouncementKind.ANNOUNCEMENT_KIND_DOUBLE_RONDA,
)

ANNOUNCE = PACK
"""Announce a ronda; a tringa is the next action, a double ronda the one after that."""
PASS = ANNOUNCE + len(KINDS)
"""Decline what one is asked for: an announcement, a challenge or a claim."""
CHALLENGE = PASS + 1
"""Challenge the next seat; the seat after it is the next action, and so on."""
CLAIM = CHALLENGE + MOST_SEATS - 1
"""Claim against the next seat; the seat after it is the next action, and so on."""
ACTIONS = CLAIM + MOST_SEATS - 1
"""How many actions there are."""

_RANK_INDEX = {rank: index for index, rank in enumerate(RANKS)}
_SUIT_INDEX = {suit: index for index, suit in enumerate(SUITS)}
_KIND_INDEX = {kind: index for index, kind in enumerate(KINDS)}


class UnknownAction(ValueError):
    """A number that is no action, or names a seat that the match does not have."""


def card_number(card: Card) -> int:
    """Return a card's number, 0 to 39: oros, copas, espadas, bastos, each from the ace to the 12.

    Raises:
        KeyError: It is no card.
    """
    return _SUIT_INDEX[card.suit] * len(RANKS) + _RANK_INDEX[card.rank]


def rank_number(rank: Rank.ValueType) -> int:
    """Return a rank's number, 0 to 9, from the ace to the 12.

    Raises:
        KeyError: It is no rank.
    """
    return _RANK_INDEX[rank]


def kind_number(kind: AnnouncementKind.ValueType) -> int:
    """Return a kind's number: 0 a ronda, 1 a tringa, 2 a double ronda.

    Raises:
        KeyError: It is no kind.
    """
    return _KIND_INDEX[kind]


def action_of(move: Move, seat: int, seats: int) -> int:
    """Return the action that stands for a seat's move.

    Args:
        move: The move, as a decision lists it.
        seat: The seat that makes it.
        seats: How many seats play.

    Raises:
        ValueError: The move is empty.
    """
    match move.WhichOneof("move"):
        case "play":
            return card_number(move.play.card)
        case "announce":
            return ANNOUNCE + kind_number(move.announce.kind)
        case "pass":
            return PASS
        case "challenge":
            return CHALLENGE + (move.challenge.seat - seat) % seats - 1
        case "claim":
            return CLAIM + (move.claim.seat - seat) % seats - 1
        case _:
            raise ValueError("the move is empty")


def move_of(action: int, seat: int, seats: int) -> Move:
    """Return the move that an action stands for.

    Args:
        action: The action, 0 to 49.
        seat: The seat that acts.
        seats: How many seats play.

    Raises:
        UnknownAction: There is no such action, or no seat so many places after this one.
    """
    if not 0 <= action < ACTIONS:
        raise UnknownAction(f"action {action} is none: the actions are 0 to {ACTIONS - 1}")
    if action < ANNOUNCE:
        suit, rank = divmod(action, len(RANKS))
        return Move(play=Play(card=Card(rank=RANKS[rank], suit=SUITS[suit])))
    if action < PASS:
        return Move(announce=Announce(kind=KINDS[action - ANNOUNCE]))
    if action == PASS:
        move = Move()
        # The field's name is a word of Python.
        getattr(move, "pass").SetInParent()
        return move
    places = 1 + (action - CHALLENGE if action < CLAIM else action - CLAIM)
    if places >= seats:
        raise UnknownAction(
            f"action {action} is against the seat {places} places on; with {seats} seats there is "
            f"none that is not the own seat, at most {seats - 1} places on"
        )
    other = (seat + places) % seats
    if action < CLAIM:
        return Move(challenge=Challenge(seat=other))
    return Move(claim=Claim(seat=other))
