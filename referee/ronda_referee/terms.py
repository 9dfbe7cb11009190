"""The terms of a match as an organiser may set them, and what stands where it names none."""

from ronda.v1 import match_terms_pb2
from ronda_referee.convert import MalformedMessage

LONGEST_TIME_MS = 86_400_000
LONGEST_JOIN_TIMEOUT_MS = 604_800_000
LARGEST_REFUSALS = 1_000_000
LONGEST_SPECTATOR_DELAY = 1_000

DEFAULT_REFUSALS = 10
DEFAULT_JOIN_TIMEOUT_MS = 3_600_000


def default_terms(
    most_refusals: int = DEFAULT_REFUSALS, join_timeout_ms: int = DEFAULT_JOIN_TIMEOUT_MS
) -> match_terms_pb2.MatchTerms:
    """Give the terms of a match whose organiser names none."""
    return match_terms_pb2.MatchTerms(most_refusals=most_refusals, join_timeout_ms=join_timeout_ms)


def complete_terms(
    wanted: match_terms_pb2.MatchTerms, defaults: match_terms_pb2.MatchTerms
) -> match_terms_pb2.MatchTerms:
    """Check an organiser's terms, and fill in what they leave to the referee.

    Raises:
        MalformedMessage: a term is larger than it may be, or two do not go together.
    """
    check_terms(wanted)
    terms = match_terms_pb2.MatchTerms()
    terms.CopyFrom(wanted)
    if terms.HasField("time_control") and not terms.time_out:
        terms.time_out = match_terms_pb2.TIME_OUT_FORFEIT
    terms.most_refusals = wanted.most_refusals or defaults.most_refusals
    terms.join_timeout_ms = wanted.join_timeout_ms or defaults.join_timeout_ms
    return terms


def check_terms(wanted: match_terms_pb2.MatchTerms) -> None:
    """Check that the terms of a match can be kept.

    Raises:
        MalformedMessage: a term is larger than it may be, or two do not go together.
    """
    limits = {
        "most_refusals": LARGEST_REFUSALS,
        "join_timeout_ms": LONGEST_JOIN_TIMEOUT_MS,
        "spectator_delay": LONGEST_SPECTATOR_DELAY,
    }
    for field, largest in limits.items():
        _check_up_to(f"terms.{field}", getattr(wanted, field), largest)
    control = wanted.time_control
    for field in ("per_move_ms", "bank_ms", "increment_ms"):
        name = f"terms.time_control.{field}"
        _check_up_to(name, getattr(control, field), LONGEST_TIME_MS)
    if wanted.time_out not in match_terms_pb2.TimeOut.values():
        raise MalformedMessage("terms.time_out", f"has the unknown value {wanted.time_out}")
    if not wanted.HasField("time_control"):
        if wanted.time_out:
            raise MalformedMessage("terms.time_out", "needs a time_control; no clock runs")
    elif not control.per_move_ms and not control.bank_ms:
        detail = "gives no time at all; per_move_ms or bank_ms must be more than 0"
        raise MalformedMessage("terms.time_control", detail)


def _check_up_to(field: str, value: int, largest: int) -> None:
    if value > largest:
        raise MalformedMessage(field, f"is {value}; up to {largest:,} is allowed")
