"""`ronda bot`: plays one seat of a match."""

import argparse
import asyncio
import json
import os
from pathlib import Path

from ronda.v1.log_pb2 import EndReason
from ronda_cli import bot_choice, options
from ronda_cli.enum_names import enum_name
from ronda_cli.failures import CommandError
from ronda_client import Bot, ClientError, SeatResult, play_seat

TOKEN_VARIABLE = "RONDA_SEAT_TOKEN"


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "bot",
        help="play one seat of a match with a bot",
        description="Plays one seat of a match with a bot, to the end. The seat's token comes "
        f"from a file or from the environment variable {TOKEN_VARIABLE}; on the command line "
        "others could read it.",
    )
    options.add_target(parser)
    options.add_tls_ca(parser)
    parser.add_argument("--match", required=True, metavar="ID", help="the match")
    parser.add_argument("--token-file", type=Path, metavar="FILE", help="holds the seat's token")
    parser.add_argument("--bot", default="greedy", help=f"{bot_choice.HELP} (default: greedy)")
    parser.add_argument("--name", help="the name to go by (default: the bot's)")
    options.add_heads(parser)
    options.add_seed(parser)
    options.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Play the seat; return 0 once the match has ended, whoever won."""
    token = read_token(args.token_file)
    bot = bot_choice.make_bot(args.bot, args.seed)
    name = args.name if args.name is not None else bot_choice.display_name(args.bot)
    try:
        result = asyncio.run(_play(args, token, bot, name))
    except ClientError as error:
        raise CommandError(str(error)) from error
    print(json.dumps(as_json(result)) if args.json else as_text(result))
    return 0


def read_token(file: Path | None) -> str:
    """Return the seat's token from the file, or else from the environment.

    Raises:
        CommandError: There is none.
    """
    if file is None:
        token = os.environ.get(TOKEN_VARIABLE, "").strip()
        if not token:
            raise CommandError(
                f"give the seat's token with --token-file or {TOKEN_VARIABLE}", code=2
            )
        return token
    return options.first_token(file, "--token-file")


async def _play(args: argparse.Namespace, token: str, bot: Bot, name: str) -> SeatResult:
    async with options.client_of(args) as client:
        return await play_seat(client, args.match, token, bot, name=name)


def as_json(result: SeatResult) -> dict[str, object]:
    """Return a seat's result as it is printed in JSON."""
    return {
        "match_id": result.match_id,
        "seat": result.seat,
        "side": result.side,
        "outcome": result.outcome.value,
        "winners": list(result.winners),
        "scores": list(result.scores),
        "reason": enum_name(EndReason.DESCRIPTOR, result.reason, "END_REASON_"),
        "moves": result.moves,
    }


def as_text(result: SeatResult) -> str:
    """Return a seat's result as a sentence."""
    scores = " : ".join(str(score) for score in result.scores)
    return f"match {result.match_id}: seat {result.seat} {result.outcome.value}, {scores}"
