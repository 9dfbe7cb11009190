"""Every fault of the catalogue is found by the suite, and a fault that is not would be seen."""

import json
import sys
from pathlib import Path

import pytest

from ronda_conformance import data_folders
from ronda_rules import capture, count
from tests.conformance.clauses import spec_clauses
from tests.faults import playing
from tests.faults.__main__ import main
from tests.faults.catalogue import CatalogueError, Change, Fault, load_catalogue
from tests.faults.planting import planted
from tests.faults.playing import Catch, How, Outcome, found_by, play
from tests.faults.reporting import page_text, recorded, said_of, text_report
from tests.faults.running import suite

COMMENT = """\
[[fault]]
id = "a-comment"
clause = "COUNT-1"
misreading = "A comment says something else; the engine does what it did."
file = "count.py"
old = '''
    What the sides still owe each other lapses.
'''
new = '''
    What the sides still owe each other lapses, of course.
'''
"""
COUNTED_FROM_20 = """\
[[fault]]
id = "counted-from-20"
clause = "COUNT-1"
misreading = "The twentieth card is a point too."
file = "count.py"
old = "(side, cards - threshold) for"
new = "(side, cards - threshold + 1) for"
"""


def test_there_are_faults_of_every_clause() -> None:
    """At least 150 in all, one for each clause, and none of a clause that there is not."""
    faults = load_catalogue()
    assert len(faults) >= 150
    assert {fault.clause for fault in faults} == spec_clauses(data_folders.spec()).keys()


def test_every_fault_can_be_planted() -> None:
    """What it replaces stands exactly once in the engine as it is, and its id names its clause.

    That what comes of it compiles is seen below, where each is planted.
    """
    for fault in load_catalogue():
        assert fault.id.startswith(f"{fault.clause.lower()}-")
        assert fault.sources()


def test_the_page_lists_the_catalogue() -> None:
    """`python -m tests.faults --write` writes it: ids, clauses and misreadings, in order."""
    rows = recorded()
    assert {name: row[:2] for name, row in rows.items()} == {
        fault.id: said_of(fault) for fault in load_catalogue()
    }
    assert list(rows) == [fault.id for fault in load_catalogue()]


def test_each_fault_is_caught_by_the_scenario_that_the_page_names(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """That scenario alone is played against each: none is missed, and none merely breaks down."""
    assert main(["--recorded", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["caught"], said["missed"]) == (len(load_catalogue()), 0)
    found = [[scenario["how"] for scenario in fault["scenarios"]] for fault in said["faults"]]
    assert found == [["wrong"]] * len(load_catalogue())


def test_nothing_is_caught_without_a_fault() -> None:
    """The engine as it is passes every scenario when it is planted like the others."""
    with planted({}) as run:
        assert [case.id for case in suite() if found_by(run, case)] == []


def test_a_fault_is_planted_and_taken_out_again() -> None:
    """The modules that the fault changes are others meanwhile, and the same again afterwards."""
    (fault,) = [fault for fault in load_catalogue() if fault.id == "count-1-above-the-next"]
    (case,) = [case for case in suite() if case.id == "count-1-twenty-one"]
    with planted(fault.sources()) as run:
        assert sys.modules["ronda_rules.count"] is not count
        assert sys.modules["ronda_rules.capture"] is capture
        assert found_by(run, case) is How.WRONG
    assert sys.modules["ronda_rules.count"] is count
    with planted({}) as run:
        assert found_by(run, case) is None


def test_a_fault_that_nothing_shows_is_missed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A changed comment: MISSED in words, and exit code 1."""
    (tmp_path / "comment.toml").write_text(COMMENT, encoding="utf-8")
    assert main(["--catalogue", str(tmp_path), "--processes", "1"]) == 1
    assert capsys.readouterr().out == (
        "MISSED  a-comment (COUNT-1): "
        "A comment says something else; the engine does what it did.\n"
        "1 fault: 0 caught, 1 missed.\n"
    )


def test_a_fault_that_is_caught_names_its_scenarios(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those of its clause come first; `--json` has them all, and the exit code is 0."""
    (tmp_path / "count.toml").write_text(COUNTED_FROM_20, encoding="utf-8")
    page = tmp_path / "page.md"
    arguments = ["--catalogue", str(tmp_path), "--page", str(page)]
    assert main([*arguments, "--json", "--write", "--processes", "1"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["caught"], said["missed"]) == (1, 0)
    (fault,) = said["faults"]
    ids = [scenario["id"] for scenario in fault["scenarios"]]
    assert "count-1-twenty-one" in ids
    assert "cap-6-leftovers-to-the-last-capturer" in ids
    # The first stands in the page, and alone it catches the fault again.
    clause, misreading = "COUNT-1", "The twentieth card is a point too."
    assert recorded(page) == {"counted-from-20": (clause, misreading, ids[0])}
    assert main([*arguments, "--recorded"]) == 0
    shown = f"caught  counted-from-20 (COUNT-1) by {ids[0]}\n1 fault: 1 caught, 0 missed.\n"
    assert capsys.readouterr().out == shown


@pytest.mark.parametrize(
    ("new", "how"),
    [
        ("    raise KeyError(u)\n", How.RAISED),
        ("    while True:\n        pass\n", How.NO_ANSWER),
    ],
)
def test_an_engine_that_breaks_down_is_said_to_have_done_so(
    monkeypatch: pytest.MonkeyPatch, new: str, how: How
) -> None:
    """What raises or never ends is caught, but not as a wrong answer."""
    monkeypatch.setattr(playing, "SECONDS", 0.3)
    change = Change("count.py", "    thresholds = u.state.rules.count\n", new)
    fault = Fault("count-1-none", "COUNT-1", "It breaks down.", (change,))
    cases = [case for case in suite() if case.id == "count-1-twenty-one"]
    outcome = play(fault, cases)
    assert outcome.catches == [Catch("count-1-twenty-one", how)]
    assert text_report([outcome]).startswith(
        f"caught  count-1-none (COUNT-1) by count-1-twenty-one ({how})\n"
    )


def test_the_page_says_how_a_fault_was_caught() -> None:
    """A missed one has no scenario; one that broke down says so; a bar in a sentence is kept."""
    fault = Fault("cap-1-a", "CAP-1", "One | two.", ())
    raised = Outcome(fault, [Catch("cap-1-b", How.RAISED), Catch("cap-1-c", How.WRONG)])
    text = page_text([raised, Outcome(fault)])
    assert "| `cap-1-a` | CAP-1 | One \\| two. | 2 | `cap-1-b` (raised) |\n" in text
    assert "| `cap-1-a` | CAP-1 | One \\| two. | 0 | **none** |\n" in text


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("COUNT-1", "", "clause must be a text"),
        ('file = "count.py"', "file = 1", "file must be a text"),
        ("misreading", "mistake", "no key mistake"),
        ("[[fault]]", "[[faults]]", "[[fault]] tables and nothing else"),
        ("[[fault]]", "[[fault]", "it cannot be read"),
        ("(side, cards - threshold + 1) for", "(side, cards - threshold) for", "replaces nothing"),
        ("cards - threshold)", "cards - thresholds)", "stands 0 times in count.py, not once"),
        ('"(side, cards - threshold) for"', '"side"', "times in count.py, not once"),
        ("count.py", "counts.py", "counts.py cannot be read"),
        ("threshold + 1) for", "threshold + 1 for", "the engine cannot be imported"),
        ("[[fault]]", f"{COUNTED_FROM_20}\n[[fault]]", "counted-from-20 stands more than once"),
    ],
)
def test_a_catalogue_that_cannot_be_used_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str
) -> None:
    """With the file or the fault and what is wrong; exit code 2, and nothing is reported."""
    assert old in COUNTED_FROM_20
    text = COUNTED_FROM_20.replace(old, new, 1)
    (tmp_path / "count.toml").write_text(text, encoding="utf-8")
    (tmp_path / "page.md").write_text("| `counted-from-20` | a | b | 1 | `count-1-twenty-one` |\n")
    arguments = ["--catalogue", str(tmp_path), "--page", str(tmp_path / "page.md")]
    assert main([*arguments, "--recorded"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert said in shown.err


def test_a_catalogue_without_faults_is_refused(tmp_path: Path) -> None:
    """An empty folder would catch all of nothing."""
    with pytest.raises(CatalogueError, match=r"no fault in any \.toml file"):
        load_catalogue(tmp_path)


def test_a_pattern_that_fits_no_fault_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """It is most likely mistyped: exit code 2."""
    assert main(["--id", "cap-99-*"]) == 2
    assert capsys.readouterr().err == "faults: --id cap-99-*: no fault is called so\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--write", "--id", "cap-*"], "--write needs the whole catalogue"),
        (["--write", "--recorded"], "--write needs the whole catalogue"),
        (["--processes", "0"], "0 is not a number from 1 on"),
    ],
)
def test_wrong_arguments_are_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    """With what is wrong and exit code 2."""
    with pytest.raises(SystemExit, match=r"^2$"):
        main(arguments)
    assert said in capsys.readouterr().err
