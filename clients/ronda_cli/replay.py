"""`ronda replay`: shows what happened in a match log, as text, as JSON or as a page."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from ronda.v1 import log_pb2
from ronda_cli import options, replay_output
from ronda_cli.failures import CommandError
from ronda_client.whole_file import write_new, write_whole
from ronda_conformance.glossary import GlossaryError, GlossaryUnknownError, load_glossary
from ronda_referee.audit import audit_file
from ronda_referee.audit.hidden import Hidden
from ronda_referee.audit_text import finding_text
from ronda_referee.log_file import LogFileError, read_records, to_json_lines
from ronda_referee.output import write_line
from ronda_replay.lines import replay_blocks
from ronda_replay.machine import json_lines
from ronda_replay.page import page
from ronda_replay.steps import match_of
from ronda_replay.telling import Language

VERIFIED = 0
NOT_VERIFIED = 1
UNUSABLE = 2

DESCRIPTION = "Show what happened in a match log, turn by turn."
EPILOG = (
    "A log that does not verify is shown as far as it can be read, after a line that says so. Exit "
    "codes: 0 the log verifies; 1 it does not; 2 wrong arguments, or a file cannot be read or "
    "written. Colours are shown at a terminal alone, with the extra `terminal`, and not where "
    "NO_COLOR is set."
)


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "replay", help="show what happened in a match log", description=DESCRIPTION, epilog=EPILOG
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="a log, as match.rlog")
    parser.add_argument(
        "--seat",
        type=_seat,
        metavar="N",
        help="tell only what this seat could see at the time (default: everything)",
    )
    parser.add_argument(
        "--lang", default="en", metavar="CODE", help="ar, ary, fa, es, fr or en (default: en)"
    )
    parser.add_argument(
        "--latin",
        action="store_true",
        help="tell it in Latin letters, for terminals that cannot show the script",
    )
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--step", action="store_true", help="wait for a key after each turn")
    forms.add_argument(
        "--json", action="store_true", help="print one JSON object for each step, with the state"
    )
    forms.add_argument(
        "--records", action="store_true", help="print the records themselves, one JSON object each"
    )
    forms.add_argument(
        "--html",
        type=options.output_file,
        metavar="OUT",
        help="write a page that needs nothing else, to be looked at in a browser",
    )
    parser.add_argument(
        "--force", action="store_true", help="let --html take the place of a file that is there"
    )


def run(args: argparse.Namespace) -> int:
    """Show the log; return whether it verifies.

    Raises:
        CommandError: An option cannot be followed, or a file cannot be read or written.
    """
    language = _language(args)
    if args.records and args.seat is not None:
        raise CommandError("--records tells everything; a seat's view has --json", code=UNUSABLE)
    if args.force and args.html is None:
        raise CommandError("--force goes with --html alone", code=UNUSABLE)
    if args.html is not None and not args.force and args.html.exists():
        raise CommandError(_is_there(args.html), code=UNUSABLE)
    if args.step:
        replay_output.check_keys()
    path: Path = args.file
    try:
        report = audit_file(path)
        records, fault = _readable(path)
    except OSError as error:
        reason = error.strerror or error
        raise CommandError(f"replay: {path} cannot be read: {reason}", code=UNUSABLE) from error
    _check_seat(args.seat, records)
    finding = None if report.finding is None else finding_text(report.finding)
    # In JSON nothing but objects may stand on standard output, and a page is no output.
    remarks = sys.stderr if args.json or args.records or args.html else sys.stdout
    if finding is not None:
        write_line(remarks, f"THIS LOG DOES NOT VERIFY: {finding}")
    _show(args, records, language, finding)
    if fault is not None:
        write_line(remarks, f"the file cannot be read further: {fault}")
    return VERIFIED if report.ok else NOT_VERIFIED


def _show(
    args: argparse.Namespace,
    records: list[log_pb2.LogRecord],
    language: Language,
    finding: str | None,
) -> None:
    hidden = Hidden(
        {one.opening.sequence: one.opening for one in records if one.HasField("opening")}
    )
    if args.html is not None:
        made = page(records, hidden.opened, language, args.seat, finding=finding)
        _write(args.html, made.encode(), force=args.force)
    elif args.records:
        for line in to_json_lines(records):
            write_line(sys.stdout, line)
    elif args.json:
        for line in json_lines(records, hidden.opened, language, args.seat):
            write_line(sys.stdout, line)
    else:
        blocks = replay_blocks(records, hidden.opened, language, args.seat)
        if args.step:
            replay_output.step_through(blocks, language)
        else:
            replay_output.show(blocks)


def _write(path: Path, data: bytes, *, force: bool) -> None:
    try:
        if force:
            write_whole(path, data)
        else:
            write_new(path, data)
    except FileExistsError as error:
        raise CommandError(_is_there(path), code=UNUSABLE) from error
    except OSError as error:
        raise CommandError(f"--html {path}: {error.strerror}", code=UNUSABLE) from error


def _is_there(path: Path) -> str:
    return f"--html {path}: there is such a file; --force lets the page take its place"


def _language(args: argparse.Namespace) -> Language:
    try:
        return Language(load_glossary(args.lang), args.latin)
    except GlossaryUnknownError as error:
        raise CommandError(f"--lang: {error}", code=UNUSABLE) from error
    except GlossaryError as error:
        raise CommandError(str(error)) from error


def _seat(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is no seat, as 0 or 1")
    return int(text)


def _check_seat(seat: int | None, records: Sequence[log_pb2.LogRecord]) -> None:
    seats = match_of(records).header.seats
    if seat is not None and seats and seat >= seats:
        raise CommandError(
            f"--seat {seat}: the match has the seats 0 to {seats - 1}", code=UNUSABLE
        )


def _readable(path: Path) -> tuple[list[log_pb2.LogRecord], LogFileError | None]:
    """Give the records up to the first that cannot be read, and why that one cannot."""
    records: list[log_pb2.LogRecord] = []
    with path.open("rb") as stream:
        try:
            records.extend(one.record for one in read_records(stream))
        except LogFileError as error:
            return records, error
    return records, None
