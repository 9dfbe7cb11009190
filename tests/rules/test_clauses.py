"""Every clause of the specification has its place in the engine, and the engine names no other."""

import re
from pathlib import Path

from tests.conformance.clauses import spec_clauses, unknown_clauses

ROOT = Path(__file__).resolve().parent.parent.parent
CLAUSES = spec_clauses(ROOT / "conformance" / "spec")
NAMED = re.compile(
    r"\b(?:DEAL|CAP|CHAIN|MESA|ANN|SHOW|CHALL|CLAIM|WIN|DUTY|PAY|COUNT|MATCH)-[0-9]+\b"
)


def clauses_named_in(folder: Path) -> set[str]:
    """Give the clauses that the modules of a folder name."""
    texts = (path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    return {clause for text in texts for clause in NAMED.findall(text)}


def test_every_clause_stands_in_the_engine() -> None:
    """Whoever looks for a rule finds it by its clause."""
    named = clauses_named_in(ROOT / "referee" / "ronda_rules")
    assert sorted(set(CLAUSES) - named) == []


def test_no_module_names_a_clause_that_is_not_specified() -> None:
    """Docstrings, errors and findings cite what can be read in the specification."""
    assert unknown_clauses(clauses_named_in(ROOT / "referee"), CLAUSES) == []


def test_a_clause_that_is_not_specified_would_be_found(tmp_path: Path) -> None:
    """The checks above can fail."""
    (tmp_path / "module.py").write_text('"""Implements CAP-99."""', encoding="utf-8")
    assert clauses_named_in(tmp_path) == {"CAP-99"}
    assert unknown_clauses({"CAP-99"}, CLAUSES) == ["CAP-99"]
