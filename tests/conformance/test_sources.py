"""Every clause says where it comes from, text by text."""

import pytest

from ronda_conformance import data_folders
from tests.conformance.clauses import spec_clauses
from tests.conformance.sources import PLACES, source_findings, source_of

CLAUSES = spec_clauses(data_folders.spec())
GOOD = "000: capture, any card. 001: silent. 003: capturing. 004: capturing cards."


@pytest.mark.parametrize("clause", CLAUSES)
def test_every_clause_names_its_source_in_each_text(clause: str) -> None:
    """Whoever doubts a rule finds the place, or that the text does not speak of it."""
    assert list(source_findings(source_of(CLAUSES[clause]))) == []


def test_the_index_lists_the_places() -> None:
    """The words that sources use for parts of the texts are explained once."""
    index = (data_folders.spec() / "README.md").read_text(encoding="utf-8")
    listed = {
        cells[1]: cells[2].split(", ")
        for line in index.splitlines()
        if len(cells := [cell.strip() for cell in line.split("|")]) > 2 and cells[1] in PLACES
    }
    assert listed == {text: list(places) for text, places in PLACES.items()}


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (" 001: silent.", "", "it must speak of 000, 001, 003, 004"),
        ("004: capturing cards.", "004 agrees.", "it must speak of 000, 001, 003, 004"),
        ("001: silent.", "001: silent. 001: silent.", "it must speak of 000, 001, 003, 004"),
        ("003: capturing.", "002: capturing.", "it must speak of 000, 001, 003, 004"),
        ("000: capture, any card.", "000: somewhere.", "000 names neither a place"),
        ("004: capturing cards.", "004: capture.", "004 names neither a place"),
        ("001: silent.", "001: .", "001 names neither a place"),
    ],
)
def test_a_poor_source_is_found(old: str, new: str, problem: str) -> None:
    """The check above can fail: a text left out, named loosely, or with a place it has not."""
    assert list(source_findings(GOOD)) == []
    assert old in GOOD
    (finding,) = source_findings(GOOD.replace(old, new))
    assert finding.startswith(problem)


def test_a_clause_without_source_is_found() -> None:
    """An empty source and none at all say nothing of any text."""
    for text in ("**Rule.** x\n\n**Why.** y", "**Source.** \n\n**Why.** y"):
        assert source_of(text) == ""
        assert list(source_findings("")) == [
            "it must speak of 000, 001, 003, 004, each once and in this order"
        ]
    assert source_of("**Source.** 000:\ncapture.\n\n**Why.** y") == "000: capture."
