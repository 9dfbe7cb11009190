"""Which rule sets can be played, and how the others are refused."""

import dataclasses
from typing import Any

import pytest

from ronda_rules import engine
from ronda_rules.errors import Reason, RuleSetError
from ronda_rules.rule_set import (
    AllRondas,
    AnnouncementTie,
    Bluff,
    ChainPayment,
    CountThresholds,
    DealerDuty,
    DoubleRonda,
    FirstDealer,
    KindAmounts,
    MesaExcluded,
    Opening,
    Payout,
    PenaltyTo,
    RankOrder,
    RuleSet,
    Scoring,
    Settle,
    TableForbid,
    TableRemedy,
    TargetTie,
    Timing,
    UndeclaredDetection,
    WinCheck,
)
from ronda_rules.rule_set_check import check, check_seats
from tests.rules.rule_sets import EMPTY_TABLE, MAGHRIBI, REFUSED, changed

FOUR = Opening.TABLE_OF_FOUR
EMPTY = Opening.EMPTY_TABLE
TWO_OR_FOUR = ((2, FOUR), (4, FOUR))
NOTHING = {"ladder": (), "mesa": 0, "kinds": KindAmounts(), "count": None}
DOUBLE = {
    **EMPTY_TABLE,
    **REFUSED,
    "kinds": KindAmounts(1, 5, 2),
    "double_ronda": DoubleRonda.FIRST_BATCH_ONLY,
}


def refused(rules: RuleSet) -> tuple[Reason, str]:
    """Check a rule set that is refused; give reason and field."""
    with pytest.raises(RuleSetError) as caught:
        check(rules)
    error = caught.value
    assert str(error).startswith(f"{error.reason}: {error.field}: ")
    assert error.values == {"field": error.field}
    return error.reason, error.field


def both(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:  # noqa: ANN401 - parameters of any type
    """Join changes; later ones win."""
    joined: dict[str, Any] = {}
    for part in (*parts, more):
        joined |= part
    return joined


INVALID: list[tuple[str, dict[str, Any]]] = [
    # A seat count that the opening cannot serve, and counts that there are not.
    ("seats", both(EMPTY_TABLE, seats=((3, EMPTY),))),
    ("seats", {"seats": ((2, FOUR), (3, EMPTY))}),
    ("seats", {"seats": ()}),
    ("seats", {"seats": ((1, FOUR),)}),
    ("seats", {"seats": ((2, FOUR), (5, FOUR))}),
    ("seats", {"seats": ((2, FOUR), (2, FOUR))}),
    # TABLE_OF_FOUR that allows pairs or has no remedy.
    ("table_forbids", {"table_forbids": frozenset()}),
    ("table_forbids", {"table_forbids": frozenset({TableForbid.RUNS})}),
    ("table_remedy", {"table_remedy": None}),
    ("table_remedy", {"seats": ((2, EMPTY), (3, FOUR)), "table_remedy": None}),
    # Table fields where every opening is EMPTY_TABLE.
    ("table_forbids", both(EMPTY_TABLE, table_forbids=frozenset({TableForbid.PAIRS}))),
    ("table_remedy", both(EMPTY_TABLE, table_remedy=TableRemedy.RETURN_LAST)),
    # Double rondas where no batch has four cards.
    (
        "kinds.double_ronda",
        both(
            REFUSED,
            kinds=KindAmounts(1, 5, 2),
            double_ronda=DoubleRonda.ANY_FOUR_CARD_HAND,
        ),
    ),
    ("double_ronda", both(DOUBLE, double_ronda=None)),
    # Challenge, or false penalties, unless PENALISED.
    ("challenge", both(REFUSED, challenge=True)),
    ("false_penalty", {"bluff": Bluff.REFUSED}),
    ("false_penalty", both(REFUSED, false_penalty=KindAmounts(tringa=1))),
    # PENALISED without a penalty for each kind, or without `penalty_to` for three seats.
    ("false_penalty.ronda", {"false_penalty": KindAmounts(tringa=5)}),
    ("false_penalty.tringa", {"false_penalty": KindAmounts(ronda=1)}),
    (
        "false_penalty.double_ronda",
        both(DOUBLE, bluff=Bluff.PENALISED, false_penalty=KindAmounts(1, 5)),
    ),
    ("penalty_to", {"penalty_to": None}),
    # AUTOMATIC timing with PENALISED, challenge or undeclared detection.
    ("bluff", {"timing": Timing.AUTOMATIC}),
    ("bluff", {"timing": Timing.AUTOMATIC, "challenge": True}),
    (
        "undeclared_detection",
        both(
            REFUSED,
            timing=Timing.AUTOMATIC,
            undeclared_detection=UndeclaredDetection.CLAIM,
            undeclared_penalty=KindAmounts(1, 5),
        ),
    ),
    (
        "undeclared_detection",
        both(
            REFUSED,
            timing=Timing.AUTOMATIC,
            undeclared_detection=UndeclaredDetection.AUTOMATIC,
            undeclared_penalty=KindAmounts(1, 5),
        ),
    ),
    # Undeclared detection without a penalty for each kind, or penalties with NONE.
    (
        "undeclared_penalty.tringa",
        {
            "undeclared_detection": UndeclaredDetection.CLAIM,
            "undeclared_penalty": KindAmounts(ronda=1),
        },
    ),
    (
        "undeclared_penalty.ronda",
        {
            "undeclared_detection": UndeclaredDetection.AUTOMATIC,
            "undeclared_penalty": KindAmounts(tringa=1),
        },
    ),
    ("undeclared_penalty", {"undeclared_penalty": KindAmounts(ronda=1)}),
    # BATCH_END_OR_CLEAR_KIND with PENALISED; AT_ONCE with FIRST_TURN or PENALISED.
    ("settle", {"settle": Settle.BATCH_END_OR_CLEAR_KIND, "timing": Timing.IN_ORDER}),
    ("settle", {"settle": Settle.AT_ONCE, "timing": Timing.IN_ORDER}),
    ("settle", both(REFUSED, settle=Settle.AT_ONCE)),
    # CARD_TRANSFER without a count or with IMMEDIATE.
    ("count", {"scoring": Scoring.CARD_TRANSFER, "count": None}),
    ("win_check", {"scoring": Scoring.CARD_TRANSFER, "win_check": WinCheck.IMMEDIATE}),
    # Target 0 with IMMEDIATE or PLAY_ON.
    ("win_check", {"target": 0, "win_check": WinCheck.IMMEDIATE}),
    ("target_tie", {"target": 0, "target_tie": TargetTie.PLAY_ON}),
    # AUTOMATIC undeclared detection without `penalty_to` where three seats are allowed.
    (
        "penalty_to",
        both(
            REFUSED,
            undeclared_detection=UndeclaredDetection.AUTOMATIC,
            undeclared_penalty=KindAmounts(1, 5),
            penalty_to=None,
        ),
    ),
    # A first dealer that an allowed seat count lacks.
    ("first_dealer", {"first_dealer": 2}),
    ("first_dealer", {"first_dealer": 4}),
    ("first_dealer", {"first_dealer": -1}),
    ("first_dealer", {"seats": TWO_OR_FOUR, "first_dealer": 3}),
    # A target where nothing can score.
    ("target", NOTHING),
    ("target", both(NOTHING, count=CountThresholds(40, 40))),
    ("target", both(NOTHING, count=CountThresholds(39, 40))),
    ("target", both(NOTHING, count=CountThresholds(60, 13))),
    # The count of three sides is that of three seats alone.
    ("target", both(NOTHING, seats=((3, FOUR),), count=CountThresholds(20, 40))),
    ("target", both(NOTHING, seats=TWO_OR_FOUR, count=CountThresholds(40, 13))),
    ("target", both(NOTHING, ladder=(0,))),
    ("target", both(NOTHING, ladder=(0, 5, 10), chain_min_seats=3)),
    ("target", both(scoring=Scoring.CARD_TRANSFER, count=CountThresholds(40, 40))),
    # Only a double ronda scores, and with three seats no hand can hold one.
    (
        "target",
        both(
            NOTHING,
            REFUSED,
            seats=((2, EMPTY), (3, FOUR)),
            kinds=KindAmounts(double_ronda=2),
            double_ronda=DoubleRonda.ANY_FOUR_CARD_HAND,
        ),
    ),
    # Negative values, a ladder of more than three steps, amounts beyond reason.
    ("mesa", {"mesa": -1}),
    ("mesa", {"mesa": 1_001}),
    ("ladder", {"ladder": (-1,)}),
    ("ladder", {"ladder": (1, 5, 10, 20)}),
    ("chain_min_seats", {"chain_min_seats": -1}),
    ("kinds.ronda", {"kinds": KindAmounts(ronda=-1, tringa=5)}),
    ("kinds.tringa", {"kinds": KindAmounts(ronda=1, tringa=-5)}),
    ("kinds.double_ronda", {"kinds": KindAmounts(1, 5, -1)}),
    ("false_penalty.ronda", {"false_penalty": KindAmounts(-1, 5)}),
    ("false_penalty_cap", {"false_penalty_cap": -1}),
    ("undeclared_penalty.tringa", {"undeclared_penalty": KindAmounts(0, -5)}),
    ("dealer_duty.king", {"dealer_duty": DealerDuty(king=-5)}),
    ("dealer_duty.ace", {"dealer_duty": DealerDuty(ace=-5)}),
    ("dealer_duty.miss", {"dealer_duty": DealerDuty(miss=-5)}),
    ("count.two_sides", {"count": CountThresholds(-1, 13)}),
    ("count.three_sides", {"count": CountThresholds(20, -13)}),
    ("target", {"target": -1}),
    ("target", {"target": 100_001}),
    # The name that everything else knows the rule set by.
    ("id", {"id": ""}),
    ("id", {"id": "Maghribi"}),
    ("id", {"id": "two words"}),
    ("id", {"id": "-x"}),
    ("id", {"id": "a" * 65}),
]


@pytest.mark.parametrize(("field", "values"), INVALID)
def test_rule_set_that_contradicts_itself_is_refused(field: str, values: dict[str, Any]) -> None:
    """Each impossible combination is refused, and the message names the parameter."""
    assert refused(changed(**values)) == (Reason.RULE_SET_INVALID, field)


ACCEPTED: list[dict[str, Any]] = [
    {},
    {"target": 25, "id": "sarii"},
    # Values of every parameter that is played.
    {"seats": ((2, FOUR),)},
    EMPTY_TABLE,
    {"seats": ((2, EMPTY), (3, FOUR), (4, EMPTY))},
    {"table_forbids": frozenset({TableForbid.PAIRS})},
    {"table_remedy": TableRemedy.RETURN_LAST},
    {"first_dealer": 1},
    {"first_dealer": FirstDealer.DRAWN},
    {"seats": ((3, FOUR),), "first_dealer": 2},
    {"ladder": ()},
    {"ladder": (0,)},
    {"ladder": (1_000,)},
    {"mesa": 0},
    {"mesa_excluded": MesaExcluded.NONE},
    {"mesa_excluded": MesaExcluded.LAST_BATCH},
    {"kinds": KindAmounts(ronda=1)},
    {"kinds": KindAmounts()},
    REFUSED,
    {"rank_order": RankOrder.ACE_HIGH},
    {"payout": Payout.POT},
    {"announcement_tie": AnnouncementTie.NONE},
    {"settle": Settle.BATCH_END},
    {"false_penalty_cap": 0},
    {"false_penalty_cap": 9},
    {"penalty_to": PenaltyTo.EACH_OPPONENT},
    {"count": None},
    {"count": CountThresholds(0, 0)},
    {"count": CountThresholds(40, 1_000)},
    {"target": 1},
    {"target": 100_000},
    {"target": 0},
    {"target_tie": TargetTie.PLAY_ON},
    both(NOTHING, count=CountThresholds(39, 39)),
    both(NOTHING, seats=((3, FOUR),), count=CountThresholds(40, 13)),
    both(NOTHING, seats=TWO_OR_FOUR, count=CountThresholds(20, 40)),
    both(NOTHING, target=0),
    both(NOTHING, ladder=(1,)),
    both(NOTHING, mesa=1),
    both(NOTHING, kinds=KindAmounts(ronda=1)),
    {"ladder": (1, 5)},
    {"ladder": (1, 5, 10)},
    {"ladder": (0, 0)},
    {"chain_across_batches": True},
    DOUBLE,
    {"timing": Timing.IN_ORDER},
    {"timing": Timing.SIMULTANEOUS},
    both(REFUSED, timing=Timing.AUTOMATIC),
    {"all_rondas": AllRondas.LOWEST},
    {"settle": Settle.WHEN_SHOWN},
    both(REFUSED, settle=Settle.BATCH_END_OR_CLEAR_KIND),
    both(REFUSED, settle=Settle.AT_ONCE, timing=Timing.IN_ORDER),
    {"undeclared_detection": UndeclaredDetection.CLAIM, "undeclared_penalty": KindAmounts(1, 5)},
    {
        "undeclared_detection": UndeclaredDetection.AUTOMATIC,
        "undeclared_penalty": KindAmounts(1, 5),
    },
    {"challenge": True},
    {"dealer_duty": DealerDuty(king=5)},
    {"dealer_duty": DealerDuty(ace=5)},
    {"dealer_duty": DealerDuty(miss=5)},
    {"scoring": Scoring.CARD_TRANSFER},
    {"scoring": Scoring.CARD_TRANSFER, "chain_payment": ChainPayment.EACH_LINK},
    {"win_check": WinCheck.IMMEDIATE},
    # What has no effect and is not named as refused.
    {"seats": ((2, FOUR),), "ladder": (1, 5, 10), "chain_min_seats": 3},
    {"ladder": (1, 5, 10), "chain_min_seats": 5},
    {"chain_min_seats": 4},
    {"chain_payment": ChainPayment.EACH_LINK},
    {"double_ronda": DoubleRonda.ANY_FOUR_CARD_HAND},
    {"kinds": KindAmounts(ronda=1), "false_penalty": KindAmounts(1, 5, 7)},
    {"kinds": KindAmounts(), "false_penalty": KindAmounts()},
    both(REFUSED, false_penalty_cap=3),
    both(REFUSED, penalty_to=None),
    both(REFUSED, penalty_to=PenaltyTo.EACH_OPPONENT),
    {"seats": TWO_OR_FOUR, "penalty_to": None},
    {"seats": TWO_OR_FOUR, "count": CountThresholds(20, 999)},
    {"seats": ((2, EMPTY), (3, FOUR)), "table_remedy": TableRemedy.RETURN_LAST},
    {"ladder": (), "mesa_excluded": MesaExcluded.LAST_BATCH, "mesa": 0},
    {"kinds": KindAmounts(), "rank_order": RankOrder.ACE_HIGH, "payout": Payout.POT},
    {"id": "a" * 64},
    {"id": "classic-25"},
]


@pytest.mark.parametrize("values", ACCEPTED)
def test_rule_set_that_can_be_played_is_accepted(values: dict[str, Any]) -> None:
    """What has no effect and is not refused by name is accepted, and a match begins with it."""
    rules = changed(**values)
    check(rules)
    for seats, _ in rules.seats:
        state, _ = engine.begin(rules, seats)
        assert state.rules == rules


@pytest.mark.parametrize(("seats", "count"), [(((2, FOUR), (4, FOUR)), 3), (((2, FOUR),), 4)])
def test_seat_count_that_the_rule_set_does_not_allow(
    seats: tuple[tuple[int, Opening], ...], count: int
) -> None:
    """DEAL-2: the error names the counts that it does allow."""
    rules = changed(seats=seats)
    with pytest.raises(RuleSetError, match="2") as caught:
        check_seats(rules, count)
    assert (caught.value.reason, caught.value.field) == (Reason.RULE_SET_INVALID, "seats")
    with pytest.raises(RuleSetError):
        engine.begin(rules, count)


def test_match_does_not_begin_with_a_refused_rule_set() -> None:
    """`begin` checks what it is given."""
    with pytest.raises(RuleSetError):
        engine.begin(changed(table_remedy=None), 2)
    with pytest.raises(RuleSetError):
        engine.begin(changed(**REFUSED, challenge=True), 2)


def test_rule_set_cannot_be_changed_while_it_is_played() -> None:
    """A rule set is data that does not change."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        MAGHRIBI.target = 1  # type: ignore[misc]


@pytest.mark.parametrize("field", ["title", "summary", "source"])
def test_a_text_is_one_printable_line_of_up_to_500_characters(field: str) -> None:
    """The 500th character is allowed, the 501st and a line break are not."""
    check(changed(**{field: "x" * 500}))
    for text in ("x" * 501, "x\ny"):
        assert refused(changed(**{field: text})) == (Reason.RULE_SET_INVALID, field)
