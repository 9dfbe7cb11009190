"""The moves of a match that were accepted, by their request ids: the same again is answered again.

That a request id is the seat's own, so that two seats may use the same one, is what CALL says.
"""

from ronda.v1 import log_pb2
from ronda_referee.errors import ServiceError, ServiceReason


class Answers:
    """What each seat was told of its moves."""

    __slots__ = ("_given",)

    def __init__(self) -> None:
        """Begin with none."""
        self._given: dict[tuple[int, str], tuple[bytes, int]] = {}

    def given(self, accepted: log_pb2.MoveAccepted) -> int | None:
        """Give the number that was told of a move under this request id before, or None.

        Raises:
            ServiceError: the request id was used for another move.
        """
        before = self._given.get((accepted.seat, accepted.request_id))
        if before is None:
            return None
        content, sequence = before
        if content != _content(accepted):
            raise ServiceError(
                ServiceReason.REQUEST_ID_REUSED,
                f"the request id {accepted.request_id!r} was used for another move; take a new one",
                request_id=accepted.request_id,
            )
        return sequence

    def give(self, accepted: log_pb2.MoveAccepted, sequence: int) -> None:
        """Keep what a seat is told of a move."""
        self._given[accepted.seat, accepted.request_id] = _content(accepted), sequence


def _content(accepted: log_pb2.MoveAccepted) -> bytes:
    return accepted.SerializeToString(deterministic=True)
