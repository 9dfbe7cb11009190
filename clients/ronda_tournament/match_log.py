"""What a match's log says of how it went, as a tournament needs it."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ronda.v1.log_pb2 import EndReason, ForfeitReason, MatchResult
from ronda_client import FalseRecord, read_records
from ronda_replay.names import printable
from ronda_tournament.results import FailureKind

_FORFEITS: dict[int, tuple[FailureKind, str]] = {
    ForfeitReason.FORFEIT_REASON_TIME_OUT: (
        FailureKind.TIME_OUT,
        "its time for a move ran out",
    ),
    ForfeitReason.FORFEIT_REASON_RESIGNED: (FailureKind.RESIGNED, "it gave the match up"),
    ForfeitReason.FORFEIT_REASON_REFUSALS: (
        FailureKind.MOVE_REFUSED,
        "too many of its moves were refused",
    ),
}


@dataclass(frozen=True, slots=True)
class Ended:
    """How a match ended.

    Attributes:
        result: Its result; None: it has not ended.
        forfeits: Which seats forfeited, how, and in words, in order.
        names: The names under which seats were taken, by seat.
        absent: Which seats were never taken.
        moves: How many moves were made.
        sha256: Of the log file, as hexadecimal digits.
    """

    result: MatchResult | None
    forfeits: tuple[tuple[int, FailureKind, str], ...]
    names: Mapping[int, str]
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

    def faults(self, called: Sequence[str]) -> list[tuple[int, FailureKind, str]]:
        """Return the seats that are to blame where it does not count: how, and in words.

        Args:
            called: The names under which the seats were to be taken, by seat.
        """
        found = list(self.forfeits)
        for seat, name in sorted(self.names.items()):
            if seat < len(called) and name != called[seat]:
                # By the log alone nobody could tell who sat there.
                detail = f'it took its seat as "{printable(name)}" and not as "{called[seat]}"'
                found.append((seat, FailureKind.RUBBISH, detail))
        if self.result is not None and self.result.reason == EndReason.END_REASON_NOT_JOINED:
            found += [
                (seat, FailureKind.NOT_JOINED, "it did not take its seat in time")
                for seat in self.absent
            ]
        return found


def ended(log: bytes, match_id: str, seats: int) -> Ended:
    """Return how a match ended.

    Args:
        log: The log file, whole or as far as it goes.
        match_id: The match.
        seats: How many seats it has.

    Raises:
        LogFileError: It is none.
        FalseRecord: A seat forfeits that the match does not have.
    """
    result: MatchResult | None = None
    forfeits: list[tuple[int, FailureKind, str]] = []
    names: dict[int, str] = {}
    moves = 0
    for record in read_records(log):
        match record.WhichOneof("record"):
            case "seat_joined":
                names[record.seat_joined.seat] = record.seat_joined.name
            case "move_accepted":
                moves += 1
            case "forfeit_declared":
                declared = record.forfeit_declared
                if declared.seat >= seats:
                    detail = f"seat {declared.seat} of {seats} forfeits"
                    raise FalseRecord(match_id, record.sequence, detail)
                forfeits.append((declared.seat, *_forfeit(declared.reason)))
            case "match_result":
                result = record.match_result
    absent = tuple(seat for seat in range(seats) if seat not in names)
    return Ended(result, tuple(forfeits), names, absent, moves, hashlib.sha256(log).hexdigest())


def _forfeit(reason: int) -> tuple[FailureKind, str]:
    """Return how a seat forfeited, and in words; a newer referee may have further reasons."""
    unknown = f"it forfeited for a reason that is unknown here, number {reason}"
    return _FORFEITS.get(reason, (FailureKind.FORFEITED, unknown))
