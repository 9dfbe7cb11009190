"""What was measured, as a line, as a table in Markdown and as JSON."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.measure import Aim, Row

BEGIN = "<!-- benchmarks: begin -->"
END = "<!-- benchmarks: end -->"

_FULL = 1000


def number(value: float) -> str:
    """Return a figure for people, with three significant digits or as a whole number."""
    return f"{value:,.0f}" if value >= _FULL else f"{value:#.3g}".rstrip(".")


def target_of(row: Row) -> str:
    """Return a row's target for people; empty where it has none."""
    if row.target is None:
        return ""
    sign = "≥" if row.aim is Aim.AT_LEAST else "≤"
    return f"{sign} {row.target:g}"


def ratio_of(row: Row) -> str:
    """Return a row's ratio with its interval."""
    low, high = row.interval
    if len(row.pairs) == 1:
        return number(row.ratio)
    return f"{number(row.ratio)} ({number(low)} – {number(high)})"  # noqa: RUF001 - from, to


def line_of(row: Row) -> str:
    """Return a row as a line for people."""
    said = (
        f"{row.name:34} {ratio_of(row):24} {target_of(row):7} {row.verdict:9} "
        f"{number(row.ours)} {row.unit}, {row.against} {number(row.theirs)}"
    )
    return f"{said}; {row.note}" if row.note else said


def table_of(rows: Sequence[Row]) -> str:
    """Return rows as a table in Markdown."""
    lines = [
        "| what | against | target | ratio | ours | theirs | verdict | load |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        note = f"; {row.note}" if row.note else ""
        cells = (
            *(row.what + note, row.against, target_of(row), ratio_of(row)),
            *(f"{number(row.ours)} {row.unit}", f"{number(row.theirs)} {row.unit}"),
            *(str(row.verdict), f"{row.load:.1f}"),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def machine_of(facts: Mapping[str, Any]) -> str:
    """Return the machine's facts as a sentence."""
    versions = ", ".join(f"{name} {version}" for name, version in facts["versions"].items())
    return (
        f"Measured on {facts['cores']} cores, {facts['system']}, {facts['python']}, with the store "
        f"on {facts['file_system'] or 'an unknown file system'}; {versions}."
    )


def written(page: str, text: str, begin: str = BEGIN, end: str = END) -> str:
    """Return a page with a text between two marks of it.

    Raises:
        ValueError: The marks are lacking.
    """
    before, begins, rest = page.partition(begin)
    _, ends, after = rest.partition(end)
    if not begins or not ends:
        raise ValueError(f"the page has no place for the table: {begin} and {end}")
    return f"{before}{begin}\n{text}\n{end}{after}"


def as_json(rows: Sequence[Row], facts: Mapping[str, Any]) -> str:
    """Return everything as JSON, a row a line."""
    lines = ",\n".join(f"    {json.dumps(row.as_json())}" for row in rows)
    return f'{{\n  "machine": {json.dumps(dict(facts))},\n  "rows": [\n{lines}\n  ]\n}}\n'


def read_rows(path: Path) -> list[Row]:
    """Return the rows of an earlier run, as `--json` writes them.

    Raises:
        OSError: The file cannot be read.
        ValueError: It is no such file.
    """
    try:
        return [Row.from_json(one) for one in json.loads(path.read_text(encoding="utf-8"))["rows"]]
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is not what an earlier run wrote: {error!r}") from error
