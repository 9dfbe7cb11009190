"""`ronda replay`: shows what happened in a match log."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ronda.v1 import log_pb2
from ronda_referee.audit import audit_file
from ronda_referee.audit_text import finding_text
from ronda_referee.log_file import LogFileError, read_records, to_json_lines
from ronda_referee.output import write_line
from ronda_referee.replay import replay_lines

if TYPE_CHECKING:
    # The class of argparse's subparsers is generic for the type checker alone.
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 - no other name

VERIFIED = 0
NOT_VERIFIED = 1
UNUSABLE = 2

DESCRIPTION = "Show what happened in a match log, turn by turn."
EPILOG = (
    "A log that does not verify is shown as far as it can be read, after a line that says so. Exit "
    "codes: 0 the log verifies; 1 it does not; 2 wrong arguments, or the file cannot be read."
)


def add_parser(subparsers: "Subparsers") -> None:
    """Mount the command as `replay` under another program's parser."""
    parser = subparsers.add_parser(
        "replay", help="show what happened in a match log", description=DESCRIPTION, epilog=EPILOG
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="a log, as match.rlog")
    parser.add_argument(
        "--json", action="store_true", help="print the records instead, one JSON object a line"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command with parsed arguments and return its exit code."""
    path: Path = args.file
    try:
        report = audit_file(path)
        records, fault = _readable(path)
    except OSError as error:
        write_line(sys.stderr, f"replay: {path} cannot be read: {error.strerror or error}")
        return UNUSABLE
    # In JSON nothing but records may stand on standard output.
    remarks = sys.stderr if args.json else sys.stdout
    if report.finding is not None:
        write_line(remarks, f"THIS LOG DOES NOT VERIFY: {finding_text(report.finding)}")
    for line in to_json_lines(records) if args.json else replay_lines(records):
        write_line(sys.stdout, line)
    if fault is not None:
        write_line(remarks, f"the file cannot be read further: {fault}")
    return VERIFIED if report.ok else NOT_VERIFIED


def _readable(path: Path) -> tuple[list[log_pb2.LogRecord], LogFileError | None]:
    """Give the records up to the first that cannot be read, and why that one cannot."""
    records: list[log_pb2.LogRecord] = []
    with path.open("rb") as stream:
        try:
            records.extend(one.record for one in read_records(stream))
        except LogFileError as error:
            return records, error
    return records, None
