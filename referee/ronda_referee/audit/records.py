"""The series of records: what each one must be whatever it records (sequence, chain, time)."""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import BinaryIO, NoReturn, TypeAlias

from ronda.v1 import log_pb2
from ronda_referee.audit.report import Finding, FindingKind, Found, from_file_error, quoted
from ronda_referee.chain import FIRST_PREVIOUS_HASH, HASH_SIZE, record_hash
from ronda_referee.log_file import MAGIC, LogFileError, read_records

# A deal takes some 12 KB, so this is far more than any match that people or bots play.
LONGEST_LOG = 1 << 28

# The heads, 32 bytes each, that watchers saw: by match id and by the record's sequence number.
# Where watchers saw different ones there are several.
SeenHeads: TypeAlias = Mapping[str, Mapping[int, Sequence[bytes]]]

# In records: often enough for a bar that moves, too seldom to cost anything.
_PROGRESS_EVERY = 256

_WORDS = {
    "header": "a header",
    "seat_joined": "a seat's joining",
    "move_accepted": "a move",
    "forfeit_declared": "a forfeit",
    "event_logged": "an event",
    "match_result": "the result",
    "opening": "an opening",
    "signature": "the signature",
}

# What only says what follows from the record before it, and so has that one's times.
_FOLLOWING = frozenset({"event_logged", "opening", "signature"})


@dataclass(frozen=True, slots=True)
class Place:
    """A record with where it stands: its number from 0 and its byte in the file."""

    number: int
    offset: int
    record: log_pb2.LogRecord

    def find(
        self,
        kind: FindingKind,
        detail: str,
        *,
        recorded: str = "",
        expected: str = "",
        clause: str = "",
    ) -> NoReturn:
        """End the audit: this record is wrong.

        Raises:
            Found: always.
        """
        texts = quoted(detail), quoted(recorded), quoted(expected)
        raise Found(Finding(kind, self.number, self.offset, *texts, clause))


class Openings:
    """Where each opening of a log stands, in 16 bytes an opening."""

    def __init__(self, decode: Callable[[int], log_pb2.LogRecord]) -> None:
        """Look openings up with `decode`, which gives the record of a number."""
        self._decode = decode
        self._opened = array("Q")
        self._standing = array("Q")

    def __len__(self) -> int:
        """Give how many are known."""
        return len(self._opened)

    def add(self, sequence: int, number: int) -> None:
        """Note that record `number` opens record `sequence`.

        Openings stand in the order of what they open. One that does not is wrong where it stands,
        and opens nothing.
        """
        if not self._opened or sequence > self._opened[-1]:
            self._opened.append(sequence)
            self._standing.append(number)

    def get(self, sequence: int, /) -> log_pb2.CommitmentOpening | None:
        """Give what opens a record; None: there is nothing that does."""
        place = bisect_left(self._opened, sequence)
        if place == len(self._opened) or self._opened[place] != sequence:
            return None
        return self._decode(self._standing[place]).opening


class Records:
    """The records of a file, given one after the other, each checked against its neighbours.

    What is held of a file is its bytes, at most `LONGEST_LOG`, and 16 bytes for each record and
    each opening: never a message for each. Reading ends at the first record that can belong to no
    log, for the audit ends there too, so that a file of millions of tiny records costs little.

    Attributes:
        openings: every opening that can be read; unchecked.
    """

    def __init__(
        self,
        stream: BinaryIO,
        on_progress: Callable[[int], None] | None = None,
        seen: SeenHeads | None = None,
    ) -> None:
        """Read the file as far as it can be read; a fault waits until its record is reached.

        `on_progress` is told now and then how many bytes have been audited. `seen` are heads that
        watchers saw, which must be those of the records.
        """
        self.openings = Openings(self._record)
        self._results = array("Q")
        self._data = bytearray()
        self._offsets = array("Q")
        self._ends = array("Q")
        self._fault: Finding | None = None
        self._end = len(MAGIC)
        self._read(stream)
        self._on_progress = on_progress
        self._next = 0
        self._time_ms = 0
        self._clock_ms = 0
        self._coming = self._decode(0)
        self._heads = self._heads_of(seen)

    @property
    def results(self) -> Iterator[log_pb2.MatchResult]:
        """Every result that can be read, wherever it stands; unchecked."""
        return (self._record(number).match_result for number in self._results)

    @property
    def heads_compared(self) -> int:
        """How many heads that watchers saw of this match there are to compare."""
        return sum(map(len, self._heads.values()))

    @property
    def given(self) -> int:
        """How many records were given so far."""
        return self._next

    @property
    def coming(self) -> str:
        """What the next record records, by the name of its field; empty where there is none."""
        return "" if self._coming is None else self._coming.WhichOneof("record") or ""

    @property
    def coming_clock_ms(self) -> int:
        """The time of the next record on the match's clock; 0 where there is none."""
        return 0 if self._coming is None else self._coming.clock_ms

    @property
    def clock_ms(self) -> int:
        """The time of the last record on the match's clock."""
        return self._clock_ms

    @property
    def time_ms(self) -> int:
        """The time of the last record on the referee's clock."""
        return self._time_ms

    def take(
        self,
        kind: str,
        wanted: Callable[[], str] | str,
        missing: FindingKind = FindingKind.RECORD_OUT_OF_ORDER,
    ) -> Place:
        """Give the next record, which must be of a kind; `wanted` describes it for people.

        Raises:
            Found: there is none, it does not fit its neighbours, or it is of another kind.
        """
        before = self._time_ms, self._clock_ms
        place = self.take_any(wanted)
        which = place.record.WhichOneof("record") or ""
        if which != kind:
            expected = wanted if isinstance(wanted, str) else wanted()
            detail = f"{expected} must stand here, and there is {_WORDS[which]}"
            place.find(missing, detail, recorded=_WORDS[which], expected=expected)
        if kind in _FOLLOWING and (self._time_ms, self._clock_ms) != before:
            place.find(
                FindingKind.TIME_WRONG,
                f"{_WORDS[which]} does not have the times of the record before it",
                recorded=f"{self._time_ms} and {self._clock_ms} ms",
                expected=f"{before[0]} and {before[1]} ms",
            )
        return place

    def take_any(self, wanted: Callable[[], str] | str) -> Place:
        """Give the next record, of whatever kind.

        Raises:
            Found: there is none, or it does not fit its neighbours.
        """
        number = self._next
        record = self._coming
        if record is None:
            self._stop(wanted if isinstance(wanted, str) else wanted())
        offset, data = self._offsets[number], self._bytes(number)
        if self._on_progress is not None and number % _PROGRESS_EVERY == 0:
            self._on_progress(offset)
        place = Place(number, offset, record)
        self._next += 1
        self._coming = self._decode(self._next)
        self._check(place, data)
        self._time_ms = record.time_ms
        self._clock_ms = record.clock_ms
        return place

    def finish(self) -> None:
        """Check that nothing follows, and that watchers saw nothing beyond.

        Raises:
            Found: something does, or they did.
        """
        if self._fault is not None:
            raise Found(self._fault)
        beyond = [sequence for sequence in self._heads if sequence >= self._next]
        if beyond:
            detail = f"a watcher saw record {min(beyond)}, and the log ends before it"
            head = self._heads[min(beyond)][0].hex()
            kind = FindingKind.HEAD_DIFFERS
            raise Found(Finding(kind, self._next, self._end, detail, "nothing", head))

    def _read(self, stream: BinaryIO) -> None:
        try:
            for one in read_records(stream):
                if one.offset + len(one.data) > LONGEST_LOG:
                    detail = f"the log is longer than the {LONGEST_LOG} bytes that are audited"
                    kind = FindingKind.LOG_TOO_LONG
                    self._fault = Finding(kind, one.number, one.offset, detail)
                    return
                self._data += one.data
                self._offsets.append(one.offset)
                self._ends.append(len(self._data))
                self._end = one.end
                if one.record.HasField("opening"):
                    self.openings.add(one.record.opening.sequence, one.number)
                elif one.record.HasField("match_result"):
                    self._results.append(one.number)
                if len(one.record.previous_hash) != HASH_SIZE:
                    # It follows on no record, which the audit finds here if not before.
                    return
        except LogFileError as error:
            self._fault = from_file_error(error)

    def _bytes(self, number: int) -> bytes:
        start = self._ends[number - 1] if number else 0
        return bytes(self._data[start : self._ends[number]])

    def _record(self, number: int) -> log_pb2.LogRecord:
        return log_pb2.LogRecord.FromString(self._bytes(number))

    def _decode(self, number: int) -> log_pb2.LogRecord | None:
        return self._record(number) if number < len(self._ends) else None

    def _heads_of(self, seen: SeenHeads | None) -> Mapping[int, Sequence[bytes]]:
        if seen is None or self._coming is None:
            return {}
        return seen.get(self._coming.header.match_id, {})

    def _stop(self, wanted: str) -> NoReturn:
        if self._fault is not None:
            raise Found(self._fault)
        detail = f"the log ends here, and {wanted} is still to come"
        kind = FindingKind.LOG_UNFINISHED
        raise Found(Finding(kind, self._next, self._end, detail, "", wanted))

    def _check(self, place: Place, data: bytes) -> None:
        record = place.record
        if record.sequence != place.number:
            place.find(
                FindingKind.SEQUENCE_WRONG,
                f"record {place.number} says that it is record {record.sequence}",
                recorded=str(record.sequence),
                expected=str(place.number),
            )
        if place.number == 0 and record.previous_hash != FIRST_PREVIOUS_HASH:
            place.find(
                FindingKind.CHAIN_BROKEN,
                "the first record names a record before it",
                recorded=record.previous_hash.hex(),
                expected=FIRST_PREVIOUS_HASH.hex(),
            )
        digest = record_hash(data)
        self._check_successor(place, digest)
        self._check_head(place, digest)
        for time, before in (
            (record.time_ms, self._time_ms),
            (record.clock_ms, self._clock_ms),
        ):
            if time < before:
                place.find(
                    FindingKind.TIME_WRONG,
                    "the record is older than the one before it",
                    recorded=f"{time} ms",
                    expected=f"{before} ms or later",
                )

    def _check_head(self, place: Place, digest: bytes) -> None:
        """Check that the record is the one that everybody saw who watched the match."""
        for head in self._heads.get(place.number, ()):
            if head != digest:
                place.find(
                    FindingKind.HEAD_DIFFERS,
                    "a watcher of the match saw another log than this one, here or before",
                    recorded=digest.hex(),
                    expected=head.hex(),
                )

    def _check_successor(self, place: Place, digest: bytes) -> None:
        """Check the record against the hash that its successor has of it.

        Where another record stands than the next one, its number tells more than its hash.
        """
        after = self._coming
        if after is None or after.sequence != self._next:
            return
        if after.previous_hash != digest:
            place.find(
                FindingKind.CHAIN_BROKEN,
                f"the record is not the one that record {self._next} was written after",
                recorded=digest.hex(),
                expected=after.previous_hash.hex(),
            )
