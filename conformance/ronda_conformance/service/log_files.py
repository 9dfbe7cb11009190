"""Reading a log file and verifying its chain, with nothing but SHA-256 (LOG-2 to LOG-5, LOG-12)."""

import hashlib
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from google.protobuf.message import DecodeError

from ronda.v1 import log_pb2

MAGIC = b"RONDALOG"
_LONGEST_RECORD = 1 << 20
_LENGTH_BYTES = 3


class MalformedLog(Exception):
    """The bytes are no log file; the text says what is wrong."""


@dataclass
class LogFile:
    """What GetMatchLog gave.

    Attributes:
        data: the file.
        openings: what came beside it.
    """

    data: bytes = b""
    openings: list[log_pb2.CommitmentOpening] = field(default_factory=list)


def _domain(text: str) -> bytes:
    return struct.pack(">I", len(text)) + text.encode()


def record_hash(record: bytes) -> bytes:
    """Give the hash of a record's bytes (LOG-5)."""
    return hashlib.sha256(_domain("ronda.v1 record") + record).digest()


def commitment(nonce: bytes, payload: bytes) -> bytes:
    """Give the commitment to what is hidden (LOG-12)."""
    return hashlib.sha256(_domain("ronda.v1 hidden event") + nonce + payload).digest()


def frame(record: bytes) -> bytes:
    """Give a record as it stands in a file, behind its length (LOG-2)."""
    length, out = len(record), bytearray()
    while length > 0x7F:  # noqa: PLR2004  # seven bits
        out.append(length & 0x7F | 0x80)
        length >>= 7
    return bytes([*out, length]) + record


def records_of(data: bytes) -> list[bytes]:
    """Give the records of a file.

    Raises:
        MalformedLog: it is none.
    """
    if not data.startswith(MAGIC):
        raise MalformedLog("it does not begin with RONDALOG")
    records: list[bytes] = []
    place = len(MAGIC)
    while place < len(data):
        length = 0
        for count in range(_LENGTH_BYTES):
            if place >= len(data):
                raise MalformedLog(f"it ends inside the length of record {len(records)}")
            byte = data[place]
            place += 1
            length |= (byte & 0x7F) << 7 * count
            if byte < 0x80:  # noqa: PLR2004  # the last byte of a varint
                break
        if not 0 < length <= _LONGEST_RECORD or place + length > len(data):
            raise MalformedLog(f"record {len(records)} is not as long as is said")
        records.append(data[place : place + length])
        place += length
    return records


def parsed(record: bytes) -> log_pb2.LogRecord:
    """Give a record as a message.

    Raises:
        MalformedLog: it is none.
    """
    try:
        return log_pb2.LogRecord.FromString(record)
    except DecodeError as error:
        raise MalformedLog(f"a record cannot be read: {error}") from error


def chain_faults(records: list[bytes]) -> Iterator[str]:
    """Give what is wrong with the order and the hashes of records from the first on."""
    previous = bytes(32)
    for number, record in enumerate(records):
        message = parsed(record)
        if message.sequence != number:
            yield f"record {number} says that it is {message.sequence}"
        if message.previous_hash != previous:
            yield f"record {number} does not name the hash of the one before"
        if message.WhichOneof("record") is None:
            yield f"record {number} records nothing"
        previous = record_hash(record)


def commitments_of(records: list[log_pb2.LogRecord]) -> dict[int, bytes]:
    """Give the commitments of events and moves by the number of their record."""
    found: dict[int, bytes] = {}
    for record in records:
        sealed = record.event_logged.commitment or record.move_accepted.commitment
        if sealed:
            found[record.sequence] = sealed
    return found


def opening_faults(records: list[log_pb2.LogRecord]) -> Iterator[str]:
    """Give what is wrong with the openings at the end (LOG-17)."""
    sealed = commitments_of(records)
    opened = [record.opening for record in records if record.HasField("opening")]
    if [one.sequence for one in opened] != sorted(sealed):
        yield f"commitments in {sorted(sealed)}, openings of {[one.sequence for one in opened]}"
    for one in opened:
        if commitment(one.nonce, one.payload) != sealed.get(one.sequence):
            yield f"the opening of record {one.sequence} does not fit its commitment"
    results = [record.match_result for record in records if record.HasField("match_result")]
    header = records[0].header
    seed = hashlib.sha256(_domain("ronda.v1 seed") + results[0].seed).digest()
    if seed != header.seed_commitment:
        yield "the seed is not the one that the header commits to"
