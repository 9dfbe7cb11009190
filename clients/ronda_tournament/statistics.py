"""Means with intervals, and how a pair went for those who met."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

# The 97.5th percentile of the normal distribution.
_NORMAL = 1.959963984540054
# Of Student's t with few degrees of freedom, where the expansion below is no use.
_STUDENT = {
    1: 12.706204736432095,
    2: 4.302652729911275,
    3: 3.182446305284263,
    4: 2.776445105197793,
}


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its 95 % interval.

    Attributes:
        mean: The mean.
        low: The interval's lower end; None: there are fewer than two values.
        high: Its upper end; None likewise.
        count: How many values there are.
    """

    mean: float
    low: float | None
    high: float | None
    count: int


def student_quantile(degrees: int) -> float:
    """Return the 97.5th percentile of Student's t, to three decimals.

    From five degrees of freedom on by the expansion in powers of one over them.
    """
    if degrees in _STUDENT:
        return _STUDENT[degrees]
    z, n = _NORMAL, degrees
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )


def mean_of(values: Sequence[float]) -> Mean | None:
    """Return the mean of values that are independent of each other; None: there are none."""
    count = len(values)
    if not count:
        return None
    mean = math.fsum(values) / count
    if count == 1:
        return Mean(mean, None, None, 1)
    variance = math.fsum((value - mean) ** 2 for value in values) / (count - 1)
    half = student_quantile(count - 1) * math.sqrt(variance / count)
    return Mean(mean, mean - half, mean + half, count)


def shares_of(winners: Sequence[int], sides: int) -> tuple[float, ...]:
    """Return the share of a match's point that each side gets: those that share a draw divide it.

    Args:
        winners: The side that won, or those that share a draw.
        sides: How many sides there are.
    """
    return tuple(1 / len(winners) if side in winners else 0.0 for side in range(sides))
