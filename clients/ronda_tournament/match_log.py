"""What a match's log says of how it went, as a tournament needs it."""

import hashlib
from dataclasses import dataclass

from ronda.v1.log_pb2 import EndReason, ForfeitReason, MatchResult
from ronda_client import read_records
from ronda_tournament.results import FailureKind

_FORFEITS = {
    ForfeitReason.FORFEIT_REASON_TIME_OUT: FailureKind.TIME_OUT,
    ForfeitReason.FORFEIT_REASON_RESIGNED: FailureKind.RESIGNED,
    ForfeitReason.FORFEIT_REASON_REFUSALS: FailureKind.MOVE_REFUSED,
}
_DETAILS = {
    FailureKind.TIME_OUT: "its time for a move ran out",
    FailureKind.RESIGNED: "it gave the match up",
    FailureKind.MOVE_REFUSED: "too many of its moves were refused",
}


@dataclass(frozen=True, slots=True)
class Ended:
    """How a match ended.

    Attributes:
        result: Its result; None: it has not ended.
        forfeits: Which seats forfeited, and how, in order.
        absent: Which seats were never taken.
        moves: How many moves were made.
        sha256: Of the log file, as hexadecimal digits.
    """

    result: MatchResult | None
    forfeits: tuple[tuple[int, FailureKind], ...]
    absent: tuple[int, ...]
    moves: int
    sha256: str

    @property
    def played(self) -> bool:
        """Whether it ended by the rules and no seat forfeited."""
        return (
            self.result is not None
            and self.result.reason == EndReason.END_REASON_PLAYED
            and not self.forfeits
        )

    def faults(self) -> list[tuple[int, FailureKind, str]]:
        """Return the seats that are to blame where it was not played: how, and in words."""
        found = [(seat, kind, _DETAILS[kind]) for seat, kind in self.forfeits]
        if self.result is not None and self.result.reason == EndReason.END_REASON_NOT_JOINED:
            found += [
                (seat, FailureKind.NOT_JOINED, "it did not take its seat in time")
                for seat in self.absent
            ]
        return found


def ended(log: bytes) -> Ended:
    """Return how a match ended.

    Args:
        log: The log file, whole or as far as it goes.

    Raises:
        LogFileError: It is none.
    """
    result: MatchResult | None = None
    forfeits: list[tuple[int, FailureKind]] = []
    joined: set[int] = set()
    seats = moves = 0
    for record in read_records(log):
        match record.WhichOneof("record"):
            case "header":
                seats = record.header.seats
            case "seat_joined":
                joined.add(record.seat_joined.seat)
            case "move_accepted":
                moves += 1
            case "forfeit_declared":
                declared = record.forfeit_declared
                forfeits.append((declared.seat, _FORFEITS[declared.reason]))
            case "match_result":
                result = record.match_result
    absent = tuple(seat for seat in range(seats) if seat not in joined)
    return Ended(result, tuple(forfeits), absent, moves, hashlib.sha256(log).hexdigest())
