"""`ronda audit`: verifies match logs, from files and folders, a referee or its store."""

import argparse
import json
import sys
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from pathlib import Path

from ronda_cli import audit_fairness, options
from ronda_cli.audit_duplicates import Groups
from ronda_cli.audit_sources import Sources
from ronda_cli.audit_summary import FOUND, UNUSABLE, Summary
from ronda_cli.failures import CommandError
from ronda_cli.progress import progress
from ronda_client.heads import HeadsError, read_heads
from ronda_referee.audit_many import Audited, Log, Wanted, audit_all, cores
from ronda_referee.audit_text import report_json, report_text
from ronda_referee.event_text import printable
from ronda_referee.output import write_line
from ronda_referee.signing_key import PUBLIC_KEY_SIZE

DESCRIPTION = (
    "Verifies match logs from the logs alone: shuffle, moves, scores, each seat's view, clocks, "
    "hash chain, signature."
)
EPILOG = (
    "Each log gets one line: what was played, or the first record that is wrong and why; with more "
    "than one log a summary comes last, and before it a line for each shuffle that logs share: "
    "whether all were dealt the same cards. Exit codes: 0 everything in every log was derived "
    "again; 1 something is wrong with a log, logs that share a shuffle were dealt other cards, or "
    "with --fairness the cards do not look drawn by lot; 2 wrong arguments, or a log that cannot "
    "be read; 3 nothing is wrong, but a log is unfinished."
)


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "audit",
        help="verify match logs from the logs alone",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    parser.add_argument(
        "paths",
        nargs="*",
        type=Path,
        metavar="PATH",
        help="a log, as match.rlog; a folder, for every *.rlog in it and below; a referee's data "
        "folder, or a store's file, for every match that has ended",
    )
    parser.add_argument(
        "--target",
        type=options.target,
        metavar="HOST:PORT",
        help="a referee: every match of it that has ended",
    )
    options.add_patience(parser)
    options.add_tls_ca(parser)
    parser.add_argument(
        "--key",
        type=public_key,
        metavar="HEX",
        help="the referee's public key, 64 hexadecimal digits: logs under another key are wrong",
    )
    parser.add_argument(
        "--heads",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="heads that a watcher kept, as with `ronda bot --heads`: a log that is not the one "
        "that was watched is wrong; may be given again",
    )
    parser.add_argument(
        "--jobs",
        type=_jobs,
        default=cores(),
        metavar="NUMBER",
        help=f"how many processes audit many logs (default: one a core, {cores()})",
    )
    parser.add_argument(
        "--quiet", action="store_true", help="print no line for a log with which nothing is wrong"
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object a line, for each log"
    )
    audit_fairness.add_arguments(parser)
    parser.set_defaults(usage_error=parser.error)


def public_key(text: str) -> bytes:
    """Read a public key.

    Raises:
        argparse.ArgumentTypeError: The text is not 64 hexadecimal digits.
    """
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != PUBLIC_KEY_SIZE:
        raise argparse.ArgumentTypeError(f"{text!r} is no public key of 64 hexadecimal digits")
    return key


def run(args: argparse.Namespace) -> int:
    """Audit; return the exit code."""
    if not args.paths and args.target is None:
        args.usage_error("give a PATH, or --target")
    audit_fairness.check_arguments(args)
    seen = _seen(args.heads)
    fairness = audit_fairness.begin(args)
    wanted = Wanted(args.key, seen, deals=fairness is not None)
    summary = Summary(seen)
    groups = Groups()
    with ExitStack() as stack:
        sources = stack.enter_context(Sources(args))
        for audited in _with_bar(sources, wanted, args.jobs):
            summary.add(audited)
            groups.add(audited)
            if fairness is not None:
                fairness.add(audited)
            _print(audited, args)
    if summary.logs > 1:
        _print_summary(summary, groups, args)
    for line in () if args.json else summary.notes():
        write_line(sys.stderr, printable(f"audit: {line}"))
    unlikely = fairness is not None and fairness.report(args)
    if (unlikely or groups.differ) and summary.code != UNUSABLE:
        return FOUND
    return summary.code


def _jobs(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 256:  # noqa: PLR2004 - more help nobody
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to 256")
    return int(text)


def _seen(files: list[Path]) -> dict[str, dict[int, list[bytes]]]:
    seen: dict[str, dict[int, list[bytes]]] = {}
    for file in files:
        try:
            for match_id, heads in read_heads(file).items():
                of_match = seen.setdefault(match_id, {})
                for sequence, several in heads.items():
                    of_match.setdefault(sequence, []).extend(several)
        except HeadsError as error:
            raise CommandError(f"--heads {error}", code=2) from error
        except OSError as error:
            raise CommandError(f"--heads {file}: {error.strerror}", code=2) from error
    return seen


def _with_bar(sources: Sources, wanted: Wanted, jobs: int) -> Iterator[Audited]:
    total = sources.count() if sys.stderr.isatty() else None
    done = 0
    with progress("auditing", total) as bar:

        def inside(log: Log, offset: int) -> None:
            size = log.source.stat().st_size if isinstance(log.source, Path) else 0
            bar.update(done + (offset / size if size else 0), log.name)

        try:
            for audited in audit_all(sources.logs(), wanted, jobs, inside):
                yield audited
                done += 1
                bar.update(done, f"{done} logs")
        except BrokenProcessPool as error:
            detail = "the system has ended a process of the audit; try again with fewer --jobs"
            raise CommandError(detail, code=2) from error


def _print_summary(summary: Summary, groups: Groups, args: argparse.Namespace) -> None:
    if args.json:
        print(json.dumps({"summary": {**summary.as_json(), "shared_shuffles": groups.as_json()}}))
        return
    told = groups.as_text(differing_alone=args.quiet)
    for line in (*told, summary.as_text()):
        write_line(sys.stdout, line)


def _print(audited: Audited, args: argparse.Namespace) -> None:
    report = audited.report
    if report is None:
        why = f"audit: {audited.name} cannot be read: {audited.error}"
        write_line(sys.stderr, printable(why))
        if args.json:
            print(json.dumps({"file": audited.name, "ok": False, "error": audited.error}))
        return
    if report.ok and (args.quiet or args.fairness):
        return
    if args.json:
        print(json.dumps({"file": audited.name, **report_json(report)}))
    else:
        write_line(sys.stdout, f"{printable(audited.name)}: {report_text(report)}")
    # Whoever reads along in a pipe sees each line when it is there.
    sys.stdout.flush()
