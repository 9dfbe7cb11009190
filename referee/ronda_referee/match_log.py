"""A match's log as it grows: from what happens to the rows that are stored and published.

Pure and without I/O: the caller stores each row before anybody hears of it.

The order in a log (LOG-6): the header; each seat's joining; the events of the beginning; then each
accepted move or forfeit and the events that follow from it, up to the next decision of a seat.
After the event that ends the match, or anywhere before it where the match is cancelled, come the
result, the openings of all commitments in order, and the signature.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from ronda.v1 import event_pb2, log_pb2
from ronda_referee.chain import (
    RecordBody,
    RecordWriter,
    Sealer,
    delimited,
    serialize,
    signed_message,
    tag_of,
)
from ronda_referee.clocks import Stamp

FORMAT_VERSION = 1


class LogOrderError(Exception):
    """A record was to be written where the order of a log has no place for it.

    Attributes:
        reason: the stable reason code.
    """

    reason = "LOG_ORDER"


@dataclass(frozen=True, slots=True)
class LogRow:
    """One record of a log, with what opens its commitment.

    Attributes:
        sequence: its place in the log, from 0.
        record: the serialized ronda.v1.LogRecord; everyone may see it.
        opening: the serialized ronda.v1.CommitmentOpening of what the record hides, secret until
            the match is over; None where nothing is hidden. A header's holds fixed draws.
        visible_to: the only seat that may see the event in full; None where nothing is hidden.
    """

    sequence: int
    record: bytes
    opening: bytes | None = field(default=None, repr=False)
    visible_to: int | None = None


@dataclass(frozen=True, slots=True)
class ObservedEvent:
    """An event with the version of it that everyone may see, both serialized (LOG-3).

    Attributes:
        full: the ronda.v1.Event with everything in it.
        public: the same without what is hidden.
        visible_to: the only seat that may see it in full; None where nothing is hidden.
    """

    full: bytes
    public: bytes
    visible_to: int | None = None


class _Phase(Enum):
    EMPTY = auto()
    JOINING = auto()
    PLAYING = auto()
    ENDED = auto()
    SIGNED = auto()


class MatchLog:
    """The growing log of one match."""

    __slots__ = ("_fixed_draws", "_opened", "_openings", "_phase", "_writer", "sealer")

    def __init__(self, sealer: Sealer) -> None:
        """Begin an empty log; `sealer` commits to what is hidden and may be changed later."""
        self.sealer = sealer
        self._writer = RecordWriter()
        self._openings: list[bytes] = []
        self._opened = 0
        self._fixed_draws: log_pb2.CommitmentOpening | None = None
        self._phase = _Phase.EMPTY

    @property
    def sequence(self) -> int:
        """The next record's sequence number; one less is the last record's."""
        return self._writer.sequence

    @property
    def stamp(self) -> Stamp:
        """When the last record was written."""
        return self._writer.stamp

    @property
    def head(self) -> bytes:
        """The hash, 32 bytes, of the last record; zeros while the log is empty."""
        return self._writer.head

    def header(
        self,
        header: log_pb2.LogHeader,
        stamp: Stamp,
        fixed_draws: log_pb2.FixedDraws | None = None,
    ) -> LogRow:
        """Write the header, the first record (LOG-8).

        Draws from outside are committed to here and shown with the result: whoever watches must
        not know the cards that are to come. The row's opening holds them until then.

        Raises:
            LogOrderError: the log has its header already.
        """
        if fixed_draws is None:
            return self._write("header", header, stamp)
        payload = fixed_draws.SerializeToString(deterministic=True)
        nonce, commitment = self.sealer.seal(self.sequence, payload)
        self._fixed_draws = log_pb2.CommitmentOpening(nonce=nonce, payload=payload)
        committed = log_pb2.LogHeader()
        committed.CopyFrom(header)
        committed.fixed_draws_commitment = commitment
        row = self._write("header", committed, stamp)
        return LogRow(row.sequence, row.record, serialize(self._fixed_draws))

    def seat_joined(self, seat: int, name: str, entropy: bytes, stamp: Stamp) -> LogRow:
        """Write that a seat was taken (LOG-9).

        Raises:
            LogOrderError: there is no header yet, or play has begun.
        """
        body = log_pb2.SeatJoined(seat=seat, name=name, entropy=entropy)
        return self._write("seat_joined", body, stamp)

    def move_accepted(
        self, accepted: log_pb2.MoveAccepted, stamp: Stamp, *, hidden: bool = False
    ) -> LogRow:
        """Write a move as received, before the events that follow from it (LOG-10).

        `hidden`: the other seats may not know it yet, so that it is committed to.

        Raises:
            LogOrderError: play has not begun, or the match is over.
        """
        if not hidden:
            return self._write("move_accepted", accepted, stamp)
        opening, commitment = self._seal(accepted.move.SerializeToString(deterministic=True))
        body = log_pb2.MoveAccepted()
        body.CopyFrom(accepted)
        body.ClearField("move")
        body.commitment = commitment
        row = self._write("move_accepted", body, stamp)
        self._openings.append(opening)
        return LogRow(row.sequence, row.record, opening, accepted.seat)

    def events(self, events: Iterable[ObservedEvent], stamp: Stamp) -> list[LogRow]:
        """Write events, each hidden as far as it must be (LOG-11, LOG-12).

        Raises:
            LogOrderError: there is no header yet, or the match is over.
            ValueError: an event hides something and says from whom not, or the other way round.
        """
        return [self._event(event, stamp) for event in events]

    def forfeit_declared(self, declared: log_pb2.ForfeitDeclared, stamp: Stamp) -> LogRow:
        """Write that a seat forfeited, before the events that follow from it (LOG-14).

        Raises:
            LogOrderError: play has not begun, or the match is over.
        """
        return self._write("forfeit_declared", declared, stamp)

    def finish(
        self,
        reason: log_pb2.EndReason.ValueType,
        winners: Iterable[int],
        scores: Iterable[int],
        seed: bytes,
        sign: Callable[[bytes], bytes],
        stamp: Stamp,
    ) -> list[LogRow]:
        """Write the result, all openings, and the signature (LOG-16 to LOG-18).

        `sign` gives the Ed25519 signature, 64 bytes, of a message under the header's key.

        Raises:
            LogOrderError: there is no header yet, or the log is finished.
        """
        result = log_pb2.MatchResult(reason=reason, winners=winners, scores=scores, seed=seed)
        if self._fixed_draws is not None:
            result.fixed_draws.MergeFromString(self._fixed_draws.payload)
            result.fixed_draws_nonce = self._fixed_draws.nonce
        return [self._write("match_result", result, stamp), *self._close(sign, stamp)]

    def _close(self, sign: Callable[[bytes], bytes], stamp: Stamp) -> list[LogRow]:
        rows = []
        while self._opened < len(self._openings):
            opening = log_pb2.CommitmentOpening.FromString(self._openings[self._opened])
            rows.append(self._write("opening", opening, stamp))
        signature = log_pb2.Signature(signature=sign(signed_message(self.head)))
        rows.append(self._write("signature", signature, stamp))
        return rows

    def _event(self, event: ObservedEvent, stamp: Stamp) -> LogRow:
        hidden = event.public != event.full
        if hidden != (event.visible_to is not None):
            kind = event_pb2.Event.FromString(event.full).WhichOneof("event")
            raise ValueError(
                f"the event {kind} "
                + ("hides something and names no seat" if hidden else "names a seat, hides nothing")
            )
        logged = delimited(_EVENT, event.public)
        if not hidden:
            return self._write_serialized("event_logged", logged, stamp)
        opening, commitment = self._seal(event.full)
        body = logged + delimited(_COMMITMENT, commitment)
        row = self._write_serialized("event_logged", body, stamp)
        self._openings.append(opening)
        return LogRow(row.sequence, row.record, opening, event.visible_to)

    def _seal(self, payload: bytes) -> tuple[bytes, bytes]:
        """Give what opens the next record's commitment to something hidden, and the commitment."""
        nonce, commitment = self.sealer.seal(self.sequence, payload)
        opening = log_pb2.CommitmentOpening(sequence=self.sequence, nonce=nonce, payload=payload)
        return serialize(opening), commitment

    def _write(self, kind: str, body: RecordBody, stamp: Stamp) -> LogRow:
        self._enter(kind)
        sequence = self.sequence
        return LogRow(sequence, self._writer.write(body, stamp))

    def _write_serialized(self, kind: str, body: bytes, stamp: Stamp) -> LogRow:
        self._enter(kind)
        sequence = self.sequence
        return LogRow(sequence, self._writer.write_serialized(kind, body, stamp))

    def _enter(self, kind: str) -> None:
        """Check that a record of this kind may come next, and go to the phase that it begins."""
        allowed, following = _PLACES.get(kind, ((), _Phase.EMPTY))
        if self._phase not in allowed:
            now = self._phase.name.lower()
            raise LogOrderError(f"a log has no {kind or 'empty record'} while it is {now}")
        if kind == "opening":
            self._opened += 1
        self._phase = following


_EVENT: Final = tag_of(log_pb2.EventLogged, "event")
_COMMITMENT: Final = tag_of(log_pb2.EventLogged, "commitment")

_PLACES: Final = {
    "header": ((_Phase.EMPTY,), _Phase.JOINING),
    "seat_joined": ((_Phase.JOINING,), _Phase.JOINING),
    "event_logged": ((_Phase.JOINING, _Phase.PLAYING), _Phase.PLAYING),
    "move_accepted": ((_Phase.PLAYING,), _Phase.PLAYING),
    "forfeit_declared": ((_Phase.PLAYING,), _Phase.PLAYING),
    "match_result": ((_Phase.JOINING, _Phase.PLAYING), _Phase.ENDED),
    "opening": ((_Phase.ENDED,), _Phase.ENDED),
    "signature": ((_Phase.ENDED,), _Phase.SIGNED),
}
