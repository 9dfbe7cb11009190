"""The series of records: what each one must be whatever it records (sequence, chain, time)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO, NoReturn

from ronda.v1 import log_pb2
from ronda_referee.audit.report import Finding, FindingKind, Found, from_file_error
from ronda_referee.chain import FIRST_PREVIOUS_HASH, record_hash
from ronda_referee.log_file import MAGIC, LogFileError, frame, read_records

# A deal takes less than 40 KiB, so this is far more than any match that people or bots play.
LONGEST_LOG = 1 << 28

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
        finding = Finding(kind, self.number, self.offset, detail, recorded, expected, clause)
        raise Found(finding)


class Records:
    """The records of a file, given one after the other, each checked against its neighbours.

    Attributes:
        results: every result that can be read, wherever it stands; unchecked.
        openings: every opening that can be read, wherever it stands; unchecked.
    """

    def __init__(self, stream: BinaryIO, on_progress: Callable[[int], None] | None = None) -> None:
        """Read the file as far as it can be read; a fault waits until its record is reached.

        `on_progress` is told now and then how many bytes have been audited.
        """
        self.results: list[log_pb2.MatchResult] = []
        self.openings: list[log_pb2.CommitmentOpening] = []
        self._data: list[tuple[int, bytes]] = []
        self._fault: Finding | None = None
        self._end = len(MAGIC)
        self._read(stream)
        self._on_progress = on_progress
        self._next = 0
        self._time_ms = 0
        self._clock_ms = 0
        self._coming = self._decode(0)

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
        offset, data = self._data[number]
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
        """Check that nothing follows.

        Raises:
            Found: something does.
        """
        if self._fault is not None:
            raise Found(self._fault)

    def _read(self, stream: BinaryIO) -> None:
        total = 0
        try:
            for one in read_records(stream):
                total += len(one.data)
                if total > LONGEST_LOG:
                    detail = f"the log is longer than the {LONGEST_LOG} bytes that are audited"
                    kind = FindingKind.LOG_TOO_LONG
                    self._fault = Finding(kind, one.number, one.offset, detail)
                    return
                self._data.append((one.offset, one.data))
                self._end = one.offset + len(frame(one.data))
                if one.record.HasField("opening"):
                    self.openings.append(one.record.opening)
                elif one.record.HasField("match_result"):
                    self.results.append(one.record.match_result)
        except LogFileError as error:
            self._fault = from_file_error(error)

    def _decode(self, number: int) -> log_pb2.LogRecord | None:
        if number >= len(self._data):
            return None
        return log_pb2.LogRecord.FromString(self._data[number][1])

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
        self._check_successor(place, data)
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

    def _check_successor(self, place: Place, data: bytes) -> None:
        """Check the record against the hash that its successor has of it.

        Where another record stands than the next one, its number tells more than its hash.
        """
        after = self._coming
        if after is None or after.sequence != self._next:
            return
        digest = record_hash(data)
        if after.previous_hash != digest:
            place.find(
                FindingKind.CHAIN_BROKEN,
                f"the record is not the one that record {self._next} was written after",
                recorded=digest.hex(),
                expected=after.previous_hash.hex(),
            )
