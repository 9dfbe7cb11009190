"""The replays of a tournament: pages of some of its matches, beside its report."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ronda_client.whole_file import write_whole
from ronda_conformance.glossary import load_glossary
from ronda_referee.audit.hidden import Hidden
from ronda_referee.log_file import read_records
from ronda_replay.page import page
from ronda_replay.telling import Language


def write_replays(folder: Path, summary: Mapping[str, Any], wanted: int) -> dict[str, str]:
    """Write the pages of some matches; return where they are, from the folder, by match id.

    They are the first matches of every meeting, then the second of every meeting, and so on, as
    far as pages are wanted. A page that is there stays.

    Raises:
        OSError: One cannot be written.
    """
    replays = folder / "replays"
    if wanted:
        replays.mkdir(exist_ok=True)
    language = Language(load_glossary("en"))
    found = {}
    for match_id in _chosen(summary, wanted):
        path = replays / f"{match_id}.html"
        if not path.exists():
            with (folder / "logs" / f"{match_id}.rlog").open("rb") as log:
                records = [one.record for one in read_records(log)]
            openings = {
                one.opening.sequence: one.opening for one in records if one.HasField("opening")
            }
            write_whole(path, page(records, Hidden(openings).opened, language).encode())
        found[match_id] = f"replays/{match_id}.html"
    return found


def _chosen(summary: Mapping[str, Any], wanted: int) -> list[str]:
    groups = sorted(summary["groups"], key=lambda group: group["pair"])
    matches = [match["match_id"] for group in groups for match in group["matches"]]
    return matches[:wanted]
