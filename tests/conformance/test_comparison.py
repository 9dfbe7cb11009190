"""The page of rule sets shows every one with every parameter, and is what its data generates."""

import re
from pathlib import Path

import pytest

from ronda.v1.rule_set_pb2 import RuleSet
from tools import generate_comparison

PAGE = generate_comparison.SPEC / "rule_sets.md"
TEXT = PAGE.read_text(encoding="utf-8")


def rows(section: str) -> dict[str, list[str]]:
    """Return the cells of the table under a heading, by the name of the parameter."""
    text = TEXT.split(f"\n### {section}\n", 1)[1].split("\n#", 1)[0]
    lines = [line.strip("| \n").split("|") for line in text.splitlines() if line[:1] == "|"]
    cells = [[one.strip() for one in line] for line in lines]
    return {line[0].strip("`"): line[1:] for line in cells if set(line[0]) != {"-"}}


def test_cells_that_stand_alone() -> None:
    """Values of the four games, typed from the rule texts and the rulings on them."""
    games = ["maghribi", "khlaso", "qahwa", "classic"]
    match = rows("[Match](match.md)")
    assert match["parameter"] == games
    assert match["target"] == ["41", "41", "41", "41"]
    assert match["win_check"] == ["DEAL_END", "IMMEDIATE", "IMMEDIATE", "IMMEDIATE"]
    deal = rows("[Deal](deal.md)")
    assert deal["table_remedy"] == ["RETURN_ALL", "-", "RETURN_ALL", "RETURN_LAST"]
    assert deal["seats"][:2] == ["2, 3, 4: TABLE_OF_FOUR", "2, 4: EMPTY_TABLE"]
    assert rows("[Chain](chain.md)")["ladder"] == ["1", "1, 5, 10", "1, 5, 10", "1, 5, 10"]
    announcements = rows("[Announcements](announcements.md)")
    assert announcements["kinds"][1] == "ronda 1, tringa 5, double_ronda 2"
    assert announcements["penalty_to"] == ["NEXT_SEAT", "-", "-", "EACH_OPPONENT"]
    assert rows("[Challenges](challenges.md)")["challenge"] == ["no", "no", "no", "yes"]
    assert rows("[Count](count.md)")["count"][:2] == [
        "two_sides 20, three_sides 13",
        "two_sides 20",
    ]


def test_variants_show_what_they_change_and_nothing_else() -> None:
    """Each beside its own base, which can be a variant itself."""
    assert rows("sarii") == {"parameter": ["maghribi", "sarii"], "target": ["41", "25"]}
    assert rows("classic-transfer-chain") == {
        "parameter": ["classic-transfer", "classic-transfer-chain"],
        "chain_payment": ["LAST_ONLY", "EACH_LINK"],
    }
    assert rows("classic-dealer-duty")["dealer_duty"] == ["-", "king 5, ace 5, miss 5"]
    assert rows("qahwa-penalty")["undeclared_detection"] == ["NONE", "AUTOMATIC"]
    assert rows("single-deal")["target"] == ["41", "0"]
    assert rows("four-hands-plain")["challenge"] == ["yes", "no"]


def test_every_rule_set_and_every_parameter_is_there() -> None:
    """As many as there are files, and every field of the schema but the names."""
    head = re.findall(r"^- \*\*([\w-]+)\*\* ", TEXT, re.MULTILINE)
    sections = re.findall(r"^### ([\w-]+)$", TEXT, re.MULTILINE)
    files = {path.stem for path in (PAGE.parents[1] / "rule_sets").glob("*.toml")}
    assert len(files) >= 18
    assert sorted(head + sections) == sorted(files)
    games = TEXT.split("\n## Variants", 1)[0]
    shown = re.findall(r"^\| `(\w+)`", games, re.MULTILINE)
    fields = {field.name for field in RuleSet.DESCRIPTOR.fields}
    assert sorted(shown) == sorted(fields - {"id", "title", "summary", "source"})


def test_every_parameter_is_linked_to_clauses_that_exist() -> None:
    """Each link is defined, and leads to a heading of a page."""
    linked = set(re.findall(r"\[([A-Z]+-\d+)\](?!:)", TEXT))
    defined = dict(re.findall(r"^\[([A-Z]+-\d+)\]: (\S+)$", TEXT, re.MULTILINE))
    assert linked == defined.keys()
    assert defined["DUTY-1"] == "duty.md#duty-1-the-dealers-last-card"
    assert "- `first_dealer`: [DEAL-3]\n" in TEXT
    assert "- `seats`: [DEAL-2], [DEAL-5], [DEAL-6]\n" in TEXT
    for clause, target in defined.items():
        page = (PAGE.parent / target.split("#")[0]).read_text(encoding="utf-8")
        assert f"\n## {clause} " in page


def test_the_pages_are_as_generated() -> None:
    """`make proto` writes them anew."""
    assert generate_comparison.main(["--check"]) == 0


def test_a_changed_cell_fails_the_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The message names the page and shows the line; the page stays as it was found."""
    assert generate_comparison.main([str(tmp_path)]) == 0
    page = tmp_path / "rule_sets.md"
    assert page.read_text(encoding="utf-8") == TEXT
    assert generate_comparison.main([str(tmp_path), "--check"]) == 0
    changed = TEXT.replace("| RETURN_LAST ", "| RETURN_ALL  ", 1)
    assert changed != TEXT
    page.write_text(changed, encoding="utf-8")
    capsys.readouterr()
    assert generate_comparison.main([str(tmp_path), "--check"]) == 1
    said = capsys.readouterr().err
    assert f"{page} is not what its data generates; `make proto` mends it." in said
    assert re.search(r"^-\| `table_remedy` .* RETURN_ALL +\|$", said, re.MULTILINE)
    assert re.search(r"^\+\| `table_remedy` .* RETURN_LAST +\|$", said, re.MULTILINE)
    assert page.read_text(encoding="utf-8") == changed


def test_a_missing_page_fails_the_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is not taken for one that is right."""
    assert generate_comparison.main([str(tmp_path), "--check"]) == 1
    assert "rule_sets.md is not what its data generates" in capsys.readouterr().err


def test_a_parameter_without_a_chapter_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A new field of the schema cannot be left off the page."""
    fewer = {**generate_comparison.CHAPTERS, "duty": ()}
    monkeypatch.setattr(generate_comparison, "CHAPTERS", fewer)
    assert generate_comparison.main(["--check"]) == 1
    assert "the parameter 'dealer_duty' stands in 0 of CHAPTERS" in capsys.readouterr().err
