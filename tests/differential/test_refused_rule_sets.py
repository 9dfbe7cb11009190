"""Both engines refuse the same rule sets: each combination that the pages list, and random ones."""

import random
from typing import Any

import pytest

from ronda.conformance.v1 import testee_service_pb2 as pb
from ronda.v1 import rule_set_pb2
from ronda.v1.rule_set_pb2 import RuleSet
from ronda_referee import testee
from tests.differential.running import RULE_SETS
from tests.oracle import respond, rule_sets

THREE_TABLE = [{"count": 3, "opening": "TABLE_OF_FOUR"}]
EMPTY = {"table_forbids": None, "table_remedy": None}
NOTHING = {"ladder": [], "mesa": 0, "kinds": None, "false_penalty": None, "count": None}
COUNT = {"two_sides": 20, "three_sides": 13}
DEAL_END = {"win_check": "DEAL_END", "target_tie": "DRAW"}

Case = tuple[str, dict[str, Any]]

REFUSED: list[Case] = [
    # A seat count that the opening cannot serve, or none, or one twice, or without an opening.
    ("khlaso", {"seats": [{"count": 3, "opening": "EMPTY_TABLE"}]}),
    ("maghribi", {"seats": [{"count": 5, "opening": "TABLE_OF_FOUR"}]}),
    ("maghribi", {"seats": [{"count": 1, "opening": "TABLE_OF_FOUR"}]}),
    ("maghribi", {"seats": []}),
    ("maghribi", {"seats": [*THREE_TABLE, *THREE_TABLE]}),
    ("maghribi", {"seats": [{"count": 3, "opening": "UNSPECIFIED"}]}),
    # A table of four that allows pairs or has no remedy.
    ("maghribi", {"table_forbids": ["RUNS"]}),
    ("maghribi", {"table_remedy": None}),
    ("maghribi", {"table_forbids": ["PAIRS", "UNSPECIFIED"]}),
    # Table fields where no opening turns a table.
    ("khlaso", {"table_forbids": ["PAIRS"]}),
    ("khlaso", {"table_remedy": "RETURN_ALL"}),
    # Double rondas where no batch has four cards, or without a choice of batches.
    ("qahwa", {"kinds": {"ronda": 1, "double_ronda": 2}, "double_ronda": "ANY_FOUR_CARD_HAND"}),
    ("khlaso", {"double_ronda": None}),
    # Challenges and false penalties where bluffs are refused.
    ("qahwa", {"challenge": True}),
    ("qahwa", {"false_penalty": {"ronda": 1}}),
    # Bluffs penalised without a penalty for each kind, or without a receiver.
    ("maghribi", {"false_penalty": {"ronda": 1}}),
    ("maghribi", {"penalty_to": None}),
    ("maghribi", {"penalty_to": None, "kinds": None}),
    # The referee announces: no bluffs, no challenges, nothing undeclared.
    ("maghribi", {"timing": "AUTOMATIC"}),
    ("classic", {"timing": "AUTOMATIC"}),
    ("qahwa-penalty", {"timing": "AUTOMATIC"}),
    # Undeclared penalties and their detection.
    ("qahwa-penalty", {"undeclared_penalty": {"ronda": 1}}),
    ("classic", {"undeclared_penalty": {"tringa": 5}}),
    ("qahwa", {"undeclared_penalty": {"ronda": 1, "tringa": 5}}),
    ("qahwa-penalty", {"penalty_to": None}),
    # Settlements that need true announcements, or announcements before the first card.
    ("maghribi", {"settle": "BATCH_END_OR_CLEAR_KIND"}),
    ("maghribi", {"settle": "AT_ONCE", "timing": "IN_ORDER"}),
    ("qahwa", {"settle": "AT_ONCE"}),
    # Cards from pile to pile.
    ("maghribi", {"scoring": "CARD_TRANSFER", "count": None}),
    ("qahwa", {"scoring": "CARD_TRANSFER"}),
    # A single deal.
    ("qahwa", {"target": 0, "win_check": "IMMEDIATE", "target_tie": "DRAW"}),
    ("qahwa", {"target": 0, "win_check": "DEAL_END", "target_tie": "PLAY_ON"}),
    # A first dealer that an allowed seat count lacks.
    ("maghribi", {"first_dealer": {"seat": 2}}),
    (
        "maghribi",
        {"first_dealer": {"seat": 4}, "seats": [{"count": 4, "opening": "TABLE_OF_FOUR"}]},
    ),
    # A target that nothing scores towards, at one seat count at least.
    ("maghribi", NOTHING),
    ("maghribi", {**NOTHING, "count": {"two_sides": 40, "three_sides": 40}}),
    ("maghribi", {**NOTHING, "count": {"two_sides": 20, "three_sides": 40}}),
    ("maghribi", {"scoring": "CARD_TRANSFER", "count": {"two_sides": 40, "three_sides": 13}}),
    ("maghribi", {**NOTHING, "ladder": [0, 5, 10], "chain_min_seats": 3}),
    # Ladders of more than three steps.
    ("maghribi", {"ladder": [1, 2, 3, 4]}),
    # Values that are unset or unknown.
    ("maghribi", {"timing": None}),
    ("maghribi", {"settle": None}),
    # Texts and amounts beyond their limits.
    ("maghribi", {"id": "Maghribi"}),
    ("maghribi", {"id": ""}),
    ("maghribi", {"id": "a--b"}),
    ("maghribi", {"id": "m" * 65}),
    ("maghribi", {"title": "two\nlines"}),
    ("maghribi", {"summary": "s" * 501}),
    ("maghribi", {"mesa": 1001}),
    ("maghribi", {"ladder": [1001]}),
    ("maghribi", {"chain_min_seats": 1001}),
    ("maghribi", {"count": {"two_sides": 1001, "three_sides": 13}}),
    ("maghribi", {"target": 100_001}),
]

ACCEPTED: list[Case] = [
    ("maghribi", {"seats": [{"count": 4, "opening": "EMPTY_TABLE"}], **EMPTY}),
    ("maghribi", {"table_forbids": ["PAIRS", "PAIRS"]}),
    ("khlaso", {"kinds": {"ronda": 1, "tringa": 5}, "double_ronda": None}),
    # One allowed seat count with hands of four is enough; the others cannot announce it.
    (
        "qahwa",
        {
            "seats": [
                {"count": 2, "opening": "TABLE_OF_FOUR"},
                {"count": 4, "opening": "EMPTY_TABLE"},
            ],
            "kinds": {"ronda": 1, "double_ronda": 2},
            "double_ronda": "FIRST_BATCH_ONLY",
        },
    ),
    # No receiver is needed with two sides, nor by claims, whose claimant receives.
    ("maghribi", {"penalty_to": None, "seats": [{"count": 4, "opening": "TABLE_OF_FOUR"}]}),
    (
        "qahwa",
        {"undeclared_penalty": {"ronda": 1, "tringa": 5}, "undeclared_detection": "CLAIM"},
    ),
    # A penalty for a kind without a value, a cap without penalties and the like have no effect.
    ("maghribi", {"false_penalty": {"ronda": 1, "tringa": 5, "double_ronda": 3}}),
    ("qahwa", {"false_penalty_cap": 2, "chain_min_seats": 9}),
    ("maghribi", {"first_dealer": {"drawn": False}}),
    ("maghribi", {"first_dealer": {"drawn": True}}),
    ("maghribi", {"first_dealer": {"seat": 1}}),
    # A threshold that is not set is 0; one of 40 or more cannot be exceeded.
    ("maghribi", {"count": {"two_sides": 20}}),
    ("maghribi", {"count": {"two_sides": 40, "three_sides": 1000}}),
    ("maghribi", {**NOTHING, "count": {"two_sides": 39, "three_sides": 39}}),
    ("maghribi", {**NOTHING, "ladder": [0, 5, 10], "count": COUNT}),
    ("maghribi", {**NOTHING, "target": 0}),
    ("maghribi", {**NOTHING, "dealer_duty": {"miss": 1}}),
    ("qahwa", {"settle": "AT_ONCE", "timing": "IN_ORDER"}),
    ("qahwa", {"settle": "BATCH_END_OR_CLEAR_KIND"}),
    ("qahwa", {"timing": "AUTOMATIC"}),
    ("qahwa", {"scoring": "CARD_TRANSFER", **DEAL_END}),
    ("maghribi", {"id": "m" * 64, "title": "", "summary": "s" * 500, "source": "دار"}),
    ("maghribi", {"mesa": 1000, "ladder": [1000, 0, 1000], "target": 100_000}),
]


def reasons(rule_set: RuleSet) -> tuple[str, str]:
    """Give why the engine and the second engine refuse a rule set; empty where they do not."""
    seats = rule_set.seats[0].count if rule_set.seats else 2
    request = pb.RunRequest(rule_set=rule_set, seats=seats)
    by_engine = next(testee.run(request))
    return by_engine.refusal.reason, respond(request).refusal.reason


@pytest.mark.parametrize(("base", "changes"), REFUSED)
def test_both_engines_refuse_what_the_pages_refuse(base: str, changes: dict[str, Any]) -> None:
    """README, refused combinations: each of them, as the change of a preset that can be played."""
    refused = reasons(rule_sets.load(base, **changes))
    assert refused == ("RULE_SET_INVALID", "RULE_SET_INVALID")


@pytest.mark.parametrize(("base", "changes"), ACCEPTED)
def test_both_engines_accept_what_the_pages_do_not_refuse(
    base: str, changes: dict[str, Any]
) -> None:
    """README, refused combinations: their neighbours, and what merely has no effect."""
    assert reasons(rule_sets.load(base, **changes)) == ("", "")


def test_a_value_without_a_name_makes_the_rule_set_invalid() -> None:
    """README, refused combinations: a number that the enumeration does not have."""
    for name in ("timing", "table_remedy", "penalty_to"):
        rule_set = rule_sets.load("maghribi")
        setattr(rule_set, name, 9)
        assert reasons(rule_set) == ("RULE_SET_INVALID", "RULE_SET_INVALID"), name


NUMBERS = (0, 1, 2, 3, 4, 5, 19, 39, 40, 41, 1_000, 1_001, 100_000, 100_001)
TEXTS = ("", "house", "a-1", "-a", "a_b", "Ä", "x" * 64, "x" * 65, "y" * 501, "a\tb")


def mutated(rng: random.Random) -> tuple[str, RuleSet]:
    """Give a shipped rule set in which one to three fields have any values at all."""
    rule_set = RuleSet()
    rule_set.CopyFrom(rng.choice(list(RULE_SETS.values())))
    names = rng.sample(sorted(RuleSet.DESCRIPTOR.fields_by_name), rng.choice((1, 1, 2, 3)))
    for name in names:
        change(rule_set, name, rng)
    return ", ".join(names), rule_set


def change(rule_set: RuleSet, name: str, rng: random.Random) -> None:
    """Give one field a random value, mostly of those that it can have."""
    field = RuleSet.DESCRIPTOR.fields_by_name[name]
    rule_set.ClearField(name)  # type: ignore[arg-type]  # the stub lists names as literals
    if name == "seats":
        for count in rng.sample((2, 3, 4, 2, 3, 4, 5, 0), rng.randrange(4)):
            opening = rule_set_pb2.Opening.ValueType(rng.choice((1, 1, 2, 2, 0, 3)))
            rule_set.seats.add(count=count, opening=opening)
    elif name == "first_dealer":
        rule_set.first_dealer.seat = rng.randrange(5)
        if rng.random() < 0.5:
            rule_set.first_dealer.drawn = rng.random() < 0.5
    elif field.is_repeated:
        most = len(field.enum_type.values) + 1 if field.enum_type else 0
        numbers = range(most) if most else NUMBERS
        getattr(rule_set, name).extend(rng.choice(numbers) for _ in range(rng.randrange(5)))
    elif field.message_type is not None:
        if rng.random() < 0.8:
            part = getattr(rule_set, name)
            part.SetInParent()
            for amount in part.DESCRIPTOR.fields:
                setattr(part, amount.name, rng.choice((0, 1, rng.choice(NUMBERS))))
    elif field.enum_type is not None:
        setattr(rule_set, name, rng.randrange(len(field.enum_type.values) + 1))
    elif field.type == field.TYPE_BOOL:
        setattr(rule_set, name, rng.random() < 0.5)
    elif field.type == field.TYPE_STRING:
        setattr(rule_set, name, rng.choice(TEXTS))
    else:
        setattr(rule_set, name, rng.choice(NUMBERS))


@pytest.mark.parametrize("part", range(4))
def test_both_engines_judge_random_rule_sets_alike(part: int) -> None:
    """Both accept, or both refuse with the same reason."""
    rng = random.Random(f"rule sets {part}")
    accepted = refused = 0
    for number in range(2_500):
        names, rule_set = mutated(rng)
        by_engine, by_oracle = reasons(rule_set)
        assert by_engine == by_oracle, f"part {part}, number {number}: {names}\n{rule_set}"
        assert by_engine in {"", "RULE_SET_INVALID"}
        accepted += by_engine == ""
        refused += by_engine != ""
    assert min(accepted, refused) >= 700
