"""Log files are read strictly: every byte of one has exactly one meaning."""

import contextlib
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ronda.v1 import log_pb2
from ronda_referee.chain import RecordWriter
from ronda_referee.clocks import Stamp
from ronda_referee.log_file import (
    MAX_RECORD_SIZE,
    LogFileError,
    LogFileReason,
    frame,
    read_records,
    to_json_lines,
    write_log,
)

WRITER = RecordWriter()
RECORDS = [
    WRITER.write(log_pb2.LogHeader(match_id="m-7", seats=2), Stamp(1000, 0)),
    WRITER.write(log_pb2.SeatJoined(seat=0, name="Amina"), Stamp(1001, 1)),
    WRITER.write(log_pb2.Signature(signature=b"\x07" * 64), Stamp(1002, 2)),
]
# 8 bytes of magic; a header of 46, a joining of 48 and a signature of 107 bytes, each with one
# byte of length before it.
SIZES = [46, 48, 107]
OFFSETS = [8, 55, 104]
FILE = b"RONDALOG" + b"".join(bytes([len(record)]) + record for record in RECORDS)


def read(data: bytes) -> list[log_pb2.LogRecord]:
    """Read all records of a file's bytes."""
    return [record.record for record in read_records(io.BytesIO(data))]


def fault(data: bytes) -> LogFileError:
    """Give the fault that reading a file's bytes ends with."""
    with pytest.raises(LogFileError) as caught:
        read(data)
    return caught.value


def test_records_come_with_number_offset_and_bytes() -> None:
    """Each record is given with where it stands in the file."""
    records = list(read_records(io.BytesIO(FILE)))
    assert [len(record.data) for record in records] == SIZES
    assert [record.offset for record in records] == OFFSETS
    assert [record.number for record in records] == [0, 1, 2]
    assert [record.data for record in records] == RECORDS
    assert records[1].record.seat_joined.name == "Amina"


@pytest.mark.parametrize(
    "data", [b"", b"RONDALO", b"RONDALOg" + FILE[8:], b"PK\x03\x04 something else"]
)
def test_a_file_of_something_else_is_no_log(data: bytes) -> None:
    """Without the eight bytes of the magic nothing is read."""
    found = fault(data)
    assert (found.reason, found.record, found.offset) == (LogFileReason.NOT_A_LOG, 0, 0)
    assert "RONDALOG" in found.detail


def test_a_file_that_ends_inside_a_record_is_truncated_there() -> None:
    """The record that is not whole is named with the place where it begins."""
    found = fault(FILE[:80])
    assert (found.reason, found.record, found.offset) == (LogFileReason.TRUNCATED, 1, 55)
    assert found.detail == "the file ends after 24 of the record's 48 bytes"


def test_a_file_that_ends_inside_a_length_is_truncated_there() -> None:
    """A length whose next byte is missing belongs to a record that is not whole."""
    found = fault(FILE[:55] + b"\x80")
    assert (found.reason, found.record, found.offset) == (LogFileReason.TRUNCATED, 1, 55)


def test_a_file_cut_between_records_gives_the_records_before() -> None:
    """A log that is still growing can be read as far as it is."""
    assert len(read(FILE[:104])) == 2
    assert read(FILE[:8]) == []


@pytest.mark.parametrize(
    ("length", "reason"),
    [
        (b"\x00", LogFileReason.EMPTY_RECORD),
        (b"\xaf\x00", LogFileReason.LENGTH_NOT_MINIMAL),
        (b"\x80\x80\x00", LogFileReason.LENGTH_NOT_MINIMAL),
        (b"\x81\x80\x40", LogFileReason.RECORD_TOO_LONG),
        (b"\xff\xff\xff\xff\x0f", LogFileReason.RECORD_TOO_LONG),
        (b"\xff" * 10, LogFileReason.RECORD_TOO_LONG),
        (b"\xae\x80\x80\x00", LogFileReason.RECORD_TOO_LONG),
    ],
    ids=["empty", "not minimal", "zero not minimal", "1 MiB and 1", "4 GiB", "endless", "4 bytes"],
)
def test_lengths_out_of_bounds_are_refused(length: bytes, reason: LogFileReason) -> None:
    """A length is written in the shortest way and between 1 and 1 MiB, and nothing is read on."""
    found = fault(FILE[:8] + length + RECORDS[0])
    assert (found.reason, found.record, found.offset) == (reason, 0, 8)


def test_a_record_of_one_mebibyte_is_read() -> None:
    """The bound itself is allowed, and its length takes three bytes: 80 80 40."""
    record = RecordWriter().write(log_pb2.SeatJoined(name="n" * 1_048_534), Stamp(0, 0))
    assert len(record) == MAX_RECORD_SIZE == 1_048_576
    framed = frame(record)
    assert framed[:3] == b"\x80\x80\x40"
    assert read(b"RONDALOG" + framed)[0].seat_joined.name == "n" * 1_048_534


@pytest.mark.parametrize("size", [0, MAX_RECORD_SIZE + 1])
def test_a_record_out_of_bounds_is_not_written(size: int) -> None:
    """What could not be read again is not written."""
    with pytest.raises(ValueError, match=f"a record of {size} bytes"):
        frame(bytes(size))


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (b"\xff\xff", LogFileReason.UNDECODABLE_RECORD),
        (b"\x2a\x05\x08", LogFileReason.UNDECODABLE_RECORD),
        (RECORDS[1] + b"\xf8\x7f\x01", LogFileReason.UNKNOWN_FIELDS),
        (RECORDS[1][:-9] + b"\x2a\x09\x78\x01\x12\x05Amina", LogFileReason.UNKNOWN_FIELDS),
        (b"\x08\x00" + RECORDS[1], LogFileReason.NOT_CANONICAL),
        (RECORDS[1] + b"\x18\xe9\x07", LogFileReason.NOT_CANONICAL),
        (RECORDS[1][:39], LogFileReason.EMPTY_RECORD),
    ],
    ids=[
        "no protobuf",
        "cut inside a message",
        "unknown field",
        "unknown field inside",
        "a default written out",
        "a field twice",
        "no body",
    ],
)
def test_records_that_are_not_as_a_log_holds_them_are_refused(
    record: bytes, reason: LogFileReason
) -> None:
    """A record is the one serialization of its message, and the message is wholly known."""
    found = fault(FILE[:55] + frame(record))
    assert (found.reason, found.record, found.offset) == (reason, 1, 55)


def test_nothing_follows_the_signature() -> None:
    """Whole records and single bytes after the signature are refused alike."""
    for more in (b"\x00", frame(RECORDS[1])):
        found = fault(FILE + more)
        assert (found.reason, found.record, found.offset) == (LogFileReason.TRAILING_BYTES, 3, 212)


def test_records_before_a_fault_are_given_first() -> None:
    """A reader gets everything up to the fault."""
    reader = read_records(io.BytesIO(FILE[:-1]))
    assert [next(reader).number, next(reader).number] == [0, 1]
    with pytest.raises(LogFileError):
        next(reader)


@given(st.binary(max_size=300))
def test_any_bytes_end_in_records_or_one_typed_fault(data: bytes) -> None:
    """No bytes end in anything but records or a fault with a place inside the file."""
    offset = 8
    with contextlib.suppress(LogFileError):
        for record in read_records(io.BytesIO(b"RONDALOG" + data)):
            assert record.offset == offset
            offset += 1 + len(record.data)
    assert offset <= 8 + len(data)


@given(position=st.integers(0, len(FILE) - 1), mask=st.integers(1, 255))
def test_no_changed_byte_reads_as_the_same_records(position: int, mask: int) -> None:
    """Every byte of a file matters: no two files hold the same records."""
    changed = bytearray(FILE)
    changed[position] ^= mask
    try:
        records = read(bytes(changed))
    except LogFileError:
        return
    assert records != read(FILE)


def test_written_files_are_read_back(tmp_path: Path) -> None:
    """A file has the magic and the records, replaces an older one, and leaves nothing beside."""
    path = tmp_path / "match.rlog"
    path.write_bytes(b"older")
    write_log(path, RECORDS)
    assert path.read_bytes() == FILE
    assert [entry.name for entry in tmp_path.iterdir()] == ["match.rlog"]


def test_a_failed_writing_leaves_the_older_file(tmp_path: Path) -> None:
    """Where a record cannot be written the path is as it was, and nothing lies beside it."""
    path = tmp_path / "match.rlog"
    path.write_bytes(b"older")
    with pytest.raises(ValueError, match="a record of 0 bytes"):
        write_log(path, [RECORDS[0], b""])
    assert path.read_bytes() == b"older"
    assert [entry.name for entry in tmp_path.iterdir()] == ["match.rlog"]


def test_json_lines_have_a_record_a_line_with_the_schemas_names() -> None:
    """Zeros are written out, bytes are base64, 64-bit numbers are texts."""
    lines = list(to_json_lines(read(FILE)))
    assert len(lines) == 3
    assert not any("\n" in line for line in lines)
    joined = json.loads(lines[1])
    assert joined["sequence"] == "1"
    assert joined["time_ms"] == "1001"
    assert joined["seat_joined"] == {"seat": 0, "name": "Amina", "entropy": ""}
    first = json.loads(lines[0])
    assert first["previous_hash"] == "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    assert first["header"]["match_id"] == "m-7"
