"""WIN-1: each seat is asked once to challenge or claim."""

from collections.abc import Generator

from ronda.v1 import event_pb2, move_pb2, view_pb2
from tests.oracle import challenges, claims
from tests.oracle.match import Match

# What a match asks: the seats that must act, and for what. It is answered by a seat's legal move.
Question = tuple[list[int], view_pb2.Asked.ValueType]
Answer = tuple[int, move_pb2.Move]
Flow = Generator[Question, Answer, None]


def window(m: Match, asked: view_pb2.Asked.ValueType) -> Flow:
    """Ask the seats, in order of play, for challenges or claims.

    Raises:
        MatchOver: the match has ended.
    """
    for seat in m.order():
        if not has_something(m, seat, asked):
            continue
        passed = False
        while not passed:
            _, move = yield [seat], asked
            passed = move.HasField("pass")
            if passed:
                m.events.append(event_pb2.Event(window_passed=event_pb2.WindowPassed(seat=seat)))
            elif move.HasField("challenge"):
                challenges.challenge(m, seat, move.challenge.seat, in_window=True)
            else:
                claims.claim(m, seat, move.claim.seat)


def has_something(m: Match, seat: int, asked: view_pb2.Asked.ValueType) -> bool:
    """Tell whether a seat could do anything in a window but pass."""
    if asked == view_pb2.ASKED_CHALLENGE:
        return any(challenges.can_challenge(m, seat, other) for other in range(m.seats))
    return any(claims.claimable_kind(m, seat, other) for other in range(m.seats))
