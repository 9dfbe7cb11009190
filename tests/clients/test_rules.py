"""`ronda rules` shows the rule sets and how they differ."""

import json
from pathlib import Path

import pytest

from ronda_cli.main import main
from ronda_conformance.parameters import clauses_of_parameters


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run the command, which must succeed, and return what it printed."""
    assert main(["rules", *arguments]) == 0
    return capsys.readouterr().out


def test_rule_sets_are_listed_by_id_with_what_sets_them_apart(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """All eighteen, and the same as JSON with title and source."""
    lines = said(capsys, "list").splitlines()
    assert len(lines) == 18
    assert lines == sorted(lines)
    assert any(line.startswith("maghribi ") for line in lines)
    listed = json.loads(said(capsys, "list", "--json"))
    sarii = next(one for one in listed if one["id"] == "sarii")
    assert set(sarii) == {"id", "title", "summary", "source"}


def test_every_value_is_shown_with_its_clauses(capsys: pytest.CaptureFixture[str]) -> None:
    """The values of khlaso in the words of the rules, whatever is unset as a dash."""
    text = said(capsys, "show", "khlaso")
    rows = {line.split()[0]: " ".join(line.split()[1:]) for line in text.splitlines()[2:]}
    assert rows["ladder"].startswith("1, 5, 10 CHAIN-1")
    assert rows["timing"].startswith("SIMULTANEOUS ANN-2")
    assert rows["table_remedy"].startswith("- DEAL-")
    assert rows["seats"].startswith("count 2 opening EMPTY_TABLE, count 4 opening EMPTY_TABLE")
    assert rows["challenge"].startswith("no ")
    assert rows["target"].startswith("41 MATCH-2")
    values = json.loads(said(capsys, "show", "khlaso", "--json"))
    assert (values["settle"], values["penalty_to"]) == ("BATCH_END_OR_CLEAR_KIND", None)
    assert values["seats"][1] == {"count": 4, "opening": "EMPTY_TABLE"}


def test_two_rule_sets_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    """Sarii is maghribi to 25, and qahwa-21 differs from qahwa by its target alone."""
    assert said(capsys, "diff", "maghribi", "sarii") == "target: 41 -> 25\n"
    lines = said(capsys, "diff", "classic", "classic-four-cards").splitlines()
    assert lines[0] == (
        "seats: count 2 opening TABLE_OF_FOUR, count 3 opening TABLE_OF_FOUR, "
        "count 4 opening TABLE_OF_FOUR -> count 2 opening EMPTY_TABLE, count 4 opening EMPTY_TABLE"
    )
    assert json.loads(said(capsys, "diff", "qahwa", "qahwa-21", "--json")) == {"target": [41, 21]}


def test_a_rule_set_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """The message names those that there are; the exit code is 2."""
    assert main(["rules", "show", "poker"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("ronda: there is no rule set 'poker'; there are: classic, ")


def test_clauses_are_read_off_the_specification(tmp_path: Path) -> None:
    """Each clause names the parameters that it hangs on."""
    (tmp_path / "page.md").write_text(
        "# Page\n\n## CAP-1 One\n\n**Parameter.** `mesa`, `ladder` for\nthe rest.\n\n"
        "## CAP-2 Two\n\n**Parameter.** None.\n\n## CAP-3 Three\n\n**Parameter.** `mesa`.\n\n",
        encoding="utf-8",
    )
    assert clauses_of_parameters(tmp_path) == {"mesa": ["CAP-1", "CAP-3"], "ladder": ["CAP-1"]}
