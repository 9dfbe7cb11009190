"""Moves, both ways, and what a seat is asked."""

from functools import lru_cache

from ronda.v1 import decision_pb2, move_pb2
from ronda_referee.convert.words import (
    KIND_NUMBERS,
    KINDS,
    MalformedMessage,
    card_from_proto,
    card_to_proto,
)
from ronda_rules import moves
from ronda_rules.engine import legal_moves, supported_announcements
from ronda_rules.state import MatchState

_REMEMBERED_MOVES = 256


def move_from_proto(message: move_pb2.Move) -> moves.Move:
    """Give the engine's move.

    Raises:
        MalformedMessage: no move is set, or what it needs is unset or unknown.
    """
    match message.WhichOneof("move"):
        case "announce":
            kind = KINDS.get(message.announce.kind)
            if kind is None:
                wanted = f"{message.announce.kind} is none of {', '.join(KINDS.values())}"
                raise MalformedMessage("move.announce.kind", wanted)
            return moves.Announce(kind)
        case "pass":
            return moves.Pass()
        case "play":
            return moves.Play(card_from_proto(message.play.card, "move.play.card"))
        case "challenge":
            return moves.Challenge(message.challenge.seat)
        case "claim":
            return moves.Claim(message.claim.seat)
        case None:
            wanted = "is empty; one of announce, pass, play, challenge, claim is needed"
            raise MalformedMessage("move", wanted)


@lru_cache(_REMEMBERED_MOVES)
def move_to_proto(move: moves.Move) -> move_pb2.Move:
    """Give the message for a move, the same one each time: what changes it takes a copy."""
    match move:
        case moves.Announce(kind):
            return move_pb2.Move(announce=move_pb2.Announce(kind=KIND_NUMBERS[kind]))
        case moves.Pass():
            declined = move_pb2.Move()
            getattr(declined, "pass").SetInParent()
            return declined
        case moves.Play(card):
            return move_pb2.Move(play=move_pb2.Play(card=card_to_proto(card)))
        case moves.Challenge(seat):
            return move_pb2.Move(challenge=move_pb2.Challenge(seat=seat))
        case moves.Claim(seat):
            return move_pb2.Move(claim=move_pb2.Claim(seat=seat))


def decision_to_proto(state: MatchState, seat: int, decision_id: int) -> decision_pb2.Decision:
    """Give what a seat is asked; for that seat alone."""
    return decision_pb2.Decision(
        decision_id=decision_id,
        seat=seat,
        legal_moves=map(move_to_proto, legal_moves(state, seat)),
        true_announcements=(KIND_NUMBERS[kind] for kind in supported_announcements(state, seat)),
    )
