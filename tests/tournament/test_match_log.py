"""What a tournament reads in a match's log, also in one of a newer referee."""

import io

import pytest
from google.protobuf.proto import serialize_length_prefixed

from ronda.v1.log_pb2 import (
    EndReason,
    ForfeitDeclared,
    ForfeitReason,
    LogHeader,
    LogRecord,
    MatchResult,
    SeatJoined,
)
from ronda_client import FalseRecord
from ronda_tournament.match_log import ended
from ronda_tournament.results import FailureKind


def log(*records: LogRecord) -> bytes:
    """Return a log file of two seats with these records after its header."""
    file = io.BytesIO()
    file.write(b"RONDALOG")
    header = LogRecord(header=LogHeader(format_version=1, seats=2))
    for sequence, record in enumerate([header, *records]):
        record.sequence = sequence
        serialize_length_prefixed(record, file)
    return file.getvalue()


def forfeited(seat: int, reason: int) -> LogRecord:
    """Return the record of a forfeit, whose reason may be any number."""
    declared = ForfeitDeclared(seat=seat, reason=ForfeitReason.ValueType(reason))
    return LogRecord(forfeit_declared=declared)


def result(reason: EndReason.ValueType) -> LogRecord:
    """Return the record of the end."""
    return LogRecord(match_result=MatchResult(reason=reason, winners=[0], scores=[3, 0]))


@pytest.mark.parametrize(
    ("reason", "kind", "detail"),
    [
        (1, "TIME_OUT", "its time for a move ran out"),
        (2, "RESIGNED", "it gave the match up"),
        (3, "MOVE_REFUSED", "too many of its moves were refused"),
        (4, "FORFEITED", "it forfeited for a reason that is unknown here, number 4"),
        (0, "FORFEITED", "it forfeited for a reason that is unknown here, number 0"),
    ],
)
def test_a_forfeit_is_the_seats_fault_whatever_its_reason(
    reason: int, kind: str, detail: str
) -> None:
    """The match was not played; a reason of a newer referee is told by its number."""
    data = log(forfeited(1, reason), result(EndReason.END_REASON_FORFEITED))
    end = ended(data, "m1", 2)
    assert end.faults(["a", "b"]) == [(1, FailureKind(kind), detail)]
    assert not end.played


def test_a_forfeit_of_a_seat_that_there_is_not_is_a_false_record() -> None:
    """The second record of a match of two says so of seat 2, whose entrant nobody is."""
    with pytest.raises(FalseRecord) as raised:
        ended(log(forfeited(2, 1)), "m1", 2)
    assert str(raised.value) == "match m1, record 1 is false: seat 2 of 2 forfeits"


def test_seats_that_never_came_are_those_of_the_match_as_it_was_made() -> None:
    """A header that says four billion seats makes nobody else absent."""
    header = LogRecord(header=LogHeader(format_version=1, seats=2**32 - 1))
    joined = LogRecord(seat_joined=SeatJoined(seat=0, name="a"))
    end = ended(log(header, joined, result(EndReason.END_REASON_NOT_JOINED)), "m1", 2)
    assert end.faults(["a", "b"]) == [
        (1, FailureKind.NOT_JOINED, "it did not take its seat in time")
    ]
