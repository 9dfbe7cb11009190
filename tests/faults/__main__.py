"""Plants each fault of the catalogue in the engine and plays the conformance suite against it.

Ends with 0 where every fault is caught by some scenario, with 1 where one is missed, and with 2
where there is nothing to play: arguments, the catalogue or the suite are at fault.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from tests.faults.catalogue import FOLDER, CatalogueError, Fault, load_catalogue
from tests.faults.playing import Outcome
from tests.faults.reporting import PAGE, json_report, page_text, recorded, text_report
from tests.faults.running import SuiteError, outcome_of_recorded, outcomes

_MISSED = 1
_USAGE = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run through the catalogue; give the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--id", action="append", metavar="PATTERN", help="these alone, as 'cap-*'")
    parser.add_argument("--json", action="store_true", help="one JSON object, with all scenarios")
    parser.add_argument("--write", action="store_true", help="write the page with what came of it")
    parser.add_argument(
        "--recorded",
        action="store_true",
        help="play against each fault only the scenario that the page names",
    )
    parser.add_argument("--page", type=Path, default=PAGE, help="the page, docs/faults.md")
    parser.add_argument("--catalogue", type=Path, default=FOLDER, help="a folder of other faults")
    parser.add_argument("--processes", type=_positive, default=2)
    args = parser.parse_args(argv)
    if args.write and (args.id or args.recorded):
        parser.error("--write needs the whole catalogue and the whole suite")
    try:
        faults = _chosen(load_catalogue(args.catalogue), args.id)
        played = _recorded(faults, args.page) if args.recorded else outcomes(faults, args.processes)
        found = _all(played, faults)
    except (CatalogueError, SuiteError) as error:
        print(f"faults: {error}", file=sys.stderr)
        return _USAGE
    print(json_report(found) if args.json else text_report(found))
    if args.write:
        args.page.write_text(page_text(found), encoding="utf-8")
    return 0 if all(outcome.caught for outcome in found) else _MISSED


def _chosen(faults: tuple[Fault, ...], patterns: Sequence[str] | None) -> tuple[Fault, ...]:
    if patterns is None:
        return faults
    for pattern in patterns:
        if not any(fnmatchcase(fault.id, pattern) for fault in faults):
            raise CatalogueError(f"--id {pattern}: no fault is called so")
    return tuple(
        fault for fault in faults if any(fnmatchcase(fault.id, pattern) for pattern in patterns)
    )


def _recorded(faults: Sequence[Fault], page: Path) -> Iterator[Outcome]:
    rows = recorded(page)
    for fault in faults:
        if fault.id not in rows:
            raise CatalogueError(f"{fault.id}: the page lacks it; --write writes it anew")
        yield outcome_of_recorded(fault, rows[fault.id][2])


def _all(played: Iterator[Outcome], faults: Sequence[Fault]) -> list[Outcome]:
    """Give all outcomes in the order of the faults, with a bar at a terminal meanwhile."""
    found: dict[str, Outcome] = {}
    with Progress(
        console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True
    ) as bar:
        for outcome in bar.track(played, total=len(faults), description="faults"):
            found[outcome.fault.id] = outcome
    return [found[fault.id] for fault in faults]


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 1 on")
    return number


if __name__ == "__main__":
    sys.exit(main())
