"""The profile `rules`: scenarios played against a program's engine, one stateless call each."""

import argparse
import asyncio
import os
import shlex
import signal
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from ronda_conformance import data_folders, reporting
from ronda_conformance.clauses import read_clauses
from ronda_conformance.examples import load_whole_suite
from ronda_conformance.failures import UsageError
from ronda_conformance.known_failing import read_known_failing
from ronda_conformance.programs import ProgramStartError
from ronda_conformance.progress import progress
from ronda_conformance.results import ExitCode, Listed, Result, Run, with_lists
from ronda_conformance.rule_set_files import load_rule_sets
from ronda_conformance.running import Limits, run_cases
from ronda_conformance.running_programs import run_programs
from ronda_conformance.scenarios import Case, Suite, load_suite
from ronda_conformance.selection import Selection
from ronda_conformance.unsupported import read_unsupported

_CALLS_AT_ONCE = 8
# Arguments of the other profile.
_FOREIGN = (
    "--organiser-token-file",
    "--server-command",
    "--without-restarts",
    "--without-organiser",
)


def run(args: argparse.Namespace) -> ExitCode:
    """Run the profile with the command's arguments and return the exit code.

    Raises:
        UsageError, DocumentError, RuleSetFileError, DataFolderMissingError, ReportFileError: the
            run cannot begin.
    """
    for option in _FOREIGN:
        if getattr(args, option[2:].replace("-", "_"), None):
            raise UsageError(f"{option} goes with --profile service alone")
    suite = load_whole_suite(load_rule_sets()) if args.suites is None else _suite(args.suites)
    _require_readable(suite, data_folders.suites() if args.suites is None else args.suites)
    cases = _select(suite, Selection(args.id, args.clause, args.rule_set))
    if args.list:
        for case in cases:
            print(f"{case.id}  {', '.join(case.clauses)}  {case.title}")
        return ExitCode.PASSED
    if args.target is None and args.program is None:
        raise UsageError(
            "--target HOST:PORT or --command COMMAND is missing: which program is to be played "
            "against?"
        )
    if args.tls_ca is not None and args.target is None:
        raise UsageError("--tls-ca goes with --target: a program of --command speaks no TLS")
    listed = _lists(args, suite)
    reporting.check_files(args)
    finished = _play(args, cases)
    finished.suite_size = len(suite.cases)
    finished.results = [with_lists(result, listed) for result in finished.results]
    return reporting.report(args, finished)


def _lists(args: argparse.Namespace, suite: Suite) -> dict[str, Listed]:
    listed: dict[str, Listed] = {}
    if args.known_failing is not None:
        listed |= read_known_failing(args.known_failing, [case.id for case in suite.cases])
    if args.unsupported is not None:
        clauses = dict.fromkeys(read_clauses(data_folders.spec()))
        clauses |= {name: None for case in suite.cases for name in case.clauses}
        rule_sets = sorted({case.rule_set for case in suite.cases} | set(load_rule_sets()))
        listed |= read_unsupported(args.unsupported, suite.cases, list(clauses), rule_sets)
    return listed


def _suite(folder: Path) -> Suite:
    try:
        next(folder.iterdir(), None)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UsageError(f"{folder} is no folder; --suites names a folder of scenarios") from error
    except OSError as error:
        raise UsageError(f"--suites {folder} cannot be read: {error.strerror}") from error
    return load_suite(folder, load_rule_sets())


def _play(args: argparse.Namespace, cases: list[Case]) -> Run:
    run = Run(args.target or shlex.join(args.program))
    with progress(len(cases)) as on_result:
        try:
            asyncio.run(terminable(_player(args, run, cases, on_result)))
        except KeyboardInterrupt:
            run.interrupted = "it was interrupted"
        except asyncio.CancelledError:
            run.interrupted = "it was terminated"
        except ProgramStartError as error:
            raise UsageError(f"--command: {error}") from error
    return run


def _player(
    args: argparse.Namespace, run: Run, cases: list[Case], on_result: Callable[[Result], None]
) -> Callable[[], Coroutine[Any, Any, None]]:
    if args.program is None:
        roots = None if args.tls_ca is None else read_roots(args.tls_ca)
        limits = Limits(args.timeout, args.jobs or _CALLS_AT_ONCE)
        return lambda: run_cases(run, cases, limits, on_result, roots)
    limits = Limits(args.timeout, args.jobs or os.cpu_count() or 1, args.restarts)
    return lambda: run_programs(run, cases, limits, on_result, args.program)


async def terminable(play: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Play until the end or SIGTERM, which cancels as Ctrl-C does: no process is left behind."""
    playing = asyncio.create_task(play())
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, playing.cancel)
    try:
        await playing
    finally:
        loop.remove_signal_handler(signal.SIGTERM)


def read_roots(file: Path) -> bytes:
    """Return the roots that `--tls-ca` names, PEM.

    Raises:
        UsageError: the file cannot be read or holds no certificate.
    """
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
