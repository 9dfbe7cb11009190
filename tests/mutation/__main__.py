"""Plays the conformance suite against each mutant of the engine.

Ends with 0 where every mutant that survives is listed with its reason and every one that is listed
survives, with 1 where not, and with 2 where nothing could be played: arguments, the list or the
suite are at fault.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from tests.mutation.engine import SOURCE, Engine, write_mutated
from tests.mutation.listed import Listed, ListError, read_list
from tests.mutation.mutants import Mutant
from tests.mutation.reporting import PAGE, json_report, page_text, text_report, verdict
from tests.mutation.running import Outcome, play
from tests.mutation.suite import JudgeFails

_FAULTS = 1
_USAGE = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Play the mutants; give the exit code."""
    known = sorted(file.stem for file in SOURCE.glob("*.py"))
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument(
        "--module", action="append", choices=known, metavar="NAME", help="this one alone: capture"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object, with all mutants")
    parser.add_argument("--write", action="store_true", help="write the page with what came of it")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page, docs/mutation.md")
    parser.add_argument("--processes", type=_positive, default=2, help="default: %(default)s")
    args = parser.parse_args(argv)
    if args.write and args.module:
        parser.error("--write needs all modules")
    modules = args.module or known
    try:
        listed = read_list()
        with tempfile.TemporaryDirectory(prefix="ronda-mutation-") as folder:
            mutants = write_mutated(Path(folder), modules)
            outcomes = _outcomes(Engine(Path(folder)), mutants, listed, args.processes)
            found = verdict(outcomes, listed, modules)
    except (ListError, JudgeFails) as error:
        print(f"mutation: {error}", file=sys.stderr)
        return _USAGE
    print(json_report(found) if args.json else text_report(found))
    if args.write:
        args.page.write_text(page_text(found, listed), encoding="utf-8")
    return 0 if found.right else _FAULTS


def _outcomes(
    engine: Engine, mutants: Sequence[Mutant], listed: Listed, processes: int
) -> list[Outcome]:
    """Play mutants and give all outcomes, with a bar at a terminal meanwhile."""
    found: list[Outcome] = []
    with Progress(
        console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True
    ) as bar:
        task = bar.add_task("mutants", total=len(mutants))

        def on_outcome(outcome: Outcome) -> None:
            found.append(outcome)
            bar.advance(task)

        play(engine, mutants, listed, processes, on_outcome)
    return found


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 1 on")
    return number


if __name__ == "__main__":
    sys.exit(main())
