"""Announcements in the brute-force counter: what hands hold, which is best, what is paid.

Written from the rules with lists of ranks; nothing of `ronda_rules` is imported.
"""

from itertools import product

from tests.rules.brute_force_rules import KINDS, Rules

ORDER = [1, 2, 3, 4, 5, 6, 7, 10, 11, 12]
# Seat, kind, rank.
Said = tuple[int, str, int]


def strength(rules: Rules, rank: int) -> int:
    """Give how high a rank is between announcements."""
    return 99 if rules.ace_high and rank == 1 else rank


def held(rules: Rules, batch: int, hand: list[int], kind: str) -> int | None:
    """Give the rank with which a hand makes a kind true, the higher of two pairs, or None."""
    several = [rank for rank in ORDER if hand.count(rank) >= 2]
    if kind == "tringa":
        several = [rank for rank in several if hand.count(rank) == 3]
    if kind == "double_ronda":
        pairs_do = rules.pairs_make_double == "ANY_FOUR_CARD_HAND" or batch == 1
        four = [rank for rank in several if hand.count(rank) == 4]
        several = several if len(several) == 2 and pairs_do else four
    several.sort(key=lambda rank: strength(rules, rank))
    return several[-1] if several else None


def outcomes(rules: Rules, batch: int, shown: list[int], hidden: int, kind: str) -> set[int | None]:
    """Give the rank of a kind in every completion of a hand, None where one lacks it."""
    return {held(rules, batch, [*shown, *others], kind) for others in product(ORDER, repeat=hidden)}


_KNOWN: dict[object, set[int | None]] = {}


def possible(
    rules: Rules, batch: int, shown: list[int], hidden: int, kind: str
) -> tuple[list[int], bool]:
    """Give the ranks with which a kind can be true by the cards shown, and whether it must be."""
    key = (rules.ace_high, rules.pairs_make_double, batch, *sorted(shown), hidden, kind)
    if key not in _KNOWN:
        _KNOWN[key] = outcomes(rules, batch, shown, hidden, kind)
    found = _KNOWN[key]
    return [rank for rank in ORDER if rank in found], None not in found


def best_kind(rules: Rules, batch: int, hand: list[int]) -> str | None:
    """Give the first of tringa, double and ronda with a value that a whole hand holds."""
    for kind in ("tringa", "double_ronda", "ronda"):
        if rules.kinds.get(kind) and held(rules, batch, hand, kind) is not None:
            return kind
    return None


def proved_kind(rules: Rules, batch: int, shown: list[int], hidden: int) -> str | None:
    """Give the first of tringa, double and ronda with a value that the cards shown prove."""
    for kind in ("tringa", "double_ronda", "ronda"):
        if rules.kinds.get(kind) and possible(rules, batch, shown, hidden, kind)[1]:
            return kind
    return None


def kinds_to_say(rules: Rules, batch: int, hand: list[int]) -> list[str]:
    """Give the kinds that a seat may announce with a whole hand on its first turn."""
    fewest = {"ronda": 2, "tringa": 3, "double_ronda": 4}
    return [
        kind
        for kind in KINDS
        if rules.kinds.get(kind)
        and len(hand) >= fewest[kind]
        and (rules.bluffs or held(rules, batch, hand, kind) is not None)
    ]


def judged(rules: Rules, sides: int, true: list[Said]) -> dict[int, int]:
    """Give what each side gets for true announcements; equal best ones split, rounded down."""
    if any(kind == "tringa" for _, kind, _ in true):
        rivals = [one for one in true if one[1] == "tringa"]
    else:
        rivals = true
    if not rivals:
        return {}
    lowest = rules.lowest_of_four and [kind for _, kind, _ in true] == ["ronda"] * 4
    highest = (min if lowest else max)(strength(rules, rank) for _, _, rank in rivals)
    best = [one for one in rivals if strength(rules, one[2]) == highest]
    if rules.pot:
        amount = sum(rules.kinds[kind] for _, kind, _ in true)
    else:
        amount = max(rules.kinds[kind] for _, kind, _ in best)
    tied = sorted({seat % sides for seat, _, _ in best})
    if len(tied) > 1 and rules.tie_for_nobody:
        return {}
    share = amount // len(tied)
    return dict.fromkeys(tied, share) if share else {}


def judged_whatever_the_ranks(
    rules: Rules, sides: int, standing: list[tuple[int, str, list[int]]]
) -> dict[int, int] | None:
    """Give what each side gets where it is the same for all ranks that are possible, or None."""
    found: dict[int, int] | None = None
    for ranks in product(*(ranks for _, _, ranks in standing)):
        chosen = [(seat, kind, rank) for (seat, kind, _), rank in zip(standing, ranks, strict=True)]
        paid = judged(rules, sides, chosen)
        if found is not None and paid != found:
            return None
        found = paid
    return found
