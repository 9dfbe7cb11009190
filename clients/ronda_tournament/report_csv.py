"""A tournament's matches as CSV: one row a match that counts, or that failed."""

import csv
import io
from collections.abc import Mapping
from typing import Any

HEADING = ("meeting", "pair", "match_id", "counts", "seats", "scores", "winners", "why")


def as_csv(summary: Mapping[str, Any]) -> str:
    """Return the rows, with a heading."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(HEADING)
    for group in summary["groups"]:
        for match in group["matches"]:
            writer.writerow(
                [
                    group["meeting"],
                    group["pair"],
                    match["match_id"],
                    "yes",
                    *(_joined(match[key]) for key in ("seats", "scores", "winners")),
                    "",
                ]
            )
    for failure in summary["failures"]:
        meeting, _, pair = failure["group"].rpartition("-p")
        why = f"{failure['entrant']}: {failure['kind']}: {failure['detail']}"
        writer.writerow([meeting, pair, failure["match_id"], "no", "", "", "", _harmless(why)])
    return file.getvalue()


def _joined(values: list[object]) -> str:
    return _harmless(" ".join(map(str, values)))


def _harmless(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
