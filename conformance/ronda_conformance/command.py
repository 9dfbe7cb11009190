"""The command that holds a program against the suite: `ronda conform`."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ronda_conformance import authoring, reporting, service_profile
from ronda_conformance.data_folders import DataFolderMissingError
from ronda_conformance.failures import UsageError
from ronda_conformance.linting import Contradictions
from ronda_conformance.profiles import DEFAULT, PROFILES
from ronda_conformance.programs import split_command
from ronda_conformance.report_files import ReportFileError
from ronda_conformance.results import ExitCode
from ronda_conformance.rule_set_files import RuleSetFileError
from ronda_conformance.running import Limits
from ronda_conformance.yaml_documents import DocumentError

if TYPE_CHECKING:
    # The class of argparse's subparsers is generic for the type checker alone.
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001  # no other name

DESCRIPTION = "Play the conformance suite against a program that serves ronda.conformance.v1."
EPILOG = (
    "The suite is the scenarios of every chapter and the worked examples of the specification, "
    "whose ids begin with 'example-'. With --profile service it is the checks of a whole "
    "referee, a program that serves ronda.v1.RefereeService. "
    "Exit codes: 0 every scenario passed; 1 failures; 2 wrong arguments, an unreadable suite, a "
    "selection that matches nothing, a program that cannot be started or a report that cannot be "
    "written; 3 a partial run: the program could not be reached, crashed or gave no answer in time."
)
_PORTS = range(1, 65536)


def _target(text: str) -> str:
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) not in _PORTS:
        raise argparse.ArgumentTypeError(f"{text!r} is no HOST:PORT, as 127.0.0.1:50051")
    return text


def _command(text: str) -> list[str]:
    try:
        return split_command(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no command: {error}") from error


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


def _restarts(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0")
    return int(text)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments to a parser."""
    parser.add_argument(
        "--profile",
        choices=sorted(PROFILES),
        default=DEFAULT,
        help=f"what is held against the specification (default {DEFAULT})",
    )
    program = parser.add_mutually_exclusive_group()
    program.add_argument(
        "--target", type=_target, metavar="HOST:PORT", help="the program under test, over gRPC"
    )
    program.add_argument(
        "--command",
        dest="program",
        type=_command,
        metavar="COMMAND",
        help="the program under test, started so and asked over its standard input and output",
    )
    parser.add_argument(
        "--tls-ca",
        type=Path,
        metavar="FILE",
        help="the program speaks TLS, with a certificate that leads to these roots, PEM",
    )
    _add_selection(parser)
    parser.add_argument(
        "--known-failing",
        type=Path,
        metavar="FILE",
        help="ids that are known to fail, or patterns of ids, one a line",
    )
    parser.add_argument(
        "--unsupported",
        type=Path,
        metavar="FILE",
        help="what the program does not support, one a line, as CHALL-* or seats=4",
    )
    reporting.add_arguments(parser)
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
        metavar="N",
        help="how many scenarios are played at once (default 8), each by a process of its own with "
        "--command (default: as many as there are processors)",
    )
    parser.add_argument(
        "--restarts",
        type=_restarts,
        default=Limits.restarts,
        metavar="N",
        help="how often in all a program of --command is started again (default "
        f"{Limits.restarts})",
    )
    service_profile.add_arguments(parser)


def _add_selection(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--id", action="append", default=[], metavar="GLOB", help="only ids that match, as 'cap-*'"
    )
    parser.add_argument(
        "--clause", action="append", default=[], metavar="ID", help="only this clause, as CAP-3"
    )
    parser.add_argument(
        "--rule-set", action="append", default=[], metavar="ID", help="only this rule set"
    )
    parser.add_argument("--suites", type=Path, metavar="DIR", help="play these scenarios instead")
    parser.add_argument("--list", action="store_true", help="list the selection, play nothing")


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
        return PROFILES[args.profile](args)
    except (
        UsageError,
        DocumentError,
        RuleSetFileError,
        DataFolderMissingError,
        ReportFileError,
    ) as error:
        print(f"conform: {error}", file=sys.stderr)
        return ExitCode.USAGE
