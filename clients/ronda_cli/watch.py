"""`ronda watch`: shows a match to a spectator, at a table in the terminal."""

import argparse
from pathlib import Path

from ronda.v1.log_pb2 import LogRecord
from ronda_cli import options, table_options
from ronda_cli.failures import CommandError
from ronda_client import ClientError, LogFileError, RefereeClient, read_records
from ronda_terminal.app import Seated, TableApp
from ronda_terminal.controls import Seating
from ronda_terminal.referee_table import noticed, show_log, watch_match
from ronda_terminal.sight import Sight

DESCRIPTION = (
    "Shows a match as everyone may see it: one that a referee plays, with --target, or a log "
    "file. Nothing is shown that was hidden at the time, not even where the log has opened it. "
    "A log is not verified here; `ronda audit` does that."
)
EPILOG = (
    "Keys: space holds a log up, q leaves, ? shows all keys. Exit codes: 0 it was watched; 1 the "
    "referee refused or could not be reached; 2 wrong arguments, a file that cannot be read, or no "
    "terminal."
)


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "watch",
        help="watch a match at a table in the terminal",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    parser.add_argument(
        "match", metavar="MATCH", help="a log file, or with --target the id of a match"
    )
    options.add_optional_target(parser, "where the referee listens that plays the match")
    options.add_tls_ca(parser)
    options.add_heads(parser)
    table_options.add_looks(parser)


def run(args: argparse.Namespace) -> int:
    """Show the match; return 0 once the spectator has left.

    Raises:
        CommandError: There is no terminal, the options cannot be followed, or the referee refused.
    """
    language = table_options.language_of(args)
    records = _records(Path(args.match)) if args.target is None else []
    table_options.check_terminal("ronda watch")
    table_options.prepare(args)
    watching = _Watching(args, records)
    app = TableApp(
        Sight(language),
        watching.session,
        Seating(plays=False, pauses=args.target is None),
        pace=args.pace,
        from_the_start=args.target is None,
        errors=(ClientError,),
    )
    if args.target is not None:
        backoff = noticed(options.backoff_of(args), app.feed, args.target)
        watching.client = options.client_of(args, backoff=backoff)
    table_options.run_table(app)
    return 0


class _Watching:
    def __init__(self, args: argparse.Namespace, records: list[LogRecord]) -> None:
        self.client: RefereeClient | None = None
        self._match_id: str = args.match
        self._records = records

    async def session(self, seated: Seated) -> None:
        if self.client is None:
            await show_log(self._records, seated.feed)
            return
        async with self.client as client:
            await watch_match(client, self._match_id, seated.feed)


def _records(path: Path) -> list[LogRecord]:
    """Return the records of a log file, as far as it is whole: it may still be written to.

    Raises:
        CommandError: It cannot be read, or has not one record.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CommandError(
            f"watch: {path} cannot be read: {error.strerror}; a match of a referee needs --target",
            code=table_options.USAGE,
        ) from error
    records: list[LogRecord] = []
    try:
        records.extend(read_records(data))
    except LogFileError as error:
        if not records:
            raise CommandError(f"watch: {path} is no log: {error}", code=2) from error
    if not records:
        raise CommandError(f"watch: {path} has no record yet", code=table_options.USAGE)
    return records
