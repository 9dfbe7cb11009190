"""`lint` says everything that is wrong with scenario files, each with its place."""

import json
from functools import cache
from pathlib import Path

import pytest

from ronda_cli.conform import contradictions
from ronda_cli.main import main as ronda
from ronda_conformance import data_folders
from ronda_conformance.__main__ import main
from ronda_conformance.clauses import chapters_of_clauses
from ronda_conformance.linting import Knowledge, lint
from ronda_conformance.rule_set_files import load_rule_sets

# Line by line, so that the places below can be counted.
GOOD = """\
id: cap-3-a-run
clauses: [CAP-3]
title: A run
why: By hand.
rule_set: maghribi
changes: {mesa: 2}
seats: 2
position: seats 2; batch 6; turn 0; hands 6o 11o / 12o 3o; table 6c 7o; piles 17 17; capturer 1
steps:
  - seat: 0
    move: play 6o
    expect:
      captured: 6 7
      table: none
"""
NEW_MATCH = """\
id: cap-3-a-run
clauses: [CAP-3]
title: A run
why: By hand.
rule_set: maghribi
seats: 2
draws: 1o 3o 5o / 2o 4o 6o / 7o 11o 12o 1c
start: {pack: 30}
steps: [{seat: 0, move: play 1o}]
"""
REFUSED = """\
id: cap-3-a-run
clauses: [CAP-3]
title: A run
why: By hand.
rule_set: maghribi
changes: {timing: null}
seats: 2
start: {refused: RULE_SET_INVALID}
"""


@cache
def known() -> Knowledge:
    """Return what scenarios may name, and the engine's check of rule sets."""
    clauses = list(chapters_of_clauses(data_folders.spec()))
    return Knowledge(load_rule_sets(), clauses, contradictions)


def faults_of(folder: Path, text: str, name: str = "cap-3-a-run") -> list[tuple[int, int, str]]:
    """Return the faults of a file, each as line, column and what is said."""
    file = folder / f"{name}.yaml"
    file.write_text(text, encoding="utf-8")
    return [(fault.line, fault.column, fault.problem) for fault in lint([file], known()).faults]


@pytest.mark.parametrize("text", [GOOD, NEW_MATCH, REFUSED])
def test_a_good_file_has_no_fault(tmp_path: Path, text: str) -> None:
    """So that the faults below are what is found."""
    assert faults_of(tmp_path, text) == []


# What is put in place of what, the place of the fault, and what its message says.
FAULTS: dict[str, tuple[str, str, str, tuple[int, int], str]] = {
    "no YAML": (GOOD, "clauses: [CAP-3]", "clauses: [CAP-3", (3, 6), "it is no YAML"),
    "a tag": (GOOD, "title: A run", "title: !!str A run", (3, 8), "tags are refused"),
    "an unknown key": (GOOD, "title:", "titel:", (3, 1), "did you mean 'title'?"),
    "a wrong type": (GOOD, "seats: 2\n", "seats: two\n", (7, 8), "'two' is no whole number"),
    "a list that is none": (GOOD, "[CAP-3]", "CAP-3", (2, 10), "'CAP-3' is no list"),
    "no why": (GOOD, "why: By hand.\n", "", (1, 1), "a scenario lacks the key 'why'"),
    "an empty why": (GOOD, "By hand.", "", (4, 1), "why: it is empty"),
    "a title to be written": (GOOD, "A run", "TODO", (3, 8), "title: it is still to be written"),
    "another id": (GOOD, "id: cap-3-a-run", "id: cap-3-b", (1, 5), "differs from the file's name"),
    "a bad id": (GOOD, "id: cap-3-a-run", "id: CAP", (1, 5), "'CAP' is no id"),
    "a word that is no clause": (GOOD, "[CAP-3]", "[CAP-3, cap4]", (2, 18), "'cap4' is no clause"),
    "an unknown clause": (GOOD, "[CAP-3]", "[CAP-3, CAP-9]", (2, 18), "there is no clause 'CAP-9'"),
    "another clause first": (GOOD, "[CAP-3]", "[CAP-2, CAP-3]", (1, 5), "as 'cap-2-'"),
    "an unknown rule set": (GOOD, "maghribi", "magribi", (5, 11), "did you mean 'maghribi'?"),
    "an unknown field": (GOOD, "{mesa: 2}", "{messa: 2}", (6, 18), "did you mean 'mesa'?"),
    "a wrong value": (GOOD, "{mesa: 2}", "{mesa: x}", (6, 17), "'x' is no whole number"),
    "values that cannot be played": (
        GOOD,
        "{mesa: 2}",
        "{challenge: true, bluff: REFUSED, false_penalty: null}",
        (6, 22),
        "challenge: needs the bluff policy PENALISED",
    ),
    "seats that cannot play": (
        GOOD,
        "{mesa: 2}",
        "{seats: [{count: 4, opening: TABLE_OF_FOUR}]}",
        (7, 8),
        "2 seats; this rule set allows 4",
    ),
    "a card that is none": (GOOD, "hands 6o", "hands 8o", (8, 11), "hands: '8o' is no card"),
    "a card twice": (GOOD, "12o 3o", "7o 3o", (8, 11), "7o stands in two places"),
    "two of a rank": (GOOD, "table 6c 7o", "table 6c 6e", (8, 11), "table: two cards of rank 6"),
    "a field of no position": (GOOD, "batch", "batsh", (8, 11), "did you mean 'batch'?"),
    "a field that is missing": (
        GOOD,
        "table 6c 7o; ",
        "",
        (8, 11),
        "position: the field 'table' is missing",
    ),
    "41 cards": (GOOD, "piles 17 17", "piles 17 18", (8, 11), "pack are 41 cards, not 40"),
    "a hand too short": (
        GOOD,
        "/ 12o 3o; table 6c 7o; piles 17 17",
        "/ 12o; table 6c 7o; piles 17 18",
        (8, 11),
        "hands: seat 1 holds 1 cards where 2 are due",
    ),
    "no capturer": (GOOD, "; capturer 1", "", (8, 11), "capturer: it stands where piles hold"),
    "no such batch": (GOOD, "batch 6", "batch 7", (8, 11), "batch: 7; a deal of 2 seats has 6"),
    "other seats": (GOOD, "position: seats 2", "position: seats 3", (8, 11), "scenario has 2"),
    "a laid card elsewhere": (
        GOOD,
        "capturer 1",
        "capturer 1; laid 5o",
        (8, 11),
        "laid: 5o does not lie on the table",
    ),
    "cards played that are missing": (
        GOOD,
        "rule_set: maghribi",
        "rule_set: classic",
        (8, 11),
        "played is missing",
    ),
    "a seat that is not there": (GOOD, "seat: 0", "seat: 2", (10, 11), "there is no seat 2"),
    "no move": (GOOD, "play 6o", "plays 6o", (11, 11), "'plays 6o' is no move"),
    "a bare rank not in the hand": (GOOD, "play 6o", "play 5", (11, 11), "gives seat 0 no 5"),
    "no card expected": (GOOD, "captured: 6 7", "captured: 6 8", (13, 17), "'8' is no card"),
    "an award that is none": (
        GOOD,
        "table: none",
        "awards: [a mesa]",
        (14, 16),
        "no line of an event that scores",
    ),
    "an unknown reason": (
        REFUSED,
        "RULE_SET_INVALID",
        "RULESET_INVALID",
        (8, 18),
        "did you mean 'RULE_SET_INVALID'?",
    ),
    "two faults of a refusal": (
        REFUSED,
        "{timing: null}",
        "{mesa: 1001, target: 100001}",
        (8, 18),
        "a refusal shows one fault",
    ),
    "a refusal of what can be played": (
        REFUSED,
        "{timing: null}",
        "{mesa: 2}",
        (8, 18),
        "refused: this rule set can be played with so many seats",
    ),
    "an announcement that is none": (
        GOOD,
        "capturer 1",
        "capturer 1; said 6:1:rondo:5",
        (8, 11),
        "position: said: '6:1:rondo:5' is not like batch:seat:kind:rank",
    ),
    "draws too short": (
        NEW_MATCH,
        " / 7o 11o 12o 1c",
        "",
        (7, 8),
        "draws: 6 cards are drawn, and the moves need at least 10",
    ),
    "a draw that is no card": (NEW_MATCH, "1c\n", "1x\n", (7, 8), "draws: '1x' is no card"),
    "a draw that is not in the pack": (
        GOOD.replace("batch 6", "batch 5")
        .replace("17 17", "14 14")
        .replace("seats: 2\n", "seats: 2\ndraws: 1o 2o 4o / 5o 10o 1c\n"),
        "draws: 1o",
        "draws: 6c",
        (8, 8),
        "draws: 6c is not in the pack: 1o 2o 4o 5o 10o 1c",
    ),
    "nothing expected": (
        GOOD,
        "    expect:\n      captured: 6 7\n      table: none\n",
        "",
        (1, 1),
        "a scenario that cannot fail",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_named_with_its_place(tmp_path: Path, name: str) -> None:
    """One fault in a good file, and that one alone is found."""
    good, old, new, place, problem = FAULTS[name]
    assert good.count(old) == 1
    found = faults_of(tmp_path, good.replace(old, new))
    assert [(line, column) for line, column, _ in found] == [place], found
    assert problem in found[0][2]


def test_all_faults_are_named_at_once(tmp_path: Path) -> None:
    """Of one file, in the order of its lines: keys, types, texts, moves."""
    text = (
        GOOD.replace("title: A run\n", "titel: A run\n")
        .replace("[CAP-3]", "[CAP-3, CAP-9]")
        .replace("maghribi", "magribi")
        .replace("play 6o", "plays 6o")
        .replace("captured: 6 7", "captured: 6 8")
    )
    places = [(line, column) for line, column, _ in faults_of(tmp_path, text)]
    assert places == [(2, 18), (3, 1), (5, 11), (11, 11), (13, 17)]


def test_an_id_twice_names_the_other_file(tmp_path: Path) -> None:
    """Ids are permanent and given once."""
    for chapter in ("a", "b"):
        (tmp_path / chapter).mkdir()
        (tmp_path / chapter / "cap-3-a-run.yaml").write_text(GOOD, encoding="utf-8")
    files = sorted(tmp_path.rglob("*.yaml"))
    (fault,) = lint(files, known()).faults
    assert (fault.file, fault.line, fault.column) == (files[1], 1, 5)
    assert fault.problem == f"the id 'cap-3-a-run' is taken by {files[0]}"


def written(folder: Path, *texts: str) -> list[Path]:
    """Write files cap-3-0 and so on."""
    files = []
    for number, text in enumerate(texts):
        file = folder / f"cap-3-{number}.yaml"
        file.write_text(text.replace("cap-3-a-run", f"cap-3-{number}"), encoding="utf-8")
        files.append(file)
    return files


def test_the_command_names_every_fault_of_every_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two files at fault of three: exit code 1, a line each and a last one."""
    bad = GOOD.replace("title:", "titel:")
    files = written(tmp_path, bad, GOOD, GOOD.replace("maghribi", "magribi"))
    assert main(["lint", str(tmp_path)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{files[0]}:3:1: a scenario has no key 'titel'; did you mean 'title'?",
        f"{files[2]}:5:11: no rule set 'magribi'; did you mean 'maghribi'?",
        "3 files, 2 at fault, 2 faults",
    ]


def test_the_command_prints_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same for programs."""
    (file,) = written(tmp_path, GOOD.replace("maghribi", "magribi"))
    assert ronda(["conform", "lint", "--json", str(file)]) == 1
    assert json.loads(capsys.readouterr().out) == {
        "files": 1,
        "faults": [
            {
                "file": str(file),
                "line": 5,
                "column": 11,
                "problem": "no rule set 'magribi'; did you mean 'maghribi'?",
            }
        ],
    }


def test_a_file_without_faults_ends_with_0(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files and folders may be named together, and each file is looked at once."""
    (file,) = written(tmp_path, GOOD)
    assert main(["lint", str(file), str(tmp_path)]) == 0
    assert capsys.readouterr().out == "1 file, nothing is wrong\n"


def test_no_file_ends_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A name that is mistyped is no clean run."""
    assert main(["lint", str(tmp_path / "nowhere")]) == 2
    assert main(["lint", str(tmp_path)]) == 2
    assert capsys.readouterr().err.splitlines() == [
        f"conform: {tmp_path / 'nowhere'} is no file and no folder",
        "conform: there is no scenario: files end with .yaml",
    ]


def test_a_file_that_cannot_be_read_is_a_fault(tmp_path: Path) -> None:
    """The others are looked at all the same."""
    files = written(tmp_path, GOOD, GOOD)
    files[0].write_bytes(b"\xff\xfe\x00")
    (fault,) = lint(files, known()).faults
    assert (fault.file, fault.line, fault.column) == (files[0], 1, 1)
    assert fault.problem.startswith("it cannot be read: ")


def test_the_suite_has_no_fault() -> None:
    """What is written in this project is clean."""
    files = sorted(data_folders.suites().rglob("*.yaml"))
    linted = lint(files, known())
    assert [str(fault) for fault in linted.faults] == []
    assert len(linted.files) == len(files) > 400
