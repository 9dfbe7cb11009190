"""Judging announcements: which is best, and what the sides are paid (clauses ANN-5 to ANN-7)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

from ronda_rules.cards import RankIndex
from ronda_rules.holdings import strength
from ronda_rules.rule_set import (
    AllRondas,
    AnnouncementKind,
    AnnouncementTie,
    Payout,
    RuleSet,
)

Amounts = tuple[tuple[int, int], ...]

_FOUR_SEATS: Final = 4


@dataclass(frozen=True, slots=True)
class Standing:
    """An announcement that competes: who scores for it, what it says, and its rank."""

    side: int
    kind: AnnouncementKind
    rank: RankIndex


def amounts(rules: RuleSet, seats: int, standing: Sequence[Standing]) -> Amounts:
    """Give what each winning or tied side gets, with its side; empty where nobody gets anything."""
    if not standing:
        return ()
    best = _best(rules, seats, standing)
    winning = [one for one in standing if _key(rules, one) == best]
    sides = sorted({one.side for one in winning})
    if len(sides) > 1 and rules.announcement_tie is AnnouncementTie.NONE:
        return ()
    amount: int
    match rules.payout:
        case Payout.OWN_VALUE:
            amount = max(rules.kinds.of(one.kind) for one in winning)
        case Payout.POT:
            amount = sum(rules.kinds.of(one.kind) for one in standing)
    share = amount // len(sides)
    return tuple((side, share) for side in sides) if share else ()


@lru_cache(maxsize=4_096)
def clear_amounts(
    rules: RuleSet,
    seats: int,
    sides: tuple[int, ...],
    kinds: tuple[AnnouncementKind, ...],
    ranks: tuple[frozenset[RankIndex], ...],
) -> Amounts | None:
    """Give what is paid whichever of its possible ranks each announcement has (clause SHOW-3).

    Announcements are given by side, kind and possible ranks. None: it hangs on the ranks.
    """
    found: Amounts | None = None
    for chosen in product(*map(sorted, ranks)):
        standing = [Standing(*one) for one in zip(sides, kinds, chosen, strict=True)]
        paid = amounts(rules, seats, standing)
        if found is not None and paid != found:
            return None
        found = paid
    return found


def _best(rules: RuleSet, seats: int, standing: Sequence[Standing]) -> tuple[bool, int]:
    keys = [_key(rules, one) for one in standing]
    lowest_of_all = (
        rules.all_rondas is AllRondas.LOWEST
        and seats == _FOUR_SEATS == len(standing)
        and all(one.kind is AnnouncementKind.RONDA for one in standing)
    )
    return min(keys) if lowest_of_all else max(keys)


def _key(rules: RuleSet, one: Standing) -> tuple[bool, int]:
    return one.kind is AnnouncementKind.TRINGA, strength(one.rank, rules.rank_order)
