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
    referee: Referee, match: Match, token: str, start: int, heartbeat_seconds: float
) -> AsyncIterator[pb.WatchMatchResponse]:
    """Give the messages of a watcher's stream, to the end of the log or of the referee.

    Args:
        referee: the referee, which may shut down.
        match: the match.
        token: the token of the seat that watches; empty: the public.
        start: the first sequence number wanted.
        heartbeat_seconds: after how long without news a sign of life is sent.

    Raises:
        ServiceError: the log has no such sequence number yet, the token opens no seat any more,
            or the match is frozen.
    """
    seat = match.seat_of(token) if token else None
    check_start(match, seat, start)
    asked = None
    with match.watched() as news:
        while True:
            news.clear()
            if token:
                match.seat_of(token)
            message = message_of(match, seat, start, asked, draining=referee.draining)
            start = message.next_sequence
            if message.HasField("turn"):
                asked = message.turn.decision.decision_id
            if message.entries or message.HasField("turn") or message.HasField("ended"):
                yield message
                if message.HasField("ended"):
                    return
                if start < match.published.sequence_for(seat):
                    continue
            try:
                await asyncio.wait_for(news.wait(), heartbeat_seconds)
            except TimeoutError:
                yield pb.WatchMatchResponse(next_sequence=start)


def check_start(match: Match, seat: int | None, start: int) -> None:
    """Refuse to watch from a sequence number that the log does not have yet.

    A seat knows the number of its own sealed answer, which is shown to nobody yet: so many records
    more than are shown may be named, whether they are there or not.

    Raises:
        ServiceError: the log is not that long.
    """
    shown = match.published.sequence_for(seat)
    if start > shown + (0 if seat is None else match.seats):
        raise ServiceError(
            ServiceReason.SEQUENCE_OUT_OF_RANGE,
            f"the log has {shown} records; watch from there at the most",
            from_sequence=start,
            next_sequence=shown,
        )


def message_of(
    match: Match, seat: int | None, start: int, asked: int | None, *, draining: bool
) -> pb.WatchMatchResponse:
    """Give what is new of a match for a watcher; with nothing new, no more than where it is.

    Args:
        match: the match.
        seat: the seat that watches, or None for the public.
        start: the first sequence number that it has not had.
        asked: the decision that it was told of last, or None.
        draining: whether the referee is shutting down.

    Raises:
        ServiceError: the match is frozen.
    """
    published = match.published
    shown = published.sequence_for(seat)
    # What a seat was told of its own sealed answer may be ahead of what is shown.
    rows = match.rows(start, min(_ROWS_AT_ONCE, shown - start)) if start < shown else []
    start += len(rows)
    message = pb.WatchMatchResponse(
        entries=[entry_of(row, seat) for row in rows], next_sequence=start
    )
    if start < shown:
        return message
    if match.fault is not None:
        raise frozen(match.match_id)
    if published.complete or draining:
        message.ended.log_complete = published.complete
    elif seat is not None and asked != published.decisions.get(seat):
        turn = turn_of(match, seat)
        if turn is not None:
            message.turn.CopyFrom(turn)
    if rows or message.HasField("turn"):
        message.clocks.extend(clocks_of(match, seat))
    return message


def turn_of(match: Match, seat: int) -> pb.Turn | None:
    """Give what a seat sees and is asked, or None where it need not act."""
    decision_id = match.published.decisions.get(seat)
    if decision_id is None:
        return None
    state = match.seen(seat)
    if state is None:
        return None
    decision = decision_to_proto(state, seat, decision_id)
    clocks = match.published.clocks
    if clocks and clocks[seat].deadline is not None:
        decision.milliseconds_left = clocks[seat].milliseconds_left(match.clock_ms())
    return pb.Turn(view=seat_view_to_proto(seat_view(state, seat)), decision=decision)


def clocks_of(match: Match, seat: int | None) -> list[pb.SeatClock]:
    """Give the seats' clocks now; none where no clock runs or the watcher is kept behind."""
    published = match.published
    if seat is None and published.public_sequence < published.sequence:
        return []
    now = match.clock_ms()
    return [
        pb.SeatClock(
            milliseconds_left=clock.milliseconds_left(now), running=clock.deadline is not None
        )
        for clock in published.clocks
    ]


def entry_of(row: LogRow, seat: int | None) -> pb.LogEntry:
    """Give a row as a seat, or the public (None), may see it."""
    opening = None
    if row.opening is not None and seat is not None and row.visible_to == seat:
        opening = log_pb2.CommitmentOpening.FromString(row.opening)
    return pb.LogEntry(sequence=row.sequence, record=row.record, opening=opening)
