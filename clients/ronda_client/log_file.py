"""Reading a log file without judging it; `ronda audit` judges."""

import io
import re
from collections.abc import Iterator

from google.protobuf.message import DecodeError
from google.protobuf.proto import parse_length_prefixed

from ronda.v1.log_pb2 import LogRecord
from ronda_client.errors import LogFileError, MatchIdError

MAGIC = b"RONDALOG"
SUFFIX = ".rlog"

# Nothing that leads to another folder, hides a file or steers a terminal.
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}")


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


def log_name(match_id: str) -> str:
    """Return the name of a match's log in a folder of logs.

    Raises:
        MatchIdError: The id is no name for a file: it may come from any referee.
    """
    if not _NAME.fullmatch(match_id):
        raise MatchIdError(match_id)
    return f"{match_id}{SUFFIX}"
