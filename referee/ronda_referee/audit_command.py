"""`ronda audit`: verifies match logs from the files alone."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ronda_referee.audit import AuditReport, audit_file
from ronda_referee.audit_text import report_json, report_text
from ronda_referee.event_text import printable
from ronda_referee.output import write_line
from ronda_referee.signing_key import PUBLIC_KEY_SIZE

if TYPE_CHECKING:
    # The class of argparse's subparsers is generic for the type checker alone.
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 - no other name

ALL_RIGHT = 0
FOUND = 1
UNUSABLE = 2

DESCRIPTION = (
    "Verify match logs from the files alone: shuffle, moves, scores, hash chain, signature."
)
EPILOG = (
    "Each log gets one line: what was played, or the first record that is wrong and why. Exit "
    "codes: 0 everything in every log was derived again; 1 something is wrong with a log; 2 wrong "
    "arguments, or a file that cannot be read."
)


def add_parser(subparsers: "Subparsers") -> None:
    """Mount the command as `audit` under another program's parser."""
    parser = subparsers.add_parser(
        "audit",
        help="verify match logs from the files alone",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a log, as match.rlog")
    parser.add_argument(
        "--key",
        type=public_key,
        metavar="HEX",
        help="the referee's public key, 64 hexadecimal digits: logs under another key are wrong",
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object a line, for each log"
    )
    parser.set_defaults(run=run)


def public_key(text: str) -> bytes:
    """Read a public key.

    Raises:
        argparse.ArgumentTypeError: the text is not 64 hexadecimal digits.
    """
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != PUBLIC_KEY_SIZE:
        raise argparse.ArgumentTypeError(f"{text!r} is no public key of 64 hexadecimal digits")
    return key


def run(args: argparse.Namespace) -> int:
    """Run the command with parsed arguments and return its exit code."""
    files: Sequence[Path] = args.files
    worst = ALL_RIGHT
    with _progress(files) as on_progress:
        for path in files:
            try:
                report = audit_file(path, args.key, on_progress(path))
            except OSError as error:
                write_line(sys.stderr, f"audit: {path} cannot be read: {error.strerror or error}")
                worst = UNUSABLE
                continue
            write_line(sys.stdout, _line(path, report, as_json=args.json))
            sys.stdout.flush()
            worst = max(worst, ALL_RIGHT if report.ok else FOUND)
    return worst


def _line(path: Path, report: AuditReport, *, as_json: bool) -> str:
    if as_json:
        return json.dumps({"file": str(path), **report_json(report)})
    return f"{printable(str(path))}: {report_text(report)}"


_OnProgress = Callable[[int], None] | None


@contextmanager
def _progress(files: Sequence[Path]) -> Iterator[Callable[[Path], _OnProgress]]:
    """Show a bar on standard error, at a terminal alone; give how to be told of each file."""
    if not sys.stderr.isatty():
        yield lambda _path: None
        return
    try:
        # Loaded late: the bar is an extra, and loading it takes longer than a short audit.
        from rich.console import Console  # noqa: PLC0415 - see above
        from rich.progress import BarColumn, DownloadColumn, Progress  # noqa: PLC0415 - see above
    except ImportError:
        yield lambda _path: None
        return
    sizes = [path.stat().st_size if path.is_file() else 0 for path in files]
    done = 0
    with Progress(
        "auditing",
        BarColumn(),
        DownloadColumn(),
        console=Console(stderr=True),
        transient=True,
        # At the same terminal the lines go above the bar; elsewhere they are none of its business.
        redirect_stdout=sys.stdout.isatty(),
    ) as bar:
        task = bar.add_task("auditing", total=sum(sizes))
        sizes_to_come = iter(sizes)

        def begin(_path: Path) -> _OnProgress:
            nonlocal done
            before = done
            done += next(sizes_to_come)
            bar.update(task, completed=before)
            return lambda offset: bar.update(task, completed=before + offset)

        yield begin
