"""Watching a match: its log from a record on, as it grows.

A watcher reads from the store at its own pace, so one that does not read costs nothing but its
connection, and nobody waits for it.
"""

from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass

from ronda.v1 import log_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_referee.convert import decision_to_proto, seat_view_to_proto
from ronda_referee.errors import ServiceError, ServiceReason
from ronda_referee.match import Match, frozen
from ronda_referee.match_log import LogRow
from ronda_referee.referee import Referee
from ronda_referee.signs_of_life import SignsOfLife, stopping
from ronda_rules.state import MatchState
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
    referee: Referee, match: Match, token: str, start: int, heartbeat_seconds: float
) -> AsyncGenerator[pb.WatchMatchResponse]:
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
    place = Place(seat, start)
    signs = SignsOfLife(heartbeat_seconds)
    heard = False
    with stopping(signs), match.watched() as woken:
        while True:
            woken.clear()
            if token:
                match.seat_of(token)
            message = news(referee, match, place)
            if message is not None:
                yield message
                signs.said()
                if message.HasField("ended"):
                    return
                if more(match, place):
                    continue
                heard = True
            elif not heard:
                # Who comes back to a quiet match must learn at once that the referee is there.
                yield pb.WatchMatchResponse(next_sequence=place.start or 0)
                signs.said()
                heard = True
            if not await signs.wait(woken):
                yield pb.WatchMatchResponse(next_sequence=place.start or 0)
                signs.said()


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


def more(match: Match, place: Place) -> bool:
    """Tell whether a watcher that has just got news must look again at once.

    There are further records that it wants, or it must hear yet that the match is frozen.
    """
    shown = match.published.sequence_for(place.seat)
    return (place.start is not None and place.start < shown) or match.fault is not None


def news(
    referee: Referee,
    match: Match,
    place: Place,
    make: Callable[[], pb.WatchMatchResponse] = pb.WatchMatchResponse,
) -> pb.WatchMatchResponse | None:
    """Give the next message for a watcher and move its place on; None where nothing is new.

    It holds up to 256 records and 64 KiB of them, or one record. A turn, or the end, comes with
    the last record that there is. `make` gives an empty message, once there is something new.

    Raises:
        ServiceError: the match is frozen, and the watcher has every record.
    """
    published = match.published
    shown = published.sequence_for(place.seat)
    entries: Sequence[pb.LogEntry] = ()
    if place.start is not None and place.start < shown:
        there = match.rows(place.start, min(_ROWS_AT_ONCE, shown - place.start))
        entries = _fitting(there, place.seat)
        place.start += len(entries)
    following = shown if place.start is None else place.start
    asked = None
    ended = False
    if following >= shown:
        if match.fault is not None:
            if not entries:
                raise frozen(match.match_id)
        elif published.complete or referee.draining:
            ended = True
        elif place.seat is not None and place.asked != published.decisions.get(place.seat):
            place.asked = asked = published.decisions.get(place.seat)
    if not entries and asked is None and not ended:
        return None
    message = make()
    message.next_sequence = following
    message.entries.extend(entries)
    if ended:
        message.ended.log_complete = published.complete
    if asked is not None and place.seat is not None:
        tell_turn(match, place.seat, message.turn)
    if published.clocks and following >= shown and (entries or asked is not None):
        message.clocks.extend(clocks_of(match, place.seat))
    return message


def tell_turn(match: Match, seat: int, turn: pb.Turn) -> None:
    """Put into an empty message what a seat sees and is asked; it must have to act."""
    state = match.seen(seat)
    if state is None:
        raise AssertionError("who is asked something plays a match that has started")
    turn.view.CopyFrom(seat_view_to_proto(seat_view(state, seat)))
    tell_decision(match, seat, state, turn)


def tell_decision(
    match: Match, seat: int, state: MatchState, told: pb.Turn | pb.GetViewResponse
) -> None:
    """Put into a message without a decision what a seat is asked in a state that it may see."""
    published = match.published
    told.decision.CopyFrom(decision_to_proto(state, seat, published.decisions[seat]))
    clock = published.clocks[seat] if published.clocks else None
    if clock is not None and clock.deadline is not None:
        told.decision.milliseconds_left = clock.milliseconds_left(match.clock_ms())


def _fitting(rows: Sequence[LogRow], seat: int | None) -> list[pb.LogEntry]:
    """Give as many of the first rows as go into one message to a seat, but one at least."""
    entries: list[pb.LogEntry] = []
    size = 0
    for row in rows:
        entry = entry_of(row, seat)
        # What the watcher does not get must not show in where a message ends.
        size += entry.ByteSize()
        if entries and size > _BYTES_AT_ONCE:
            break
        entries.append(entry)
    return entries


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
