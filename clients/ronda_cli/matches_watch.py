"""`ronda matches watch`: follows matches to their end and keeps the heads of their logs."""

import argparse
import asyncio
import json
from contextlib import aclosing

from ronda_cli import options
from ronda_cli.progress import Progress, progress
from ronda_client import RefereeClient, SeenRecord


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what is watched, and where the heads are kept."""
    parser.add_argument("matches", nargs="+", metavar="ID", help="a match")
    options.add_heads(parser, required=True)


async def watch(client: RefereeClient, args: argparse.Namespace) -> int:
    """Follow the matches, all at once, as everyone may; return 0 once all have ended.

    Raises:
        ForkedLog: A referee tells another story than before.
    """
    ids: list[str] = list(dict.fromkeys(args.matches))
    with progress("watching", len(ids)) as bar:
        followed = _Followed(client, bar)
        await asyncio.gather(*map(followed.follow, ids))
    for match_id in ids:
        seen = client.heads.last(match_id)
        head = "" if seen is None else seen.head.hex()
        records = followed.records[match_id]
        if args.json:
            print(json.dumps({"match_id": match_id, "records": records, "head": head}))
        else:
            print(f"match {match_id}: {records} records, the last with the hash {head}")
    return 0


class _Followed:
    def __init__(self, client: RefereeClient, bar: Progress) -> None:
        self.records: dict[str, int] = {}
        self._client = client
        self._bar = bar

    async def follow(self, match_id: str) -> None:
        records = 0
        async with aclosing(self._client.watch(match_id)) as items:
            async for item in items:
                records += isinstance(item, SeenRecord)
        self.records[match_id] = records
        self._bar.update(len(self.records), f"{len(self.records)} have ended")
