"""The profile `service`: a running referee is held against the clauses of its calls."""

import argparse
import asyncio
import os
from collections.abc import Callable
from pathlib import Path

from ronda_conformance import reporting
from ronda_conformance.failures import UsageError
from ronda_conformance.known_failing import read_known_failing
from ronda_conformance.progress import progress
from ronda_conformance.results import ExitCode, Run, with_lists
from ronda_conformance.rules_profile import read_roots, terminable
from ronda_conformance.running import Limits
from ronda_conformance.selection import Selection
from ronda_conformance.service.catalogue import all_checks
from ronda_conformance.service.checks import Check, Needs
from ronda_conformance.service.running import Referee, run_service_checks
from ronda_conformance.service.server_command import ServerStartError

TOKEN_VARIABLE = "RONDA_ORGANISER_TOKEN"
_CHECKS_AT_ONCE = 8
# What the other profile's arguments are called, by their names in the parsed arguments.
_FOREIGN = {
    "program": "--command",
    "suites": "--suites",
    "rule_set": "--rule-set",
    "unsupported": "--unsupported",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this profile alone."""
    group = parser.add_argument_group("the profile service")
    group.add_argument(
        "--organiser-token-file",
        type=Path,
        metavar="FILE",
        help="holds an organiser's token of the referee under test, which to cancel a match needs, "
        f"and to create one where the referee says so (default: the token in {TOKEN_VARIABLE})",
    )
    group.add_argument(
        "--server-command",
        metavar="COMMAND",
        help="starts the referee, so that it listens at --target; the run starts it itself, kills "
        "it in mid-match, and stops it with SIGTERM",
    )
    group.add_argument(
        "--without-restarts",
        action="store_true",
        help="leave out the checks that need --server-command; without this and without the "
        "command they are not run, and the run is partial",
    )
    group.add_argument(
        "--without-organiser",
        action="store_true",
        help="leave out the checks that need an organiser's token, likewise",
    )


def run(args: argparse.Namespace) -> ExitCode:
    """Run the profile with the command's arguments and return the exit code.

    Raises:
        UsageError, DocumentError, DataFolderMissingError, ReportFileError: the run cannot begin.
    """
    for name, option in _FOREIGN.items():
        if getattr(args, name):
            raise UsageError(f"{option} does not go with --profile service")
    suite = all_checks()
    checks = _selected(suite, Selection(args.id, args.clause))
    left_out = [check for check in checks if check.needs in _without(args)]
    checks = [check for check in checks if check not in left_out]
    if args.list:
        for check in checks:
            print(f"{check.id}  {', '.join(check.clauses)}  {check.title}")
        return ExitCode.PASSED
    if args.target is None:
        raise UsageError("--target HOST:PORT is missing: where is the referee under test?")
    if not checks:
        raise UsageError("nothing is left of the selection with --without-…")
    known = {}
    if args.known_failing is not None:
        known = read_known_failing(args.known_failing, [check.id for check in suite])
    reporting.check_files(args)
    finished = _play(args, checks)
    finished.suite_size = len(suite) - len(left_out)
    finished.left_out = ", ".join(check.id for check in left_out)
    finished.results = [with_lists(result, known) for result in finished.results]
    return reporting.report(args, finished)


def _without(args: argparse.Namespace) -> set[Needs]:
    if args.without_restarts and args.server_command:
        raise UsageError("--server-command does not go with --without-restarts; drop one of them")
    without: set[Needs] = set()
    if args.without_restarts:
        without.add(Needs.RESTARTS)
    if args.without_organiser:
        without.add(Needs.ORGANISER)
    return without


def _selected(suite: list[Check], selection: Selection) -> list[Check]:
    lost = selection.unmatched(suite)
    if lost:
        raise UsageError(f"no check fits {', '.join(lost)}; --list shows them all")
    checks = [check for check in suite if selection.wants(check)]
    if not checks:
        raise UsageError("no check fits the whole selection; --list shows them all")
    return checks


def _play(args: argparse.Namespace, checks: list[Check]) -> Run:
    run = Run(args.target, judged="check")
    referee = Referee(
        None if args.tls_ca is None else read_roots(args.tls_ca),
        _organiser_token(args),
        args.server_command,
    )
    limits = Limits(args.timeout, args.jobs or _CHECKS_AT_ONCE)
    with progress(len(checks), "checks") as on_result:
        try:
            asyncio.run(
                terminable(lambda: run_service_checks(run, checks, limits, on_result, referee))
            )
        except KeyboardInterrupt:
            run.interrupted = "it was interrupted"
        except asyncio.CancelledError:
            run.interrupted = "it was terminated"
        except ServerStartError as error:
            raise UsageError(str(error)) from error
    return run


def _organiser_token(args: argparse.Namespace) -> str | Callable[[], str] | None:
    file: Path | None = args.organiser_token_file
    if file is None:
        return os.environ.get(TOKEN_VARIABLE, "").strip() or None
    if args.server_command is None:
        return _token_in(file)
    # The referee may make the file when it starts.
    return lambda: _token_in(file)


def _token_in(file: Path) -> str:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--organiser-token-file {file} cannot be read: {error}") from error
    for line in lines:
        if line.strip() and not line.startswith("#"):
            return line.strip()
    raise UsageError(f"--organiser-token-file {file} holds no token")
