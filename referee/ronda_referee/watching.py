"""Watching a match: its log from a record on, as it grows.

A watcher reads from the store at its own pace, so one that does not read costs nothing but its
connection, and nobody waits for it.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from ronda.v1 import log_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_referee.convert import decision_to_proto, seat_view_to_proto
from ronda_referee.errors import ServiceError, ServiceReason
from ronda_referee.match import Match, frozen
from ronda_referee.match_log import LogRow
from ronda_referee.referee import Referee
from ronda_rules.view import seat_view

_ROWS_AT_ONCE = 256
_BYTES_AT_ONCE = 64 * 1024


@dataclass(slots=True)
class Place:
    """How far a watcher has come.

    Attributes:
        seat: the seat that watches, or None for the public.
        start: the sequence number of the record that it gets next; None: it wants no records.
        asked: the decision that it was asked last, or None.
    """

    seat: int | None
    start: int | None
    asked: int | None = None


async def watch(
    referee: Referee, match: Match, seat: int | None, start: int, heartbeat_seconds: float
) -> AsyncIterator[pb.WatchMatchResponse]:
    """Give the messages of a watcher's stream, to the end of the log or of the referee.

    Args:
        referee: the referee, which may shut down.
        match: the match.
        seat: the seat that watches, or None for the public.
        start: the first sequence number wanted.
        heartbeat_seconds: after how long without news a sign of life is sent.

    Raises:
        ServiceError: the log has no such sequence number yet, or the match is frozen.
    """
    check_start(match, start)
    place = Place(seat, start)
    with match.watched() as woken:
        while True:
            woken.clear()
            message = news(referee, match, place)
            if message is not None:
                yield message
                if message.HasField("ended"):
                    return
                if more(match, place):
                    continue
            try:
                await asyncio.wait_for(woken.wait(), heartbeat_seconds)
            except TimeoutError:
                yield pb.WatchMatchResponse(next_sequence=place.start or 0)


def check_start(match: Match, start: int) -> None:
    """Refuse to begin beyond the end of the log.

    Raises:
        ServiceError: the log has no such sequence number yet.
    """
    if start > match.published.sequence:
        raise ServiceError(
            ServiceReason.SEQUENCE_OUT_OF_RANGE,
            f"the log has {match.published.sequence} records; watch from there at the most",
            from_sequence=start,
            next_sequence=match.published.sequence,
        )


def more(match: Match, place: Place) -> bool:
    """Tell whether a watcher that has just got news must look again at once.

    There are further records that it wants, or it must hear yet that the match is frozen.
    """
    behind = place.start is not None and place.start < match.published.sequence
    return behind or match.fault is not None


def news(referee: Referee, match: Match, place: Place) -> pb.WatchMatchResponse | None:
    """Give the next message for a watcher and move its place on; None where nothing is new.

    It holds up to 256 records and 64 KiB of them, or one record. A turn, or the end, comes with
    the last record that there is.

    Raises:
        ServiceError: the match is frozen, and the watcher has every record.
    """
    published = match.published
    rows: Sequence[LogRow] = ()
    if place.start is not None and place.start < published.sequence:
        rows = _fitting(match.rows(place.start, _ROWS_AT_ONCE))
        place.start += len(rows)
    message = pb.WatchMatchResponse(
        entries=[_entry(row, place.seat) for row in rows],
        next_sequence=published.sequence if place.start is None else place.start,
    )
    if message.next_sequence == published.sequence:
        if match.fault is not None:
            if not rows:
                raise frozen(match.match_id)
        elif published.complete or referee.draining:
            message.ended.log_complete = published.complete
        elif place.seat is not None and place.asked != published.decisions.get(place.seat):
            place.asked = published.decisions.get(place.seat)
            turn = turn_of(match, place.seat)
            if turn is not None:
                message.turn.CopyFrom(turn)
    if rows or message.HasField("turn") or message.HasField("ended"):
        return message
    return None


def turn_of(match: Match, seat: int) -> pb.Turn | None:
    """Give what a seat sees and is asked, or None where it need not act."""
    state = match.published.state
    if state is None:
        return None
    decision_id = match.published.decisions.get(seat)
    if decision_id is None:
        return None
    return pb.Turn(
        view=seat_view_to_proto(seat_view(state, seat)),
        decision=decision_to_proto(state, seat, decision_id),
    )


def _fitting(rows: Sequence[LogRow]) -> Sequence[LogRow]:
    """Give as many of the first rows as go into one message, but one at least."""
    size = 0
    for count, row in enumerate(rows):
        size += len(row.record) + len(row.opening or b"")
        if count and size > _BYTES_AT_ONCE:
            return rows[:count]
    return rows


def _entry(row: LogRow, seat: int | None) -> pb.LogEntry:
    opening = None
    if row.opening is not None and seat is not None and row.visible_to == seat:
        opening = log_pb2.CommitmentOpening.FromString(row.opening)
    return pb.LogEntry(sequence=row.sequence, record=row.record, opening=opening)
