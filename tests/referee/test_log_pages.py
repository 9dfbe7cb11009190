"""The pages on log, shuffle and calls: numbered, cited where they are kept, with every code."""

import re
from pathlib import Path

from ronda_conformance import data_folders
from ronda_referee.audit import FindingKind
from tests.conformance.clauses import spec_clauses, unknown_clauses

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = data_folders.spec() / "protocol"
ALL_CLAUSES = spec_clauses(PAGES)
# The page on the calls has checks of its own, in tests/conformance/test_service_profile.py.
CALLS = {name: text for name, text in ALL_CLAUSES.items() if name.startswith("CALL-")}
CLAUSES = {name: text for name, text in ALL_CLAUSES.items() if name not in CALLS}
NAMED = re.compile(r"\b((?:LOG|SHUFFLE)-[0-9]+)(?: to (?:LOG|SHUFFLE)-([0-9]+))?")
# What they say is no program's business: what the shuffle is good for.
FOR_PEOPLE = {"SHUFFLE-8"}
# A referee knows matches and no tournaments.
FOR_TOURNAMENTS = {"SHUFFLE-10"}


def clauses_named(text: str) -> set[str]:
    """Give the clauses of the protocol that a text names, in ranges as `LOG-1 to LOG-3` too."""
    named: set[str] = set()
    for first, last in NAMED.findall(text):
        chapter, _, number = first.partition("-")
        named |= {f"{chapter}-{one}" for one in range(int(number), int(last or number) + 1)}
    return named


def named_in(folder: Path, pattern: str) -> set[str]:
    """Give the clauses that the files of a folder name."""
    texts = [path.read_text(encoding="utf-8") for path in folder.rglob(pattern)]
    assert texts
    return {clause for text in texts for clause in clauses_named(text)}


def test_clauses_are_numbered_without_gaps() -> None:
    """So that a citation is never ambiguous, and none was lost."""
    expected = [f"LOG-{number}" for number in range(1, 21)]
    expected += [f"SHUFFLE-{number}" for number in range(1, 11)]
    assert list(CLAUSES) == expected
    assert all(len(text) > 100 for text in CLAUSES.values())


def test_they_are_no_rules_of_the_game() -> None:
    """Rules need sources and scenarios; these pages stand apart, and no id means two things."""
    assert spec_clauses(data_folders.spec()).keys() & CLAUSES.keys() == set()


def test_every_clause_is_cited_by_the_referee_and_the_second_verifier() -> None:
    """Whoever looks for a clause finds where it is kept, in both programs."""
    tournaments = named_in(ROOT / "clients" / "ronda_tournament", "*.py")
    assert tournaments >= FOR_TOURNAMENTS
    for named in (
        named_in(ROOT / "referee" / "ronda_referee", "*.py") | tournaments,
        named_in(ROOT / "tests" / "referee" / "verifier", "*.mjs"),
    ):
        assert set(CLAUSES) - named - FOR_PEOPLE == set()
        assert unknown_clauses(named, CLAUSES) == []


def test_pages_and_vectors_cite_clauses_that_there_are() -> None:
    """Also in each other and beside the vectors."""
    for folder in (PAGES, data_folders.vectors(), ROOT / "docs"):
        assert unknown_clauses(named_in(folder, "*.md"), CLAUSES) == []


def test_ranges_of_clauses_are_read() -> None:
    """The checks above can fail."""
    assert clauses_named("LOG-2 to LOG-4, SHUFFLE-99") == {
        "LOG-2",
        "LOG-3",
        "LOG-4",
        "SHUFFLE-99",
    }
    assert unknown_clauses({"LOG-1", "LOG-21"}, CLAUSES) == ["LOG-21"]


def test_every_code_of_the_audit_stands_on_the_page_and_no_other() -> None:
    """The table of LOG-20 is the interface of every verifier."""
    rows = [line for line in CLAUSES["LOG-20"].splitlines() if line.startswith("| `")]
    codes = [code for row in rows for code in re.findall(r"`([A-Z_]+)`", row.split("|")[1])]
    assert sorted(codes) == sorted(kind.value for kind in FindingKind)


def test_the_second_verifier_names_codes_of_the_page_alone() -> None:
    """Each finding has a code and a clause that is in the row of that code."""
    rows = [line.split("|") for line in CLAUSES["LOG-20"].splitlines() if line.startswith("| `")]
    places = {
        code: clauses_named(row[3]) for row in rows for code in re.findall(r"`([A-Z_]+)`", row[1])
    }
    found = re.compile(r'"([A-Z_]+)",\s*"((?:LOG|SHUFFLE)-[0-9]+)"')
    pairs = {
        pair
        for path in (ROOT / "tests" / "referee" / "verifier").glob("*.mjs")
        for pair in found.findall(path.read_text(encoding="utf-8"))
    }
    assert len(pairs) > 30
    assert {pair for pair in pairs if pair[1] not in places[pair[0]]} == set()
