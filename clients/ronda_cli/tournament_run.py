"""`ronda tournament run`: referee and runner, audit and ratings side by side, and the reports."""

import argparse
import json
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from ronda_cli import options
from ronda_cli.demo_referee import RefereeProcess, serve_arguments
from ronda_cli.failures import CommandError
from ronda_cli.interrupts import Interrupts
from ronda_cli.progress import progress
from ronda_cli.tournament_audit_beside import AuditBeside
from ronda_cli.tournament_replays import write_replays
from ronda_client import Backoff, ClientError, RefereeClient
from ronda_referee.data_folder import FolderInUse, held
from ronda_tournament import outputs, report_rich, report_text
from ronda_tournament.config import Config
from ronda_tournament.folder import FolderError, TournamentFolder
from ronda_tournament.live import LiveObserver, PlainObserver
from ronda_tournament.runner import Runner
from ronda_tournament.summary import summarise

EXIT_FAILURES = 1
EXIT_UNFINISHED = 3

# The referee is ours and near: where it is away for longer, it does not come back.
_PATIENCE = 15.0


def run(args: argparse.Namespace, config: Config) -> int:
    """Run the tournament; return the exit code."""
    path: Path = args.data if args.data is not None else Path(args.config.stem)
    played = False
    try:
        with Interrupts() as interrupts, TournamentFolder(path, config) as folder:
            _say(f"everything is kept in {path}; commitment to all cards: {folder.commitment}")
            if folder.results.finished:
                _say(
                    "it is finished, and nothing is played again; to play it anew, with other "
                    "cards or after a change to a bot, take another folder with --data"
                )
            else:
                _play(args, config, folder, interrupts)
            played = True
            summary = _report(args, config, folder)
    except FolderError as error:
        raise CommandError(str(error), code=2) from error
    except KeyboardInterrupt:
        raise CommandError(
            _unfinished("interrupted", played=played), code=EXIT_UNFINISHED
        ) from None
    except ClientError as error:
        raise CommandError(_unfinished(str(error), played=played), code=EXIT_UNFINISHED) from error
    except OSError as error:
        if error.filename is None:
            raise
        raise CommandError(f"{error.filename}: {error.strerror}", code=2) from error
    if args.json:
        print(json.dumps(summary))
    else:
        _print(summary)
    _say(f"the report: {path / 'report.html'}")
    failed = bool(summary["failures"]) or any(one["stopped"] for one in summary["entrants"])
    found = bool(summary.get("audit", {}).get("findings"))
    return EXIT_FAILURES if failed or found else 0


def _unfinished(why: str, *, played: bool) -> str:
    if played:
        return f"{why}; all is played, and the same command makes the ratings, audit and reports"
    return f"{why}; the tournament is not finished, and the same command goes on with it"


def _play(
    args: argparse.Namespace, config: Config, folder: TournamentFolder, interrupts: Interrupts
) -> None:
    with ExitStack() as stack:
        if args.target is not None:
            client = options.client_of(args, options.organiser_token_of(args))
        else:
            _until_free(folder.referee)
            arguments = [*serve_arguments(folder.referee), "--allow-shared-shuffles"]
            referee = stack.enter_context(RefereeProcess(arguments, folder.path / "referee.log"))
            token = options.first_token(folder.referee / "organiser-token")
            client = RefereeClient.connect(
                referee.target, backoff=Backoff(patience=_PATIENCE), organiser_token=token
            )
        observer: LiveObserver | PlainObserver
        if sys.stderr.isatty():
            observer = stack.enter_context(LiveObserver(config, folder.results))
        else:
            observer = stack.enter_context(PlainObserver(config, folder.results))
        own = args.target is None
        interrupts.run(_session(client, config, folder, observer, own_referee=own))


def _until_free(data: Path) -> None:
    """Wait until the referee of a run that was killed has stopped, which it does by itself."""
    patience = time.monotonic() + _PATIENCE
    while True:
        try:
            with held(data):
                return
        except FolderInUse as error:
            if time.monotonic() > patience:
                raise CommandError(str(error), code=EXIT_UNFINISHED) from error
            time.sleep(0.1)


async def _session(
    client: RefereeClient,
    config: Config,
    folder: TournamentFolder,
    observer: LiveObserver | PlainObserver,
    *,
    own_referee: bool,
) -> None:
    async with client:
        info = await client.get_server_info()
        if not info.shared_shuffles_allowed:
            raise CommandError(
                f"the referee at {client.target} lets no matches share a shuffle: start it with "
                "--allow-shared-shuffles",
                code=2,
            )
        await Runner(config, folder, client, observer, own_referee=own_referee).run()


def _report(args: argparse.Namespace, config: Config, folder: TournamentFolder) -> dict[str, Any]:
    with ExitStack() as stack:
        audit = None
        if not args.no_audit:
            # Its processes read the logs while this one rates and draws.
            audit = stack.enter_context(AuditBeside(folder.path, args.jobs))
        with progress("ratings", 1.0) as bar:
            summary = summarise(config, folder, bar.update)
        replays = write_replays(folder.path, summary, args.replays)
        if audit is not None:
            with progress("audit", 1.0) as bar:
                summary["audit"] = audit.result(
                    lambda done, total: bar.update(done / total, f"{done} of {total} logs")
                )
    outputs.write_all(folder.path, summary, replays)
    return summary


def _print(summary: dict[str, Any]) -> None:
    if sys.stdout.isatty():
        report_rich.show(summary)
        return
    for line in report_text.lines(summary):
        print(line)


def _say(text: str) -> None:
    """Tell whoever waits; the results alone go to standard output."""
    print(f"ronda tournament: {text}", file=sys.stderr, flush=True)
