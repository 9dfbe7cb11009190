"""Files made to harm whoever audits them end in a finding, with little memory and time.

What is held of a file is its bytes, at most 256 MiB, and 16 bytes for each record and opening.
"""

import io
import tracemalloc
from collections.abc import Iterator

import pytest

from ronda.v1 import card_pb2, log_pb2
from ronda_referee.audit import Finding, FindingKind, audit_stream
from ronda_referee.chain import record_hash
from ronda_referee.log_file import MAGIC, MAX_RECORD_SIZE, frame
from tests.referee.cheating import TABLE, event, found, played
from tests.referee.played_logs import PlayedMatch, audit, maghribi, rewrite


def finding_of(data: bytes) -> Finding:
    """Give what an audit finds in the bytes of a file."""
    report = audit(data)
    assert report.finding is not None
    return report.finding


class Endless(io.RawIOBase):
    """A file that goes on for ever, and counts what was read of it."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        """Give these bytes, one chunk after the other."""
        super().__init__()
        self._chunks = chunks
        self._rest = b""
        self.taken = 0

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # bytes are written
        """Fill a buffer."""
        if not self._rest:
            self._rest = next(self._chunks)
        count = min(len(buffer), len(self._rest))
        buffer[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        self.taken += count
        return count


def chained(body: log_pb2.LogRecord, count: int | None = None) -> Iterator[bytes]:
    """Give a file of records with the same content, well numbered and chained."""
    yield MAGIC
    head = bytes(32)
    number = 0
    while count is None or number < count:
        body.sequence, body.previous_hash = number, head
        data = body.SerializeToString(deterministic=True)
        head = record_hash(data)
        number += 1
        yield frame(data)


@pytest.mark.parametrize("size", [MAX_RECORD_SIZE + 1, (1 << 21) - 1, 1 << 31, (1 << 64) - 1])
def test_a_length_that_promises_too_much_is_not_believed(size: int) -> None:
    """Nothing of that size is asked for; the finding stands where the length does."""
    length = bytearray()
    while size > 0x7F:
        length.append(size & 0x7F | 0x80)
        size >>= 7
    length.append(size)
    tracemalloc.start()
    finding = finding_of(MAGIC + bytes(length) + b"\x00" * 100)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (finding.kind, finding.record, finding.offset) == (FindingKind.RECORD_TOO_LONG, 0, 8)
    assert peak < 1_000_000


def test_a_length_without_the_bytes_takes_no_memory() -> None:
    """A record of a whole MiB is promised, and the file ends."""
    finding = finding_of(MAGIC + b"\x80\x80\x40" + b"\x0a")
    assert finding.kind is FindingKind.TRUNCATED
    assert finding.detail == "the file ends after 1 of the record's 1048576 bytes"


@pytest.mark.parametrize(
    "nested",
    [
        b"\x0b" * 100_000,  # groups that are opened and never closed
        b"\xa3\x06" * 50_000 + b"\xa4\x06" * 50_000,  # unknown groups, 50,000 deep
    ],
)
def test_deep_nesting_ends_in_a_finding(nested: bytes) -> None:
    """Bytes that would have a reader call itself without end are no record."""
    assert finding_of(MAGIC + frame(nested)).kind is FindingKind.UNDECODABLE_RECORD


def test_millions_of_tiny_records_are_left_at_the_first() -> None:
    """Records without a place in any chain: the audit ends at once, whatever follows."""
    tiny = frame(log_pb2.LogRecord(opening=log_pb2.CommitmentOpening()).SerializeToString())

    def chunks() -> Iterator[bytes]:
        yield MAGIC
        while True:
            yield tiny * 10_000

    endless = Endless(chunks())
    report = audit_stream(io.BufferedReader(endless))
    assert report.finding is not None
    assert (report.finding.kind, report.finding.record) == (FindingKind.CHAIN_BROKEN, 0)
    assert endless.taken < 100_000


@pytest.mark.parametrize(
    "body",
    [
        log_pb2.LogRecord(opening=log_pb2.CommitmentOpening()),
        log_pb2.LogRecord(event_logged=log_pb2.EventLogged()),
        log_pb2.LogRecord(match_result=log_pb2.MatchResult()),
    ],
)
def test_well_chained_records_without_a_match_take_little_memory(body: log_pb2.LogRecord) -> None:
    """Of 50,000 records, 2.2 MB, no more is held than their bytes and 16 for each, twice over."""
    data = b"".join(chained(body, 50_000))
    tracemalloc.start()
    finding = finding_of(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (finding.kind, finding.record) == (FindingKind.RECORD_OUT_OF_ORDER, 0)
    assert peak < 2 * len(data) + 50_000 * 32


def test_a_file_without_end_is_read_to_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is longer than any log is left there."""
    monkeypatch.setattr("ronda_referee.audit.records.LONGEST_LOG", 300_000)
    endless = Endless(chained(log_pb2.LogRecord(event_logged=log_pb2.EventLogged())))
    report = audit_stream(io.BufferedReader(endless))
    assert report.finding is not None
    # The first record is not a header, which comes before how long the file is.
    assert (report.finding.kind, report.finding.record) == (FindingKind.RECORD_OUT_OF_ORDER, 0)
    assert endless.taken < 320_000


@pytest.mark.parametrize("size", [1_000, 150_000])
def test_a_finding_quotes_no_more_than_a_line_of_what_is_wrong(size: int) -> None:
    """A record may hold a text or a list of a megabyte: its beginning is enough to know it."""
    records = played()
    event(records[TABLE]).table_turned.cards.extend(
        [card_pb2.Card(rank=card_pb2.RANK_1, suit=card_pb2.SUIT_OROS)] * size
    )
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.DRAW_WRONG, TABLE)
    assert finding.recorded.startswith("turned on the table: 1o 5o 10o 12o 1o 1o")
    assert finding.recorded.endswith(" characters)")
    assert len(finding.recorded) < 1_100


def test_a_newer_version_of_the_format_is_named() -> None:
    """Also where it has fields of its own: what is needed is a newer auditor."""
    records = PlayedMatch(maghribi(1)).records
    records[0].header.format_version = 2
    newer = records[0].SerializeToString(deterministic=True)
    assert found(records).kind is FindingKind.FORMAT_UNSUPPORTED
    # Field 99, a text: unknown to this version.
    finding = finding_of(MAGIC + frame(newer + b"\x9a\x06\x01x") + rewrite(records)[8:])
    assert (finding.kind, finding.record, finding.offset) == (FindingKind.FORMAT_UNSUPPORTED, 0, 8)
    assert (finding.recorded, finding.expected) == ("2", "1")
    records[0].header.format_version = 1
    same = records[0].SerializeToString(deterministic=True)
    assert finding_of(MAGIC + frame(same + b"\x9a\x06\x01x")).kind is FindingKind.UNKNOWN_FIELDS


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"RONDALO",
        b"SQLite format 3\x00" + bytes(100),
        b"\x1f\x8b\x08\x00" + bytes(100),
        b"%PDF-1.7\n",
        b'{"sequence":"0"}\n',
        "RONDALOG".encode("utf-16"),
    ],
)
def test_files_of_other_programs_are_no_logs(data: bytes) -> None:
    """The finding says so, at the first byte."""
    finding = finding_of(data)
    assert (finding.kind, finding.record, finding.offset) == (FindingKind.NOT_A_LOG, 0, 0)
