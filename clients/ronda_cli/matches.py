"""`ronda matches`: lists, shows, cancels and exports the matches of a referee that runs."""

import argparse
import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable
from contextlib import aclosing
from datetime import UTC, datetime

from google.protobuf import json_format

from ronda.v1.referee_service_pb2 import (
    MATCH_STATE_FROZEN,
    MATCH_STATE_UNSPECIFIED,
    MatchState,
    MatchSummary,
)
from ronda.v1.view_pb2 import PublicView
from ronda_cli import matches_export, matches_watch, options
from ronda_cli.enum_names import enum_name
from ronda_cli.failures import CommandError
from ronda_cli.progress import progress
from ronda_client import ClientError, RefereeClient, RefereeError, SeenRecord
from ronda_replay.names import printable
from ronda_replay.table import cards_of, notation

_LONGEST = 1_000
_PREFIX = "MATCH_STATE_"
STATES = tuple(name.removeprefix(_PREFIX).lower() for name in MatchState.keys()[1:])
_LARGEST_PAGE = 500


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command and what it can do."""
    parser = subparsers.add_parser(
        "matches",
        help="list, show, cancel and export a referee's matches",
        description="Lists, shows, cancels and exports the matches of a referee that runs.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="every match in a line, the newest first")
    listing.add_argument("--state", choices=STATES, help="only matches in this state")
    listing.add_argument("--rule-set", default="", metavar="ID", help="only matches of this one")
    listing.add_argument(
        "--limit", type=_count, metavar="NUMBER", help="only so many, the newest (default: all)"
    )
    showing = actions.add_parser("show", help="one match: where it stands and what all may see")
    showing.add_argument("match", metavar="ID")
    cancelling = actions.add_parser("cancel", help="cancel a match that has not ended")
    cancelling.add_argument("match", metavar="ID")
    options.add_organiser_token(cancelling)
    exporting = actions.add_parser(
        "export",
        help="write the log files of matches that have ended",
        epilog="Exit codes: 0 every log is there; 1 one could not be had; 2 wrong arguments.",
    )
    matches_export.add_arguments(exporting)
    watching = actions.add_parser(
        "watch",
        help="follow matches to their end and keep the heads of their logs",
        description="Follows matches to their end as everyone may, and keeps the heads of their "
        "logs: `ronda audit --heads` holds the logs against them that the referee gives out later.",
        epilog="Exit codes: 0 all have ended; 1 a log is not the one that was seen before, or the "
        "referee refused; 2 wrong arguments.",
    )
    matches_watch.add_arguments(watching)
    watching.add_argument("--json", action="store_true", help="print one JSON object a line")
    for action in (listing, showing, cancelling, exporting, watching):
        options.add_target(action)
        options.add_tls_ca(action)
    listing.add_argument("--json", action="store_true", help="print one JSON object a line")
    for action in (showing, cancelling, exporting):
        options.add_json(action)


def run(args: argparse.Namespace) -> int:
    """Do what is asked for; return the exit code."""
    actions: dict[str, Callable[[RefereeClient, argparse.Namespace], Awaitable[int]]] = {
        "list": _list,
        "show": _show,
        "cancel": _cancel,
        "export": matches_export.export,
        "watch": matches_watch.watch,
    }
    if args.action == "export":
        matches_export.check_arguments(args)
    token = options.organiser_token_of(args) if args.action == "cancel" else None
    client = RefereeClient(
        args.target,
        credentials=options.credentials_of(args),
        backoff=options.backoff_of(args),
        organiser_token=token,
        heads=options.heads_of(args),
    )

    async def act() -> int:
        async with client:
            return await actions[args.action](client, args)

    try:
        return asyncio.run(act())
    except ClientError as error:
        raise CommandError(str(error)) from error


async def _list(client: RefereeClient, args: argparse.Namespace) -> int:
    state = (
        MATCH_STATE_UNSPECIFIED
        if args.state is None
        else MatchState.Value(_PREFIX + args.state.upper())
    )
    size = min(args.limit or _LARGEST_PAGE, _LARGEST_PAGE)
    count = 0
    async for match in client.list_matches(state=state, rule_set_id=args.rule_set, page_size=size):
        print(json.dumps(_as_json(match)) if args.json else printable(_line(match), _LONGEST))
        count += 1
        if count == args.limit:
            break
    return 0


async def _show(client: RefereeClient, args: argparse.Namespace) -> int:
    match = await _find(client, args.match)
    view = await _public_view(client, args.match)
    shuffle_id = await _shared_shuffle_id(client, match)
    if args.json:
        shown: object = None
        if view is not None:
            shown = json_format.MessageToDict(
                view, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
            )
        shared = {"shared_shuffle_id": shuffle_id}
        print(json.dumps({**_as_json(match), **shared, "view": shown}))
    else:
        shared_line = [f"cards     shared shuffle {shuffle_id}"] if shuffle_id else []
        lines = _about(match) + shared_line + ([] if view is None else _seen(view))
        print("\n".join(printable(line, _LONGEST) for line in lines))
    return 0


async def _find(client: RefereeClient, match_id: str) -> MatchSummary:
    """Look a match up in the list, where the newest come first."""
    with progress("looking for the match", 1) as bar:
        seen = 0
        async for match in client.list_matches(page_size=_LARGEST_PAGE):
            if match.match_id == match_id:
                return match
            seen += 1
            bar.update(0, f"{seen} matches seen")
    raise CommandError(f"{client.target} has no match {match_id!r}")


async def _public_view(client: RefereeClient, match_id: str) -> PublicView | None:
    """Return what everyone may see, or None where that is nothing: of a match not started, say."""
    try:
        seen = (await client.get_view(match_id)).view
    except RefereeError as error:
        if error.reason in {"MATCH_NOT_STARTED", "MATCH_CANCELLED", "REFEREE_FAULT"}:
            return None
        raise
    return seen if isinstance(seen, PublicView) else None


async def _shared_shuffle_id(client: RefereeClient, match: MatchSummary) -> str | None:
    """Return the id of the shuffle that a match shares, as its log's header says, or None."""
    if match.state == MATCH_STATE_FROZEN:
        return None
    async with aclosing(client.watch(match.match_id)) as seen:
        async for one in seen:
            if isinstance(one, SeenRecord):
                return one.record.header.shared_shuffle_id or None
    return None


async def _cancel(client: RefereeClient, args: argparse.Namespace) -> int:
    await client.cancel_match(args.match)
    if args.json:
        print(json.dumps({"match_id": args.match, "cancelled": True}))
    else:
        print(f"match {args.match} is cancelled")
    return 0


def _state(match: MatchSummary) -> str:
    return enum_name(MatchState.DESCRIPTOR, match.state, _PREFIX)


def _created(match: MatchSummary) -> str:
    try:
        created = datetime.fromtimestamp(match.created_ms / 1000, UTC)
    except (OverflowError, ValueError):
        # No time that a calendar has; the listing of the others goes on.
        return f"{match.created_ms} ms"
    return created.strftime("%Y-%m-%dT%H:%M:%SZ")


def _names(match: MatchSummary) -> str:
    return ", ".join(name or "-" for name in match.names)


def _line(match: MatchSummary) -> str:
    return (
        f"{match.match_id}  {_created(match)}  {_state(match):<9}  {match.seats} seats  "
        f"{match.rule_set_id:<16}  {_names(match)}"
    )


def _as_json(match: MatchSummary) -> dict[str, object]:
    return {
        "match_id": match.match_id,
        "rule_set_id": match.rule_set_id,
        "seats": match.seats,
        "state": _state(match),
        "created_ms": match.created_ms,
        "names": list(match.names),
    }


def _about(match: MatchSummary) -> list[str]:
    return [
        f"match     {match.match_id}",
        f"state     {_state(match)}",
        f"rule set  {match.rule_set_id}",
        f"created   {_created(match)}",
        f"seats     {_names(match)}",
    ]


def _seen(view: PublicView) -> list[str]:
    lines = [
        f"deal      {view.deal}, batch {view.batch}, dealer {view.dealer}",
        f"scores    {_numbers(view.scores)}",
        f"table     {' '.join(map(notation, cards_of(view.table))) or '-'}",
        f"hands     {_numbers(view.hand_sizes)} cards",
        f"piles     {_numbers(view.pile_sizes)} cards",
    ]
    if view.over:
        lines.append(f"won by    {_numbers(view.winners)}")
    elif view.to_act:
        lines.append(f"to act    {_numbers(view.to_act)}")
    return lines


def _numbers(numbers: Iterable[int]) -> str:
    return " / ".join(map(str, numbers))


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 on")
    return int(text)
