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
    """All eighteen, and the same as JSON with title, source and the number of rulings."""
    lines = said(capsys, "list").splitlines()
    assert len(lines) == 18
    assert lines == sorted(lines)
    assert any(line.startswith("maghribi ") for line in lines)
    listed = json.loads(said(capsys, "list", "--json"))
    sarii = next(one for one in listed if one["id"] == "sarii")
    assert set(sarii) == {"id", "title", "summary", "source", "rulings"}
    assert {one["id"]: one["rulings"] for one in listed} == {
        "classic": 2,
        "classic-25": 2,
        "classic-ace-high": 2,
        "classic-dealer-duty": 2,
        "classic-four-cards": 4,
        "classic-steep-chain": 2,
        "classic-strict": 2,
        "classic-transfer": 2,
        "classic-transfer-chain": 2,
        "four-hands-plain": 2,
        "khlaso": 9,
        "maghribi": 0,
        "qahwa": 7,
        "qahwa-21": 7,
        "qahwa-25": 7,
        "qahwa-penalty": 9,
        "sarii": 0,
        "single-deal": 1,
    }


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
    shown = json.loads(said(capsys, "show", "khlaso", "--json"))
    assert (shown["id"], shown["title"], shown["rulings"]) == ("khlaso", "Khlaso", 9)
    values = {name: one["value"] for name, one in shown["parameters"].items()}
    assert (values["settle"], values["penalty_to"]) == ("BATCH_END_OR_CLEAR_KIND", None)
    assert values["seats"][1] == {"count": 4, "opening": "EMPTY_TABLE"}


def test_every_value_is_shown_with_its_source(capsys: pytest.CaptureFixture[str]) -> None:
    """A line below it names the place, and a ruling with the other reading; parts likewise."""
    lines = said(capsys, "show", "khlaso").splitlines()
    below = {line.split()[0]: lines[index + 1] for index, line in enumerate(lines[:-1])}
    assert below["ladder"] == "    001, the chain"
    assert below["target_tie"] == "    001 (S); other reading: `DRAW`"
    assert below["chain_across_batches"].startswith(
        "    001, the empty table, and the chain (L); other reading: true: the table stands"
    )
    assert "    kinds.tringa: 001, announcements (S); other reading: another value" in "\n".join(
        lines
    )
    shown = json.loads(said(capsys, "show", "khlaso", "--json"))["parameters"]
    assert shown["ladder"]["source"] == {
        "place": "001, the chain",
        "ruling": None,
        "other_reading": None,
    }
    assert "CHAIN-1" in shown["ladder"]["clauses"]
    assert shown["kinds"]["parts"] == {
        "tringa": {
            "place": "001, announcements",
            "ruling": "S",
            "other_reading": "another value: the text gives those of rondas alone",
        }
    }
    assert shown["table_remedy"]["source"] is None


def test_files_are_shown_and_compared_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a file does not change has the source of its base, the rest that of the file."""
    file = tmp_path / "ours.toml"
    file.write_text(
        'base = "qahwa"\nid = "ours"\ntitle = "Ours"\nsummary = "Ours."\n'
        'source = "the house of Zineb"\ntable_remedy = "RETURN_LAST"\n',
        encoding="utf-8",
    )
    assert said(capsys, "diff", "qahwa", str(file)) == "table_remedy: RETURN_ALL -> RETURN_LAST\n"
    shown = json.loads(said(capsys, "show", str(file), "--json"))
    assert shown["parameters"]["table_remedy"]["source"] == {
        "place": "the house of Zineb",
        "ruling": None,
        "other_reading": None,
    }
    assert shown["parameters"]["bluff"]["source"]["ruling"] == "S"
    assert shown["rulings"] == 6
    listed = said(capsys, "list", "--rule-sets", str(tmp_path)).splitlines()
    assert "ours                    Ours." in listed
    assert len(listed) == 19
    assert main(["rules", "show", str(tmp_path / "no.toml")]) == 2
    assert "no.toml: it cannot be read" in capsys.readouterr().err


def test_house_rule_sets_that_are_shipped_are_shown_by_id(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """They are examples, which the list of what a referee has does not hold."""
    assert said(capsys, "diff", "qahwa", "kept-links") == "chain_payment: LAST_ONLY -> EACH_LINK\n"
    assert "kept-links" not in said(capsys, "list")


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
