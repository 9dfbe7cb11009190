"""What a seat asks for with its token, by a simple call or over a stream: one path for both."""

import structlog

from ronda.v1 import log_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_referee.match import Match
from ronda_referee.match_commands import Told
from ronda_referee.play import Joined
from ronda_referee.referee import Referee
from ronda_referee.requests import (
    LONGEST_ENTROPY,
    LONGEST_NAME,
    LONGEST_REQUEST_ID,
    check_length,
    check_printable,
)


def open_seat(match: Match, token: str) -> int:
    """Give the seat that a token opens; from here on the call's log lines name match and seat.

    Raises:
        ServiceError: it opens none.
    """
    structlog.contextvars.bind_contextvars(match_id=match.match_id)
    seat = match.seat_of(token)
    structlog.contextvars.bind_contextvars(seat=seat)
    return seat


async def join(referee: Referee, request: pb.JoinMatchRequest) -> int:
    """Take a seat; gives its number when that is on disk.

    Raises:
        MalformedMessage: the name or the entropy is too long, or the name cannot be printed.
        ServiceError: as `Match.join`, or there is no such match, or the token opens no seat of
            it, or the referee is shutting down.
    """
    referee.refuse_when_draining()
    check_length("name", request.name, 0, LONGEST_NAME)
    check_printable("name", request.name)
    check_length("entropy", request.entropy, 0, LONGEST_ENTROPY)
    match = referee.match(request.match_id)
    seat = open_seat(match, request.seat_token)
    await match.join(seat, Joined(request.name, request.entropy))
    return seat


async def submit(referee: Referee, request: pb.SubmitMoveRequest) -> int:
    """Apply a move; gives the sequence number of its record when that is on disk.

    Moves of one match are taken in the order in which these calls begin.

    Raises:
        RulesError: as `Match.submit`, or the request id is too long or cannot be printed.
        ServiceError: as `Match.submit`, or there is no such match, or the token opens no seat of
            it, or the referee is shutting down.
    """
    referee.refuse_when_draining()
    match = referee.match(request.match_id)
    seat = open_seat(match, request.seat_token)
    return await match.submit(accepted(seat, request))


def begin_to_submit(match: Match, seat: int, move: pb.PlayMove, told: Told) -> None:
    """Apply a move of an open seat; `told` gets what `submit` would give or raise.

    Moves of one match are taken in the order of these calls.

    Raises:
        MalformedMessage: the request id is too long or cannot be printed.
    """
    match.begin_to_submit(accepted(seat, move), told)


def accepted(seat: int, request: pb.SubmitMoveRequest | pb.PlayMove) -> log_pb2.MoveAccepted:
    """Give the record that the log gets of a move if the rules accept it.

    Raises:
        MalformedMessage: the request id is too long or cannot be printed.
    """
    check_length("request_id", request.request_id, 1, LONGEST_REQUEST_ID)
    check_printable("request_id", request.request_id)
    return log_pb2.MoveAccepted(
        seat=seat,
        decision_id=request.decision_id,
        request_id=request.request_id,
        move=request.move,
    )
