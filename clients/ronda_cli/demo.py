"""`ronda demo`: a referee, many matches at once, every log audited, the whole suite played."""

import argparse
import errno
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ronda.v1.rule_set_pb2 import RuleSet
from ronda_cli import demo_report, options, rule_set_choice
from ronda_cli.demo_audit import audit_logs
from ronda_cli.demo_matches import (
    FinishedMatch,
    UnfinishedMatch,
    plan,
    play_all,
    progress_total,
)
from ronda_cli.demo_referee import RefereeProcess, serve_arguments
from ronda_cli.demo_scenarios import play_scenarios
from ronda_cli.failures import CommandError, Terminated
from ronda_cli.interrupts import Interrupts
from ronda_cli.progress import progress
from ronda_client import Backoff, ClientError, RefereeClient, RefereeError

MATCHES = 40
# The referee is ours and near: where it is away for longer, it does not come back.
_PATIENCE = 15.0


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "demo",
        help="see everything at work: a referee, matches, audits and the conformance suite",
        description="Starts a referee on a free loopback port, plays matches at once with bots "
        "at every seat count, saves and audits every log, plays the conformance suite against "
        "the referee, and stops it. The exit code is 0 where every match ended, every audit "
        "passed and every scenario passed.",
    )
    parser.add_argument(
        "--matches",
        type=_positive,
        default=MATCHES,
        metavar="N",
        help=f"how many matches are played at once (default: {MATCHES})",
    )
    parser.add_argument(
        "--rule-set", default="maghribi", metavar="ID", help="the rules (default: maghribi)"
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="where everything is kept, the logs in DIR/logs (default: a new temporary folder)",
    )
    rule_set_choice.add_folders(parser)
    options.add_seed(parser)
    options.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Run the demo; return 0 where all is well and 1 otherwise."""
    folder = _folder(args.data)
    try:
        with Interrupts() as interrupts:
            result = _demo(args, folder, interrupts)
    except KeyboardInterrupt as error:
        word = "terminated" if isinstance(error, Terminated) else "interrupted"
        raise type(error)(
            f"{word}; the referee is stopped, and what there is so far lies in {folder}"
        ) from None
    print(json.dumps(demo_report.as_json(result)) if args.json else demo_report.as_text(result))
    return 1 if result.failures else 0


@dataclass(frozen=True, slots=True)
class _Played:
    rule_set: RuleSet
    matches: Sequence[FinishedMatch | UnfinishedMatch]
    seconds: float


def _demo(args: argparse.Namespace, folder: Path, interrupts: Interrupts) -> demo_report.DemoResult:
    logs = folder / "logs"
    output = folder / "referee.log"
    try:
        logs.mkdir(exist_ok=True)
        output.write_bytes(b"")
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}", code=2) from error
    if not os.access(logs, os.W_OK | os.X_OK):
        raise CommandError(f"{logs}: {os.strerror(errno.EACCES)}", code=2)
    arguments = serve_arguments(folder / "referee", rule_sets=args.rule_sets)
    with RefereeProcess(arguments, output) as referee:
        _say(
            f"the referee (process {referee.pid}) listens on {referee.target}; "
            f"everything is kept in {folder}"
        )
        try:
            played = interrupts.run(_play(referee.target, args, logs))
        except RefereeError as error:
            raise CommandError(str(error)) from error
        except ClientError as error:
            raise CommandError(f"{error} (the referee's own output: {output})") from error
        scenarios = interrupts.run(play_scenarios(referee.target))
    _say("the referee is stopped; its logs are audited from the files alone")
    finished = [match.log for match in played.matches if isinstance(match, FinishedMatch)]
    faults = audit_logs(finished)
    return demo_report.DemoResult(
        played.rule_set.id, folder, played.matches, faults, scenarios, played.seconds
    )


async def _play(target: str, args: argparse.Namespace, logs: Path) -> _Played:
    async with RefereeClient.connect(target, backoff=Backoff(patience=_PATIENCE)) as client:
        rule_set = (await client.get_rule_set(args.rule_set)).rule_set
        matches = plan(rule_set, args.matches, args.seed)
        with progress("matches", progress_total(rule_set, len(matches))) as bar:
            began = time.monotonic()
            results = await play_all(client, rule_set, matches, logs, bar)
            return _Played(rule_set, results, time.monotonic() - began)


def _folder(data: Path | None) -> Path:
    if data is None:
        try:
            return Path(tempfile.mkdtemp(prefix="ronda-demo-"))
        except OSError as error:
            raise CommandError(f"{error.strerror}; name one with --data", code=2) from error
    try:
        data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"--data {data}: {error.strerror}", code=2) from error
    return data


def _positive(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of matches, as 40")
    return int(text)


def _say(text: str) -> None:
    """Tell whoever waits; the results alone go to standard output."""
    print(f"ronda demo: {text}", file=sys.stderr, flush=True)
