"""The guard: ratios of a quick run against those that are kept, beyond the noise of both.

How fast machines are does not matter to a ratio, or little. The noise is what was measured: half
of the interval of the kept median and half of that of the new one, and never less than a tenth,
since another hour or another machine moves ratios by more than the rounds of one run show.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.measure import Aim, Row
from benchmarks.report import number

KEPT = Path(__file__).resolve().parent / "ratios.json"

LEAST_NOISE = 0.1


@dataclass(frozen=True, slots=True)
class Change:
    """How a row's ratio has moved.

    Attributes:
        name: The row.
        kept: The ratio that is kept.
        now: The ratio of this run.
        noise: By what part of itself it may move for nothing.
        aim: On which side better is.
    """

    name: str
    kept: float
    now: float
    noise: float
    aim: Aim

    @property
    def slower(self) -> float:
        """By what part of the kept it takes more now, or what part less it does for the same."""
        if self.aim is Aim.AT_LEAST:
            return self.kept / self.now - 1
        return self.now / self.kept - 1

    @property
    def faster(self) -> float:
        """The same in the other direction."""
        if self.aim is Aim.AT_LEAST:
            return self.now / self.kept - 1
        return self.kept / self.now - 1

    @property
    def worse(self) -> bool:
        """Whether it is worse than the noise explains."""
        return self.slower > self.noise

    @property
    def better(self) -> bool:
        """Whether it is better than the noise explains."""
        return self.faster > self.noise

    def text(self) -> str:
        """Return it as a line for people."""
        moved = f"{self.name:34} {number(self.kept)} is now {number(self.now)}"
        noise = f"the noise is {self.noise:.0%}"
        if self.worse:
            return f"{moved}: {self.slower:.0%} worse; {noise}"
        if self.better:
            return f"{moved}: {self.faster:.0%} better; {noise}"
        return f"{moved}: as it was; {noise}"


def noise_of(row: Row) -> float:
    """Return half of the interval of a row's ratio, as a part of it."""
    low, high = row.interval
    return (high - low) / 2 / row.ratio


def change(kept: Row, now: Row) -> Change:
    """Return how one row has moved."""
    noise = max(LEAST_NOISE, noise_of(kept) + noise_of(now))
    return Change(now.name, kept.ratio, now.ratio, noise, now.aim)


def compare(kept: Sequence[Row], now: Sequence[Row]) -> list[Change]:
    """Return how each row has moved that is both kept and measured."""
    before = {row.name: row for row in kept}
    return [change(before[row.name], row) for row in now if row.name in before]


def unmatched(kept: Sequence[Row], now: Sequence[Row]) -> list[str]:
    """Return the rows that are measured and not kept, or kept and not measured, by name."""
    return sorted({row.name for row in kept} ^ {row.name for row in now})


def joined(runs: Sequence[Sequence[Row]]) -> list[Row]:
    """Return each row with the rounds of all its runs, which lie some time apart.

    Raises:
        ValueError: There are no runs.
    """
    if not runs:
        raise ValueError("there is nothing to join")
    found = []
    for row in runs[0]:
        same = [one for run in runs for one in run if one.name == row.name]
        pairs = tuple(pair for one in same for pair in one.pairs)
        found.append(replace(row, pairs=pairs, load=max(one.load for one in same)))
    return found
