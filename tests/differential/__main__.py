"""Holds both engines against each other over many random deals: `make differential`.

It prints what it has compared, with the seed, and ends with 1 where the engines part.
"""

import argparse
import sys
from collections.abc import Sequence
from contextlib import closing

from rich.console import Console
from rich.progress import Progress

from tests.differential.comparing import report
from tests.differential.running import JOBS, outcomes


def main(argv: Sequence[str] | None = None) -> int:
    """Play until so many deals have ended; give the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    parser.add_argument("--deals", type=_positive, default=50_000, help="how many at least")
    parser.add_argument("--seed", type=int, default=1, help="the same seed, the same matches")
    parser.add_argument("--processes", type=_positive, default=2)
    args = parser.parse_args(argv)
    deals = matches = 0
    counted = dict.fromkeys(JOBS, 0)
    with (
        closing(outcomes(args.seed, args.processes)) as run,
        Progress(console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar,
    ):
        task = bar.add_task("deals", total=args.deals)
        while deals < args.deals:
            outcome = next(run)
            matches += 1
            deals += outcome.deals
            counted[outcome.job] += outcome.deals
            bar.update(task, completed=deals)
            if outcome.disagreement is not None:
                bar.stop()
                print(report(args.seed, outcome.number, outcome.job, outcome.disagreement))
                return 1
    for (rule_set, seats), number in counted.items():
        print(f"{rule_set:<24} {seats} seats  {number:>7,} deals")
    print(f"{deals:,} deals in {matches:,} matches, seed {args.seed}: 0 disagreements")
    return 0


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 1 on")
    return number


if __name__ == "__main__":
    sys.exit(main())
