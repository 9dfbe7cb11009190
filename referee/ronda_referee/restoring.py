"""Bringing a match back from the store: it is played again, and must come out as it is stored.

Each record that was caused from outside (a joining, a move, a resignation, a deadline that passed)
is done again at its own time with its own nonces; every row that follows from it must be, byte
for byte, the row in the store, hidden parts included.
"""

from collections.abc import Callable, Sequence

from google.protobuf.message import DecodeError

from ronda.v1 import log_pb2
from ronda_referee.chain import NONCE_SIZE, Sealer, commitment
from ronda_referee.clocks import Stamp
from ronda_referee.convert import move_from_proto
from ronda_referee.errors import ServiceError, StoreDamaged
from ronda_referee.match_log import LogOrderError, LogRow
from ronda_referee.play import Joined, MatchPlay, Sign
from ronda_rules.errors import RulesError


def restore(
    match_id: str, seed: bytes, rows: Sequence[LogRow], sealer: Sealer, sign: Sign
) -> MatchPlay:
    """Bring a match back from all of its rows; it goes on with this sealer and signature.

    Raises:
        StoreDamaged: the rows are not what the seed, the joins and the moves bring about.
    """
    return _Restoring(match_id, rows).restored(seed, sealer, sign)


class _StoredSealer:
    """Commits with the nonces that are stored."""

    def __init__(self, openings: dict[int, log_pb2.CommitmentOpening]) -> None:
        self._openings = openings

    def seal(self, sequence: int, payload: bytes) -> tuple[bytes, bytes]:
        opening = self._openings.get(sequence)
        # A nonce that is lacking makes a row that is not the one stored.
        nonce = b"" if opening is None else opening.nonce
        return nonce, commitment(nonce.ljust(NONCE_SIZE, b"\0")[:NONCE_SIZE], payload)


class _Restoring:
    def __init__(self, match_id: str, rows: Sequence[LogRow]) -> None:
        self._match_id = match_id
        self._rows = rows
        try:
            self._records = [log_pb2.LogRecord.FromString(row.record) for row in rows]
            self._openings = {
                row.sequence: log_pb2.CommitmentOpening.FromString(row.opening)
                for row in rows
                if row.opening is not None
            }
        except DecodeError as error:
            raise StoreDamaged(match_id, f"a row cannot be read: {error}") from error

    def restored(self, seed: bytes, sealer: Sealer, sign: Sign) -> MatchPlay:
        if not self._records or not self._records[0].HasField("header"):
            raise StoreDamaged(self._match_id, "its first row is not a header")
        signature = self._records[-1].signature.signature
        header = log_pb2.LogHeader()
        header.CopyFrom(self._records[0].header)
        header.ClearField("fixed_draws_commitment")
        play, made = MatchPlay.create(
            header,
            seed,
            _StoredSealer(self._openings),
            lambda _: signature,
            _stamp(self._records[0]),
            self._fixed_draws(),
        )
        self._compare(0, made)
        while play.sequence < len(self._rows):
            self._compare(play.sequence, self._again(play))
        play.go_on_with(sealer, sign)
        return play

    def _fixed_draws(self) -> log_pb2.FixedDraws | None:
        opening = self._openings.get(0)
        return None if opening is None else log_pb2.FixedDraws.FromString(opening.payload)

    def _again(self, play: MatchPlay) -> list[LogRow]:
        """Do again what brought the next row about."""
        record = self._records[play.sequence]
        number = play.sequence
        try:
            rows = _CAUSES[record.WhichOneof("record") or ""](self, play, record)
        except KeyError as error:
            detail = f"record {number} does not follow from the ones before it"
            raise StoreDamaged(self._match_id, detail) from error
        except (RulesError, ServiceError, LogOrderError) as error:
            detail = f"record {number} cannot be where it is: {error}"
            raise StoreDamaged(self._match_id, detail) from error
        if not rows:
            raise StoreDamaged(self._match_id, f"record {number} has nothing that brings it about")
        return rows

    def _joined(self, play: MatchPlay, record: log_pb2.LogRecord) -> list[LogRow]:
        joined = record.seat_joined
        return play.join(joined.seat, Joined(joined.name, joined.entropy), _stamp(record))

    def _moved(self, play: MatchPlay, record: log_pb2.LogRecord) -> list[LogRow]:
        accepted = log_pb2.MoveAccepted()
        accepted.CopyFrom(record.move_accepted)
        if accepted.automatic:
            return play.run_out(_stamp(record))
        accepted.ClearField("deadline_ms")
        if accepted.commitment:
            accepted.ClearField("commitment")
            opening = self._openings.get(record.sequence, log_pb2.CommitmentOpening())
            accepted.move.MergeFromString(opening.payload)
        move_from_proto(accepted.move)
        return play.move(accepted, _stamp(record))

    def _forfeited(self, play: MatchPlay, record: log_pb2.LogRecord) -> list[LogRow]:
        declared = record.forfeit_declared
        if declared.reason == log_pb2.FORFEIT_REASON_TIME_OUT:
            return play.run_out(_stamp(record))
        return play.forfeit(declared.seat, declared.reason, _stamp(record))

    def _cancelled(self, play: MatchPlay, record: log_pb2.LogRecord) -> list[LogRow]:
        reason = record.match_result.reason
        if reason == log_pb2.END_REASON_NOT_JOINED:
            return play.run_out(_stamp(record))
        return play.cancel(reason, _stamp(record))

    def _compare(self, start: int, made: Sequence[LogRow]) -> None:
        stored = self._rows[start : start + len(made)]
        for number, (expected, row) in enumerate(zip(made, stored, strict=False), start):
            if row == expected:
                continue
            if row.record == expected.record:
                detail = f"what record {number} hides is not what it should be"
            else:
                detail = f"record {number} does not follow from the ones before it"
            raise StoreDamaged(self._match_id, detail)
        if len(stored) < len(made):
            lacking = len(made) - len(stored)
            raise StoreDamaged(self._match_id, f"{lacking} records are missing at its end")


_Cause = Callable[[_Restoring, MatchPlay, log_pb2.LogRecord], list[LogRow]]

_CAUSES: dict[str, _Cause] = {
    "seat_joined": _Restoring._joined,  # noqa: SLF001  # the class's own table
    "move_accepted": _Restoring._moved,  # noqa: SLF001  # same
    "forfeit_declared": _Restoring._forfeited,  # noqa: SLF001  # same
    "match_result": _Restoring._cancelled,  # noqa: SLF001  # same
}


def _stamp(record: log_pb2.LogRecord) -> Stamp:
    return Stamp(record.time_ms, record.clock_ms)
