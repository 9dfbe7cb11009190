"""Reading a log file without judging it; `ronda audit` judges."""

import io
from collections.abc import Iterator

from google.protobuf.message import DecodeError
from google.protobuf.proto import parse_length_prefixed

from ronda.v1.log_pb2 import LogRecord
from ronda_client.errors import LogFileError

MAGIC = b"RONDALOG"


def read_records(data: bytes) -> Iterator[LogRecord]:
    """Yield the records of a log file in order, given the file's bytes.

    Raises:
        LogFileError: The bytes do not begin as a log file does, or do not end with a record.
    """
    stream = io.BytesIO(data)
    if (start := stream.read(len(MAGIC))) != MAGIC:
        raise LogFileError(0, f"a log file begins with {MAGIC!r}, this with {start!r}")
    while (offset := stream.tell()) < len(data):
        try:
            record = parse_length_prefixed(LogRecord, stream)
        except (DecodeError, ValueError) as error:
            raise LogFileError(offset, f"there is no whole record: {error}") from error
        yield record
