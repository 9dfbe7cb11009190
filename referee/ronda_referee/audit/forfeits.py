"""The audit of what the referee did in a seat's stead or against it: forfeits, automatic moves."""

from ronda.v1 import log_pb2, match_terms_pb2
from ronda_referee.audit.records import Place
from ronda_referee.audit.report import FindingKind
from ronda_referee.audit.timing import Timing
from ronda_referee.automatic import automatic_move
from ronda_referee.convert import move_to_proto
from ronda_rules.moves import Move
from ronda_rules.state import MatchState


def check_forfeit(
    place: Place, state: MatchState, decisions: dict[int, int], timing: Timing
) -> None:
    """Check that a seat could forfeit as it is recorded.

    That too many of its moves were refused is the referee's word: refused moves are not recorded.

    Raises:
        Found: the seat is none or has forfeited before, the reason is none that the terms know,
            its time had not run out, or the record names another decision.
    """
    declared = place.record.forfeit_declared
    seat, reason = declared.seat, declared.reason
    if seat >= state.seats or seat in state.forfeited:
        detail = "has forfeited before" if seat in state.forfeited else "is none of this match"
        place.find(FindingKind.FORFEIT_WRONG, f"seat {seat} {detail}", recorded=f"seat {seat}")
    known = {log_pb2.FORFEIT_REASON_RESIGNED}
    if timing.terms.time_out == match_terms_pb2.TIME_OUT_FORFEIT:
        known.add(log_pb2.FORFEIT_REASON_TIME_OUT)
    if timing.terms.most_refusals:
        known.add(log_pb2.FORFEIT_REASON_REFUSALS)
    if reason not in known:
        names = log_pb2.ForfeitReason.DESCRIPTOR.values_by_number
        place.find(
            FindingKind.FORFEIT_WRONG,
            f"seat {seat} forfeits for a reason that the terms do not know",
            recorded=names[reason].name if reason in names else str(reason),
        )
    decision = decisions.get(seat, 0)
    if declared.decision_id != decision:
        place.find(
            FindingKind.DECISION_WRONG,
            f"the forfeit of seat {seat} leaves another decision open",
            recorded=str(declared.decision_id),
            expected=str(decision),
        )
    timing.check_deadline(place, declared)
    if reason == log_pb2.FORFEIT_REASON_TIME_OUT:
        timing.check_late(place, seat, state.in_order_of_play())
    else:
        timing.check_nobody_late(place)


def check_automatic(
    place: Place, state: MatchState, move: Move, timing: Timing, last_clock_ms: int
) -> None:
    """Check that the referee was to move in a seat's stead, at this time and in this way.

    Raises:
        Found: the seat was to move by itself, it has a request id, another move was due, or it
            comes at another time.
    """
    accepted = place.record.move_accepted
    seat = accepted.seat
    if seat in state.forfeited:
        if place.record.clock_ms != last_clock_ms:
            place.find(
                FindingKind.CLOCK_WRONG,
                f"the move for seat {seat}, which has forfeited, is not made at once",
                recorded=f"{place.record.clock_ms} ms",
                expected=f"{last_clock_ms} ms",
            )
    elif timing.terms.time_out == match_terms_pb2.TIME_OUT_AUTOMATIC:
        timing.check_late(place, seat, state.in_order_of_play())
    else:
        detail = f"the referee moved for seat {seat}, which had to move by itself"
        place.find(FindingKind.AUTOMATIC_MOVE_WRONG, detail)
    if accepted.request_id:
        detail = f"the referee's move for seat {seat} has a request id"
        place.find(FindingKind.AUTOMATIC_MOVE_WRONG, detail, recorded="a request id")
    due = automatic_move(state, seat)
    if move != due:
        place.find(
            FindingKind.AUTOMATIC_MOVE_WRONG,
            f"the referee's move for seat {seat} is not a pass or its lowest legal card",
            recorded=_text(move),
            expected=_text(due),
        )


def check_own(place: Place, state: MatchState, timing: Timing) -> None:
    """Check that a seat that moved by itself could do so, and was not too late.

    Raises:
        Found: it has forfeited, or the time of a seat had run out.
    """
    seat = place.record.move_accepted.seat
    if seat in state.forfeited:
        detail = f"seat {seat} has forfeited and moves by itself"
        place.find(FindingKind.FORFEIT_WRONG, detail)
    timing.check_nobody_late(place)


def _text(move: Move) -> str:
    return " ".join(str(move_to_proto(move)).split())
