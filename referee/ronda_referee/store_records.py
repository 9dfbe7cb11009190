"""What a match's stored records say of it: where it stands, its rule set, its players' names."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum

import apsw
from google.protobuf.message import DecodeError

from ronda.v1 import log_pb2
from ronda_referee.sqlite import query

_CANCELLING = frozenset({log_pb2.END_REASON_NOT_JOINED, log_pb2.END_REASON_CANCELLED})


class MatchState(IntEnum):
    """Where a match stands, numbered as in ronda.v1.MatchState."""

    JOINING = 1
    PLAYING = 2
    ENDED = 3
    CANCELLED = 4


@dataclass(slots=True)
class Summary:
    """What records say of their match, as far as they can be read.

    Attributes:
        match_id: its id; empty where there is no header.
        rule_set_id: the id of its rule set; empty where there is no header.
        created_ms: the time of its header in milliseconds since 1970 UTC; 0 where there is none.
        seats: how many seats play; 0 where there is no header.
        state: where it stands.
        complete: whether its log is signed.
        names: what each seat's player goes by, by seat, for those that have joined.
        fault: the first thing that is wrong with the records, or None.
    """

    match_id: str = ""
    rule_set_id: str = ""
    created_ms: int = 0
    seats: int = 0
    state: MatchState = MatchState.JOINING
    complete: bool = False
    names: dict[int, str] = field(default_factory=dict)
    fault: str | None = None


def both_ends(db: apsw.Connection, match_id: str) -> tuple[Iterator[bytes], Iterator[bytes]]:
    """Give a match's serialized records from the first on, and from the last back, as needed."""
    forward = query(
        db, "SELECT record FROM log_row WHERE match_id = ? ORDER BY sequence", (match_id,)
    )
    backward = query(
        db, "SELECT record FROM log_row WHERE match_id = ? ORDER BY sequence DESC", (match_id,)
    )
    return (row[0] for row in forward), (row[0] for row in backward)


def summary(forward: Iterator[bytes], backward: Iterator[bytes]) -> Summary:
    """Give what a match's records say of it, reading no more of them than that takes.

    Nothing is raised: what cannot be read is the summary's fault.

    Args:
        forward: the serialized records from the first on.
        backward: the same from the last back.
    """
    found = Summary()
    try:
        _read_beginning(forward, found)
        _read_end(backward, found)
    except DecodeError:
        found.fault = "a record cannot be read"
    return found


def _read_beginning(forward: Iterator[bytes], found: Summary) -> None:
    for number, data in enumerate(forward):
        record = log_pb2.LogRecord.FromString(data)
        kind = record.WhichOneof("record")
        if (number == 0) != (kind == "header"):
            found.fault = "its first record is not a header"
            return
        if kind == "header":
            found.match_id = record.header.match_id
            found.rule_set_id = record.header.rule_set.id
            found.created_ms = record.time_ms
            found.seats = record.header.seats
        elif kind == "seat_joined":
            found.names[record.seat_joined.seat] = record.seat_joined.name
        else:
            found.state = MatchState.PLAYING
            return
    if not found.seats:
        found.fault = "it has no records"


def _read_end(backward: Iterator[bytes], found: Summary) -> None:
    """Look for the signature, and for the result, which only openings separate from it."""
    for data in backward:
        record = log_pb2.LogRecord.FromString(data)
        match record.WhichOneof("record"):
            case "signature":
                found.complete = True
                found.state = MatchState.ENDED
            case "opening" if found.complete:
                pass
            case "match_result" if found.complete:
                if record.match_result.reason in _CANCELLING:
                    found.state = MatchState.CANCELLED
                return
            case _ if found.complete:
                found.fault = "its log is signed and has no result"
                return
            case _:
                return
