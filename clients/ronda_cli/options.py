"""Options that several commands share."""

import argparse
import math

from ronda_client import Backoff


def seconds(text: str) -> float:
    """Read a number of seconds, 0 or more.

    Raises:
        argparse.ArgumentTypeError: It is none.
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds, as 60 or 0.5")
    return value


def add_target(parser: argparse.ArgumentParser) -> None:
    """Add where the referee is and how long to wait for it."""
    parser.add_argument(
        "--target", required=True, metavar="HOST:PORT", help="where the referee listens"
    )
    parser.add_argument(
        "--patience",
        type=seconds,
        default=60.0,
        metavar="SECONDS",
        help="how long to wait for a referee that does not answer (default: 60)",
    )


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Add the seed of the bots; the cards have a seed of their own, which the referee draws."""
    parser.add_argument(
        "--seed", type=int, default=0, help="fixes the choices of the bots (default: 0)"
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add the choice of output."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def backoff_of(args: argparse.Namespace) -> Backoff:
    """Return how to wait, as the options say."""
    return Backoff(patience=args.patience)
