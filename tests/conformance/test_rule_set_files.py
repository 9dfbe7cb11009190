"""Rule-set files are read strictly and give the values of the rules."""

from pathlib import Path

import pytest

from ronda.v1 import rule_set_pb2 as pb
from ronda_conformance import data_folders
from ronda_conformance.rule_set_files import (
    RuleSetBaseError,
    RuleSetFieldError,
    RuleSetFileError,
    RuleSetIdError,
    RuleSetUnknownError,
    RuleSetUnreadableError,
    load_rule_set,
    load_rule_sets,
)

MAGHRIBI = (data_folders.rule_sets() / "maghribi.toml").read_text(encoding="utf-8")
VARIANT = """\
base = "maghribi"
id = "variant"
title = "Variant"
summary = "A change."
source = "a test"
"""


def folder_with(folder: Path, **files: str) -> Path:
    """Write rule-set files, maghribi among them."""
    (folder / "maghribi.toml").write_text(MAGHRIBI, encoding="utf-8")
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return folder


def test_maghribi_has_the_values_of_text_000() -> None:
    """Every parameter, from the table of presets."""
    three = pb.OPENING_TABLE_OF_FOUR
    assert load_rule_set("maghribi") == pb.RuleSet(
        id="maghribi",
        title="Maghribi",
        summary=load_rule_set("maghribi").summary,
        source="rule text 000",
        seats=[pb.SeatCount(count=count, opening=three) for count in (2, 3, 4)],
        table_forbids=[pb.TABLE_FORBID_PAIRS, pb.TABLE_FORBID_RUNS],
        table_remedy=pb.TABLE_REMEDY_RETURN_ALL,
        ladder=[1],
        chain_min_seats=0,
        chain_across_batches=False,
        mesa=1,
        mesa_excluded=pb.MESA_EXCLUDED_LAST_CARD,
        kinds=pb.KindAmounts(ronda=1, tringa=5),
        timing=pb.TIMING_FIRST_TURN,
        bluff=pb.BLUFF_PENALISED,
        rank_order=pb.RANK_ORDER_KING_HIGH,
        payout=pb.PAYOUT_OWN_VALUE,
        announcement_tie=pb.ANNOUNCEMENT_TIE_SPLIT,
        all_rondas=pb.ALL_RONDAS_HIGHEST,
        settle=pb.SETTLE_DEAL_END,
        false_penalty=pb.KindAmounts(ronda=1, tringa=5),
        false_penalty_cap=1,
        penalty_to=pb.PENALTY_TO_NEXT_SEAT,
        undeclared_detection=pb.UNDECLARED_DETECTION_NONE,
        challenge=False,
        dealer_duty=pb.DealerDuty(),
        chain_payment=pb.CHAIN_PAYMENT_LAST_ONLY,
        count=pb.CountThresholds(two_sides=20, three_sides=13),
        scoring=pb.SCORING_POINTS,
        target=41,
        win_check=pb.WIN_CHECK_DEAL_END,
        target_tie=pb.TARGET_TIE_DRAW,
    )


def test_sarii_is_maghribi_to_25() -> None:
    """It differs in the target, and in what every file says of itself."""
    sarii = load_rule_set("sarii")
    assert (sarii.id, sarii.title, sarii.target) == ("sarii", "Sarii", 25)
    expected = load_rule_set("maghribi")
    for name in ("id", "title", "summary", "source", "target"):
        setattr(expected, name, getattr(sarii, name))
    assert sarii == expected


def test_all_files_are_read_by_id() -> None:
    """The folder of the project holds these."""
    rule_sets = load_rule_sets()
    assert sorted(rule_sets) == [
        "classic",
        "classic-25",
        "classic-ace-high",
        "classic-dealer-duty",
        "classic-four-cards",
        "classic-steep-chain",
        "classic-strict",
        "classic-transfer",
        "classic-transfer-chain",
        "four-hands-plain",
        "khlaso",
        "maghribi",
        "qahwa",
        "qahwa-21",
        "qahwa-25",
        "qahwa-penalty",
        "sarii",
        "single-deal",
    ]
    assert all(rule_set.id == name for name, rule_set in rule_sets.items())


def test_a_variant_of_a_variant_changes_what_it_states(tmp_path: Path) -> None:
    """Fields are replaced whole, `unset` clears, and the rest comes from the base's base."""
    first = VARIANT + 'kinds = { ronda = 2 }\nunset = ["count"]\ntarget = 21\n'
    second = VARIANT.replace('"maghribi"', '"variant"').replace('id = "variant"', 'id = "second"')
    second += 'timing = "TIMING_IN_ORDER"\nfirst_dealer = { seat = 1 }\n'
    rule_sets = load_rule_sets(folder_with(tmp_path, variant=first, second=second))
    result = rule_sets["second"]
    assert (result.kinds.ronda, result.kinds.tringa) == (2, 0)
    assert not result.HasField("count")
    assert result.target == 21
    assert result.timing == pb.TIMING_IN_ORDER
    assert result.first_dealer.seat == 1
    assert result.false_penalty.tringa == 5
    assert rule_sets["maghribi"].kinds.tringa == 5


FAULTS: dict[str, tuple[str, type[RuleSetFileError], str, str]] = {
    "an unknown field": (
        VARIANT + "targets = 25\n",
        RuleSetFieldError,
        "targets",
        "no such field; did you mean 'target'?",
    ),
    "an unknown field within": (
        VARIANT + "kinds = { ronda = 1, trinca = 5 }\n",
        RuleSetFieldError,
        "kinds.trinca",
        "no such field; did you mean 'tringa'?",
    ),
    "an unknown word": (
        VARIANT + 'timing = "LATER"\n',
        RuleSetFieldError,
        "timing",
        "'LATER' is unknown; allowed: FIRST_TURN, IN_ORDER, SIMULTANEOUS, AUTOMATIC",
    ),
    "an unknown word in a list": (
        VARIANT + 'table_forbids = ["PAIRS", "RUN"]\n',
        RuleSetFieldError,
        "table_forbids[1]",
        "'RUN' is unknown; did you mean 'RUNS'?",
    ),
    "the unset word": (
        VARIANT + 'bluff = "UNSPECIFIED"\n',
        RuleSetFieldError,
        "bluff",
        "'UNSPECIFIED' is unknown; allowed: REFUSED, PENALISED",
    ),
    "a number for a word": (
        VARIANT + "bluff = 1\n",
        RuleSetFieldError,
        "bluff",
        "1 is no word; allowed: REFUSED, PENALISED",
    ),
    "a negative number": (
        VARIANT + "mesa = -1\n",
        RuleSetFieldError,
        "mesa",
        "-1 is no whole number from 0 to 4294967295",
    ),
    "a number with a point": (
        VARIANT + "mesa = 1.5\n",
        RuleSetFieldError,
        "mesa",
        "1.5 is no whole number from 0 to 4294967295",
    ),
    "a truth for a number": (
        VARIANT + "mesa = true\n",
        RuleSetFieldError,
        "mesa",
        "True is no whole number from 0 to 4294967295",
    ),
    "a number for a truth": (
        VARIANT + "challenge = 1\n",
        RuleSetFieldError,
        "challenge",
        "1 is neither true nor false",
    ),
    "a number for a list": (VARIANT + "ladder = 1\n", RuleSetFieldError, "ladder", "1 is no list"),
    "a number for a table": (
        VARIANT + "kinds = 1\n",
        RuleSetFieldError,
        "kinds",
        "1 is no table of ronda, tringa, double_ronda",
    ),
    "an empty text": (
        VARIANT.replace('"A change."', '""'),
        RuleSetFieldError,
        "summary",
        "'' is no text; a text of at least a letter",
    ),
    "both ways to find a dealer": (
        VARIANT + "first_dealer = { seat = 1, drawn = true }\n",
        RuleSetFieldError,
        "first_dealer.drawn",
        "it cannot stand beside 'seat'; keep one of them",
    ),
    "a variant without a title": (
        VARIANT.replace('title = "Variant"\n', ""),
        RuleSetFieldError,
        "title",
        "it is missing; every file states its own",
    ),
    "an unknown base": (
        VARIANT.replace('"maghribi"', '"magribi"'),
        RuleSetBaseError,
        "base",
        "'magribi' is no rule set here; did you mean 'maghribi'?",
    ),
    "a base of itself": (
        VARIANT.replace('"maghribi"', '"variant"'),
        RuleSetBaseError,
        "base",
        "the bases form a circle: variant -> variant",
    ),
    "a base that is no name": (
        VARIANT.replace('"maghribi"', "1"),
        RuleSetFieldError,
        "base",
        "1 is no id of a rule set",
    ),
    "another id than the file's name": (
        VARIANT.replace('id = "variant"', 'id = "varied"'),
        RuleSetIdError,
        "id",
        "'varied' differs from the file's name; it must be 'variant'",
    ),
    "an unknown field to clear": (
        VARIANT + 'unset = ["counts"]\n',
        RuleSetFieldError,
        "counts",
        "no such field; did you mean 'count'?",
    ),
    "a field cleared and given": (
        VARIANT + 'unset = ["mesa"]\nmesa = 1\n',
        RuleSetFieldError,
        "unset",
        "'mesa' is also given a value; keep one",
    ),
    "no list to clear": (
        VARIANT + 'unset = "mesa"\n',
        RuleSetFieldError,
        "unset",
        "'mesa' is no list of field names",
    ),
    "no TOML": (VARIANT + "mesa = \n", RuleSetUnreadableError, "", "it is no TOML: Invalid value"),
    "a field missing without a base": (
        MAGHRIBI.replace('"maghribi"', '"variant"').replace("mesa = 1\n", ""),
        RuleSetFieldError,
        "mesa",
        "it is missing; a file without a `base` gives it a value",
    ),
    "a word missing without a base": (
        MAGHRIBI.replace('"maghribi"', '"variant"').replace('payout = "OWN_VALUE"\n', ""),
        RuleSetFieldError,
        "payout",
        "it is missing; a file without a `base` gives it one of OWN_VALUE, POT",
    ),
    "clearing without a base": (
        MAGHRIBI.replace('"maghribi"', '"variant"').replace("mesa = 1\n", 'unset = ["mesa"]\n'),
        RuleSetFieldError,
        "unset",
        "only a variant with a `base` can clear fields",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_refused_with_file_field_and_remedy(tmp_path: Path, name: str) -> None:
    """The error is of its own type and names the file, the field, the value and what is right."""
    text, kind, field, problem = FAULTS[name]
    folder = folder_with(tmp_path, variant=text)
    with pytest.raises(kind) as caught:
        load_rule_sets(folder)
    error = caught.value
    assert error.file == folder / "variant.toml"
    assert error.field == field
    assert error.problem.startswith(problem)
    assert str(folder / "variant.toml") in str(error)


def test_a_circle_of_two_is_refused(tmp_path: Path) -> None:
    """The message shows the way round."""
    one = VARIANT.replace('"maghribi"', '"other"')
    two = VARIANT.replace('id = "variant"', 'id = "other"').replace('"maghribi"', '"variant"')
    with pytest.raises(RuleSetBaseError, match="other -> variant -> other"):
        load_rule_sets(folder_with(tmp_path, variant=one, other=two))


def test_an_unknown_id_is_an_error_that_suggests() -> None:
    """A name one letter off is named."""
    with pytest.raises(RuleSetUnknownError, match="no rule set 'sari'; did you mean 'sarii'"):
        load_rule_set("sari")


def test_a_file_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    """Bytes that are not UTF-8 are refused as such."""
    (tmp_path / "variant.toml").write_bytes(b"id = '\xff'")
    with pytest.raises(RuleSetUnreadableError, match="it cannot be read"):
        load_rule_sets(tmp_path)
