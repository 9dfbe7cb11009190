"""The clauses of the specification, and the chapter of each."""

import re
from pathlib import Path

_HEADING = re.compile(r"^## ([A-Z]+-[1-9][0-9]*) \S", re.MULTILINE)


def chapters_of_clauses(folder: Path) -> dict[str, str]:
    """Return the chapter of each clause, in the order of the pages and within them.

    Args:
        folder: where the pages are; a chapter is a page's name without `.md`, and a folder of the
            suites.
    """
    return {
        clause: page.stem
        for page in sorted(folder.glob("*.md"))
        for clause in _HEADING.findall(page.read_text(encoding="utf-8"))
    }
