"""Log files: `match.rlog` (LOG-2, LOG-3), and the same records as JSON lines.

A log file is the eight bytes ``RONDALOG`` and then one match's records in order, each as its
length in bytes (a protobuf varint, as short as it can be, from 1 to 1 MiB) and its bytes. A
record is the one serialization of its message: fields ascending, none twice, none unknown, defaults
left out. Nothing follows the signature. A log that still grows ends after any record (LOG-19).
"""

import itertools
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

from google.protobuf import json_format
from google.protobuf.message import DecodeError

from ronda.v1 import log_pb2
from ronda_referee.chain import serialize
from ronda_referee.durable_file import write_durably

MAGIC = b"RONDALOG"
MAX_RECORD_SIZE = 1 << 20

# A length up to 1 MiB takes three bytes at most.
_MAX_LENGTH_BYTES = 3
# A varint has seven bits a byte, the lowest first, and a mark that more follow.
_LOW_BITS = 0x7F
_MORE = 0x80


class LogFileReason(StrEnum):
    """What is wrong with a file. The values are part of the interface and never change."""

    NOT_A_LOG = "NOT_A_LOG"
    TRUNCATED = "TRUNCATED"
    RECORD_TOO_LONG = "RECORD_TOO_LONG"
    LENGTH_NOT_MINIMAL = "LENGTH_NOT_MINIMAL"
    EMPTY_RECORD = "EMPTY_RECORD"
    UNDECODABLE_RECORD = "UNDECODABLE_RECORD"
    UNKNOWN_FIELDS = "UNKNOWN_FIELDS"
    NOT_CANONICAL = "NOT_CANONICAL"
    TRAILING_BYTES = "TRAILING_BYTES"


class LogFileError(Exception):
    """A file is no log, or a log up to some place only.

    Attributes:
        reason: the stable reason code.
        record: the number, from 0, of the record that cannot be read.
        offset: where in the file, in bytes from its beginning, that record begins.
        detail: what is wrong, for people.
        format_version: the version of the format that a header with unknown fields names; 0: it
            is no header, or there are none.
    """

    def __init__(
        self,
        reason: LogFileReason,
        record: int,
        offset: int,
        detail: str,
        format_version: int = 0,
    ) -> None:
        """Keep the parts and make the text from them."""
        super().__init__(f"record {record} at byte {offset}: {detail} ({reason})")
        self.reason = reason
        self.record = record
        self.offset = offset
        self.detail = detail
        self.format_version = format_version


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A record as it stands in a file.

    Attributes:
        number: its place in the file, from 0.
        offset: where its length begins, in bytes from the beginning of the file.
        end: where what follows it begins.
        data: its bytes.
        record: the message that the bytes hold.
    """

    number: int
    offset: int
    end: int
    data: bytes
    record: log_pb2.LogRecord


def read_records(stream: BinaryIO) -> Iterator[FileRecord]:
    """Read a log's records, one after the other, holding one at a time.

    Every record read before the first fault is given; then the fault is raised.

    Raises:
        LogFileError: the bytes are no log, or no longer one.
        OSError: the stream cannot be read.
    """
    magic = stream.read(len(MAGIC))
    if magic != MAGIC:
        detail = "the file does not begin with RONDALOG: it is no match log"
        raise LogFileError(LogFileReason.NOT_A_LOG, 0, 0, detail)
    number = 0
    offset = len(MAGIC)
    signed = False
    while (first := stream.read(1)) != b"":
        if signed:
            detail = "bytes follow the signature, which ends a log"
            raise LogFileError(LogFileReason.TRAILING_BYTES, number, offset, detail)
        size, length_bytes = _length(first, stream, number, offset)
        data = stream.read(size)
        if len(data) != size:
            detail = f"the file ends after {len(data)} of the record's {size} bytes"
            raise LogFileError(LogFileReason.TRUNCATED, number, offset, detail)
        record = _decode(data, number, offset)
        end = offset + length_bytes + size
        yield FileRecord(number, offset, end, data, record)
        signed = record.HasField("signature")
        number += 1
        offset = end


def write_log(path: Path, records: Iterable[bytes]) -> None:
    """Write a log file of serialized records, whole and on disk, or leave the path as it was.

    Raises:
        ValueError: a record has no bytes, or more than 1 MiB.
        OSError: the file cannot be written.
    """
    write_durably(path, itertools.chain([MAGIC], map(frame, records)))


def frame(record: bytes) -> bytes:
    """Give a serialized record with its length before it, as it stands in a file.

    Raises:
        ValueError: the record has no bytes, or more than 1 MiB.
    """
    size = len(record)
    if not 0 < size <= MAX_RECORD_SIZE:
        raise ValueError(f"a record of {size} bytes; 1 to {MAX_RECORD_SIZE} can be written")
    length = bytearray()
    while size > _LOW_BITS:
        length.append(size & _LOW_BITS | _MORE)
        size >>= 7
    length.append(size)
    return bytes(length) + record


def to_json_lines(records: Iterable[log_pb2.LogRecord]) -> Iterator[str]:
    """Give each record as one line of protobuf's JSON, without the line's end.

    Fields have the schema's names, also where they are 0 or empty; bytes are base64, and numbers
    of 64 bits are texts, as in protobuf's JSON everywhere.
    """
    for record in records:
        fields = json_format.MessageToDict(
            record, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
        )
        yield json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def _length(first: bytes, stream: BinaryIO, number: int, offset: int) -> tuple[int, int]:
    """Read a record's length; give it with the number of bytes that it takes."""
    size = first[0] & _LOW_BITS
    taken = 1
    last = first[0]
    while last & _MORE:
        if taken == _MAX_LENGTH_BYTES:
            break
        following = stream.read(1)
        if following == b"":
            detail = "the file ends inside the record's length"
            raise LogFileError(LogFileReason.TRUNCATED, number, offset, detail)
        last = following[0]
        size |= (last & _LOW_BITS) << 7 * taken
        taken += 1
    if last & _MORE or size > MAX_RECORD_SIZE:
        detail = f"the record's length is given as more than {MAX_RECORD_SIZE} bytes"
        raise LogFileError(LogFileReason.RECORD_TOO_LONG, number, offset, detail)
    if last == 0 and taken > 1:
        detail = "the record's length is written with more bytes than it needs"
        raise LogFileError(LogFileReason.LENGTH_NOT_MINIMAL, number, offset, detail)
    if size == 0:
        raise LogFileError(LogFileReason.EMPTY_RECORD, number, offset, "the record is empty")
    return size, taken


def _decode(data: bytes, number: int, offset: int) -> log_pb2.LogRecord:
    try:
        record = log_pb2.LogRecord.FromString(data)
    except DecodeError:
        detail = "the bytes are no ronda.v1.LogRecord"
        raise LogFileError(LogFileReason.UNDECODABLE_RECORD, number, offset, detail) from None
    record.DiscardUnknownFields()
    if serialize(record) != data:
        reason, detail = _deviation(data)
        version = record.header.format_version
        raise LogFileError(reason, number, offset, detail, version)
    if record.WhichOneof("record") is None:
        raise LogFileError(LogFileReason.EMPTY_RECORD, number, offset, "the record records nothing")
    return record


def _deviation(data: bytes) -> tuple[LogFileReason, str]:
    """Tell why a record's bytes are not those of its known fields."""
    record = log_pb2.LogRecord.FromString(data)
    with_unknown = serialize(record)
    record.DiscardUnknownFields()
    if serialize(record) != with_unknown:
        detail = "the record has fields that this version of the format does not know"
        return LogFileReason.UNKNOWN_FIELDS, detail
    detail = "the record's bytes are not the one serialization that a log may hold"
    return LogFileReason.NOT_CANONICAL, detail
