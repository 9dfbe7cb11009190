"""The command that holds a program against the suite: `ronda conform`."""

import argparse
import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ronda_conformance import authoring, data_folders
from ronda_conformance.data_folders import DataFolderMissingError
from ronda_conformance.examples import load_whole_suite
from ronda_conformance.known_failing import read_known_failing
from ronda_conformance.linting import Contradictions
from ronda_conformance.progress import progress
from ronda_conformance.reports import json_report, text_report
from ronda_conformance.results import ExitCode, Run, with_known_failing
from ronda_conformance.rule_set_files import RuleSetFileError, load_rule_sets
from ronda_conformance.running import Limits, run_cases
from ronda_conformance.scenarios import Case, Suite, load_suite
from ronda_conformance.selection import Selection
from ronda_conformance.yaml_documents import DocumentError

if TYPE_CHECKING:
    # The class of argparse's subparsers is generic for the type checker alone.
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001  # no other name

DESCRIPTION = "Play the conformance suite against a program that serves ronda.conformance.v1."
EPILOG = (
    "The suite is the scenarios of every chapter and the worked examples of the specification, "
    "whose ids begin with 'example-'. "
    "Exit codes: 0 every scenario passed; 1 failures; 2 wrong arguments, an unreadable suite or a "
    "selection that matches nothing; 3 a partial run: the program could not be reached, crashed "
    "or gave no answer in time."
)
_PORTS = range(1, 65536)


class UsageError(Exception):
    """The run cannot begin; the message says what is wrong and what would be right."""


def _target(text: str) -> str:
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) not in _PORTS:
        raise argparse.ArgumentTypeError(f"{text!r} is no HOST:PORT, as 127.0.0.1:50051")
    return text


def _seconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
    return number


def _jobs(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1")
    return int(text)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to a parser."""
    parser.add_argument(
        "--target", type=_target, metavar="HOST:PORT", help="the program under test"
    )
    parser.add_argument(
        "--tls-ca",
        type=Path,
        metavar="FILE",
        help="the program speaks TLS, with a certificate that leads to these roots, PEM",
    )
    parser.add_argument(
        "--id", action="append", default=[], metavar="GLOB", help="only ids that match, as 'cap-*'"
    )
    parser.add_argument(
        "--clause", action="append", default=[], metavar="ID", help="only this clause, as CAP-3"
    )
    parser.add_argument(
        "--rule-set", action="append", default=[], metavar="ID", help="only this rule set"
    )
    parser.add_argument(
        "--known-failing", type=Path, metavar="FILE", help="ids that are known to fail, one a line"
    )
    parser.add_argument("--suites", type=Path, metavar="DIR", help="play these scenarios instead")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument("--list", action="store_true", help="list the selection, play nothing")
    parser.add_argument(
        "--timeout",
        type=_seconds,
        default=10.0,
        metavar="SECONDS",
        help="how long each scenario may take (default 10)",
    )
    parser.add_argument(
        "--jobs",
        type=_jobs,
        default=8,
        metavar="N",
        help="how many scenarios are played at once (default 8)",
    )


def add_parser(subparsers: "Subparsers", contradictions: Contradictions | None = None) -> None:
    """Mount the command as `conform` under another program's parser.

    Args:
        subparsers: where it is mounted.
        contradictions: finds for `lint` why a rule set cannot be played; None: nobody looks.
    """
    parser = subparsers.add_parser(
        "conform", help=DESCRIPTION.rstrip("."), description=DESCRIPTION, epilog=EPILOG
    )
    add_arguments(parser)
    authoring.add_authoring(parser, contradictions)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the command with parsed arguments and return its exit code."""
    if "authoring" in args:
        return authoring.run(args)
    try:
        return _run(args)
    except (UsageError, DocumentError, RuleSetFileError, DataFolderMissingError) as error:
        print(f"conform: {error}", file=sys.stderr)
        return ExitCode.USAGE


def _run(args: argparse.Namespace) -> int:
    suite = load_whole_suite(load_rule_sets()) if args.suites is None else _suite(args.suites)
    _require_readable(suite, data_folders.suites() if args.suites is None else args.suites)
    cases = _select(suite, Selection(args.id, args.clause, args.rule_set))
    if args.list:
        for case in cases:
            print(f"{case.id}  {', '.join(case.clauses)}  {case.scenario.title}")
        return ExitCode.PASSED
    if args.target is None:
        raise UsageError("--target HOST:PORT is missing: which program is to be played against?")
    known: frozenset[str] = frozenset()
    if args.known_failing is not None:
        known = read_known_failing(args.known_failing, [case.id for case in suite.cases])
    finished = _play(args, cases)
    finished.results = [with_known_failing(result, known) for result in finished.results]
    print(json_report(finished) if args.json else text_report(finished))
    return finished.exit_code


def _suite(folder: Path) -> Suite:
    try:
        next(folder.iterdir(), None)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UsageError(f"{folder} is no folder; --suites names a folder of scenarios") from error
    except OSError as error:
        raise UsageError(f"--suites {folder} cannot be read: {error.strerror}") from error
    return load_suite(folder, load_rule_sets())


def _play(args: argparse.Namespace, cases: list[Case]) -> Run:
    run = Run(args.target)
    roots = None if args.tls_ca is None else _roots(args.tls_ca)
    with progress(len(cases)) as on_result:
        try:
            asyncio.run(run_cases(run, cases, Limits(args.timeout, args.jobs), on_result, roots))
        except KeyboardInterrupt:
            run.interrupted = "it was interrupted"
    return run


def _roots(file: Path) -> bytes:
    try:
        data = file.read_bytes()
    except OSError as error:
        raise UsageError(f"--tls-ca {file} cannot be read: {error.strerror}") from error
    if b"-----BEGIN CERTIFICATE-----" not in data:
        raise UsageError(f"--tls-ca {file} holds no certificate in PEM")
    return data


def _require_readable(suite: Suite, folder: Path) -> None:
    if suite.errors:
        listed = "\n".join(f"  {error}" for error in suite.errors)
        count = len({error.file for error in suite.errors})
        files = "1 file is" if count == 1 else f"{count} files are"
        raise UsageError(f"the suite cannot be read, {files} at fault:\n{listed}")
    if not suite.cases:
        raise UsageError(f"{folder} holds no scenario")


def _select(suite: Suite, selection: Selection) -> list[Case]:
    lost = selection.unmatched(suite.cases)
    if lost:
        raise UsageError(f"no scenario fits {', '.join(lost)}; --list shows them all")
    cases = [case for case in suite.cases if selection.wants(case)]
    if not cases:
        raise UsageError("no scenario fits the whole selection; --list shows them all")
    return cases
