"""A tournament's results as lines to be read."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

# A traceback's last line and its place have room.
_LONGEST_WHY = 600


def lines(summary: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of the report."""
    yield from head(summary)
    yield ""
    yield from table(*standings(summary))
    if summary["crosstable"]:
        yield ""
        yield "points ahead in a pair, on average"
        yield from table(*crosstable(summary))
    yield ""
    yield from table(*meetings(summary))
    yield ""
    yield from table(*seats(summary))
    yield from tail(summary)


def head(summary: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines before the tables: what was played, and what was committed to."""
    matches = summary["matches"]
    state = "finished" if summary["finished"] else "not finished"
    counted = f"{matches['counted']} matches count, {matches['moves']} moves"
    yield f"{summary['name']}: {state}, {counted}"
    yield f"commitment {summary['commitment']}"
    if summary["seed"]:
        yield f"seed       {summary['seed']}"


def tail(summary: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines after the tables: failures, and what the audit has found."""
    yield from _failures(summary)
    if "audit" in summary:
        yield ""
        yield audit_line(summary["audit"])


def standings(summary: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Return the heading and rows of the table of entrants, the best first."""
    heading = ["entrant", "rating", "95 %", "matches", "won", "drawn", "lost", "ahead", "failures"]
    rows = []
    for entrant in ranked(summary):
        rating = entrant["rating"]
        failed = sum(entrant["failures"].values())
        rows.append(
            [
                entrant["name"],
                "-" if rating is None else f"{rating['mu']:.2f}",
                interval(rating, 2),
                *(str(entrant[key]) for key in ("matches", "won", "drawn", "lost")),
                "-" if entrant["points_ahead"] is None else f"{entrant['points_ahead']:+.2f}",
                f"{failed}{', stopped' if entrant['stopped'] else ''}",
            ]
        )
    return heading, rows


def ranked(summary: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the entrants, the best first, those without a rating last."""
    return sorted(
        summary["entrants"],
        key=lambda one: (one["rating"] is None, -(one["rating"] or {"mu": 0})["mu"]),
    )


def crosstable(summary: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Return the heading and rows of the crosstable."""
    names = [one["name"] for one in summary["entrants"]]
    rows = [
        [
            name,
            *("-" if cell is None else f"{cell['difference']:+.2f}" for cell in cells),
        ]
        for name, cells in zip(names, summary["crosstable"], strict=True)
    ]
    return ["", *names], rows


def meetings(summary: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Return the heading and rows of the table of meetings."""
    heading = [
        *("meeting", "who", "groups", "void", "left out", "won-drawn-lost", "ahead", "95 %"),
        "remarks",
    ]
    rows = []
    for meeting in summary["meetings"]:
        pairs, mean, test = (meeting.get(key) for key in ("pairs", "difference", "sprt"))
        rows.append(
            [
                meeting["name"],
                " - ".join(map(team_name, meeting["teams"])),
                str(meeting["groups"]),
                str(meeting["void"]),
                str(meeting["left_out"]),
                "-" if pairs is None else "{won}-{drawn}-{lost}".format(**pairs),
                "-" if mean is None else f"{mean['mean']:+.2f}",
                interval(mean, 2),
                "; ".join(
                    filter(
                        None,
                        (
                            meeting["why_left_out"],
                            "" if test is None else test_text(test),
                        ),
                    )
                ),
            ]
        )
    return heading, rows


def team_name(team: Sequence[str]) -> str:
    """Return the name of a team: partners are named both, unless they are one."""
    return " & ".join(dict.fromkeys(team))


def test_text(test: Mapping[str, Any]) -> str:
    """Return how a sequential test stands."""
    llr = f"LLR {test['llr']:+.2f} ({test['lower']:.2f}, {test['upper']:.2f})"
    return f"{llr}: {test['decision']}" if test["decision"] else llr


def interval(of: Mapping[str, Any] | None, digits: int) -> str:
    """Return an interval, or `-` where there is none."""
    if of is None or of["low"] is None:
        return "-"
    return f"{of['low']:.{digits}f} to {of['high']:.{digits}f}"


def seats(summary: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Return the heading and rows of the table of seats."""
    rows = []
    for place in summary["seats"]:
        rating = place["rating"]
        rows.append(
            [
                " and ".join(map(str, place["seats"])),
                *(str(place[key]) for key in ("won", "drawn", "lost")),
                "-" if place["points"] is None else f"{place['points']:.2f}",
                "-" if rating is None else f"{rating['mu']:.2f}",
                interval(rating, 2),
            ]
        )
    return ["seat", "won", "drawn", "lost", "points", "rating", "95 %"], rows


def audit_line(audit: Mapping[str, Any]) -> str:
    """Return what the audit has found, in one line."""
    found = audit["findings"]
    count = "1 finding" if len(found) == 1 else f"{len(found)} findings, the first"
    verdict = f"{count}: {found[0]}" if found else "nothing is wrong"
    return (
        f"audit: {audit['logs']} logs, {audit['groups']} groups with the same cards, "
        f"{audit['seeds']} seeds derived from the tournament's: {verdict}"
    )


def _failures(summary: Mapping[str, Any]) -> Iterator[str]:
    failed = [one for one in summary["entrants"] if one["failures"] or one["stopped"]]
    if not failed:
        return
    yield ""
    yield "failures, which count for nothing else"
    for entrant in failed:
        kinds = ", ".join(f"{count} {kind}" for kind, count in entrant["failures"].items())
        yield f"  {entrant['name']}: {kinds or 'none'}"
        last = [one for one in summary["failures"] if one["entrant"] == entrant["name"]][-1:]
        for one in last:
            yield f"    the last one: {one['kind']}: {shortened(one['detail'])}"
        if entrant["stopped"]:
            yield f"    stopped: {shortened(entrant['stopped'])}"
        if entrant["written"]:
            yield f"    what it wrote to standard error: {entrant['written']}"


def shortened(text: str) -> str:
    """Return a text as it fits into a line of a report, without anything that steers a terminal."""
    text = "".join(
        one if one.isprintable() else one.encode("unicode_escape").decode()
        for one in " ".join(text.split())
    )
    return text if len(text) <= _LONGEST_WHY else f"{text[:_LONGEST_WHY]}…"


def table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield a table's lines: the first column to the left, the others as wide as they need."""
    widths = [max(map(len, column)) for column in zip(heading, *rows, strict=True)]
    for row in (heading, *rows):
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
