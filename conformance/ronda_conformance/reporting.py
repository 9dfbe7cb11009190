"""What a finished run says, to standard output and into files."""

import argparse
import sys
from pathlib import Path

from ronda_conformance import data_folders
from ronda_conformance.clauses import read_clauses
from ronda_conformance.html_report import html_report
from ronda_conformance.junit_report import junit_report
from ronda_conformance.report_files import ReportFileError, check_writable, write_report
from ronda_conformance.reports import json_report, text_report
from ronda_conformance.results import ExitCode, Run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say which reports are wanted."""
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument(
        "--junit", type=Path, metavar="FILE", help="write the report as JUnit XML too"
    )
    parser.add_argument(
        "--html", type=Path, metavar="FILE", help="write the report as one HTML page too"
    )


def check_files(args: argparse.Namespace) -> None:
    """Check that the reports can be written, before anything is played.

    Raises:
        ReportFileError: one cannot, or both are to be the same file.
    """
    if args.junit and args.html and args.junit.resolve() == args.html.resolve():
        message = f"--junit and --html both name {args.html}; they are two files"
        raise ReportFileError(message)
    for option in ("junit", "html"):
        file = getattr(args, option)
        if file is not None:
            check_writable(f"--{option}", file)


def report(args: argparse.Namespace, run: Run) -> ExitCode:
    """Print and write the reports; return the exit code of the whole."""
    spec = data_folders.spec()
    clauses = read_clauses(spec) | read_clauses(spec / "protocol")
    print(json_report(run) if args.json else text_report(run, clauses))
    code = run.exit_code
    for option, made in (("junit", junit_report), ("html", html_report)):
        file = getattr(args, option)
        if file is None:
            continue
        try:
            write_report(f"--{option}", file, made(run, clauses))
        except ReportFileError as error:
            print(f"conform: {error}", file=sys.stderr)
            code = ExitCode.USAGE
    return code
