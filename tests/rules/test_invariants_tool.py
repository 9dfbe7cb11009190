"""`make invariants`: long runs of checked matches, and how they are reported."""

import json
import random

import pytest

from ronda_rules.rule_set import RuleSet
from tests.rules.invariants import Thorough
from tools import invariants


def broken_at_five(rules: RuleSet, seats: int, rng: random.Random, thorough: Thorough) -> int:
    """Break in the match of seed 5; have two deals in all others."""
    assert rng.getstate() != random.Random(5).getstate()
    return 2


def test_a_run_says_what_it_played(capsys: pytest.CaptureFixture[str]) -> None:
    """It plays matches to their ends until there are enough deals; nothing else is printed."""
    assert invariants.main(["--deals", "3", "--seed", "12", "--jobs", "1", "--json"]) == 0
    shown = capsys.readouterr()
    run = json.loads(shown.out)
    assert run["deals"] >= 3
    assert (run["first_seed"], run["broken"], run["interrupted"]) == (12, None, False)
    assert shown.err == ""


def test_a_run_in_processes_is_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """What is played hangs on the seed, not on how the matches are spread."""
    reports = []
    for jobs in ("1", "2"):
        assert invariants.main(["--deals", "20", "--seed", "9", "--jobs", jobs]) == 0
        reports.append(capsys.readouterr().out)
    assert reports[0] == reports[1]
    assert reports[0].endswith(" matches from seed 9: all holds\n")


def test_a_broken_match_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first seed that breaks, how to play it again, and exit code 1."""
    monkeypatch.setattr("tests.rules.invariants.checked_match", broken_at_five)
    assert invariants.main(["--deals", "100", "--seed", "3", "--jobs", "1"]) == 1
    shown = capsys.readouterr()
    assert shown.out == (
        "4 deals in 3 matches from seed 3: the match of seed 5 breaks\n"
        "again: make invariants SEED=5 DEALS=1\n"
    )
    assert "in broken_at_five" in shown.err
    assert invariants.main(["--deals", "100", "--seed", "3", "--jobs", "1", "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == {
        "first_seed": 3,
        "deals": 4,
        "matches": 3,
        "broken": 5,
        "interrupted": False,
    }


def test_an_interrupted_run_says_how_far_it_came(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C ends it with what was played by then, and exit code 130."""

    def interrupted(seed: int) -> invariants.Checked:
        if seed == 4:
            raise KeyboardInterrupt
        return invariants.Checked(seed, 10)

    monkeypatch.setattr(invariants, "check", interrupted)
    assert invariants.main(["--deals", "100", "--seed", "1", "--jobs", "1"]) == 130
    said = "30 deals in 3 matches from seed 1, interrupted: all holds\n"
    assert capsys.readouterr().out == said


@pytest.mark.parametrize(
    ("argument", "value", "message"),
    [
        ("--deals", "0", "'0' is no whole number from 1"),
        ("--seed", "-1", "'-1' is no whole number from 0"),
        ("--jobs", "many", "'many' is no whole number from 1"),
    ],
)
def test_wrong_arguments_are_refused(
    argument: str, value: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With exit code 2 and what would be right."""
    with pytest.raises(SystemExit) as ended:
        invariants.main([f"{argument}={value}"])
    assert ended.value.code == 2
    assert f"argument {argument}: {message}" in capsys.readouterr().err
