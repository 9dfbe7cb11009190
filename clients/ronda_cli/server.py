"""`ronda server`: asks a referee about itself."""

import argparse
import asyncio
import json

from ronda.v1.match_terms_pb2 import MatchTerms, TimeOut
from ronda.v1.referee_service_pb2 import GetServerInfoResponse
from ronda_cli import options
from ronda_cli.enum_names import enum_name
from ronda_cli.failures import CommandError
from ronda_client import ClientError


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "server", help="ask a referee what it is", description="Asks a referee about itself."
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    info = actions.add_parser(
        "info",
        help="show its version, key, limits and default terms",
        description="Shows a referee's version, the key under which it signs logs, its limits and "
        "the terms of a match whose organiser names none.",
    )
    options.add_target(info)
    options.add_tls_ca(info)
    options.add_json(info)


def run(args: argparse.Namespace) -> int:
    """Show what the referee says; return 0."""
    try:
        info = asyncio.run(_ask(args))
    except ClientError as error:
        raise CommandError(str(error)) from error
    print(json.dumps(as_json(info)) if args.json else as_text(info))
    return 0


async def _ask(args: argparse.Namespace) -> GetServerInfoResponse:
    async with options.client_of(args) as client:
        return await client.get_server_info()


def as_json(info: GetServerInfoResponse) -> dict[str, object]:
    """Return what a referee says of itself as it is printed in JSON."""
    limits = info.limits
    return {
        "version": info.version,
        "schema_version": info.schema_version,
        "public_key": info.public_key.hex(),
        "limits": {field.name: getattr(limits, field.name) for field in limits.DESCRIPTOR.fields},
        "default_terms": _terms(info.default_terms),
        "fixed_draws_allowed": info.fixed_draws_allowed,
        "shared_shuffles_allowed": info.shared_shuffles_allowed,
    }


def _terms(terms: MatchTerms) -> dict[str, object]:
    control = terms.time_control
    return {
        "time_control": {
            field.name: getattr(control, field.name) for field in control.DESCRIPTOR.fields
        }
        if terms.HasField("time_control")
        else None,
        "time_out": enum_name(TimeOut.DESCRIPTOR, terms.time_out, "TIME_OUT_")
        if terms.time_out
        else None,
        "most_refusals": terms.most_refusals,
        "join_timeout_ms": terms.join_timeout_ms,
        "spectator_delay": terms.spectator_delay,
    }


def _allowed(*, on: bool) -> str:
    return "allowed" if on else "not allowed"


def as_text(info: GetServerInfoResponse) -> str:
    """Return what a referee says of itself as lines to be read."""
    limits = info.limits
    terms = info.default_terms
    control = terms.time_control
    clock = (
        f"{control.per_move_ms} ms a decision, {control.bank_ms} ms in the bank, "
        f"{control.increment_ms} ms a move added"
        if terms.HasField("time_control")
        else "none"
    )
    rows = (
        ("version", f"{info.version}, schema {info.schema_version}"),
        ("key", info.public_key.hex()),
        ("request", f"{limits.request_bytes} bytes at most"),
        ("open matches", f"{limits.open_matches} at most"),
        ("watchers", f"{limits.watchers_per_match} of a match at most"),
        ("streams", f"{limits.streams_per_peer} of one peer at most"),
        (
            "calls",
            f"{limits.calls_per_second} of one peer in a second at most"
            if limits.calls_per_second
            else "no limit",
        ),
        ("moves", f"{limits.moves_in_flight} unanswered on one Play stream at most"),
        ("reading", f"a stream that is not read ends after {limits.slow_watcher_ms} ms"),
        ("clock", f"{clock} unless the match says otherwise"),
        ("refusals", f"the seat forfeits after {terms.most_refusals}"),
        ("joining", f"cancelled after {terms.join_timeout_ms} ms"),
        ("fixed draws", _allowed(on=info.fixed_draws_allowed)),
        ("shared draws", _allowed(on=info.shared_shuffles_allowed)),
    )
    return "\n".join(f"{name:<13} {text}" for name, text in rows)
