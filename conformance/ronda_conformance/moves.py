"""Moves as text: `play 6o`, `announce ronda`, `pass`, `challenge 1`, `claim 1`."""

from ronda.v1 import move_pb2, rule_set_pb2
from ronda_conformance.cards import RANKS, CardTextError, parse_card

KINDS = {
    "ronda": rule_set_pb2.ANNOUNCEMENT_KIND_RONDA,
    "tringa": rule_set_pb2.ANNOUNCEMENT_KIND_TRINGA,
    "double_ronda": rule_set_pb2.ANNOUNCEMENT_KIND_DOUBLE_RONDA,
}
FORMS = "play CARD, announce KIND, pass, challenge SEAT, claim SEAT"
_SEATS = ("0", "1", "2", "3")


class MoveTextError(ValueError):
    """A text that is no move; the message quotes it and says what would be right."""


def _seat(text: str, word: str) -> int:
    if word not in _SEATS:
        message = f"{text!r}: {word!r} is no seat; seats are {' '.join(_SEATS)}"
        raise MoveTextError(message)
    return int(word)


def bare_rank(text: str) -> str | None:
    """Return the rank of a `play` that leaves the suit to the position's hand, else None."""
    match text.split():
        case ["play", rank] if rank in RANKS:
            return rank
    return None


def parse_move(text: str) -> move_pb2.Move:
    """Return the move that a text says.

    Raises:
        MoveTextError: it is no move.
    """
    match text.split():
        case ["play", card]:
            try:
                return move_pb2.Move(play=move_pb2.Play(card=parse_card(card)))
            except CardTextError as error:
                message = f"{text!r}: {error}"
                raise MoveTextError(message) from error
        case ["announce", kind]:
            if kind not in KINDS:
                message = f"{text!r}: {kind!r} is no kind; kinds are {', '.join(KINDS)}"
                raise MoveTextError(message)
            return move_pb2.Move(announce=move_pb2.Announce(kind=KINDS[kind]))
        case ["pass"]:
            move = move_pb2.Move()
            # `pass` is a keyword of Python: no argument can bear its name.
            getattr(move, "pass").SetInParent()
            return move
        case ["challenge", seat]:
            return move_pb2.Move(challenge=move_pb2.Challenge(seat=_seat(text, seat)))
        case ["claim", seat]:
            return move_pb2.Move(claim=move_pb2.Claim(seat=_seat(text, seat)))
    message = f"{text!r} is no move; moves are: {FORMS}"
    raise MoveTextError(message)
