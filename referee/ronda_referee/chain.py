"""The hash chain of a match log, its commitments, and the message that is signed.

With ``lp(x)`` as in LOG-1 (four bytes of length, big-endian, then ``x``)::

    record hash    = SHA-256( lp("ronda.v1 record") bytes of the record )
    commitment     = SHA-256( lp("ronda.v1 hidden event") nonce (32 bytes) payload )
    signed message = lp("ronda.v1 log head") record hash

The payload is a serialized event, move or list of fixed draws; the domain is the same for all.
Each record holds the hash of the one before it, the first one 32 zero bytes. The head of a log
is the hash of its last record; the signature stands in one more record, whose own hash nothing
covers, so everything else in it is fixed by the records before. (LOG-4 to LOG-7, LOG-12, LOG-18.)
"""

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Protocol, TypeAlias

from google.protobuf.message import Message

from ronda.v1 import log_pb2
from ronda_referee.clocks import Stamp

HASH_SIZE = 32
NONCE_SIZE: Final = 32
FIRST_PREVIOUS_HASH = bytes(HASH_SIZE)

RecordBody: TypeAlias = (
    log_pb2.LogHeader
    | log_pb2.SeatJoined
    | log_pb2.MoveAccepted
    | log_pb2.EventLogged
    | log_pb2.MatchResult
    | log_pb2.CommitmentOpening
    | log_pb2.Signature
    | log_pb2.ForfeitDeclared
)


def record_hash(record: bytes) -> bytes:
    """Give the hash, 32 bytes, of a serialized record (LOG-5)."""
    return hashlib.sha256(_RECORD + record).digest()


def commitment(nonce: bytes, payload: bytes) -> bytes:
    """Give the commitment, 32 bytes, to what is hidden, serialized (LOG-12).

    Raises:
        ValueError: the nonce is not 32 bytes.
    """
    if len(nonce) != NONCE_SIZE:
        raise ValueError(f"the nonce has {len(nonce)} bytes; {NONCE_SIZE} are needed")
    return hashlib.sha256(_HIDDEN + nonce + payload).digest()


def signed_message(head: bytes) -> bytes:
    """Give what is signed for a log whose last record has this hash (LOG-18)."""
    return _HEAD + head


class Sealer(Protocol):
    """Commits to what only some may see."""

    def seal(self, sequence: int, payload: bytes) -> tuple[bytes, bytes]:
        """Give a nonce and the commitment, 32 bytes each, for what a record hides."""
        ...


class NonceSealer:
    """Commits with a nonce of its own for each record."""

    def __init__(self, entropy: Callable[[int], bytes] = secrets.token_bytes) -> None:
        """Take nonces from `entropy`, which gives as many unguessable bytes as it is asked for."""
        self._entropy = entropy

    def seal(self, sequence: int, payload: bytes) -> tuple[bytes, bytes]:
        """Give a fresh nonce and the commitment to a payload, 32 bytes each."""
        nonce = self._entropy(NONCE_SIZE)
        return nonce, commitment(nonce, payload)


@dataclass(slots=True)
class RecordWriter:
    """Makes a log's records in order; it holds nothing but what the next one hangs on.

    Attributes:
        sequence: the next record's sequence number.
        head: the hash of the last record, zeros before the first.
        stamp: when the last record was written.
    """

    sequence: int = 0
    head: bytes = FIRST_PREVIOUS_HASH
    stamp: Stamp = field(default_factory=lambda: Stamp(0, 0))

    def write(self, body: RecordBody, stamp: Stamp) -> bytes:
        """Give the next record, serialized.

        A clock that has gone back since the last record is written as that record's time. The
        signature always carries the times of the record before it (LOG-7).
        """
        if isinstance(body, log_pb2.Signature):
            stamp = self.stamp
        return self.write_serialized(
            _FIELDS[type(body)], body.SerializeToString(deterministic=True), stamp
        )

    def write_serialized(self, kind: str, body: bytes, stamp: Stamp) -> bytes:
        """Give the next record, serialized, with a body that is serialized already (LOG-3).

        `kind` is the name of the record's field that holds such a body.
        """
        last = self.stamp
        if stamp.time_ms < last.time_ms or stamp.clock_ms < last.clock_ms:
            stamp = Stamp(max(stamp.time_ms, last.time_ms), max(stamp.clock_ms, last.clock_ms))
        # The fields in the order of their numbers, and none that has its default: what protobuf
        # writes too, which would first copy the body into a message of its own.
        serialized = b"".join(
            (
                _number(_SEQUENCE, self.sequence),
                delimited(_PREVIOUS_HASH, self.head),
                _number(_TIME, stamp.time_ms),
                delimited(_TAGS[kind], body),
                _number(_CLOCK, stamp.clock_ms),
            )
        )
        self.follow(serialized, stamp)
        return serialized

    def follow(self, record: bytes, stamp: Stamp) -> None:
        """Go on after a record that was written before, and when."""
        self.sequence += 1
        self.head = record_hash(record)
        self.stamp = stamp


def delimited(tag: bytes, data: bytes) -> bytes:
    """Give a field of bytes or of a message, serialized, with its tag."""
    return tag + _varint(len(data)) + data


def tag_of(message: type[Message], field: str, wire_type: int = 2) -> bytes:
    """Give the tag of a message's field; unless it is said otherwise that of bytes or a message."""
    return _varint(message.DESCRIPTOR.fields_by_name[field].number << 3 | wire_type)


def _number(tag: bytes, value: int) -> bytes:
    return tag + _varint(value) if value else b""


@lru_cache(1024)
def _varint(value: int) -> bytes:
    groups = bytearray()
    while value > 0x7F:  # noqa: PLR2004 - seven bits
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    groups.append(value)
    return bytes(groups)


def serialize(message: log_pb2.LogRecord | log_pb2.CommitmentOpening) -> bytes:
    """Give the one serialization of a message that a log may hold (LOG-3)."""
    return message.SerializeToString(deterministic=True)


def _prefixed(domain: bytes) -> bytes:
    return len(domain).to_bytes(4) + domain


_RECORD: Final = _prefixed(b"ronda.v1 record")
_HIDDEN: Final = _prefixed(b"ronda.v1 hidden event")
_HEAD: Final = _prefixed(b"ronda.v1 log head")

_FIELDS: Final[dict[type[Message], str]] = {
    log_pb2.LogHeader: "header",
    log_pb2.SeatJoined: "seat_joined",
    log_pb2.MoveAccepted: "move_accepted",
    log_pb2.EventLogged: "event_logged",
    log_pb2.MatchResult: "match_result",
    log_pb2.CommitmentOpening: "opening",
    log_pb2.Signature: "signature",
    log_pb2.ForfeitDeclared: "forfeit_declared",
}

_TAGS: Final = {field: tag_of(log_pb2.LogRecord, field) for field in _FIELDS.values()}
_SEQUENCE: Final = tag_of(log_pb2.LogRecord, "sequence", 0)
_PREVIOUS_HASH: Final = tag_of(log_pb2.LogRecord, "previous_hash")
_TIME: Final = tag_of(log_pb2.LogRecord, "time_ms", 0)
_CLOCK: Final = tag_of(log_pb2.LogRecord, "clock_ms", 0)
