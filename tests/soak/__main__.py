"""`python -m tests.soak`: plays many matches against a referee that is killed again and again."""

import argparse
import asyncio
import json
import logging
import sys
import tempfile
from pathlib import Path

import structlog

from tests.soak.plan import LARGE, SMALL
from tests.soak.report import as_json, as_text
from tests.soak.soak import Soak

_SMALL_MATCHES = 100


def _count(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{value} is less than 0")
    return value


def main() -> int:
    """Read the arguments, play, print what came out; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak",
        description="Plays many matches at once against `ronda serve` on loopback, kills the "
        "referee again and again, and holds every log against what the clients know.",
        epilog="Exit codes: 0 everything is as it must be; 1 something is not, and is printed; 2 "
        "wrong arguments.",
    )
    parser.add_argument("--matches", type=_count, default=2_000, help="default: %(default)s")
    parser.add_argument("--kills", type=_count, default=50, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=1, help="of the plans (default: %(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="leave the referee's data and log in this folder"
    )
    args = parser.parse_args()
    pace = SMALL if args.matches < _SMALL_MATCHES else LARGE
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    with tempfile.TemporaryDirectory(prefix="ronda-soak-") as temporary:
        folder = args.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        data = folder / "data"
        if data.exists():
            parser.error(f"{data} exists already; the soak needs a folder that is new")
        figures = asyncio.run(Soak(args.matches, args.kills, args.seed, pace, data).run())
    settings = {"matches": args.matches, "kills": args.kills, "seed": args.seed}
    said = as_json(figures, settings)
    print(as_text(said))
    if args.json is not None:
        args.json.write_text(json.dumps(said, indent=2) + "\n")
    return 1 if said["faults"] else 0


if __name__ == "__main__":
    sys.exit(main())
