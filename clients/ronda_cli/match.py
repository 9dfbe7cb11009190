"""`ronda match`: creates a match and plays all its seats with bots."""

import argparse
import asyncio
import json
from pathlib import Path

from ronda_cli import bot_choice, options, rule_set_choice
from ronda_cli.bot import as_json
from ronda_cli.failures import CommandError
from ronda_client import Bot, ClientError, PlayedMatch, play_match
from ronda_client.whole_file import write_whole

MIN_SEATS = 2


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "match",
        help="create a match and play all its seats with bots",
        description="Creates a match and plays all its seats with bots, to the end.",
    )
    options.add_target(parser)
    options.add_tls_ca(parser)
    options.add_organiser_token(parser)
    parser.add_argument(
        "--rule-set",
        default="maghribi",
        metavar=rule_set_choice.ID_OR_FILE,
        help="the rules: an id that the referee knows, or a file of house rules "
        "(default: maghribi)",
    )
    parser.add_argument(
        "--seats", type=int, choices=(2, 3, 4), help="how many seats (default: one for each --bot)"
    )
    parser.add_argument(
        "--bot",
        action="append",
        metavar="BOT",
        help=f"{bot_choice.HELP}; once for each seat in order, then from the first again "
        "(default: greedy)",
    )
    parser.add_argument(
        "--log",
        type=options.output_file,
        metavar="FILE",
        help="write the match's log here",
    )
    options.add_heads(parser)
    options.add_seed(parser)
    options.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Play the match; return 0 once it has ended."""
    names = bots_by_seat(args.bot or ["greedy"], args.seats)
    bots = [bot_choice.make_bot(name, args.seed + seat) for seat, name in enumerate(names)]
    try:
        played = asyncio.run(_play(args, bots, [bot_choice.display_name(name) for name in names]))
    except ClientError as error:
        raise CommandError(str(error)) from error
    if args.log is not None:
        try:
            write_whole(args.log, played.log)
        except OSError as error:
            raise CommandError(f"--log {args.log}: {error.strerror}") from error
    print(json.dumps(_as_json(played, names, args.log)) if args.json else _as_text(played, names))
    return 0


def bots_by_seat(bots: list[str], seats: int | None) -> list[str]:
    """Return the bot of each seat: those named in order, and from the first again.

    Args:
        bots: The bots named, at least one.
        seats: How many seats; None: one for each bot, and two at least.

    Raises:
        CommandError: There are more bots than seats, or more than four.
    """
    count = seats if seats is not None else max(len(bots), MIN_SEATS)
    if len(bots) > count:
        raise CommandError(f"--bot was given {len(bots)} times for {count} seats", code=2)
    if count not in {2, 3, 4}:
        raise CommandError(f"a match has 2, 3 or 4 seats, not {count}", code=2)
    return [bots[seat % len(bots)] for seat in range(count)]


async def _play(args: argparse.Namespace, bots: list[Bot], names: list[str]) -> PlayedMatch:
    chosen: str = args.rule_set
    file = rule_set_choice.is_file(chosen)
    rules = rule_set_choice.of_file(chosen).rule_set if file else chosen
    async with options.client_of(args, options.organiser_token_of(args)) as client:
        return await play_match(client, rules, bots, names=names)


def _as_json(played: PlayedMatch, bots: list[str], log: Path | None) -> dict[str, object]:
    return {
        "match_id": played.match_id,
        "winners": list(played.winners),
        "scores": list(played.scores),
        "seats": [
            {"bot": bot, **as_json(result)} for bot, result in zip(bots, played.seats, strict=True)
        ],
        "log": None if log is None else str(log),
    }


def _as_text(played: PlayedMatch, bots: list[str]) -> str:
    lines = [f"match {played.match_id}"]
    lines += [
        f"  seat {result.seat}  {result.outcome.value:<5}  {played.scores[result.side]:>3} points"
        f"  {bot}"
        for bot, result in zip(bots, played.seats, strict=True)
    ]
    return "\n".join(lines)
