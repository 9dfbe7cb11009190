"""The hash chain of a match's log, followed as it comes.

Every record holds the hash of the one before, so whoever has seen a record knows at once when the
referee later tells another story. What a record hides it commits to, so that nobody is dealt
other cards than the log says. With ``lp(x)``, four bytes of length, big-endian, then ``x``::

    record hash = SHA-256( lp("ronda.v1 record") bytes of the record )
    commitment  = SHA-256( lp("ronda.v1 hidden event") nonce bytes of the event or move )
"""

import hashlib
from dataclasses import dataclass

from google.protobuf.message import DecodeError

from ronda.v1.event_pb2 import Event
from ronda.v1.log_pb2 import LogRecord
from ronda.v1.move_pb2 import Move
from ronda.v1.referee_service_pb2 import LogEntry
from ronda_client.errors import ForkedLog
from ronda_client.heads import Heads, SeenHead

NO_HASH = bytes(32)

_RECORD_DOMAIN = b"\0\0\0\x0fronda.v1 record"
_HIDDEN_DOMAIN = b"\0\0\0\x15ronda.v1 hidden event"


def record_hash(record: bytes) -> bytes:
    """Return the 32-byte hash of a record, given the record's bytes as they stand in the log."""
    return hashlib.sha256(_RECORD_DOMAIN + record).digest()


def commitment(nonce: bytes, event: bytes) -> bytes:
    """Return the 32-byte commitment to an event or move, given its blinding nonce and bytes."""
    return hashlib.sha256(_HIDDEN_DOMAIN + nonce + event).digest()


@dataclass(frozen=True, slots=True)
class SeenRecord:
    """A record of the log as a watcher sees it.

    Attributes:
        record: The record, which is the same for every watcher.
        opened: The event in full, where the record hides something that this watcher may see.
        opened_move: The move, where the record hides one that this watcher may see.
        hash: The record's hash, 32 bytes.
    """

    record: LogRecord
    opened: Event | None
    opened_move: Move | None
    hash: bytes

    @property
    def sequence(self) -> int:
        """The record's place in the log, from 0."""
        return self.record.sequence

    @property
    def event(self) -> Event | None:
        """The event that it records, as fully as this watcher may see it; else None."""
        if self.opened is not None:
            return self.opened
        if self.record.HasField("event_logged"):
            return self.record.event_logged.event
        return None


class Chain:
    """Follows a log from some record on, across as many connections as it takes."""

    def __init__(self, match_id: str, next_sequence: int, heads: Heads | None = None) -> None:
        """Start before the record `next_sequence`; the first record is taken as it is.

        Where that is record 0, nothing may come before it. `heads` are those that were seen of
        this match before, by whatever stream, and are kept up to date.
        """
        self._match_id = match_id
        self._next = next_sequence
        self._heads = Heads() if heads is None else heads
        self._head: bytes | None = NO_HASH if next_sequence == 0 else None
        known = self._heads.last(match_id)
        if known is not None and known.sequence + 1 == next_sequence:
            self._head = known.head
        self._seen = False

    @property
    def next_sequence(self) -> int:
        """The sequence number of the record that comes next."""
        return self._next

    @property
    def seen(self) -> bool:
        """Whether any record was followed."""
        return self._seen

    def fork(self, detail: str) -> ForkedLog:
        """Return the error that says that the next record does not fit."""
        return ForkedLog(self._match_id, self._next, detail)

    def follow(self, entry: LogEntry) -> SeenRecord:
        """Check that an entry continues the log, and return its record.

        Raises:
            ForkedLog: It does not.
        """
        try:
            record = LogRecord.FromString(entry.record)
        except DecodeError as error:
            raise self.fork(f"its bytes are no LogRecord: {error}") from error
        if (entry.sequence, record.sequence) != (self._next, self._next):
            raise self.fork(
                f"the entry is numbered {entry.sequence} and the record in it {record.sequence}"
            )
        if self._head is not None and record.previous_hash != self._head:
            raise self.fork(
                f"it follows on {record.previous_hash.hex() or 'nothing'}, "
                f"but the record before has the hash {self._head.hex()}"
            )
        payload = self._payload(entry, record)
        opened: Event | None = None
        opened_move: Move | None = None
        try:
            if payload is not None and record.HasField("move_accepted"):
                opened_move = Move.FromString(payload)
            elif payload is not None:
                opened = Event.FromString(payload)
        except DecodeError as error:
            raise self.fork(f"what it hides is no Event or Move: {error}") from error
        head = record_hash(entry.record)
        known = self._heads.last(self._match_id)
        if known is not None and known.sequence == self._next and known.head != head:
            raise self.fork(
                f"it has the hash {head.hex()}, and {known.head.hex()} when it was seen before"
            )
        self._head = head
        self._heads.remember(SeenHead(self._match_id, self._next, head))
        self._next += 1
        self._seen = True
        return SeenRecord(record, opened, opened_move, self._head)

    def save(self) -> None:
        """Have the last head saved, where heads are."""
        self._heads.save(self._match_id)

    def ended(self) -> None:
        """Check, where the referee says that the log is complete, that nothing is lacking.

        Raises:
            ForkedLog: More of it was seen before.
        """
        known = self._heads.last(self._match_id)
        if known is not None and known.sequence >= self._next:
            raise self.fork(f"the log ends before it, and record {known.sequence} was seen before")

    def _payload(self, entry: LogEntry, record: LogRecord) -> bytes | None:
        """Return the bytes of what the record hides, where the entry opens it."""
        if not entry.HasField("opening"):
            return None
        opening = entry.opening
        committed = record.event_logged.commitment or record.move_accepted.commitment
        if opening.sequence != self._next or committed != commitment(
            opening.nonce, opening.payload
        ):
            raise self.fork("what it is said to hide is not what it commits to")
        return opening.payload
