"""`ronda tournament`: runs a tournament of bots, checks its configuration, audits its results."""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

from ronda.v1.rule_set_pb2 import RuleSet
from ronda_cli import options, rule_set_choice, tournament_run
from ronda_cli.failures import CommandError
from ronda_cli.progress import progress
from ronda_cli.tournament_audit import audit_tournament
from ronda_referee.audit_many import cores
from ronda_tournament.config import Config
from ronda_tournament.config_reading import read_config
from ronda_tournament.config_values import ConfigError
from ronda_tournament.report_text import audit_line

EXIT_FAILURES = 1
EXIT_CONFIG = 2


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and what it can do."""
    parser = subparsers.add_parser(
        "tournament",
        help="run a tournament of bots and report on it",
        description="Runs tournaments of bots in which all are dealt the same cards in turn.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    running = actions.add_parser(
        "run",
        help="play a tournament, or go on with one",
        description="Plays a tournament to its end, or goes on with it where it was broken off, "
        "and writes its results, its report and all logs into a folder.",
        epilog="Exit codes: 0 finished; 1 finished, and bots have failed or the audit has found "
        "something; 2 the configuration or an argument is wrong; 3 not finished, and the same "
        "command goes on with it.",
    )
    running.add_argument("config", type=Path, metavar="CONFIG", help="a TOML file")
    running.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="where everything is kept (default: a folder of the file's name without .toml, here)",
    )
    running.add_argument(
        "--target",
        type=options.target,
        metavar="HOST:PORT",
        help="a referee that runs and has allow_shared_shuffles (default: one of its own)",
    )
    options.add_patience(running)
    options.add_tls_ca(running)
    options.add_organiser_token(running)
    running.add_argument(
        "--replays",
        type=_count,
        default=6,
        metavar="N",
        help="of how many matches to make pages to look at (default: 6)",
    )
    running.add_argument("--no-audit", action="store_true", help="do not audit the logs")
    _add_jobs(running)
    running.add_argument("--json", action="store_true", help="print the results as JSON")
    checking = actions.add_parser("check", help="say everything that is wrong with a configuration")
    checking.add_argument("config", type=Path, metavar="CONFIG", help="a TOML file")
    checking.add_argument("--json", action="store_true", help="print one JSON object")
    auditing = actions.add_parser(
        "audit",
        help="verify a tournament's logs, seeds and results",
        description="Audits every log of a tournament, checks that the cards of every group "
        "derive from the seed that was committed to and are the same in its matches, and that "
        "the journal tells what the logs do.",
        epilog="Exit codes: 0 nothing is wrong; 1 something is; 2 it is no tournament's folder; "
        "3 nothing is wrong, but the seed is not revealed yet.",
    )
    auditing.add_argument("folder", type=Path, metavar="DIR", help="the tournament's folder")
    _add_jobs(auditing)
    auditing.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Do what is asked for; return the exit code."""
    actions: dict[str, Callable[[argparse.Namespace], int]] = {
        "run": _run,
        "check": _check,
        "audit": _audit,
    }
    return actions[args.action](args)


def _run(args: argparse.Namespace) -> int:
    return tournament_run.run(args, _config(args.config))


def _check(args: argparse.Namespace) -> int:
    config = None
    problems: list[dict[str, object]] = []
    try:
        config = _read(args.config)
    except ConfigError as error:
        problems = [
            {"line": one.line, "key": one.key, "problem": one.detail} for one in error.problems
        ]
        if not args.json:
            print(error)
    if args.json:
        print(json.dumps({"file": str(args.config), "ok": not problems, "problems": problems}))
    elif config is not None:
        print(
            f"{args.config}: {config.name} can be played: {config.format}, {config.seats} seats, "
            f"{len(config.entrants)} entrants"
        )
    return EXIT_CONFIG if problems else 0


def _audit(args: argparse.Namespace) -> int:
    with progress("auditing", None) as bar:
        found = audit_tournament(
            args.folder, args.jobs, lambda done, total: bar.update(done, f"{done} of {total} logs")
        )
    if args.json:
        print(json.dumps(found))
    else:
        for finding in found["findings"]:
            print(finding)
        print(audit_line(found))
        if not found["seed_revealed"]:
            matches = "1 match" if found["open"] == 1 else f"{found['open']} matches"
            print(
                f"audit: the tournament is not finished: {matches} open, and the seed is not "
                "revealed yet",
                file=sys.stderr,
            )
    if found["findings"]:
        return EXIT_FAILURES
    return 0 if found["seed_revealed"] else tournament_run.EXIT_UNFINISHED


def _config(file: Path) -> Config:
    try:
        return _read(file)
    except ConfigError as error:
        raise CommandError(str(error), code=EXIT_CONFIG) from error


def _read(file: Path) -> Config:
    known = rule_set_choice.known_rule_sets([])

    def resolve(text: str, folder: Path) -> RuleSet:
        named = str(folder / text) if rule_set_choice.is_file(text) else text
        try:
            return rule_set_choice.find(named, known).rule_set
        except CommandError as error:
            raise ValueError(str(error)) from error

    try:
        return read_config(file, resolve)
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror}", code=EXIT_CONFIG) from error


def _add_jobs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--jobs",
        type=_at_least_one,
        default=cores(),
        metavar="N",
        help=f"how many processes audit (default: one a core, {cores()})",
    )


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is no number, as 6")
    return int(text)


def _at_least_one(text: str) -> int:
    if not _count(text):
        raise argparse.ArgumentTypeError("it must be 1 at least")
    return int(text)
