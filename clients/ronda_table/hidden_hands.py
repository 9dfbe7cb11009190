"""Which hands a seat that is not seen may hold, and drawing one of them at random.

A hand is judged by its ranks alone, so what it may be is listed by ranks, each with the number of
hands of cards that have them.
"""

import random
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate, combinations_with_replacement
from math import comb, prod

from ronda_rules.cards import Card, CardSet, RankIndex, cards_of, rank_index

Fits = Callable[[Sequence[RankIndex]], bool]

_RANK_COUNT = 10


class HiddenHand:
    """The cards that one seat may still hold.

    Attributes:
        seat: The seat.
        count: How many cards it holds.
        cards: The cards that may be among them.
        free: Whether every hand of that many of these cards is possible.
    """

    def __init__(self, seat: int, count: int, cards: CardSet, fits: Fits | None) -> None:
        """Take what is known.

        Args:
            seat: The seat.
            count: How many cards it holds.
            cards: The cards that may be among them.
            fits: Says of a hand's ranks whether it may be that; None: any may.
        """
        self.seat = seat
        self.count = count
        self.cards = cards
        self.free = fits is None
        self._fits = fits
        self._by_rank: list[list[Card]] = [[] for _ in range(_RANK_COUNT)]
        for card in cards_of(cards):
            self._by_rank[rank_index(card)].append(card)
        self._ways: list[tuple[tuple[RankIndex, int], ...]] | None = None
        self._totals: list[int] = []

    def may_be(self, hand: Sequence[Card]) -> bool:
        """Tell whether the seat may hold exactly these cards."""
        if len(hand) != self.count or len(set(hand)) != len(hand):
            return False
        if any(not self.cards >> card & 1 for card in hand):
            return False
        return self._fits is None or self._fits([rank_index(card) for card in hand])

    def hands(self) -> int:
        """Return how many hands it may hold."""
        self._list()
        return self._totals[-1] if self._totals else 0

    def draw(self, generator: random.Random) -> tuple[Card, ...]:
        """Return one of the hands that it may hold, each as likely as the others.

        Raises:
            ValueError: It can hold none.
        """
        ways = self._list()
        if not ways:
            raise ValueError(f"no hand of {self.count} cards fits what is known of {self.seat}")
        way = ways[bisect_right(self._totals, generator.randrange(self._totals[-1]))]
        hand: list[Card] = []
        for rank, count in way:
            hand += generator.sample(self._by_rank[rank], count)
        return tuple(hand)

    def _list(self) -> list[tuple[tuple[RankIndex, int], ...]]:
        """List the ranks that fit, and how many hands there are up to each."""
        if self._ways is None:
            self._ways = []
            weights = []
            for ranks in combinations_with_replacement(range(_RANK_COUNT), self.count):
                counts = Counter(ranks)
                hands = prod(comb(len(self._by_rank[rank]), n) for rank, n in counts.items())
                if hands and (self._fits is None or self._fits(ranks)):
                    self._ways.append(tuple(counts.items()))
                    weights.append(hands)
            self._totals = list(accumulate(weights))
        return self._ways
