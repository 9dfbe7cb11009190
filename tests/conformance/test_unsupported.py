"""Lists of what a program does not support: what they fit, and what is wrong with one."""

from pathlib import Path

import pytest

from ronda_conformance.features import has
from ronda_conformance.results import Listed, Result, Status, with_lists
from ronda_conformance.scenarios import Case
from ronda_conformance.unsupported import read_unsupported
from ronda_conformance.yaml_documents import DocumentError
from tests.conformance.small_case import SCENARIO, read

CLAUSES = ["CAP-3", "MESA-1", "CHALL-1", "CHALL-2"]
RULE_SETS = ["maghribi", "khlaso", "qahwa"]
NEW_MATCH = """\
id: four-seats
clauses: [CHALL-2]
title: Four seats begin
why: By hand.
rule_set: khlaso
seats: 4
draws: 1o 2o 3o 4o / 5o 6o 7o 10o / 1c 2c 3c 4c / 5c 6c 7c 10c
start: {deal: 1}
steps:
  - {seat: 0, move: announce ronda, expect: {refused: FALSE_ANNOUNCEMENT}}
"""


@pytest.fixture
def cases(tmp_path: Path) -> list[Case]:
    """The small case of two seats, and a new match of four with an announcement."""
    return [read(SCENARIO, tmp_path), read(NEW_MATCH, tmp_path, "four-seats")]


def fitting(folder: Path, cases: list[Case], text: str) -> list[str]:
    """Return the ids that a list fits."""
    file = folder / "unsupported.txt"
    file.write_text(text, encoding="utf-8")
    return sorted(read_unsupported(file, cases, CLAUSES, RULE_SETS))


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("CHALL-*", ["four-seats"]),
        ("MESA-1", ["small-case"]),
        ("CHALL-1", []),
        ("seats=4", ["four-seats"]),
        ("seats!=4", ["small-case"]),
        ("seats=[24]", ["four-seats", "small-case"]),
        ("rule_set=khlaso", ["four-seats"]),
        ("rule_set=k*", ["four-seats"]),
        ("opening=EMPTY_TABLE", ["four-seats"]),
        ("opening = TABLE_OF_FOUR  # with blanks and a reason", ["small-case"]),
        # khlaso has the ladder 1 5 10, maghribi the ladder 1.
        ("ladder=1 5 10", ["four-seats"]),
        ("ladder=1", ["small-case"]),
        ("steps=3", ["four-seats"]),
        ("bluff=PENALISED", ["small-case"]),
        ("bluff!=PENALISED", ["four-seats"]),
        ("challenge=false", ["four-seats", "small-case"]),
        ("kinds.double_ronda!=0", ["four-seats"]),
        ("dealer_duty.king=0", ["four-seats", "small-case"]),
        ("count.three_sides=13", ["small-case"]),
        ("first_dealer=none", ["four-seats", "small-case"]),
        ("first_dealer.seat=none", ["four-seats", "small-case"]),
        ("table_forbids=PAIRS RUNS", ["small-case"]),
        ("table_forbids=none", ["four-seats"]),
        ("move=announce", ["four-seats"]),
        ("move!=play", ["four-seats"]),
        ("position=*", ["small-case"]),
        ("position=capturer", ["small-case"]),
        ("position=said", []),
        ("seats=2 & bluff=PENALISED", ["small-case"]),
        ("seats=2 & move=announce", []),
        ("seats=*\nexcept small-*", ["four-seats"]),
    ],
)
def test_entries_fit_what_they_say(
    tmp_path: Path, cases: list[Case], entry: str, expected: list[str]
) -> None:
    """Clauses, features and their values, patterns, several terms, exceptions."""
    assert fitting(tmp_path, cases, f"# a list\n\n{entry}\n") == expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("\nCHAL-1\n", "unsupported.txt:2:1: no clause 'CHAL-1'; did you mean 'CHALL-1'?"),
        ("CHALL-9*", "unsupported.txt:1:1: no clause 'CHALL-9*'; did you mean 'CHALL-"),
        ("seat=4", "no feature 'seat'; did you mean 'seats'?"),
        ("seats=5", "seats is never '5'; allowed: 2, 3, 4"),
        ("bluff=PENALIZED", "bluff is never 'PENALIZED'; did you mean 'PENALISED'?"),
        ("rule_set=khlas", "rule_set is never 'khlas'; did you mean 'khlaso'?"),
        ("move=challange", "move is never 'challange'; did you mean 'challenge'?"),
        ("mesa=one", "mesa is never 'one'; it is numbers or none"),
        ("challenge=yes", "challenge is never 'yes'; allowed: true, false"),
        ("table_forbids=PAIR", "table_forbids is never 'PAIR'; did you mean 'PAIRS'?"),
        ("position=turns", "position is never 'turns'; did you mean 'turn'?"),
        ("everything", "'everything' is neither a clause, as CHALL-2 or CHALL-*, nor NAME=VALUE"),
        ("seats=2 & ", "'' is neither a clause"),
        ("seats=2\nseats=2", "unsupported.txt:2:1: 'seats=2' stands twice, first in line 1"),
        ("seats=2\nexcept smal-case", "2:1: no scenario 'smal-case'; did you mean 'small-case'?"),
        ("seats=2\nexcept four-seats", "no entry fits 'four-seats', so there is nothing to except"),
    ],
)
def test_an_entry_that_names_nothing_is_refused(
    tmp_path: Path, cases: list[Case], text: str, problem: str
) -> None:
    """With its line and what would be right: a mistyped entry would hide nothing for ever."""
    with pytest.raises(DocumentError) as refused:
        fitting(tmp_path, cases, text)
    assert problem in str(refused.value)


def test_a_list_that_cannot_be_read_is_refused(tmp_path: Path, cases: list[Case]) -> None:
    """The file is named."""
    with pytest.raises(DocumentError, match=r"missing\.txt:1:1: it cannot be read"):
        read_unsupported(tmp_path / "missing.txt", cases, CLAUSES, RULE_SETS)


def test_a_cut_ladder_has_one_step(tmp_path: Path) -> None:
    """`chain_min_seats` of 3 cuts the ladder of two seats and no other."""
    changes = "changes: {ladder: [1, 5], chain_min_seats: 3}\nseats: 2"
    case = read(SCENARIO.replace("seats: 2", changes, 1), tmp_path)
    assert has(case.request, "steps", "1")
    assert has(case.request, "ladder", "1 5")
    case.request.seats = 3
    assert has(case.request, "steps", "2")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (Status.FAILED, Status.UNSUPPORTED),
        (Status.PASSED, Status.NOW_PASSING),
        (Status.NO_ANSWER, Status.NO_ANSWER),
        (Status.NOT_RUN, Status.NOT_RUN),
    ],
)
def test_what_is_not_supported_must_fail(cases: list[Case], before: Status, after: Status) -> None:
    """No answer stays none, and a pass is a failure that names the entry."""
    listed = {"small-case": Listed(Status.UNSUPPORTED, "list.txt:3: seats=2")}
    result = with_lists(Result(cases[0], before), listed)
    assert result.status is after
    if after is Status.NOW_PASSING:
        assert result.reason == (
            "it passes, but list.txt:3: seats=2 says that it fails: take it out"
        )
    assert with_lists(Result(cases[1], before), listed).status is before
