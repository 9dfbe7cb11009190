"""A bot of `ronda_bots` as a program that plays in a tournament: NAME SEED [--trusting]."""

import itertools
import sys

import ronda_bots
from ronda_client.tournament import serve

TRUSTING = "--trusting"


def main(name: str, seed: int, *, verify: bool = True) -> None:
    """Serve the bot, a new one for each seat, each with a seed of its own.

    Args:
        name: The bot.
        seed: That of the first seat.
        verify: Whether it follows and checks the logs as they grow: who plays at the runner's own
            referee need not, since the runner audits them.
    """
    seeds = itertools.count(seed)
    serve(lambda: ronda_bots.by_name(name, next(seeds)), name=name, verify=verify)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), verify=TRUSTING not in sys.argv[3:])
