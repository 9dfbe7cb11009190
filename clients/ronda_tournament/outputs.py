"""The files that a tournament's results are written to."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ronda_client.whole_file import write_whole
from ronda_tournament import report_csv, report_html, report_text


def write_all(folder: Path, summary: Mapping[str, Any], replays: Mapping[str, str]) -> None:
    """Write `results.json`, `results.csv`, `report.txt` and `report.html`, each whole.

    Args:
        folder: The tournament's folder.
        summary: The results.
        replays: Where replays are, from the folder, by match id.

    Raises:
        OSError: One cannot be written.
    """
    text = "\n".join(report_text.lines(summary))
    files = {
        "results.json": json.dumps(summary, indent=1, ensure_ascii=False),
        "results.csv": report_csv.as_csv(summary).rstrip("\n"),
        "report.txt": text,
        "report.html": report_html.page(summary, replays).rstrip("\n"),
    }
    for name, contents in files.items():
        write_whole(folder / name, f"{contents}\n".encode())
