"""Watching a match: its log from a record on, as it grows.

A watcher reads from the store at its own pace, so one that does not read costs nothing but its
connection, and nobody waits for it.
"""

import asyncio
from collections.abc import AsyncIterator

from ronda.v1 import log_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_referee.convert import decision_to_proto, seat_view_to_proto
from ronda_referee.errors import ServiceError, ServiceReason
from ronda_referee.match import Match, frozen
from ronda_referee.match_log import LogRow
from ronda_referee.referee import Referee
from ronda_rules.view import seat_view

_ROWS_AT_ONCE = 256


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
    if start > match.published.sequence:
        raise ServiceError(
            ServiceReason.SEQUENCE_OUT_OF_RANGE,
            f"the log has {match.published.sequence} records; watch from there at the most",
            from_sequence=start,
            next_sequence=match.published.sequence,
        )
    asked = None
    with match.watched() as news:
        while True:
            news.clear()
            published = match.published
            rows = match.rows(start, _ROWS_AT_ONCE) if start < published.sequence else []
            start += len(rows)
            message = pb.WatchMatchResponse(
                entries=[_entry(row, seat) for row in rows], next_sequence=start
            )
            if start == published.sequence:
                if match.fault is not None:
                    raise frozen(match.match_id)
                if published.complete or referee.draining:
                    message.ended.log_complete = published.complete
                elif seat is not None and asked != published.decisions.get(seat):
                    asked = published.decisions.get(seat)
                    turn = turn_of(match, seat)
                    if turn is not None:
                        message.turn.CopyFrom(turn)
            if rows or message.HasField("turn") or message.HasField("ended"):
                yield message
                if message.HasField("ended"):
                    return
                if start < published.sequence:
                    continue
            try:
                await asyncio.wait_for(news.wait(), heartbeat_seconds)
            except TimeoutError:
                yield pb.WatchMatchResponse(next_sequence=start)


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


def _entry(row: LogRow, seat: int | None) -> pb.LogEntry:
    opening = None
    if row.opening is not None and seat is not None and row.visible_to == seat:
        opening = log_pb2.CommitmentOpening.FromString(row.opening)
    return pb.LogEntry(sequence=row.sequence, record=row.record, opening=opening)
