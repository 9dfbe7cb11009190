"""The log file as the service gives it out: whole at the end, before it as far as it is shown."""

from collections.abc import Iterator

from ronda.v1 import log_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_referee.log_file import MAGIC, frame
from ronda_referee.match import Match

_CHUNK = 32 * 1024
_ROWS_AT_ONCE = 256


def log_parts(match: Match, seat: int | None) -> Iterator[pb.GetMatchLogResponse]:
    """Give the parts of a match's file as a seat, or the public (None), may have it now.

    Before the end the seat's own openings come beside the file: in the file itself they have
    their place after the result.
    """
    complete = match.published.complete
    last = match.published.sequence_for(seat)
    # A message's own bytes would be copied whole for each record that is put behind them.
    data = bytearray(MAGIC)
    openings: list[log_pb2.CommitmentOpening] = []
    for start in range(0, last, _ROWS_AT_ONCE):
        for row in match.rows(start, min(_ROWS_AT_ONCE, last - start)):
            data += frame(row.record)
            if not complete and seat is not None and row.visible_to == seat and row.opening:
                openings.append(log_pb2.CommitmentOpening.FromString(row.opening))
        while len(data) >= _CHUNK:
            yield pb.GetMatchLogResponse(data=bytes(data[:_CHUNK]), openings=openings)
            del data[:_CHUNK]
            openings = []
    yield pb.GetMatchLogResponse(data=bytes(data), openings=openings)
