"""In which line of a TOML file a key stands, for messages: the parser does not say."""

import re
from typing import TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""A key with the tables that it stands in, as `("entrants", 0, "name")`."""

_KEY = re.compile(r"\s*(?P<key>[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')\s*=")
_TABLE = re.compile(r"\s*(?P<open>\[\[?)\s*(?P<name>[A-Za-z0-9_.\"'-]+)\s*\]")


def lines_of(text: str) -> dict[Path, int]:
    """Return the line, from 1, of every table and key that has a line to itself.

    What stands in an inline table has no entry; `line_at` then gives the line of that table.
    """
    found: dict[Path, int] = {}
    counts: dict[str, int] = {}
    table: Path = ()
    for number, line in enumerate(text.splitlines(), 1):
        if match := _TABLE.match(line):
            name = match["name"].strip("\"'")
            table = (*name.split("."),)
            if match["open"] == "[[":
                found.setdefault(table, number)
                table = (*table, counts.setdefault(name, 0))
                counts[name] += 1
            found.setdefault(table, number)
        elif match := _KEY.match(line):
            found.setdefault((*table, match["key"].strip("\"'")), number)
    return found


def line_at(lines: dict[Path, int], path: Path) -> int:
    """Return the line of a key, or else of the innermost table around it; 1: of the file."""
    for length in range(len(path), 0, -1):
        if path[:length] in lines:
            return lines[path[:length]]
    return 1
