"""`ronda play`: a person plays, against bots here or on a referee, at a table in the terminal."""

import argparse
import asyncio
import getpass
import secrets
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path

from ronda.v1.rule_set_pb2 import RuleSet
from ronda_cli import bot_choice, options, rule_set_choice, table_options
from ronda_cli.bot import TOKEN_VARIABLE, read_token
from ronda_cli.failures import CommandError
from ronda_cli.local_play import play_local_person
from ronda_cli.person_bots import ThreadedBot
from ronda_client import Bot, ClientError, RefereeClient, play_seat
from ronda_table import LocalMatch, RulesError, RuleSetError
from ronda_terminal.app import Seated, TableApp
from ronda_terminal.controls import Leaving, Seating
from ronda_terminal.referee_table import noticed, play_person, resign_all
from ronda_terminal.sight import Sight

USAGE = table_options.USAGE
DEFAULT_RULES = "maghribi"
DEFAULT_BOT = "greedy"
LARGEST_SEED = 2**32
_MOST_BOTS = 3
_LONGEST_NAME = 64

DESCRIPTION = (
    "Shows a table in the terminal and lets you play at it: against bots in this process; with "
    "--target against bots on a referee, which keeps the log; or with --target and --match at the "
    f"seat whose token comes from a file or from {TOKEN_VARIABLE}."
)
EPILOG = (
    "Keys: 1 to 4 play a card, arrows and enter choose, h shows hints, q leaves, ? shows all keys; "
    "what may be said is shown with its key, and everything can be clicked on. Exit codes: 0 the "
    "match was played or left; 1 the referee refused or could not be reached, or a bot failed; "
    "2 wrong arguments, or no terminal."
)


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "play",
        help="play yourself, against bots or on a referee, at a table in the terminal",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    parser.add_argument(
        "--rule-set",
        metavar=rule_set_choice.ID_OR_FILE,
        help=f"the rules: an id or a file of house rules (default: {DEFAULT_RULES})",
    )
    parser.add_argument(
        "--bot",
        action="append",
        metavar="BOT",
        help=f"{bot_choice.HELP}; once for each other seat in order, 1 to {_MOST_BOTS} times "
        f"(default: {DEFAULT_BOT})",
    )
    parser.add_argument("--seat", type=int, metavar="N", help="your seat (default: 0)")
    parser.add_argument(
        "--seed",
        type=int,
        help="fixes the choices of the bots, and without a referee the cards (default: another "
        "one each time, which is said at the end)",
    )
    parser.add_argument("--name", help="the name to go by (default: your user name)")
    parser.add_argument("--hints", action="store_true", help="show hints from the start")
    table_options.add_looks(parser)
    options.add_optional_target(parser, "where the referee listens (default: play without one)")
    parser.add_argument("--match", metavar="ID", help="take a seat of this match of the referee")
    parser.add_argument("--token-file", type=Path, metavar="FILE", help="holds the seat's token")
    options.add_tls_ca(parser)
    options.add_organiser_token(parser)
    options.add_heads(parser)


def run(args: argparse.Namespace) -> int:
    """Play; return 0 once the match has ended or was left.

    Raises:
        CommandError: There is no terminal, the options cannot be followed, the referee refused or
            could not be reached, or a bot failed.
    """
    _check(args)
    language = table_options.language_of(args)
    play = _AtMatch(args) if args.match is not None else _with_bots(args)
    table_options.check_terminal("ronda play")
    table_options.prepare(args)
    sight = Sight(language, play.seat)
    app = TableApp(
        sight,
        play.session,
        play.seating,
        hints=args.hints,
        pace=args.pace,
        leave=play.leave,
        errors=(ClientError, RulesError),
    )
    play.connect(app)
    table_options.run_table(app)
    print(_outcome(sight, play.seed))
    return 0


def _check(args: argparse.Namespace) -> None:
    """Make sure that the options go together.

    Raises:
        CommandError: They do not.
    """
    if args.match is None:
        if args.token_file is not None:
            raise CommandError("--token-file is of use with --match alone", code=USAGE)
        return
    if args.target is None:
        raise CommandError("--match needs --target, the referee that plays it", code=USAGE)
    for option in ("rule_set", "bot", "seat", "seed"):
        if getattr(args, option) is not None:
            name = option.replace("_", "-")
            raise CommandError(
                f"--{name} does not go with --match: the match has its rules and seats already",
                code=USAGE,
            )


def _outcome(sight: Sight, seed: int | None) -> str:
    """Return what is said when the table is gone: how it ended, or that it was left."""
    if sight.ended is None:
        said = "left before the end"
    else:
        won = " & ".join(f"side {side}" for side in sight.ended.winners) or "nobody"
        verb = "drew" if len(sight.ended.winners) > 1 else "won"
        said = f"{won} {verb}, {' : '.join(map(str, sight.ended.scores))}"
    return said if seed is None else f"{said} (--seed {seed} deals the same cards)"


def _name(args: argparse.Namespace) -> str:
    if args.name is not None:
        return str(args.name)
    try:
        return getpass.getuser()[:_LONGEST_NAME]
    except (OSError, KeyError, ImportError):
        # Nobody knows this user's name; the seat's number does.
        return ""


class _Play(ABC):
    """A way to play: its seat, how it goes, and how it is left.

    Attributes:
        seat: the person's seat, where it is known before.
        seed: what deals the same cards again; None: nothing does.
        seating: what the person is.
    """

    seat: int | None = None
    seed: int | None = None
    seating = Seating()

    @abstractmethod
    async def session(self, seated: Seated) -> None:
        """Play to the end."""

    async def leave(self, leaving: Leaving) -> None:  # noqa: B027  # most have nothing to do
        """Do what there is to do before the table is gone."""

    def connect(self, app: TableApp) -> None:  # noqa: B027  # only some need it
        """Take the table, before it is shown."""


class _Local(_Play):
    """Against bots in this process."""

    def __init__(
        self,
        match: LocalMatch,
        seed: int,
        seat: int,
        bots: Mapping[int, Bot],
        names: dict[int, str],
    ) -> None:
        self.seat, self.seed = seat, seed
        self._match = match
        self._bots = bots
        self._names = names

    async def session(self, seated: Seated) -> None:
        seat = self.seat or 0
        await play_local_person(
            self._match, seat, self._bots, self._names, seated.person, seated.feed
        )


class _Connected(_Play):
    """At a referee."""

    def __init__(self, args: argparse.Namespace, organiser_token: str | None = None) -> None:
        self._args = args
        self._organiser_token = organiser_token
        self._client: RefereeClient | None = None
        self._match_id = ""
        self._tokens: Sequence[str] = ()

    def connect(self, app: TableApp) -> None:
        backoff = noticed(options.backoff_of(self._args), app.feed, self._args.target)
        self._client = options.client_of(self._args, self._organiser_token, backoff=backoff)

    async def leave(self, leaving: Leaving) -> None:
        if leaving is Leaving.RESIGN and self._match_id:
            # A client of its own: that of the match is closed as soon as the match is over.
            async with options.client_of(self._args) as client:
                await resign_all(client, self._match_id, self._tokens)

    @property
    def client(self) -> RefereeClient:
        if self._client is None:
            raise AssertionError("connect() comes first")
        return self._client


class _AtMatch(_Connected):
    """At one seat of a match that somebody has created."""

    seating = Seating(resigns=True, returns=True)

    def __init__(self, args: argparse.Namespace) -> None:
        super().__init__(args)
        self._match_id = args.match
        self._tokens = [read_token(args.token_file)]

    async def session(self, seated: Seated) -> None:
        async with self.client as client:
            (token,) = self._tokens
            name = _name(self._args)
            await play_person(client, self._match_id, token, seated.person, seated.feed, name)


class _Created(_Connected):
    """At a match that is created here, with bots of this process at the other seats."""

    seating = Seating(resigns=True)

    def __init__(
        self,
        args: argparse.Namespace,
        rules: str | RuleSet,
        seat: int,
        bots: Mapping[int, Bot],
        names: dict[int, str],
    ) -> None:
        super().__init__(args, options.organiser_token_of(args))
        self.seat = seat
        self._rules = rules
        self._bots = bots
        self._names = names

    async def session(self, seated: Seated) -> None:
        seat = self.seat or 0
        async with self.client as client:
            created = await client.create_match(self._rules, len(self._names))
            self._match_id = created.match_id
            tokens = created.seat_tokens
            self._tokens = [tokens[seat], *(tokens[other] for other in self._bots)]
            try:
                async with asyncio.TaskGroup() as group:
                    for other, bot in self._bots.items():
                        playing = play_seat(
                            client, self._match_id, tokens[other], bot, name=self._names[other]
                        )
                        group.create_task(playing)
                    await play_person(
                        client,
                        self._match_id,
                        tokens[seat],
                        seated.person,
                        seated.feed,
                        self._names[seat],
                    )
            except ExceptionGroup as failures:
                raise failures.exceptions[0] from failures


def _with_bots(args: argparse.Namespace) -> _Play:
    named: list[str] = args.bot or [DEFAULT_BOT]
    if len(named) > _MOST_BOTS:
        raise CommandError(
            f"--bot was given {len(named)} times; beside you there is room for {_MOST_BOTS}",
            code=USAGE,
        )
    seats = len(named) + 1
    seat = 0 if args.seat is None else args.seat
    if not 0 <= seat < seats:
        raise CommandError(f"--seat {seat}: the seats are 0 to {seats - 1}", code=USAGE)
    seed = secrets.randbelow(LARGEST_SEED) if args.seed is None else args.seed
    others = [other for other in range(seats) if other != seat]
    bots: dict[int, Bot] = {
        other: ThreadedBot(bot_choice.make_bot(name, seed + other))
        for other, name in zip(others, named, strict=True)
    }
    names = {seat: _name(args)} | {
        other: bot_choice.display_name(name) for other, name in zip(others, named, strict=True)
    }
    chosen = args.rule_set or DEFAULT_RULES
    if args.target is not None:
        is_file = rule_set_choice.is_file(chosen)
        rules = rule_set_choice.of_file(chosen).rule_set if is_file else chosen
        return _Created(args, rules, seat, bots, names)
    found = rule_set_choice.find(chosen, rule_set_choice.known_rule_sets([])).rule_set
    try:
        match = LocalMatch(found, seats, seed)
    except (RuleSetError, ValueError) as error:
        raise CommandError(str(error), code=USAGE) from error
    return _Local(match, seed, seat, bots, names)
