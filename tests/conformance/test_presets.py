"""The rule sets that are played by name have the values of the table of presets, typed by hand."""

import pytest

from ronda.v1 import rule_set_pb2 as pb
from ronda_conformance.rule_set_files import load_rule_set, load_rule_sets
from ronda_referee.convert import rule_set_from_proto
from ronda_rules.rule_set_check import check

TABLE = pb.OPENING_TABLE_OF_FOUR
EMPTY = pb.OPENING_EMPTY_TABLE
OWN = ("id", "title", "summary", "source")


def seats(opening: pb.Opening.ValueType, *counts: int) -> list[pb.SeatCount]:
    """Give seat counts with one opening."""
    return [pb.SeatCount(count=count, opening=opening) for count in counts]


# What each preset has in each row of the table; a field that it lacks there is unset.
PRESETS: dict[str, dict[str, object]] = {
    "khlaso": {
        "seats": seats(EMPTY, 2, 4),
        "ladder": [1, 5, 10],
        "chain_min_seats": 2,
        "chain_across_batches": False,
        "mesa": 1,
        "mesa_excluded": pb.MESA_EXCLUDED_LAST_CARD,
        "kinds": pb.KindAmounts(ronda=1, tringa=5, double_ronda=2),
        "double_ronda": pb.DOUBLE_RONDA_FIRST_BATCH_ONLY,
        "timing": pb.TIMING_SIMULTANEOUS,
        "bluff": pb.BLUFF_REFUSED,
        "rank_order": pb.RANK_ORDER_KING_HIGH,
        "payout": pb.PAYOUT_POT,
        "announcement_tie": pb.ANNOUNCEMENT_TIE_SPLIT,
        "all_rondas": pb.ALL_RONDAS_HIGHEST,
        "settle": pb.SETTLE_BATCH_END_OR_CLEAR_KIND,
        "undeclared_detection": pb.UNDECLARED_DETECTION_NONE,
        "dealer_duty": pb.DealerDuty(king=0, ace=0, miss=0),
        "chain_payment": pb.CHAIN_PAYMENT_LAST_ONLY,
        "count": pb.CountThresholds(two_sides=20),
        "scoring": pb.SCORING_POINTS,
        "target": 41,
        "win_check": pb.WIN_CHECK_IMMEDIATE,
        "target_tie": pb.TARGET_TIE_PLAY_ON,
    },
    "qahwa": {
        "seats": seats(TABLE, 2, 3, 4),
        "table_forbids": [pb.TABLE_FORBID_PAIRS, pb.TABLE_FORBID_RUNS],
        "table_remedy": pb.TABLE_REMEDY_RETURN_ALL,
        "ladder": [1, 5, 10],
        "chain_min_seats": 3,
        "chain_across_batches": False,
        "mesa": 1,
        "mesa_excluded": pb.MESA_EXCLUDED_LAST_CARD,
        "kinds": pb.KindAmounts(ronda=1, tringa=5),
        "timing": pb.TIMING_FIRST_TURN,
        "bluff": pb.BLUFF_REFUSED,
        "rank_order": pb.RANK_ORDER_KING_HIGH,
        "payout": pb.PAYOUT_OWN_VALUE,
        "announcement_tie": pb.ANNOUNCEMENT_TIE_SPLIT,
        "all_rondas": pb.ALL_RONDAS_HIGHEST,
        "settle": pb.SETTLE_BATCH_END,
        "undeclared_detection": pb.UNDECLARED_DETECTION_NONE,
        "dealer_duty": pb.DealerDuty(king=0, ace=0, miss=0),
        "chain_payment": pb.CHAIN_PAYMENT_LAST_ONLY,
        "count": pb.CountThresholds(two_sides=20, three_sides=13),
        "scoring": pb.SCORING_POINTS,
        "target": 41,
        "win_check": pb.WIN_CHECK_IMMEDIATE,
        "target_tie": pb.TARGET_TIE_PLAY_ON,
    },
    "classic": {
        "seats": seats(TABLE, 2, 3, 4),
        "table_forbids": [pb.TABLE_FORBID_PAIRS, pb.TABLE_FORBID_RUNS],
        "table_remedy": pb.TABLE_REMEDY_RETURN_LAST,
        "ladder": [1, 5, 10],
        "chain_min_seats": 3,
        "chain_across_batches": False,
        "mesa": 1,
        "mesa_excluded": pb.MESA_EXCLUDED_LAST_CARD,
        "kinds": pb.KindAmounts(ronda=1, tringa=5),
        "timing": pb.TIMING_IN_ORDER,
        "bluff": pb.BLUFF_PENALISED,
        "rank_order": pb.RANK_ORDER_KING_HIGH,
        "payout": pb.PAYOUT_POT,
        "announcement_tie": pb.ANNOUNCEMENT_TIE_SPLIT,
        "all_rondas": pb.ALL_RONDAS_HIGHEST,
        "settle": pb.SETTLE_WHEN_SHOWN,
        "false_penalty": pb.KindAmounts(ronda=1, tringa=5),
        "false_penalty_cap": 0,
        "penalty_to": pb.PENALTY_TO_EACH_OPPONENT,
        "undeclared_penalty": pb.KindAmounts(ronda=1, tringa=5),
        "undeclared_detection": pb.UNDECLARED_DETECTION_CLAIM,
        "challenge": True,
        "dealer_duty": pb.DealerDuty(king=0, ace=0, miss=0),
        "chain_payment": pb.CHAIN_PAYMENT_LAST_ONLY,
        "count": pb.CountThresholds(two_sides=20, three_sides=13),
        "scoring": pb.SCORING_POINTS,
        "target": 41,
        "win_check": pb.WIN_CHECK_IMMEDIATE,
        "target_tie": pb.TARGET_TIE_PLAY_ON,
    },
}

# What each variant changes in its base; None: it is unset there.
VARIANTS: dict[str, tuple[str, dict[str, object]]] = {
    "qahwa-25": ("qahwa", {"target": 25}),
    "qahwa-21": ("qahwa", {"target": 21}),
    "qahwa-penalty": (
        "qahwa",
        {
            "undeclared_penalty": pb.KindAmounts(ronda=1, tringa=5),
            "undeclared_detection": pb.UNDECLARED_DETECTION_AUTOMATIC,
            "penalty_to": pb.PENALTY_TO_NEXT_SEAT,
        },
    ),
    "classic-dealer-duty": ("classic", {"dealer_duty": pb.DealerDuty(king=5, ace=5, miss=5)}),
    "classic-four-cards": (
        "classic",
        {
            "seats": seats(EMPTY, 2, 4),
            "table_forbids": None,
            "table_remedy": None,
            "kinds": pb.KindAmounts(ronda=1, tringa=5, double_ronda=2),
            "double_ronda": pb.DOUBLE_RONDA_ANY_FOUR_CARD_HAND,
            "false_penalty": pb.KindAmounts(ronda=1, tringa=5, double_ronda=2),
            "undeclared_penalty": pb.KindAmounts(ronda=1, tringa=5, double_ronda=2),
        },
    ),
    "classic-transfer": (
        "classic",
        {
            "scoring": pb.SCORING_CARD_TRANSFER,
            "win_check": pb.WIN_CHECK_DEAL_END,
            "target_tie": pb.TARGET_TIE_DRAW,
        },
    ),
    "classic-transfer-chain": (
        "classic",
        {
            "scoring": pb.SCORING_CARD_TRANSFER,
            "win_check": pb.WIN_CHECK_DEAL_END,
            "target_tie": pb.TARGET_TIE_DRAW,
            "chain_payment": pb.CHAIN_PAYMENT_EACH_LINK,
        },
    ),
    "classic-ace-high": ("classic", {"rank_order": pb.RANK_ORDER_ACE_HIGH}),
    "classic-steep-chain": ("classic", {"ladder": [1, 6, 15]}),
    "classic-strict": ("classic", {"undeclared_penalty": pb.KindAmounts(ronda=5, tringa=5)}),
    "classic-25": ("classic", {"target": 25}),
    "four-hands-plain": (
        "classic",
        {
            "seats": seats(TABLE, 4),
            "ladder": [],
            "kinds": None,
            "bluff": pb.BLUFF_REFUSED,
            "false_penalty": None,
            "undeclared_penalty": None,
            "undeclared_detection": pb.UNDECLARED_DETECTION_NONE,
            "challenge": False,
        },
    ),
    "single-deal": (
        "classic",
        {
            "seats": seats(TABLE, 2),
            "table_forbids": [pb.TABLE_FORBID_PAIRS],
            "table_remedy": pb.TABLE_REMEDY_RETURN_ALL,
            "ladder": [1],
            "mesa": 1,
            "mesa_excluded": pb.MESA_EXCLUDED_NONE,
            "kinds": pb.KindAmounts(ronda=1),
            "timing": pb.TIMING_AUTOMATIC,
            "bluff": pb.BLUFF_REFUSED,
            "payout": pb.PAYOUT_POT,
            "announcement_tie": pb.ANNOUNCEMENT_TIE_SPLIT,
            "settle": pb.SETTLE_BATCH_END_OR_CLEAR_KIND,
            "false_penalty": None,
            "undeclared_penalty": None,
            "undeclared_detection": pb.UNDECLARED_DETECTION_NONE,
            "challenge": False,
            "count": pb.CountThresholds(two_sides=20),
            "target": 0,
            "win_check": pb.WIN_CHECK_DEAL_END,
            "target_tie": pb.TARGET_TIE_DRAW,
        },
    ),
}
TITLED = {
    "khlaso": ("Khlaso", "rule text 001"),
    "qahwa": ("Qahwa", "rule text 003"),
    "classic": ("Classic", "rule text 004"),
}


def put(rule_set: pb.RuleSet, name: str, value: object) -> None:
    """Set one field as a whole; None clears it."""
    rule_set.ClearField(name)  # type: ignore[arg-type] # the name of a field, typed by hand above
    if value is not None:
        rule_set.MergeFrom(pb.RuleSet(**{name: value}))  # type: ignore[arg-type] # as above


def without_own_fields(rule_set: pb.RuleSet) -> pb.RuleSet:
    """Give a copy that lacks what every file says of itself."""
    copy = pb.RuleSet()
    copy.CopyFrom(rule_set)
    for name in OWN:
        put(copy, name, None)
    return copy


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [(name, field, value) for name, rows in PRESETS.items() for field, value in rows.items()],
)
def test_a_preset_has_the_value_of_the_table(name: str, field: str, value: object) -> None:
    """One row of the table of presets."""
    wanted = pb.RuleSet(**{field: value})  # type: ignore[arg-type] # a field, typed by hand above
    assert getattr(load_rule_set(name), field) == getattr(wanted, field)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_has_no_other_values(name: str) -> None:
    """What the table leaves blank is unset."""
    wanted = pb.RuleSet(**PRESETS[name])  # type: ignore[arg-type] # fields, typed by hand above
    assert without_own_fields(load_rule_set(name)) == wanted
    title, source = TITLED[name]
    assert (load_rule_set(name).title, load_rule_set(name).source) == (title, source)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_changes_its_base_in_this_alone(name: str) -> None:
    """The rest is the base's."""
    base, changes = VARIANTS[name]
    wanted = pb.RuleSet(**PRESETS[base])  # type: ignore[arg-type] # fields, typed by hand above
    for field, value in changes.items():
        put(wanted, field, value)
    assert without_own_fields(load_rule_set(name)) == wanted


def test_the_tables_above_leave_no_file_out() -> None:
    """Maghribi and sarii are tested with the reading of files."""
    assert set(load_rule_sets()) == {"maghribi", "sarii", *PRESETS, *VARIANTS}


@pytest.mark.parametrize("name", sorted(load_rule_sets()))
def test_every_rule_set_can_be_played(name: str) -> None:
    """The engine refuses no combination of them."""
    rules = rule_set_from_proto(load_rule_set(name))
    check(rules)
    assert rules.id == name
    titles = [rule_set.title for rule_set in load_rule_sets().values()]
    assert titles.count(rules.title) == 1
