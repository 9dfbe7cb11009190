"""The sequential probability ratio test over duplicate pairs.

A pair of matches is one observation: the share of its points that the first entrant got, 0, a
quarter, a half, three quarters or 1. The generalised test by a normal approximation compares the
mean of the observations with the two hypotheses::

    LLR = n (s1 - s0) (2 m - s0 - s1) / (2 v)

with n pairs, their mean m, and the expected shares s0 and s1 of the two Elo differences. The
variance v is that of the pairs, together with ten more of the variance 1/8, which is that of two
matches between equals without draws::

    v = (sum of (share - m)^2 + 10/8) / (n + 10)

Without them a few equal results would have hardly any variance and decide a test at once. With them
it errs as rarely as it is told to: tests/tournament/test_statistics.py measures it.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from ronda_tournament.config import Sprt

SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""What a pair of two matches can bring."""

_PRIOR_PAIRS = 10
_PRIOR_VARIANCE = 0.125

FIRST_IS_BETTER = "elo1"
NO_BETTER = "elo0"
OPEN = ""


@dataclass(frozen=True, slots=True)
class SprtState:
    """How a test stands.

    Attributes:
        llr: The log-likelihood ratio.
        lower: At or below it the hypothesis elo0 is taken.
        upper: At or above it the hypothesis elo1 is taken.
        decision: `FIRST_IS_BETTER`, `NO_BETTER` or `OPEN`.
        pairs: After how many pairs that was decided, or how many there are.
    """

    llr: float
    lower: float
    upper: float
    decision: str
    pairs: int


def expected_share(elo: float) -> float:
    """Return the share of the points that a difference in Elo lets one expect."""
    return 1 / (1 + 10 ** (-elo / 400))


def bounds(sprt: Sprt) -> tuple[float, float]:
    """Return the lower and the upper bound of the test."""
    return (
        math.log(sprt.beta / (1 - sprt.alpha)),
        math.log((1 - sprt.beta) / sprt.alpha),
    )


def log_likelihood_ratio(counts: Iterable[int], sprt: Sprt) -> float:
    """Return the ratio for how often each of `SHARES` has come up."""
    observed = list(zip(counts, SHARES, strict=True))
    pairs = sum(count for count, _ in observed)
    if not pairs:
        return 0.0
    mean = sum(count * share for count, share in observed) / pairs
    spread = sum(count * (share - mean) ** 2 for count, share in observed)
    variance = (spread + _PRIOR_PAIRS * _PRIOR_VARIANCE) / (pairs + _PRIOR_PAIRS)
    s0, s1 = expected_share(sprt.elo0), expected_share(sprt.elo1)
    return pairs * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)


class SprtTest:
    """A test that goes on pair by pair, and stays with what it has decided first."""

    def __init__(self, sprt: Sprt) -> None:
        """Begin before the first pair."""
        self._sprt = sprt
        self._counts = [0] * len(SHARES)
        self._lower, self._upper = bounds(sprt)
        self._pairs = 0
        self._llr = 0.0
        self._decision = OPEN

    def add(self, share: float) -> None:
        """Take the next pair in; after the decision nothing counts any more."""
        if self._decision:
            return
        self._counts[round(share * (len(SHARES) - 1))] += 1
        self._pairs += 1
        self._llr = log_likelihood_ratio(self._counts, self._sprt)
        if self._llr >= self._upper:
            self._decision = FIRST_IS_BETTER
        elif self._llr <= self._lower:
            self._decision = NO_BETTER

    @property
    def state(self) -> SprtState:
        """How it stands."""
        return SprtState(self._llr, self._lower, self._upper, self._decision, self._pairs)
