"""How strong the bots are: each against the next weaker one, over matches with the same cards.

Run it from the root of the checkout::

    python -m benchmarks.ladder                       # every rule set, two seats and four
    python -m benchmarks.ladder --rule-set maghribi --seats 2 --json
    python -m benchmarks.ladder --write docs/bots.md  # keep the table where people read it

A pair is two matches with the same cards, in which the bots change places, so that luck with the
cards falls out. With four seats each bot plays two partners. What is given is by how many points
the stronger bot is ahead in a match, on the mean of the pairs, and half of the interval in which
that mean lies in 95 of 100 such runs. Everything follows from the seeds: the same run gives the
same table.
"""

import argparse
import json
import math
import multiprocessing
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ronda_bots import by_name
from ronda_cli.progress import Progress, progress
from ronda_conformance.rule_set_files import load_rule_sets
from ronda_table import play_local

RUNGS = (("greedy", "random"), ("counting", "greedy"), ("searcher", "counting"))

# Pairs for each rung: the nearer two bots are, the more it takes to tell them apart.
PAIRS = {"greedy": 60, "counting": 24, "searcher": 96}

_BEGIN = "<!-- ladder: begin -->"
_END = "<!-- ladder: end -->"

# Two-sided 95 % points of Student's t for 1 to 30 degrees of freedom.
_T95 = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two bots that are to be compared.

    Attributes:
        rule_set: The rules, by id.
        seats: How many seats.
        stronger: The bot that ought to win.
        weaker: The other one.
        pairs: How many pairs of matches.
        seed: That of the first pair.
    """

    rule_set: str
    seats: int
    stronger: str
    weaker: str
    pairs: int
    seed: int


@dataclass(frozen=True, slots=True)
class Rung:
    """How two bots compare.

    Attributes:
        rule_set: The rules, by id.
        seats: How many seats.
        stronger: The bot that ought to win.
        weaker: The other one.
        pairs: How many pairs of matches were played.
        lead: By how many points the stronger one is ahead in a match, on the mean.
        half_width: Half of the 95 % interval, in points.
    """

    rule_set: str
    seats: int
    stronger: str
    weaker: str
    pairs: int
    lead: float
    half_width: float

    @property
    def clear(self) -> bool:
        """Whether the whole interval says that the stronger bot is the stronger."""
        return self.lead > self.half_width


def lead_of_pair(pairing: Pairing, number: int) -> float:
    """Play one pair; return the stronger bot's mean lead in its two matches, in points."""
    leads = []
    for first in (0, 1):
        names = [
            pairing.stronger if seat % 2 == first else pairing.weaker
            for seat in range(pairing.seats)
        ]
        seed = pairing.seed + number
        bots = [by_name(name, seed * pairing.seats + seat) for seat, name in enumerate(names)]
        leads.append(play_local(pairing.rule_set, bots, seed=seed).lead(first))
    return statistics.fmean(leads)


def rung_of(pairing: Pairing, leads: Sequence[float]) -> Rung:
    """Return what the leads in the pairs say.

    Raises:
        ValueError: There are fewer than two.
    """
    if len(leads) < 2:  # noqa: PLR2004 - a spread needs two
        raise ValueError(f"two pairs at least are needed, not {len(leads)}")
    error = statistics.stdev(leads) / math.sqrt(len(leads))
    return Rung(
        pairing.rule_set,
        pairing.seats,
        pairing.stronger,
        pairing.weaker,
        len(leads),
        statistics.fmean(leads),
        _T95[min(len(leads) - 1, len(_T95)) - 1] * error,
    )


def plan(
    rule_sets: Sequence[str], seats: Sequence[int], rungs: Sequence[str], *, pairs: int, seed: int
) -> list[Pairing]:
    """Return what is to be compared, seat counts that a rule set does not allow left out.

    Raises:
        ValueError: There is no such rule set, or no such rung.
    """
    known = load_rule_sets()
    unknown = [name for name in rule_sets if name not in known]
    if unknown:
        raise ValueError(f"there is no rule set {unknown[0]!r}; there are: {', '.join(known)}")
    return [
        Pairing(name, count, stronger, weaker, pairs or PAIRS[stronger], seed)
        for name in rule_sets or known
        for count in seats
        if count in [one.count for one in known[name].seats]
        for stronger, weaker in RUNGS
        if stronger in rungs
    ]


def climb(pairings: Sequence[Pairing], processes: int) -> Iterator[Rung]:
    """Play everything; yield each comparison as it is done, in order."""
    tasks = [(pairing, number) for pairing in pairings for number in range(pairing.pairs)]
    with progress("ladder", len(tasks)) as shown:
        if processes == 1:
            yield from _gathered(pairings, map(_lead, tasks), shown)
            return
        with multiprocessing.get_context("spawn").Pool(processes) as pool:
            yield from _gathered(pairings, pool.imap(_lead, tasks), shown)


def _lead(task: tuple[Pairing, int]) -> float:
    return lead_of_pair(*task)


def _gathered(
    pairings: Sequence[Pairing], leads: Iterator[float], shown: Progress
) -> Iterator[Rung]:
    done = 0
    for pairing in pairings:
        found = []
        for _ in range(pairing.pairs):
            found.append(next(leads))
            done += 1
            note = f"{pairing.rule_set} {pairing.seats}: {pairing.stronger}, {pairing.weaker}"
            shown.update(done, note)
        yield rung_of(pairing, found)


def text_of(rung: Rung) -> str:
    """Return a comparison as a line for people."""
    doubt = "" if rung.clear else "  not clear"
    return (
        f"{rung.rule_set:22} {rung.seats} seats  {rung.stronger:>8} - {rung.weaker:8} "
        f"{rung.lead:+6.1f} ± {rung.half_width:4.1f}  ({rung.pairs} pairs){doubt}"
    )


def table_of(rungs: Sequence[Rung]) -> str:
    """Return comparisons as a table in Markdown: a row for each rule set and seat count."""
    titles = [f"{stronger} - {weaker}" for stronger, weaker in RUNGS]
    lines = [
        f"| rule set | seats | {' | '.join(titles)} |",
        f"|---|---|{'---|' * len(RUNGS)}",
    ]
    found = {(one.rule_set, one.seats, one.stronger): one for one in rungs}
    for rule_set, seats in sorted({(one.rule_set, one.seats) for one in rungs}):
        cells = [
            "" if one is None else f"{one.lead:+.1f} ± {one.half_width:.1f} ({one.pairs})"
            for one in (found.get((rule_set, seats, stronger)) for stronger, _ in RUNGS)
        ]
        lines.append(f"| {rule_set} | {seats} | {' | '.join(cells)} |")
    return "\n".join(lines)


def written(page: str, table: str) -> str:
    """Return a page with the table between its two marks.

    Raises:
        ValueError: The marks are lacking.
    """
    before, begin, rest = page.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not begin or not end:
        raise ValueError(f"the page has no place for the table: {_BEGIN} and {_END}")
    return f"{before}{begin}\n{table}\n{end}{after}"


def read_rungs(path: Path) -> list[Rung]:
    """Return the comparisons of an earlier run, as `--json` prints them.

    Raises:
        OSError: The file cannot be read.
        ValueError: It is no such output.
    """
    fields = Rung.__dataclass_fields__.keys()
    try:
        return [
            Rung(**{name: one[name] for name in fields})
            for one in map(json.loads, path.read_text(encoding="utf-8").splitlines())
        ]
    except (KeyError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path} is no output of an earlier run: {error!r}") from error


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.ladder",
        description="compare each bot with the next weaker one, over matches with the same cards",
    )
    parser.add_argument(
        "--rule-set", action="append", default=[], metavar="ID", help="these alone; default: all"
    )
    parser.add_argument(
        "--seats", action="append", type=int, choices=(2, 4), help="default: both 2 and 4"
    )
    parser.add_argument(
        "--rung",
        action="append",
        choices=[stronger for stronger, _ in RUNGS],
        help="the stronger bot of a comparison; default: all three",
    )
    parser.add_argument("--pairs", type=int, default=0, help="pairs of matches for each comparison")
    parser.add_argument("--seed", type=int, default=0, help="that of the first pair; default: 0")
    parser.add_argument("--processes", type=int, default=1, help="default: 1")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each comparison")
    parser.add_argument(
        "--with",
        dest="earlier",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="--json output of an earlier run; what it compared is not played again",
    )
    parser.add_argument(
        "--write", type=Path, metavar="PAGE", help="put the table into this page, between its marks"
    )
    chosen = parser.parse_args(arguments)
    if chosen.pairs == 1 or chosen.pairs < 0:
        parser.error("--pairs: at least 2 are needed")
    if chosen.processes < 1:
        parser.error("--processes: at least 1 is needed")
    return chosen


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 0 where every comparison is clear, 1 where one is not, 2 misused."""
    chosen = _arguments(arguments)
    rungs = chosen.rung or [stronger for stronger, _ in RUNGS]
    try:
        found = [one for path in chosen.earlier for one in read_rungs(path)]
        known = {(one.rule_set, one.seats, one.stronger) for one in found}
        pairings = [
            one
            for one in plan(
                chosen.rule_set, chosen.seats or (2, 4), rungs, pairs=chosen.pairs, seed=chosen.seed
            )
            if (one.rule_set, one.seats, one.stronger) not in known
        ]
        page = chosen.write.read_text(encoding="utf-8") if chosen.write else ""
        if chosen.write:
            written(page, "")
    except (OSError, ValueError) as error:
        print(f"ladder: {error}", file=sys.stderr)
        return 2
    for rung in climb(pairings, chosen.processes):
        found.append(rung)
        print(json.dumps(asdict(rung)) if chosen.json else text_of(rung), flush=True)
    if chosen.write:
        chosen.write.write_text(written(page, table_of(found)), encoding="utf-8")
    return 0 if all(one.clear for one in found) else 1


if __name__ == "__main__":
    sys.exit(main())
