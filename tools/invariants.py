"""Plays checked matches at random, for as many deals as wanted: the tests' invariants, for longer.

    make invariants DEALS=200000 SEED=7

A match is given by its seed; the matches of a run have consecutive seeds. Exit codes: 0 where all
holds, 1 where a match breaks, 2 for wrong arguments, 130 where it was interrupted.
"""

import argparse
import json
import os
import random
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import count
from multiprocessing import Pool

from ronda_cli.progress import progress
from tests.rules.invariants import IN_BULK, BrokenMatchError, play_match

# Matches that each process is given at a time.
BLOCK = 32


@dataclass(frozen=True)
class Checked:
    """A match that was played: its deals, and what broke in it, or None."""

    seed: int
    deals: int
    broken: str | None = None


@dataclass
class Run:
    """A run so far; `broken` is the first seed whose match breaks."""

    first_seed: int
    deals: int = 0
    matches: int = 0
    broken: int | None = None
    interrupted: bool = False


def check(seed: int) -> Checked:
    """Play the match of one seed."""
    try:
        return Checked(seed, play_match(seed, IN_BULK))
    except BrokenMatchError:
        return Checked(seed, 0, traceback.format_exc())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; give its exit code."""
    wanted = read_arguments(arguments)
    run = Run(wanted.seed)
    broken = None
    try:
        broken = play(run, wanted.deals, wanted.jobs)
    except KeyboardInterrupt:
        run.interrupted = True
    report(run, broken, as_json=wanted.json)
    if run.broken is not None:
        return 1
    return 130 if run.interrupted else 0


def read_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="invariants", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--deals", type=positive, default=20_000, help="how many (20000)")
    parser.add_argument("--seed", type=natural, help="of the first match (any)")
    parser.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--json", action="store_true", help="report as one line of JSON")
    wanted = parser.parse_args(arguments)
    if wanted.seed is None:
        wanted.seed = random.SystemRandom().randrange(10**9)
    return wanted


def natural(text: str) -> int:
    """Read a whole number from 0."""
    if not (text.isascii() and text.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0")
    return int(text)


def positive(text: str) -> int:
    """Read a whole number from 1."""
    if not (text.isascii() and text.isdecimal() and int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1")
    return int(text)


def play(run: Run, deals: int, jobs: int) -> str | None:
    """Play until so many deals have ended or a match breaks; give what broke, or None."""
    with progress("deals", deals) as bar, mapped(jobs) as spread:
        for block in count(run.first_seed, jobs * BLOCK):
            for one in spread(check, range(block, block + jobs * BLOCK)):
                run.matches += 1
                run.deals += one.deals
                if one.broken is not None:
                    run.broken = one.seed
                    return one.broken
                bar.update(run.deals, f"{run.deals} of {deals}")
                if run.deals >= deals:
                    return None
    return None


Spread = Callable[[Callable[[int], Checked], Iterable[int]], Iterator[Checked]]


@contextmanager
def mapped(jobs: int) -> Iterator[Spread]:
    """Give what applies a function to numbers, in their order, in so many processes."""
    if jobs == 1:
        yield map
        return
    # An interrupt is answered here, once.
    with Pool(jobs, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        yield pool.imap


def report(run: Run, broken: str | None, *, as_json: bool) -> None:
    """Say what was played, and what broke."""
    if as_json:
        print(json.dumps(asdict(run)))
    if broken is not None:
        print(broken, file=sys.stderr)
    if as_json:
        return
    played = f"{run.deals} deals in {run.matches} matches from seed {run.first_seed}"
    if run.broken is not None:
        print(f"{played}: the match of seed {run.broken} breaks")
        print(f"again: make invariants SEED={run.broken} DEALS=1")
    else:
        print(f"{played}{', interrupted' if run.interrupted else ''}: all holds")


if __name__ == "__main__":
    sys.exit(main())
