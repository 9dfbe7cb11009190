"""Holds both engines against each other over many random deals: `make differential`.

It prints the deals and the seed, and ends with 1 where the engines part.
"""

import argparse
import difflib
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

from rich.console import Console
from rich.progress import Progress

from tests.differential.comparing import Disagreement
from tests.differential.running import JOBS, Outcome, played

_AT_ONCE = 64


def main() -> int:
    """Play until so many deals have ended; give the exit code."""
    parser = argparse.ArgumentParser(prog="make differential", description=__doc__)
    parser.add_argument("--deals", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    args = parser.parse_args()
    deals = matches = 0
    counted = dict.fromkeys(JOBS, 0)
    with (
        ProcessPoolExecutor(args.processes, get_context("spawn")) as pool,
        Progress(console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar,
    ):
        task = bar.add_task("deals", total=args.deals)
        while deals < args.deals:
            numbers = range(matches, matches + _AT_ONCE)
            matches += _AT_ONCE
            for future in as_completed([pool.submit(played, args.seed, one) for one in numbers]):
                outcome = future.result()
                deals += outcome.deals
                counted[outcome.job] += outcome.deals
                bar.update(task, completed=deals)
                if outcome.disagreement is not None:
                    print(_report(args.seed, outcome, outcome.disagreement))
                    pool.shutdown(cancel_futures=True)
                    return 1
    for (rule_set, seats), number in counted.items():
        print(f"{rule_set:<24} {seats} seats  {number:>7,} deals")
    print(f"{deals:,} deals in {matches:,} matches, seed {args.seed}: 0 disagreements")
    return 0


def _report(seed: int, outcome: Outcome, found: Disagreement) -> str:
    rule_set, seats = outcome.job
    lines = [
        f"seed {seed}, match {outcome.number}: {rule_set}, {seats} seats",
        f"the engines part at move {found.step}, in its {found.what}",
        str(found.request.moves[-1]) if found.step else "",
        *difflib.unified_diff(
            found.engine.splitlines(), found.oracle.splitlines(), "engine", "oracle", lineterm=""
        ),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
