"""The report's charts, as SVG within the page; their colours come from its style."""

import html
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

_ROW = 26
_LABELS = 150
_WIDTH = 640
_MOST_POINTS = 400


def ratings(entrants: Sequence[Mapping[str, Any]]) -> str:
    """Return every entrant's rating as a point with its interval."""
    rated = [one for one in entrants if one["rating"] is not None]
    if not rated:
        return ""
    ends = [
        value
        for one in rated
        for value in (one["rating"]["mu"], one["rating"]["low"], one["rating"]["high"])
        if value is not None
    ]
    low, high = _around(min(ends), max(ends))
    parts = []
    for row, one in enumerate(rated):
        y = _ROW * row + _ROW // 2
        rating = one["rating"]
        x = _scaled(rating["mu"], low, high)
        parts.append(_text(_LABELS - 8, y + 4, one["name"], "end"))
        if rating["low"] is not None:
            left, right = (_scaled(rating[end], low, high) for end in ("low", "high"))
            parts.append(f'<line x1="{left}" y1="{y}" x2="{right}" y2="{y}" class="interval"/>')
        told = f"{one['name']}: {rating['mu']:.2f}"
        parts.append(
            f'<circle cx="{x}" cy="{y}" r="5" class="point">'
            f"<title>{html.escape(told)}</title></circle>"
        )
    bottom = _ROW * len(rated) + 14
    parts.append(_text(_LABELS, bottom, f"{low:.1f}", "start"))
    parts.append(_text(_WIDTH, bottom, f"{high:.1f}", "end"))
    return _svg(bottom + 6, "Ratings with 95 % intervals", parts)


def heat(names: Sequence[str], cells: Sequence[Sequence[Mapping[str, Any] | None]]) -> str:
    """Return the crosstable: the share of the pairs that the one to the left has won."""
    played = [place for place, row in enumerate(cells) if any(row)]
    if not played:
        return ""
    names = [names[place] for place in played]
    cells = [[cells[row][column] for column in played] for row in played]
    size = max(28, min(64, (_WIDTH - _LABELS) // len(names)))
    parts = []
    for column, name in enumerate(names):
        x = _LABELS + size * column + size // 2
        parts.append(_text(x, 14, name[: max(3, size // 7)], "middle"))
    for row, name in enumerate(names):
        y = 22 + size * row
        parts.append(_text(_LABELS - 8, y + size // 2 + 4, name, "end"))
        for column, cell in enumerate(cells[row]):
            if cell is None:
                continue
            x = _LABELS + size * column
            share = cell["share"]
            kind, strength = ("good", 2 * share - 1) if share >= 0.5 else ("bad", 1 - 2 * share)  # noqa: PLR2004 - half
            told = (
                f"{name} against {names[column]}: {share:.0%} of {cell['pairs']} pairs, "
                f"{cell['difference']:+.2f} points a pair"
            )
            parts.append(
                f'<g><title>{html.escape(told)}</title><rect x="{x}" y="{y}" width="{size - 2}" '
                f'height="{size - 2}" class="{kind}" fill-opacity="{0.15 + 0.85 * strength:.2f}"/>'
                f"{_text(x + size // 2 - 1, y + size // 2 + 4, f'{share:.0%}', 'middle')}</g>"
            )
    width = max(_WIDTH, _LABELS + size * len(names))
    return _svg(24 + size * len(names), "Shares of the pairs won", parts, width)


def progress(meeting: Mapping[str, Any]) -> str:
    """Return how far the first team of a meeting was ahead after each pair, in points."""
    sums = [0, *accumulate(meeting.get("differences", []))]
    if len(sums) < 2:  # noqa: PLR2004 - no line
        return ""
    step = max(1, len(sums) // _MOST_POINTS)
    places = [*range(0, len(sums), step)]
    if places[-1] != len(sums) - 1:
        places.append(len(sums) - 1)
    low, high = _around(min(0, *sums), max(0, *sums))
    height = 80

    def y(value: float) -> float:
        return round(height - 4 - (value - low) / (high - low) * (height - 8), 1)

    points = " ".join(
        f"{round(_LABELS + place / (len(sums) - 1) * (_WIDTH - _LABELS - 50), 1)},{y(sums[place])}"
        for place in places
    )
    first, second = (" & ".join(dict.fromkeys(team)) for team in meeting["teams"])
    parts = [
        _text(_LABELS - 8, 20, first, "end"),
        _text(_LABELS - 8, height - 10, second, "end"),
        f'<line x1="{_LABELS}" y1="{y(0)}" x2="{_WIDTH - 50}" y2="{y(0)}" class="axis"/>',
        f'<polyline points="{points}" class="line"/>',
        _text(_WIDTH, y(sums[-1]) + 4, f"{sums[-1]:+d}", "end"),
    ]
    return _svg(height, f"{first} against {second}: points ahead, pair by pair", parts)


def failures(entrants: Sequence[Mapping[str, Any]]) -> str:
    """Return how often each bot that failed did, as bars."""
    failed = [(one["name"], one["failures"]) for one in entrants if one["failures"]]
    if not failed:
        return ""
    most = max(sum(counts.values()) for _, counts in failed)
    parts = []
    for row, (name, counts) in enumerate(failed):
        y = _ROW * row
        width = round(sum(counts.values()) / most * (_WIDTH - _LABELS - 50), 1)
        told = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        parts.append(_text(_LABELS - 8, y + 18, name, "end"))
        parts.append(
            f'<rect x="{_LABELS}" y="{y + 4}" width="{width}" height="{_ROW - 8}" class="bad">'
            f"<title>{html.escape(f'{name}: {told}')}</title></rect>"
        )
        parts.append(_text(_LABELS + width + 6, y + 18, str(sum(counts.values())), "start"))
    return _svg(_ROW * len(failed), "Failures", parts)


def _around(low: float, high: float) -> tuple[float, float]:
    margin = (high - low) * 0.05 or 1.0
    return low - margin, high + margin


def _scaled(value: float, low: float, high: float) -> float:
    return round(_LABELS + (value - low) / (high - low) * (_WIDTH - _LABELS), 1)


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{html.escape(text)}</text>'


def _svg(height: int, title: str, parts: Sequence[str], width: int = _WIDTH) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'
        f"<title>{html.escape(title)}</title>{''.join(parts)}</svg>"
    )
