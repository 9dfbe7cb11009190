"""Moves per second: one stream for each bot, and simple calls, at the same referee.

    python benchmarks/play_stream.py [--matches 200] [--json]

A referee runs in a process of its own with its store on the disk of the temporary folder; both
bots of every match play from this process, choosing at random. All matches are played at once. On
two cores the referee has one, the bots the other.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from ronda_bots import RandomBot
from ronda_cli.demo_referee import RefereeProcess, serve_arguments
from ronda_client import CreatedMatch, RefereeClient, SeatResult, play_seat, play_seats

_Play = Callable[[RefereeClient, list[CreatedMatch]], Awaitable[list[SeatResult]]]


async def by_calls(client: RefereeClient, matches: list[CreatedMatch]) -> list[SeatResult]:
    """Play every seat with WatchMatch and SubmitMove."""
    return await asyncio.gather(
        *(
            play_seat(client, match.match_id, token, RandomBot(seat))
            for match in matches
            for seat, token in enumerate(match.seat_tokens)
        )
    )


def by_streams(*, verify: bool) -> _Play:
    """Play every match over two streams, one for each bot."""

    async def playing(client: RefereeClient, matches: list[CreatedMatch]) -> list[SeatResult]:
        async with RefereeClient.connect(client.target) as other:
            played = await asyncio.gather(
                *(
                    play_seats(
                        one,
                        [(match.match_id, match.seat_tokens[seat]) for match in matches],
                        RandomBot(seat),
                        verify=verify,
                    )
                    for seat, one in enumerate((client, other))
                )
            )
        results = []
        for result in [one for results in played for one in results.values()]:
            if not isinstance(result, SeatResult):
                raise result
            results.append(result)
        return results

    return playing


WAYS: dict[str, _Play] = {
    "simple calls": by_calls,
    "streams, logs verified": by_streams(verify=True),
    "streams, turns alone": by_streams(verify=False),
}


async def measured(target: str, play: _Play, matches: int, rule_set: str) -> dict[str, float]:
    """Play matches one way; give moves, seconds and moves per second."""
    async with RefereeClient.connect(target) as client:
        created = [await client.create_match(rule_set, 2) for _ in range(matches)]
        begun = time.perf_counter()
        results = await play(client, created)
        seconds = time.perf_counter() - begun
    moves = sum(result.moves for result in results)
    return {"moves": moves, "seconds": round(seconds, 2), "per_second": round(moves / seconds)}


def main() -> None:
    """Measure each way in turn and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--matches", type=int, default=200, help="at once (default: %(default)s)")
    parser.add_argument("--rule-set", default="sarii", help="default: %(default)s")
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args()
    figures: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        with RefereeProcess(serve_arguments(data, "127.0.0.1:0"), Path(folder) / "output") as one:
            for name, play in WAYS.items():
                if sys.stderr.isatty():
                    sys.stderr.write(f"{name} …\n")
                figures[name] = asyncio.run(measured(one.target, play, args.matches, args.rule_set))
    if args.json:
        print(json.dumps(figures))
        return
    for name, said in figures.items():
        print(
            f"{name:24} {said['moves']:7.0f} moves {said['seconds']:7.2f} s "
            f"{said['per_second']:6.0f} moves/s"
        )


if __name__ == "__main__":
    main()
