"""Rule sets for a match, mixed from the shipped ones, some with values that none of them has."""

import random
from collections.abc import Sequence
from typing import Any

from ronda.v1 import rule_set_pb2
from ronda.v1.rule_set_pb2 import RuleSet
from ronda_referee.convert import rule_set_from_proto
from ronda_rules.errors import RulesError


def crossed(rule_sets: Sequence[RuleSet], seats: int, rng: random.Random) -> RuleSet:
    """Give a rule set for so many seats that has each of its values from one of those given."""
    while True:
        child = _crossed(rule_sets, rng)
        if _can_be_played(child, seats):
            return child


def varied(rule_sets: Sequence[RuleSet], seats: int, rng: random.Random) -> RuleSet:
    """Give such a mixture in which some values are any at all, as no shipped rule set has them."""
    while True:
        child = _crossed(rule_sets, rng)
        child.id = "varied"
        for vary in rng.sample(_VARIATIONS, rng.randint(2, 5)):
            vary(child, rng)
        if _can_be_played(child, seats):
            return child


def _first_dealer(child: RuleSet, rng: random.Random) -> None:
    child.first_dealer.drawn = True
    if rng.random() < 0.5:
        child.first_dealer.seat = rng.randrange(2)


def _ladder(child: RuleSet, rng: random.Random) -> None:
    child.ladder[:] = rng.choice(([], [0], [2], [1, 5], [0, 5], [0, 0, 3], [1, 5, 10]))
    child.chain_min_seats = rng.choice((0, 3, 4))


def _across(child: RuleSet, rng: random.Random) -> None:
    child.chain_across_batches = True
    child.chain_payment = _one_of(child, "chain_payment", rng)


def _mesa(child: RuleSet, rng: random.Random) -> None:
    child.mesa = rng.choice((0, 1, 3))
    child.mesa_excluded = _one_of(child, "mesa_excluded", rng)


def _kinds(child: RuleSet, rng: random.Random) -> None:
    child.kinds.ronda = rng.choice((0, 1, 2))
    child.kinds.tringa = rng.choice((0, 4, 5))
    child.kinds.double_ronda = rng.choice((0, 3))
    child.double_ronda = _one_of(child, "double_ronda", rng)
    for penalty in (child.false_penalty, child.undeclared_penalty):
        if penalty.ronda:
            penalty.ronda, penalty.tringa, penalty.double_ronda = 2, 6, 3


def _fours(child: RuleSet, rng: random.Random) -> None:
    del child.seats[:]
    for count in (2, 4):
        child.seats.add(count=count, opening=rule_set_pb2.OPENING_EMPTY_TABLE)
    child.ClearField("table_forbids")
    child.ClearField("table_remedy")
    _kinds(child, rng)


def _honest(child: RuleSet, rng: random.Random) -> None:
    child.bluff = rule_set_pb2.BLUFF_REFUSED
    child.ClearField("false_penalty")
    child.challenge = False
    child.settle = _one_of(child, "settle", rng)
    if rng.random() < 0.5:
        child.timing = rule_set_pb2.TIMING_AUTOMATIC
        child.undeclared_detection = rule_set_pb2.UNDECLARED_DETECTION_NONE
        child.ClearField("undeclared_penalty")


def _judging(child: RuleSet, rng: random.Random) -> None:
    for name in ("timing", "settle", "payout", "announcement_tie", "all_rondas", "rank_order"):
        setattr(child, name, _one_of(child, name, rng))


def _penalties(child: RuleSet, rng: random.Random) -> None:
    child.false_penalty_cap = rng.randrange(4)
    child.penalty_to = _one_of(child, "penalty_to", rng)
    child.undeclared_detection = _one_of(child, "undeclared_detection", rng)


def _duty(child: RuleSet, rng: random.Random) -> None:
    duty = child.dealer_duty
    duty.king, duty.ace, duty.miss = (rng.choice((0, 2, 5)) for _ in range(3))


def _count(child: RuleSet, rng: random.Random) -> None:
    child.count.two_sides = rng.choice((0, 9, 20, 39))
    child.count.three_sides = rng.choice((0, 4, 13))


def _cards(child: RuleSet, rng: random.Random) -> None:
    child.scoring = rule_set_pb2.SCORING_CARD_TRANSFER
    child.win_check = rule_set_pb2.WIN_CHECK_DEAL_END
    _count(child, rng)


def _end(child: RuleSet, rng: random.Random) -> None:
    child.target = rng.choice((0, 5, 25, 60))
    child.win_check = _one_of(child, "win_check", rng)
    child.target_tie = _one_of(child, "target_tie", rng)


_VARIATIONS = (
    _first_dealer,
    _ladder,
    _across,
    _mesa,
    _kinds,
    _fours,
    _judging,
    _honest,
    _penalties,
    _duty,
    _count,
    _cards,
    _end,
)


def _one_of(child: RuleSet, name: str, rng: random.Random) -> Any:  # noqa: ANN401 - the stub's types of numbers differ by field
    """Give any of the values that an enumeration has a name for."""
    enumeration = child.DESCRIPTOR.fields_by_name[name].enum_type
    assert enumeration is not None
    return rng.randrange(1, len(enumeration.values))


def _can_be_played(child: RuleSet, seats: int) -> bool:
    try:
        rule_set_from_proto(child)
    except RulesError:
        return False
    return seats in {one.count for one in child.seats}


def _crossed(rule_sets: Sequence[RuleSet], rng: random.Random) -> RuleSet:
    child = RuleSet()
    for field in RuleSet.DESCRIPTOR.fields:
        _take(child, rng.choice(rule_sets), field.name)
    child.id = "crossed"
    return child


def _take(child: RuleSet, parent: RuleSet, name: str) -> None:
    value = getattr(parent, name)
    field = RuleSet.DESCRIPTOR.fields_by_name[name]
    if field.is_repeated:
        getattr(child, name).MergeFrom(value)
    elif field.message_type is None:
        setattr(child, name, value)
    elif parent.HasField(name):  # type: ignore[arg-type]  # the stub lists names as literals
        getattr(child, name).CopyFrom(value)
