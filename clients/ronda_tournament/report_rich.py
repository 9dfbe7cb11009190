"""A tournament's results as tables at a terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ronda_tournament import report_text


def show(summary: Mapping[str, Any], console: Console | None = None) -> None:
    """Print the report, with its tables drawn; without a console on standard output."""
    out = console or Console()
    for line in report_text.head(summary):
        out.print(Text(line))
    out.print(_table("Standings", *report_text.standings(summary)))
    if summary["crosstable"]:
        out.print(_table("Points ahead in a pair", *report_text.crosstable(summary)))
    out.print(_table("Meetings", *report_text.meetings(summary)))
    out.print(_table("Seats", *report_text.seats(summary)))
    for line in report_text.tail(summary):
        out.print(Text(line))


def _table(title: str, heading: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(title=title, title_justify="left")
    for column in heading:
        table.add_column(column)
    for row in rows:
        table.add_row(*map(Text, row))
    return table
