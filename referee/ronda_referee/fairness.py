"""Whether the cards of many deals look drawn by lot: what the fairness of an archive hangs on.

An audit shows that each deal follows from its seed. It cannot show that the seeds came by chance: a
referee that also plays may draw seeds until it likes the deal. Over many deals that shows. Each
measure asks how often cards drawn by lot would lie as far from what is expected as these do; that
is its p-value. No measure hangs on the rule set:

- cards by position: every card comes at every place of the drawing order as often as any other;
- pairs: of two cards drawn one after the other every ordered pair comes as often as any other;
- next card, next deal: a card says nothing of the one drawn after it, beyond that it is another
  one, and nothing of the card at the same place of the match's next deal;
- ronda, tringa, double by seat: hands with a pair, with three of a rank, with two pairs or four of
  a rank come to every seat as often as to any other.

The draws of a deal are not independent of each other: no card comes twice. So the first two
measures are not chi-square with as many degrees of freedom as there are cells; each is compared
with the chi-square variable, scaled, that has the mean and the variance that the measure has for
cards drawn by lot (Satterthwaite), which are worked out in `_positions` and `_pairs`. The others
take one number a deal, and its spread from the deals themselves.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtr, chdtrc, ndtr

from ronda_referee.audit import Deal
from ronda_rules.cards import PACK_SIZE

# The level of the whole report: by chance alone one fair archive in a hundred is called unfair.
LEVEL = 0.01

# A chi-square variable is close to what its cells give where each is expected this often.
_CELL = 5.0
# A mean of so many numbers is close to a normal variable.
_MANY = 100
_AT_ONCE = 4_096

_RANKS = 10
_CENTRE = (PACK_SIZE - 1) / 2
_COMBINATIONS = ("ronda", "tringa", "double")

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure of an archive.

    Attributes:
        name: what it measures.
        p: how often cards drawn by lot lie as far off or farther, 0 to 1; None: there are too few
            deals to say.
        statistic: the measure's value: chi-square or z.
        degrees: chi-square's degrees of freedom; None: the value is a z.
        means: for a measure by seat, the hands of that kind in a deal, by seat.
    """

    name: str
    p: float | None
    statistic: float
    degrees: float | None = None
    means: tuple[float, ...] = ()


@dataclass(slots=True)
class _Moments:
    """The sums that the mean and the spread of vectors of one length follow from."""

    size: int
    count: int = 0
    total: NDArray[np.float64] = field(init=False)
    squares: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        self.total = np.zeros(self.size)
        self.squares = np.zeros((self.size, self.size))

    def add(self, vectors: NDArray[np.float64]) -> None:
        """Add vectors, one a row."""
        self.count += len(vectors)
        self.total += vectors.sum(axis=0)
        self.squares += vectors.T @ vectors

    def mean(self) -> NDArray[np.float64]:
        """Give the mean."""
        return self.total / max(self.count, 1)

    def spread(self) -> NDArray[np.float64]:
        """Give the covariance of the vectors."""
        mean = self.mean()
        covariance = self.squares / max(self.count, 1) - np.outer(mean, mean)
        return np.asarray(covariance * self.count / max(self.count - 1, 1))


class Fairness:
    """Takes deals in and says how likely they are; it holds counts alone, whatever their number.

    Attributes:
        deals: how many deals there were.
        draws: how many draws of theirs are counted.
    """

    def __init__(self) -> None:
        """Begin without a deal."""
        self.deals = 0
        self.draws = 0
        self._positions: Counts = np.zeros((PACK_SIZE, PACK_SIZE), np.int64)
        self._pairs: Counts = np.zeros((PACK_SIZE, PACK_SIZE), np.int64)
        # Of each deal's number of pairs: the sum, and the sum of the squares.
        self._pair_sums = (0, 0)
        self._next_card = _Moments(1)
        self._next_deal = _Moments(1)
        self._seats = {
            (kind, seats): _Moments(seats) for seats in (2, 3, 4) for kind in _COMBINATIONS
        }
        self._waiting: list[Deal] = []

    def add(self, deals: Iterable[Deal]) -> None:
        """Take the deals of one match in, in order."""
        self._waiting += deals
        if len(self._waiting) >= _AT_ONCE:
            self._take_in()

    def surplus(self) -> NDArray[np.float64]:
        """Give by position and card how many standard deviations more often it came than expected.

        Cards are in canonical order: oros, copas, espadas, bastos, each from the ace on.
        """
        self._take_in()
        rows = self._positions.sum(axis=1, keepdims=True)
        expected = rows / PACK_SIZE
        deviation = np.sqrt(np.maximum(expected * (1 - 1 / PACK_SIZE), 1e-300))
        return np.asarray((self._positions - expected) / deviation)

    def measures(self) -> list[Measure]:
        """Give every measure."""
        self._take_in()
        return [
            self._by_position(),
            self._by_pair(),
            _z("next card", self._next_card),
            _z("next deal", self._next_deal),
            *(
                _by_seat(f"{kind} by seat, {seats} seats", moments)
                for (kind, seats), moments in self._seats.items()
                if moments.count
            ),
        ]

    def _take_in(self) -> None:
        waiting, self._waiting = self._waiting, []
        self.deals += len(waiting)
        by_length: dict[int, list[bytes]] = {}
        for deal in waiting:
            by_length.setdefault(len(deal.drawn), []).append(deal.drawn)
        for length, drawn in by_length.items():
            cards = np.frombuffer(b"".join(drawn), np.uint8).astype(np.int64)
            self._take_drawn(cards.reshape(len(drawn), length))
        self._take_next_deals(waiting)
        for seats in (2, 3, 4):
            self._take_hands([deal for deal in waiting if deal.seats == seats], seats)

    def _take_drawn(self, cards: Counts) -> None:
        deals, length = cards.shape
        self.draws += cards.size
        places = np.broadcast_to(np.arange(length), cards.shape)
        self._positions += _counted(places, cards)
        count = length // 2
        self._pairs += _counted(cards[:, 0 : 2 * count : 2], cards[:, 1 : 2 * count : 2])
        total, squares = self._pair_sums
        self._pair_sums = total + deals * count, squares + deals * count * count
        if length > 1:
            values = cards - _CENTRE
            products = (values[:, :-1] * values[:, 1:]).sum(axis=1)
            # Of two different cards: minus the variance of one, over the cards that are left.
            variance = (PACK_SIZE**2 - 1) / 12
            expected = -(length - 1) * variance / (PACK_SIZE - 1)
            self._next_card.add((products - expected).reshape(-1, 1))

    def _take_next_deals(self, deals: Sequence[Deal]) -> None:
        products = []
        for one, other in pairwise(deals):
            # A match's deals come one after the other, and the next match begins with its first.
            if other.number == one.number + 1 and one.seats == other.seats:
                length = min(len(one.drawn), len(other.drawn))
                values = [
                    np.frombuffer(deal.drawn[:length], np.uint8) - _CENTRE for deal in (one, other)
                ]
                products.append(float(values[0] @ values[1]))
        self._next_deal.add(np.array(products).reshape(-1, 1))

    def _take_hands(self, deals: Sequence[Deal], seats: int) -> None:
        if not deals:
            return
        counts = {kind: np.zeros((len(deals), seats)) for kind in _COMBINATIONS}
        for number, deal in enumerate(deals):
            for seat, _, hand in deal.hands:
                kind = combination(hand)
                if kind:
                    counts[kind][number, seat] += 1
        for kind, of_kind in counts.items():
            self._seats[kind, seats].add(of_kind)

    def _by_position(self) -> Measure:
        """Compare the cells by position and card.

        Each position's chi-square has the mean k - 1, of k cards. Two positions share the deals in
        which both were drawn; their cells have the correlation -1 / (k - 1) in those. So with n and
        m deals, m of them shared, the variance of the sum is that of chi-square, 2 (k - 1), times
        the sum of the squares of the correlations -sqrt(m / n) / (k - 1), and of 1 for each alone.
        """
        rows = self._positions.sum(axis=1)
        rows = rows[rows > 0]
        if not len(rows) or rows.min() / PACK_SIZE < _CELL:
            return Measure("cards by position", None, 0.0, 0.0)
        counts = self._positions[: len(rows)]
        expected = (rows / PACK_SIZE).reshape(-1, 1)
        statistic = float(((counts - expected) ** 2 / expected).sum())
        shared = np.minimum.outer(rows, rows) / np.maximum.outer(rows, rows)
        correlation = shared / (PACK_SIZE - 1) ** 2
        np.fill_diagonal(correlation, 1.0)
        mean = (PACK_SIZE - 1) * len(rows)
        variance = 2 * (PACK_SIZE - 1) * float(correlation.sum())
        return _scaled("cards by position", statistic, mean, variance)

    def _by_pair(self) -> Measure:
        """Compare the cells of ordered pairs, drawn first and second, third and fourth, and so on.

        A deal with m pairs gives each of the c = k (k - 1) cells one with the chance q = 1 / c. Its
        count in a cell has the variance mq - mmqq, for no pair comes twice; two cells without a
        common card have the covariance m (m - 1) r - mmqq, r = 1 / (k (k - 1) (k - 2) (k - 3)), and
        two with one -mmqq. The mean of the sum of squares is the sum of the variances, its variance
        twice the sum of the squares of all of these.
        """
        cells = PACK_SIZE * (PACK_SIZE - 1)
        total, squares = self._pair_sums
        expected = total / cells
        if expected < _CELL:
            return Measure("pairs", None, 0.0, 0.0)
        different = self._pairs[~np.eye(PACK_SIZE, dtype=bool)]
        statistic = float(((different - expected) ** 2).sum() / expected)
        apart = (PACK_SIZE - 2) * (PACK_SIZE - 3)
        minus = squares / cells**2
        alone = (total / cells - minus) / expected
        disjoint = ((squares - total) / (cells * apart) - minus) / expected
        touching = -minus / expected
        mean = cells * alone
        others = cells - 1 - apart
        variance = 2 * cells * (alone**2 + apart * disjoint**2 + others * touching**2)
        return _scaled("pairs", statistic, mean, variance)


def combination(hand: Sequence[int]) -> str:
    """Give what a hand holds, as ronda, tringa or double; empty: neither."""
    counts = [0] * _RANKS
    for card in hand:
        counts[card % _RANKS] += 1
    match sorted(counts, reverse=True)[:2]:
        case [4, *_] | [2, 2]:
            return "double"
        case [3, *_]:
            return "tringa"
        case [2, *_]:
            return "ronda"
        case _:
            return ""


def unlikely(measures: Iterable[Measure]) -> Measure | None:
    """Give the least likely measure where cards drawn by lot hardly ever give it, or None.

    The level holds for all measures together: each alone must be so many times less likely.
    """
    known = [measure for measure in measures if measure.p is not None]
    least = min(known, key=lambda measure: measure.p or 0.0, default=None)
    if least is None or least.p is None or least.p * len(known) >= LEVEL:
        return None
    return least


def _counted(rows: Counts, columns: Counts) -> Counts:
    cells = np.bincount((rows * PACK_SIZE + columns).ravel(), minlength=PACK_SIZE**2)
    return np.asarray(cells, np.int64).reshape(PACK_SIZE, PACK_SIZE)


def _scaled(name: str, statistic: float, mean: float, variance: float) -> Measure:
    """Compare a sum of squares, of a known mean and variance; too even is as unlikely as uneven."""
    degrees = 2 * mean**2 / variance
    scale = variance / (2 * mean)
    value = statistic / scale
    p = 2 * min(float(chdtrc(degrees, value)), float(chdtr(degrees, value)))
    return Measure(name, min(p, 1.0), value, degrees)


def _z(name: str, moments: _Moments) -> Measure:
    """Compare a mean that is expected to be 0."""
    spread = float(moments.spread()[0, 0])
    if moments.count < _MANY or spread <= 0:
        return Measure(name, None, 0.0)
    z = float(moments.mean()[0]) / sqrt(spread / moments.count)
    return Measure(name, 2 * float(ndtr(-abs(z))), z)


def _by_seat(name: str, moments: _Moments) -> Measure:
    """Compare the seats' means, which are expected to be the same."""
    means = tuple(float(mean) for mean in moments.mean())
    if moments.total.min() < _MANY:
        return Measure(name, None, 0.0, moments.size - 1, means)
    contrasts = np.eye(moments.size)[1:] - np.eye(moments.size)[0]
    differences = contrasts @ moments.mean()
    spread = contrasts @ moments.spread() @ contrasts.T / moments.count
    statistic = float(differences @ np.linalg.solve(spread, differences))
    degrees = moments.size - 1
    return Measure(name, float(chdtrc(degrees, statistic)), statistic, degrees, means)
