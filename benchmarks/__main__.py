"""Measures how fast it is.

From the root of the checkout, in an environment with the peers::

    make bench                             # everything, and the table of docs/benchmarks.md
    make bench-quick                       # whether anything has become slower, in a minute
    python -m benchmarks --only engine     # one measure alone
    python -m benchmarks --keep            # keep the ratios that bench-quick compares with

docs/benchmarks.md says what each row is.
"""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import grpc

from benchmarks import guard, machine, report
from benchmarks.bench import Bench
from benchmarks.measure import Row, Size, Verdict
from benchmarks.peers import PeerMissingError
from benchmarks.rows import MEASURES, measure_of, measured
from ronda_cli.failures import CommandError

EXIT_WORSE = 1
EXIT_MISUSED = 2
EXIT_FAILED = 3
EXIT_INTERRUPTED = 130

# What is kept is measured so often, some time apart.
_RUNS_KEPT = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code.

    0: every target is met, or nothing is worse than it was. 1: one is not, or not clearly, or
    something is. 2: the command was used wrongly, or the peers are not installed. 3: something
    could not be measured.
    """
    chosen = _arguments(arguments)
    wanted = [name for name in MEASURES if name in (chosen.only or MEASURES)]
    try:
        page = chosen.write.read_text(encoding="utf-8") if chosen.write else ""
        if chosen.write:
            report.written(page, "")
        if chosen.quick or (chosen.keep and guard.KEPT.exists()):
            chosen.earlier.append(guard.KEPT)
        earlier = [one for path in chosen.earlier for one in report.read_rows(path)]
    except (OSError, ValueError) as error:
        return _said_of(error, EXIT_MISUSED)
    if busy := machine.warning(machine.load(), machine.cores()):
        print(f"benchmarks: {busy}", file=sys.stderr)
    try:
        if chosen.keep:
            return _keep(wanted, chosen.rounds, earlier)
        if chosen.quick:
            return _quick(wanted, chosen.rounds, earlier)
        return _full(wanted, chosen, page, earlier)
    except PeerMissingError as error:
        return _said_of(error, EXIT_MISUSED)
    except subprocess.CalledProcessError as error:
        return _said_of(f"{error}\n{error.stderr.decode(errors='replace')}", EXIT_FAILED)
    except (CommandError, grpc.RpcError, OSError, RuntimeError, ValueError) as error:
        return _said_of(f"not measured: {error!r}", EXIT_FAILED)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


def _said_of(error: object, code: int) -> int:
    print(f"benchmarks: {error}", file=sys.stderr)
    return code


def _full(
    wanted: Sequence[str], chosen: argparse.Namespace, page: str, earlier: Sequence[Row]
) -> int:
    """Measure everything and report on it."""
    with Bench(Size.FULL, chosen.rounds) as bench:
        facts = machine.facts(bench.folder)
        now = _said(bench, wanted)
    rows = _in_order([one for one in earlier if measure_of(one.name) not in wanted] + now)
    if chosen.json:
        chosen.json.write_text(report.as_json(rows, facts), encoding="utf-8")
    if chosen.write:
        text = f"{report.machine_of(facts)}\n\n{report.table_of(rows)}"
        chosen.write.write_text(report.written(page, text), encoding="utf-8")
    print(report.machine_of(facts))
    return 0 if all(row.verdict in {Verdict.MET, Verdict.NONE} for row in now) else EXIT_WORSE


def _in_order(rows: Sequence[Row]) -> list[Row]:
    order = list(MEASURES)
    return sorted(rows, key=lambda row: order.index(measure_of(row.name)))


def _said(bench: Bench, wanted: Sequence[str]) -> list[Row]:
    """Measure, and print each row as it is done."""
    found = []
    for row in measured(bench, wanted):
        print(report.line_of(row), flush=True)
        found.append(row)
    return found


def _keep(wanted: Sequence[str], rounds: int | None, earlier: Sequence[Row]) -> int:
    """Measure what the guard compares, some times over, and keep it."""
    runs = []
    for number in range(_RUNS_KEPT):
        print(f"run {number + 1} of {_RUNS_KEPT}", flush=True)
        with Bench(Size.QUICK, rounds) as bench:
            runs.append(_said(bench, wanted))
    others = [one for one in earlier if measure_of(one.name) not in wanted]
    rows = _in_order(others + guard.joined(runs))
    facts = machine.facts(machine.disk_folder())
    guard.KEPT.write_text(report.as_json(rows, facts), encoding="utf-8")
    return 0


def _quick(wanted: Sequence[str], rounds: int | None, earlier: Sequence[Row]) -> int:
    """Measure quickly and compare with what is kept; what is worse has to be so twice."""
    kept = [one for one in earlier if measure_of(one.name) in wanted]
    with Bench(Size.QUICK, rounds) as bench:
        now = list(measured(bench, wanted))
        changes = {one.name: one for one in guard.compare(kept, now)}
        again = sorted({measure_of(one.name) for one in changes.values() if one.worse})
        if again:
            print(f"worse, and measured once more: {', '.join(again)}", flush=True)
            second = guard.compare(kept, list(measured(bench, again)))
            changes |= {one.name: one for one in second if changes[one.name].worse}
    for one in changes.values():
        print(one.text())
    unmatched = guard.unmatched(kept, now)
    if unmatched:
        print(f"kept alone, or measured alone; --keep keeps them anew: {', '.join(unmatched)}")
    return EXIT_WORSE if unmatched or any(one.worse for one in changes.values()) else 0


def _rounds(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1")
    return int(text)


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measures how fast everything is, each as a ratio to a peer in the same run.",
        epilog="Exit codes: 0 every target is met, or with --quick nothing is worse; 1 one is not, "
        "or not clearly, or something is worse; 2 wrong arguments, or the peers are not installed; "
        "3 something could not be measured.",
    )
    parser.add_argument(
        "--only", action="append", choices=tuple(MEASURES), help="measure this; default: all"
    )
    parser.add_argument(
        "--rounds", type=_rounds, metavar="N", help="how often; default: as each row thinks fit"
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--quick", action="store_true", help="compare with the kept ratios, in about a minute"
    )
    how.add_argument("--keep", action="store_true", help="measure the ratios to keep, and do so")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there")
    parser.add_argument(
        "--write", type=Path, metavar="PAGE", help="put the table into this page, between its marks"
    )
    parser.add_argument(
        "--with",
        dest="earlier",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="what --json wrote earlier; its rows stand beside those measured now",
    )
    chosen = parser.parse_args(arguments)
    if (chosen.quick or chosen.keep) and (chosen.json or chosen.write or chosen.earlier):
        parser.error("--json, --write and --with go with the whole measurement alone")
    return chosen


if __name__ == "__main__":
    sys.exit(main())
