"""Counts every way to play out the last batch of a maghribi deal, without the engine.

Written from the rules with lists of ranks; nothing of `ronda_rules` is imported. Run as a program
it prints the tallies that `test_leaves.py` has as literals.
"""

from collections import Counter
from dataclasses import dataclass, field, replace

ORDER = [1, 2, 3, 4, 5, 6, 7, 10, 11, 12]
Said = tuple[int, int, str, int | None]


@dataclass(frozen=True)
class Deal:
    """A point in the last batch of three cards; piles by side, said as batch, seat, kind, rank."""

    dealer: int
    turn: int
    hands: list[list[int]]
    table: list[int]
    piles: list[int]
    capturer: int
    batch: int
    laid: int | None = None
    said: list[Said] = field(default_factory=list)
    caidas: int = 0
    mesas: int = 0
    captures: int = 0
    points: tuple[int, ...] = ()


POSITIONS = {
    "two seats": Deal(
        dealer=1,
        turn=0,
        hands=[[6, 6, 11], [12, 6, 12]],
        table=[6, 7, 10],
        piles=[15, 16],
        capturer=1,
        batch=6,
        said=[(1, 0, "ronda", 4), (1, 1, "ronda", 4), (2, 1, "ronda", None)],
    ),
    "two seats, after a card": Deal(
        dealer=0,
        turn=0,
        hands=[[1, 3, 4], [2, 10]],
        table=[1, 3, 5, 7],
        piles=[20, 11],
        capturer=0,
        batch=6,
        laid=3,
        said=[(6, 1, "ronda", None), (5, 0, "tringa", 2)],
    ),
    "three seats": Deal(
        dealer=1,
        turn=2,
        hands=[[1, 2, 2], [7, 7, 7], [2, 10, 1]],
        table=[2, 3],
        piles=[11, 10, 8],
        capturer=0,
        batch=4,
        said=[(2, 2, "tringa", None)],
    ),
    "four seats, from the third": Deal(
        dealer=3,
        turn=2,
        hands=[[3, 5], [12, 12], [4, 4, 11], [4, 3, 5]],
        table=[3, 4, 5],
        piles=[12, 15],
        capturer=1,
        batch=3,
        laid=3,
        said=[(3, 0, "tringa", None), (3, 1, "ronda", 12)],
    ),
}


def tally(deal: Deal) -> Counter[str]:
    """Count the leaves below a point, and over all leaves what was scored and captured."""
    if not deal.points:
        deal = replace(deal, points=(0,) * len(deal.piles))
    if not any(deal.hands):
        return _end(deal)
    total: Counter[str] = Counter()
    hand = deal.hands[deal.turn]
    silent = all((batch, seat) != (deal.batch, deal.turn) for batch, seat, _, _ in deal.said)
    if len(hand) == 3 and silent:
        for kind in ("ronda", "tringa"):
            one = (deal.batch, deal.turn, kind, _held(kind, hand))
            total += tally(replace(deal, said=[*deal.said, one]))
    for place in range(len(hand)):
        total += tally(_played(deal, place))
    return total


def _held(kind: str, hand: list[int]) -> int | None:
    for rank in sorted(hand, reverse=True):
        if kind == "ronda" and hand.count(rank) >= 2:
            return rank
        if kind == "tringa" and hand.count(rank) == 3:
            return rank
    return None


def _played(deal: Deal, place: int) -> Deal:
    hands = [list(hand) for hand in deal.hands]
    rank = hands[deal.turn].pop(place)
    after = replace(deal, hands=hands, turn=(deal.turn + 1) % len(hands))
    if rank not in deal.table:
        return replace(after, table=[*deal.table, rank], laid=rank)
    table = list(deal.table)
    step = ORDER.index(rank)
    while step < len(ORDER) and ORDER[step] in table:
        table.remove(ORDER[step])
        step += 1
    side = deal.turn % len(deal.piles)
    piles = list(deal.piles)
    piles[side] += 1 + len(deal.table) - len(table)
    caida = int(deal.laid == rank)
    mesa = int(not table and any(hands))
    points = list(deal.points)
    points[side] += caida + mesa
    return replace(
        after,
        table=table,
        piles=piles,
        laid=None,
        capturer=deal.turn,
        caidas=deal.caidas + caida,
        mesas=deal.mesas + mesa,
        captures=deal.captures + 1,
        points=tuple(points),
    )


def _end(deal: Deal) -> Counter[str]:
    seats, sides = len(deal.hands), len(deal.piles)
    piles = list(deal.piles)
    piles[deal.capturer % sides] += len(deal.table)
    assert sum(piles) == 40
    points = list(deal.points)
    for batch in range(1, deal.batch + 1):
        true = [one for one in deal.said if one[0] == batch and one[3] is not None]
        if any(one[2] == "tringa" for one in true):
            true = [one for one in true if one[2] == "tringa"]
        best = max((ORDER.index(one[3]) for one in true if one[3] is not None), default=-1)
        winners = {
            one[1] % sides for one in true if one[3] is not None and ORDER.index(one[3]) == best
        }
        if len(winners) == 1:
            points[winners.pop()] += 5 if true[0][2] == "tringa" else 1
    # One penalty a seat and deal, of its first false announcement.
    penalised = set()
    for _, seat, kind, rank in sorted(deal.said, key=lambda one: one[0]):
        if rank is None and seat not in penalised:
            penalised.add(seat)
            points[(seat + 1) % seats % sides] += 5 if kind == "tringa" else 1
    for side, cards in enumerate(piles):
        points[side] += max(0, cards - (13 if seats == 3 else 20))
    leaf = {
        "leaves": 1,
        "caidas": deal.caidas,
        "mesas": deal.mesas,
        "captures": deal.captures,
        "draws": int(points.count(max(points)) > 1),
    }
    leaf |= {f"points {side}": scored for side, scored in enumerate(points)}
    leaf |= {f"cards {side}": cards for side, cards in enumerate(piles)}
    return Counter(leaf)


if __name__ == "__main__":
    for name, position in POSITIONS.items():
        print(name, dict(tally(position)))
