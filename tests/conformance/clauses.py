"""Which clauses the specification has, and which ones a text names."""

import re
from collections.abc import Iterable
from pathlib import Path

HEADING = re.compile(r"## ([A-Z]+-[1-9][0-9]*) (\S.*)")
# A part that says nothing is none.
PART = re.compile(r"\*\*([A-Z][a-z ]+)\.\*\* \S")
# The parts of every clause, in order.
PARTS = ("Rule", "Parameter", "Source", "Why", "Other reading", "Example")


def spec_clauses(folder: Path) -> dict[str, str]:
    """Return the text under each clause's heading, by clause, of all pages of a folder.

    Raises:
        ValueError: a clause has two headings.
    """
    clauses: dict[str, list[str]] = {}
    for page in sorted(folder.glob("*.md")):
        lines: list[str] | None = None
        for line in page.read_text(encoding="utf-8").splitlines():
            heading = HEADING.fullmatch(line)
            if heading:
                if heading[1] in clauses:
                    message = f"{page}: {heading[1]} has a heading already"
                    raise ValueError(message)
                lines = clauses[heading[1]] = []
            elif line.startswith("#"):
                lines = None
            elif lines is not None:
                lines.append(line)
    return {clause: "\n".join(lines) for clause, lines in clauses.items()}


def parts_of(text: str) -> list[str]:
    """Return the names of a clause's parts, in order."""
    return [match[1] for line in text.splitlines() if (match := PART.match(line))]


def unknown_clauses(named: Iterable[str], spec: Iterable[str]) -> list[str]:
    """Return the clauses that are named and that the specification lacks, sorted."""
    return sorted(set(named) - set(spec))
