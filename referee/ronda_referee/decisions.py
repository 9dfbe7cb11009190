"""The decisions that are open in a match, by seat, and which answers they take."""

from collections.abc import Mapping

from ronda.v1 import log_pb2
from ronda_referee.errors import ServiceError, ServiceReason
from ronda_rules.engine import SeatsToAct, decide
from ronda_rules.state import MatchState


def decisions_of(state: MatchState, before: Mapping[int, int], last_event: int) -> dict[int, int]:
    """Name the decisions of the seats that must act.

    Args:
        state: the match.
        before: the decisions that were open: who must act already is asked what it was asked.
        last_event: the number of the record that opens a new one.
    """
    match decide(state):
        case SeatsToAct(seats):
            return {seat: before.get(seat, last_event) for seat in seats}
        case _:
            return {}


def check_open(
    accepted: log_pb2.MoveAccepted, decisions: Mapping[int, int], state: MatchState
) -> None:
    """Refuse a decision that is not open; a seat that need not act names another seat's.

    Raises:
        ServiceError: it is not open, or the seat has forfeited.
    """
    if accepted.seat in state.forfeited:
        detail = f"seat {accepted.seat} has forfeited; the referee plays for it"
        raise ServiceError(ServiceReason.SEAT_FORFEITED, detail, seat=accepted.seat)
    own = decisions.get(accepted.seat)
    open_ids = set(decisions.values()) if own is None else {own}
    if accepted.decision_id not in open_ids:
        now_open = min(open_ids, default=0)
        raise ServiceError(
            ServiceReason.STALE_DECISION,
            f"decision {accepted.decision_id} is not open; {now_open} is",
            decision_id=accepted.decision_id,
            open_decision_id=now_open,
        )
