"""A bot of `ronda_bots` as a program that plays in a tournament: NAME SEED."""

import itertools
import sys

import ronda_bots
from ronda_client.tournament import serve


def main(name: str, seed: int) -> None:
    """Serve the bot, a new one for each seat, each with a seed of its own."""
    seeds = itertools.count(seed)
    serve(lambda: ronda_bots.by_name(name, next(seeds)), name=name)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
