"""The soak's own judgement: what is wrong with a long tournament is said."""

from pathlib import Path
from typing import Any

from tests.tournament.soak import BAD, entrants, faults


def results() -> dict[str, Any]:
    """Give results of a tournament of one meeting with two pairs, in which nothing is wrong."""
    return {
        "audit": {"findings": []},
        "matches": {"created": 6, "counted": 4, "ended_in_void_groups": 1, "abandoned": 1},
        "meetings": [
            {
                "name": "r1-m1",
                "teams": [["greedy"], ["lowest"]],
                "groups": 2,
                "void": 0,
                "left_out": 0,
            }
        ],
        "entrants": [
            {"name": "greedy", "failures": {}},
            {"name": "crash", "failures": {"EXITED": 1}},
        ],
    }


def logs(folder: Path) -> Path:
    """Give a folder with six logs."""
    (folder / "logs").mkdir()
    for number in range(6):
        (folder / "logs" / f"{number}.rlog").touch()
    return folder


def test_six_bots_play_and_some_are_bad() -> None:
    """The bad ones are planted."""
    names = [name for name, *_ in entrants()]
    assert len(names) >= 6
    assert {"greedy", "random", "lowest"} <= set(names)
    assert [name for name, _, good in entrants() if not good][:2] == list(BAD[:2])


def test_nothing_is_wrong_with_what_is_right(tmp_path: Path) -> None:
    """All matches and pairs are accounted for, and the bad ones alone have failed."""
    assert faults(logs(tmp_path), results(), 1, 2) == []


def test_every_fault_is_said(tmp_path: Path) -> None:
    """A match too many, a pair too few, a good bot that failed and a bad one that did not."""
    wrong = results()
    wrong["audit"]["findings"].append("match x: its log is missing")
    wrong["matches"]["created"] = 7
    wrong["meetings"][0]["groups"] = 1
    wrong["entrants"][0]["failures"] = {"TIME_OUT": 1}
    wrong["entrants"][1]["failures"] = {}
    assert faults(logs(tmp_path), wrong, 0, 2) == [
        "match x: its log is missing",
        "the exit code is 0, not 1",
        f"not every match is accounted for: {wrong['matches']}",
        "7 matches have 6 logs",
        "r1-m1: 1 of 2 pairs count",
        "r1-m1: not every pair is accounted for",
        "greedy has the failures {'TIME_OUT': 1}",
        "crash has the failures {}",
    ]
