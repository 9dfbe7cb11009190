"""Who meets whom: the pairings of every format, entrants being numbers from 0."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

Teams: TypeAlias = tuple[tuple[int, ...], ...]
"""Who meets: the entrants of each team, by team."""


def round_robin(entrants: int) -> list[list[tuple[int, int]]]:
    """Return the rounds in which each of at least two meets each other once.

    The circle method: entrant 0 stays, the others go round. With an odd number one sits out in
    every round.
    """
    circle: list[int | None] = list(range(entrants))
    if entrants % 2:
        circle.append(None)
    rounds = []
    for _ in range(len(circle) - 1):
        pairs = zip(circle[: len(circle) // 2], reversed(circle), strict=False)
        rounds.append([(a, b) for a, b in pairs if a is not None and b is not None])
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return rounds


def gauntlet(entrants: int, champion: int) -> list[tuple[int, int]]:
    """Return the meetings of the champion with each of the others."""
    return [(champion, other) for other in range(entrants) if other != champion]


def tables_of_three(entrants: int, champion: int | None = None) -> list[Teams]:
    """Return every three that can sit together, the champion among them where there is one."""
    return [
        tuple((one,) for one in three)
        for three in combinations(range(entrants), 3)
        if champion is None or champion in three
    ]


def partnerships(entrants: int, champion: int | None = None) -> list[Teams]:
    """Return every way in which four can sit together, two against two, with either partner."""
    return [
        split
        for a, b, c, d in combinations(range(entrants), 4)
        for split in (((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c)))
        if champion is None or champion in {a, b, c, d}
    ]


@dataclass(frozen=True, slots=True)
class Standing:
    """How an entrant stands before a Swiss round.

    Attributes:
        entrant: Who.
        points: A point for each meeting won and each bye, a half for each drawn.
        difference: Points of the game made more than the opponents, over all meetings.
    """

    entrant: int
    points: float
    difference: float = 0.0


def swiss_round(
    standings: Sequence[Standing],
    met: Collection[frozenset[int]],
    byes: Collection[int] = (),
) -> tuple[list[tuple[int, int]], int | None]:
    """Return the pairs of the next round, and who sits out with a point; None: nobody does.

    From the top down each meets the next below that it has not met; where that leaves two that
    have, an earlier choice is taken back. With an odd number the lowest that has not sat out yet
    does. Where all have met all, they meet again.

    Args:
        standings: All who take part.
        met: Who has met whom.
        byes: Who has sat out.
    """
    order = [
        standing.entrant
        for standing in sorted(standings, key=lambda s: (-s.points, -s.difference, s.entrant))
    ]
    if not len(order) % 2:
        return (_matched(order, met) or _adjacent(order)), None
    fresh = [entrant for entrant in reversed(order) if entrant not in byes]
    candidates = fresh or list(reversed(order))
    for bye in candidates:
        pairs = _matched([entrant for entrant in order if entrant != bye], met)
        if pairs is not None:
            return pairs, bye
    bye = candidates[0]
    return _adjacent([entrant for entrant in order if entrant != bye]), bye


# A search that takes longer finds hardly anything: then old pairs meet again.
_MOST_STEPS = 20_000


def _matched(order: Sequence[int], met: Collection[frozenset[int]]) -> list[tuple[int, int]] | None:
    steps = 0

    def search(left: tuple[int, ...]) -> list[tuple[int, int]] | None:
        nonlocal steps
        if not left:
            return []
        first, *others = left
        for other in others:
            steps += 1
            if steps > _MOST_STEPS:
                return None
            if frozenset((first, other)) in met:
                continue
            rest = search(tuple(one for one in others if one != other))
            if rest is not None:
                return [(first, other), *rest]
        return None

    return search(tuple(order))


def _adjacent(order: Sequence[int]) -> list[tuple[int, int]]:
    return list(zip(order[::2], order[1::2], strict=True))


def bracket(entrants: int) -> list[int | None]:
    """Return the first round of a knockout, neighbours meeting; None: the neighbour goes through.

    Entrant 0 is the first seed: the two first seeds can meet in the final only, the first four in
    the semi-finals only, and so on. The first seeds get the free places.
    """
    order = [0]
    while len(order) < entrants:
        size = 2 * len(order)
        order = [seed for one in order for seed in (one, size - 1 - one)]
    return [seed if seed < entrants else None for seed in order]
