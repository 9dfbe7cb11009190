"""`new` begins a scenario file: in its chapter's folder, ready to be played and to be written."""

from pathlib import Path

import pytest

from ronda_cli.main import main as ronda
from ronda_conformance.__main__ import main
from ronda_conformance.linting import TO_DO
from ronda_conformance.results import Status
from ronda_conformance.rule_set_files import load_rule_sets
from ronda_conformance.scenarios import read_case
from ronda_conformance.skeletons import skeleton
from tests.conformance.engine_answers import played
from tests.conformance.test_linting import faults_of

EVERY = [(name, one.count) for name, rule_set in load_rule_sets().items() for one in rule_set.seats]


def test_a_new_file_stands_in_the_folder_of_its_chapter(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its name is printed; what it holds is a scenario with what is to be written marked."""
    arguments = ["new", "ann-2-said-late", "--clause", "ANN-2", "--suites", str(tmp_path)]
    assert main(arguments) == 0
    file = tmp_path / "announcements" / "ann-2-said-late.yaml"
    assert capsys.readouterr().out == f"{file}\n"
    assert file.read_text(encoding="utf-8") == (
        "# yaml-language-server: $schema=../scenario.schema.json\n"
        "id: ann-2-said-late\n"
        "clauses: [ANN-2]\n"
        "title: TODO what it shows, in a sentence\n"
        "why: >-\n"
        "  TODO how the expectations follow from ANN-2, worked out by hand\n"
        "rule_set: maghribi\n"
        "seats: 2\n"
        "position: seats 2; batch 6; turn 0; hands 6o 11o 2o / 12o 3o 5o; table 6c 7o 10o 12c; "
        "piles 15 15; capturer 1\n"
        "steps:\n"
        "  - {seat: 0, move: play 6o, expect: {captured: 6 7 10}}\n"
    )


def test_what_is_to_be_written_is_all_that_is_wrong(tmp_path: Path) -> None:
    """`lint` names both places, and nothing where they are written."""
    text = skeleton("cap-3-x", "CAP-3", load_rule_sets()["khlaso"], 4)
    assert faults_of(tmp_path, text, "cap-3-x") == [
        (4, 8, "title: it is still to be written"),
        (5, 6, "why: it is still to be written"),
    ]
    assert faults_of(tmp_path, text.replace(TO_DO, "It says"), "cap-3-x") == []


@pytest.mark.parametrize(("rule_set", "seats"), EVERY)
def test_a_new_file_can_be_played(tmp_path: Path, rule_set: str, seats: int) -> None:
    """With every rule set and seat count, before a word of it is changed."""
    rule_sets = load_rule_sets()
    file = tmp_path / "cap-3-x.yaml"
    file.write_text(skeleton("cap-3-x", "CAP-3", rule_sets[rule_set], seats), encoding="utf-8")
    case = read_case(file, rule_sets)
    assert (case.scenario.rule_set, case.scenario.seats) == (rule_set, seats)
    assert played(case).status is Status.PASSED


def test_a_rule_set_and_seats_can_be_chosen(tmp_path: Path) -> None:
    """Without `--seats` it is the fewest that the rule set allows."""
    start = ["conform", "new"]
    end = ["--clause", "CAP-3", "--suites", str(tmp_path), "--rule-set"]
    assert ronda([*start, "cap-3-a", *end, "four-hands-plain"]) == 0
    assert ronda([*start, "cap-3-b", *end, "qahwa", "--seats", "3"]) == 0
    seats = [
        (tmp_path / "capture" / f"cap-3-{name}.yaml").read_text(encoding="utf-8").splitlines()[6:8]
        for name in "ab"
    ]
    assert seats == [["rule_set: four-hands-plain", "seats: 4"], ["rule_set: qahwa", "seats: 3"]]


REFUSED = {
    "a taken id": (["cap-3-taken", "--clause", "CAP-3"], "the id 'cap-3-taken' is taken by "),
    "an id that is none": (["Cap-3-x", "--clause", "CAP-3"], "'Cap-3-x' is no id: lower case"),
    "another beginning": (["a-run", "--clause", "CAP-3"], "its clause, as 'cap-3-a-run'"),
    "a longer clause": (["cap-33", "--clause", "CAP-3"], "its clause, as 'cap-3-cap-33'"),
    "no such clause": (["cap-9-x", "--clause", "CAP-9"], "there is no clause 'CAP-9'; did you"),
    "no such rule set": (
        ["cap-3-x", "--clause", "CAP-3", "--rule-set", "magribi"],
        "no rule set 'magribi'; did you mean 'maghribi'?",
    ),
    "seats that it does not allow": (
        ["cap-3-x", "--clause", "CAP-3", "--rule-set", "khlaso", "--seats", "3"],
        "3 seats cannot play khlaso; it allows 2, 4",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_wrong_is_said_and_nothing_written(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, one line, and the folder as it was."""
    (tmp_path / "elsewhere").mkdir()
    taken = tmp_path / "elsewhere" / "cap-3-taken.yaml"
    taken.write_text("mine", encoding="utf-8")
    arguments, message = REFUSED[name]
    assert main(["new", *arguments, "--suites", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [taken]
    assert taken.read_text(encoding="utf-8") == "mine"


def test_a_folder_that_is_not_there_is_not_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is most likely mistyped."""
    nowhere = tmp_path / "nowhere"
    assert main(["new", "cap-3-x", "--clause", "CAP-3", "--suites", str(nowhere)]) == 2
    assert f"{nowhere} is no folder" in capsys.readouterr().err
    assert not nowhere.exists()
