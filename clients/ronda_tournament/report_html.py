"""A tournament's results as one page that loads nothing from anywhere."""

import base64
import hashlib
import html
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

from ronda_tournament import charts, report_text

_MOST_PROGRESS = 60
_MOST_FAILURES = 200
_WHY = ' class="why"'


def page(summary: Mapping[str, Any], replays: Mapping[str, str]) -> str:
    """Return the page's HTML.

    Args:
        summary: The results.
        replays: Where the replay of a match is, from the page, by match id; of those that have one.
    """
    style = (resources.files("ronda_tournament") / "report.css").read_text(encoding="utf-8")
    policy = f"default-src 'none'; style-src '{_hash(style)}'; base-uri 'none'; form-action 'none'"
    title = html.escape(summary["name"])
    sections = "".join(
        f"<section><h2>{heading}</h2>{body}</section>"
        for heading, body in _sections(summary, replays)
        if body
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f"<header><h1>{title}</h1>{_facts(summary)}</header>\n<main>{sections}</main>\n"
        "</body>\n</html>\n"
    )


def _sections(summary: Mapping[str, Any], replays: Mapping[str, str]) -> list[tuple[str, str]]:
    names = [one["name"] for one in summary["entrants"]]
    shown = summary["meetings"][:_MOST_PROGRESS]
    return [
        ("Ratings", charts.ratings(report_text.ranked(summary))),
        ("Standings", _table(*report_text.standings(summary))),
        (
            "Pairs won, left against above",
            f'<div class="wide">{charts.heat(names, summary["crosstable"])}</div>'
            if summary["crosstable"]
            else "",
        ),
        ("Meetings", _table(*report_text.meetings(summary))),
        ("Points ahead, pair by pair", "".join(charts.progress(one) for one in shown)),
        ("Seats", _table(*report_text.seats(summary))),
        ("Failures", charts.failures(summary["entrants"]) + _failures(summary)),
        ("Void groups", _void(summary)),
        ("Replays", _replays(summary, replays)),
    ]


def _facts(summary: Mapping[str, Any]) -> str:
    tournament, matches = summary["tournament"], summary["matches"]
    state = "" if summary["finished"] else " The tournament is not finished."
    seed = summary["seed"] or "shown when the tournament is finished"
    audit = (
        f"<p>{html.escape(report_text.audit_line(summary['audit']))}</p>"
        if "audit" in summary
        else ""
    )
    return (
        f"<p>{html.escape(tournament['format'])}, {tournament['seats']} seats, "
        f"{html.escape(', '.join(tournament['rule_sets']))}: {matches['counted']:,} matches count, "
        f"{matches['moves']:,} moves.{state}</p>"
        f"<p>Commitment <code>{summary['commitment']}</code><br>Seed <code>{seed}</code></p>{audit}"
    )


def _failures(summary: Mapping[str, Any]) -> str:
    failures = summary["failures"]
    if not failures:
        return ""
    rows = [
        [one["entrant"], one["kind"], one["group"] or "-", one["detail"]]
        for one in failures[:_MOST_FAILURES]
    ]
    stopped = "".join(
        f"<p>{html.escape(one['name'])} was stopped: {html.escape(one['stopped'])}</p>"
        for one in summary["entrants"]
        if one["stopped"]
    )
    more = _more(len(failures))
    return stopped + _table(["entrant", "how", "group", "what happened"], rows, why=True) + more


def _void(summary: Mapping[str, Any]) -> str:
    void = summary["void"]
    if not void:
        return ""
    rows = [[one["group"], one["why"]] for one in void[:_MOST_FAILURES]]
    return _table(["group", "why it does not count"], rows, why=True) + _more(len(void))


def _more(count: int) -> str:
    left = count - _MOST_FAILURES
    return f"<p>and {left:,} more, in results.json</p>" if left > 0 else ""


def _replays(summary: Mapping[str, Any], replays: Mapping[str, str]) -> str:
    items = []
    for group in summary["groups"]:
        for match in group["matches"]:
            where = replays.get(match["match_id"])
            if where is not None:
                told = (
                    f"{group['group']}: {', '.join(match['seats'])}, "
                    f"{' : '.join(map(str, match['scores']))}"
                )
                items.append(f'<li><a href="{html.escape(where)}">{html.escape(told)}</a></li>')
    return f"<ul>{''.join(items)}</ul>" if items else ""


def _table(heading: Sequence[str], rows: Sequence[Sequence[str]], *, why: bool = False) -> str:
    """Return a table; where the last column says why, its lines are broken."""
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in heading)
    body = "".join(
        "<tr>"
        + "".join(
            f"<td{_WHY if why and place == len(row) - 1 else ''}>{html.escape(_cut(cell))}</td>"
            for place, cell in enumerate(row)
        )
        + "</tr>"
        for row in rows
    )
    contents = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f'<div class="wide"><table>{contents}</table></div>'


def _cut(cell: str) -> str:
    return cell if len(cell) <= 500 else f"{cell[:500]}…"  # noqa: PLR2004 - a few lines


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
