"""What a measurement is: ours and a peer's by turns, the ratios, and what they say of a target.

A slow hour of the machine slows both alike, so it is the ratio of each round that counts. A row
gives the median of the ratios and the interval in which the median lies, and its verdict is clear
only where the whole interval is on one side of the target.
"""

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Any, Self, TypeVar

_Part = TypeVar("_Part")

# How sure the interval of a median is to be, as far as there are rounds enough.
_CONFIDENCE = 0.9


class Size(Enum):
    """How much is measured."""

    FULL = "full"
    """What the page shows."""
    QUICK = "quick"
    """What the guard compares, all of it in under a minute."""
    TINY = "tiny"
    """What shows that it runs at all."""


class Aim(StrEnum):
    """On which side of its target a ratio is to be."""

    AT_LEAST = "at least"
    AT_MOST = "at most"


class Verdict(StrEnum):
    """What the ratios say of a target."""

    MET = "met"
    NOT_MET = "not met"
    UNCLEAR = "unclear"
    """The target lies within the noise."""
    NONE = "no target"


@dataclass(frozen=True, slots=True)
class Pair:
    """One round: ours and the peer's, in the same unit."""

    ours: float
    theirs: float

    @property
    def ratio(self) -> float:
        """Ours for each of the peer's."""
        return self.ours / self.theirs


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured.

    Attributes:
        name: The name by which it is kept and compared.
        what: What of ours.
        against: What of the peer's.
        unit: That of both figures.
        aim: Whether more is better, or less.
        target: The ratio that is wanted; None: none is.
        pairs: The rounds.
        note: What else is to be said; may be empty.
        load: How many processes wanted a processor meanwhile, these ones among them.
    """

    name: str
    what: str
    against: str
    unit: str
    aim: Aim
    target: float | None
    pairs: tuple[Pair, ...]
    note: str = ""
    load: float = 0.0

    @property
    def ratios(self) -> tuple[float, ...]:
        """The ratio of each round."""
        return tuple(pair.ratio for pair in self.pairs)

    @property
    def ratio(self) -> float:
        """The median of the ratios."""
        return statistics.median(self.ratios)

    @property
    def interval(self) -> tuple[float, float]:
        """Between which ratios the median lies."""
        return median_interval(self.ratios)

    @property
    def ours(self) -> float:
        """The median of our figures."""
        return statistics.median(pair.ours for pair in self.pairs)

    @property
    def theirs(self) -> float:
        """The median of the peer's figures."""
        return statistics.median(pair.theirs for pair in self.pairs)

    @property
    def verdict(self) -> Verdict:
        """What the ratios say of the target."""
        if self.target is None:
            return Verdict.NONE
        low, high = self.interval
        worst, best = (low, high) if self.aim is Aim.AT_LEAST else (-high, -low)
        target = self.target if self.aim is Aim.AT_LEAST else -self.target
        if worst >= target:
            return Verdict.MET
        return Verdict.UNCLEAR if best >= target else Verdict.NOT_MET

    def as_json(self) -> dict[str, object]:
        """Return it as values for JSON, with what follows from the rounds."""
        low, high = self.interval
        return {
            "row": self.name,
            "what": self.what,
            "against": self.against,
            "unit": self.unit,
            "aim": self.aim.value,
            "target": self.target,
            "ratio": rounded(self.ratio),
            "low": rounded(low),
            "high": rounded(high),
            "ours": rounded(self.ours),
            "theirs": rounded(self.theirs),
            "verdict": self.verdict.value,
            "rounds": [[rounded(pair.ours), rounded(pair.theirs)] for pair in self.pairs],
            "note": self.note,
            "load": self.load,
        }

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> Self:
        """Return the row that `as_json` said.

        Raises:
            KeyError: Something is lacking.
            ValueError: Something is not what it says.
            TypeError: As above.
        """
        pairs = tuple(checked(ours, theirs) for ours, theirs in said["rounds"])
        if not pairs:
            raise ValueError(f"{said['row']}: there are no rounds")
        return cls(
            name=said["row"],
            what=said["what"],
            against=said["against"],
            unit=said["unit"],
            aim=Aim(said["aim"]),
            target=said["target"],
            pairs=pairs,
            note=said["note"],
            load=said["load"],
        )


def median_interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the interval in which the median of what was sampled lies.

    It goes from one of the values to another, as many from each end, as far in as it is still
    right in nine cases of ten, whatever the values' distribution. With fewer than five values it
    cannot be that sure, and goes from the least to the greatest.

    Raises:
        ValueError: There are no values.
    """
    if not values:
        raise ValueError("there is no median of nothing")
    ordered = sorted(values)
    count = len(ordered)
    inside = 0
    # The median is below the value at `inside` or above its opposite as often as a coin that is
    # thrown `count` times shows heads so seldom.
    missed = 0.0
    for heads in range((count - 1) // 2):
        missed += 2 * math.comb(count, heads) / 2**count
        if missed > 1 - _CONFIDENCE:
            break
        inside = heads
    return ordered[inside], ordered[count - 1 - inside]


def alternately(
    ours: Callable[[], float],
    theirs: Callable[[], float],
    rounds: int,
    tell: Callable[[float], None],
    *,
    slices: int = 1,
    warm_up: bool = True,
) -> tuple[Pair, ...]:
    """Measure both by turns, and who goes first by turns too.

    A round is a number of slices, each a piece of the same work of either. The shorter they are,
    the more alike the machine is for both. Where it is no speed that is measured there is one.

    Args:
        ours: Measures ours once.
        theirs: Measures the peer's once.
        rounds: How often.
        tell: Is told how many rounds are done.
        slices: Of how many measurements of each a round is made.
        warm_up: Whether each is measured once before, for nothing.

    Raises:
        ValueError: There is no round, or nothing was measured in one.
    """
    if rounds < 1:
        raise ValueError(f"at least 1 round is needed, not {rounds}")
    if warm_up:
        theirs()
        ours()
    pairs = []
    for number in range(rounds):
        own: list[float] = []
        of_peer: list[float] = []
        for part in range(number, number + slices):
            if part % 2:
                of_peer.append(theirs())
                own.append(ours())
            else:
                own.append(ours())
                of_peer.append(theirs())
        pairs.append(checked(speed(own), speed(of_peer)))
        tell(number + 1)
    return tuple(pairs)


def speed(parts: Sequence[float]) -> float:
    """Return the speed of a work whose equal parts had these speeds; of one part, its own.

    Raises:
        ValueError: Nothing was done in one.
    """
    if min(parts) <= 0:
        raise ValueError(f"nothing was measured: {min(parts)}")
    return statistics.harmonic_mean(parts)


def by_rounds(parts: Sequence[_Part], rounds: int, slices: int) -> list[Sequence[_Part]]:
    """Return what was noted in every slice, round by round, without that of a warm-up before."""
    last = parts[len(parts) - rounds * slices :]
    return [last[start : start + slices] for start in range(0, len(last), slices)]


def checked(ours: float, theirs: float) -> Pair:
    """Return a round.

    Raises:
        ValueError: Nothing was measured.
    """
    if not (ours > 0 and theirs > 0):
        raise ValueError(f"nothing was measured: ours {ours}, the peer's {theirs}")
    return Pair(ours, theirs)


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the least value that so many percent of the values do not exceed.

    Raises:
        ValueError: There are no values.
    """
    if not values:
        raise ValueError("there is no percentile of nothing")
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


def rounded(value: float) -> float:
    """Return a figure with four significant digits."""
    return float(f"{value:.4g}")
