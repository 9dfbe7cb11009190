"""The ladder of bots: each rung is above the next, and what is said of it is counted."""

import json
from pathlib import Path

import pytest

from benchmarks.ladder import (
    Pairing,
    Rung,
    climb,
    lead_of_pair,
    main,
    plan,
    rung_of,
    table_of,
    text_of,
    written,
)

PAIRING = Pairing("maghribi", 2, "greedy", "random", 3, 0)


def test_greedy_beats_random_and_counting_beats_greedy() -> None:
    """In maghribi, over six pairs of matches with the same cards; the seeds are fixed."""
    pairings = plan(["maghribi"], [2], ["greedy", "counting"], pairs=6, seed=0)
    first, second = climb(pairings, 1)
    assert (first.stronger, first.weaker, second.stronger, second.weaker) == (
        *("greedy", "random"),
        *("counting", "greedy"),
    )
    assert first.lead > 15
    assert first.clear
    assert second.lead > 5
    assert second.clear


def test_the_interval_is_students() -> None:
    """1, 3, 5: the mean is 3, the spread 2, its error 1.1547, and 4.303 times that 4.9687."""
    rung = rung_of(PAIRING, [1.0, 3.0, 5.0])
    assert (rung.lead, rung.pairs) == (3.0, 3)
    assert rung.half_width == pytest.approx(4.9687, abs=1e-4)
    assert not rung.clear
    with pytest.raises(ValueError, match="two pairs at least are needed, not 1"):
        rung_of(PAIRING, [1.0])


def test_equal_bots_are_equal_over_a_pair() -> None:
    """With the same cards and changed places nothing is left of luck but the bots' own chance."""
    leads = [
        lead_of_pair(Pairing("sarii", 2, "counting", "counting", 1, seed), 0) for seed in range(2)
    ]
    assert all(abs(lead) < 12 for lead in leads)
    assert lead_of_pair(PAIRING, 0) == lead_of_pair(PAIRING, 0)


def test_seat_counts_that_a_rule_set_lacks_are_left_out() -> None:
    """single-deal has two seats, four-hands-plain four."""
    planned = plan(["single-deal", "four-hands-plain"], [2, 4], ["greedy"], pairs=0, seed=0)
    assert [(one.rule_set, one.seats) for one in planned] == [
        *(("single-deal", 2), ("four-hands-plain", 4)),
    ]
    with pytest.raises(ValueError, match="there is no rule set 'belote'"):
        plan(["belote"], [2], ["greedy"], pairs=0, seed=0)


RUNG = Rung("maghribi", 2, "greedy", "random", 12, 28.125, 3.9)


def test_what_is_said_of_a_rung() -> None:
    """A line, a row of a table, and the table in its place."""
    assert text_of(RUNG).split() == [
        *("maghribi", "2", "seats", "greedy", "-", "random", "+28.1", "±", "3.9", "(12", "pairs)"),
    ]
    unclear = Rung("maghribi", 2, "counting", "greedy", 12, 1.0, 3.9)
    assert text_of(unclear).endswith("(12 pairs)  not clear")
    table = table_of([RUNG])
    assert table.splitlines()[-1] == "| maghribi | 2 | +28.1 ± 3.9 (12) |  |  |"
    page = "a\n<!-- ladder: begin -->\nold\n<!-- ladder: end -->\nb\n"
    assert written(page, "new") == page.replace("old", "new")
    with pytest.raises(ValueError, match="has no place for the table"):
        written("a", "new")


def test_the_command_writes_lines_and_goes_on_with_an_earlier_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was played before is not played again; the page gets both."""
    arguments = ["--rule-set", "single-deal", "--rung", "greedy", "--pairs", "4", "--json"]
    assert main(arguments) in {0, 1}
    line = capsys.readouterr().out
    assert json.loads(line)["pairs"] == 4
    earlier = tmp_path / "earlier.jsonl"
    earlier.write_text(line)
    page = tmp_path / "bots.md"
    page.write_text("<!-- ladder: begin -->\n<!-- ladder: end -->\n")
    assert main([*arguments, "--with", str(earlier), "--write", str(page)]) in {0, 1}
    assert capsys.readouterr().out == ""
    assert "| single-deal | 2 |" in page.read_text()


def test_the_command_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A rule set that there is not, a page without a place, a file that is none: a line, code 2."""
    page = tmp_path / "page.md"
    page.write_text("nothing")
    for arguments, said in (
        (["--rule-set", "belote"], "there is no rule set 'belote'"),
        (["--write", str(page)], "has no place for the table"),
        (["--with", str(page)], "is no output of an earlier run"),
        (["--with", str(tmp_path / "lacking")], "No such file"),
    ):
        assert main(arguments) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert said in captured.err
        assert captured.err.count("\n") == 1
    with pytest.raises(SystemExit) as misused:
        main(["--pairs", "1"])
    assert misused.value.code == 2
