"""Asks the whole service everything that can be asked of it: `make fuzz`.

It prints what was answered how often, and ends with 1 where something did not hold, with the
number of the request, by which it can be run again alone.
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from ronda_cli.progress import progress
from tests.fuzz.running import Failed, Report, Run


def main() -> int:
    """Run; give the exit code."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first request")
    args = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="ronda-fuzz-") as folder,
        progress("requests", args.requests) as bar,
    ):
        run = Run(Path(folder), args.seed, args.first, args.requests, bar.update)
        try:
            report = asyncio.run(run.run())
        except Failed as failure:
            print(failure)
            return 1
    print(text_of(report, args.seed))
    return 0


def text_of(report: Report, seed: int) -> str:
    """Give a report as text."""
    lines = [f"{count:>8,}  {name}" for name, count in sorted(report.outcomes.items())]
    memory = report.memory[:: max(1, len(report.memory) // 10)]
    held = ", ".join(f"{bytes_ >> 20} MiB after {number:,}" for number, bytes_ in memory)
    lines += [
        f"memory of the referee: {held}",
        f"{report.bot_matches} matches of bots ended",
        f"{report.audited:,} logs of {report.matches:,} matches audited; the store is sound",
        f"{report.requests:,} requests, seed {seed}: nothing that must hold was broken",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
