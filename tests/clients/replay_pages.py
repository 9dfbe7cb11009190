"""Pages of replays, taken apart and run."""

import json
import re
import subprocess
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from ronda.v1 import log_pb2
from ronda_replay.page import page
from ronda_replay.telling import Language
from tests.clients.replayed import ENGLISH, opener
from tests.referee.played_logs import FIXED, PlayedMatch, first_card, maghribi

IN_NODE = Path(__file__).parent / "page_in_node.mjs"


class Elements(HTMLParser):
    """What a page consists of: its elements with their attributes, and the text of some."""

    def __init__(self, text: str) -> None:
        """Take a page apart."""
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.found.append((tag, dict(attrs)))
        self._inside = tag
        self.texts.setdefault(tag, []).append("")

    def handle_data(self, data: str) -> None:
        """Note text in it."""
        if self._inside:
            self.texts[self._inside][-1] += data

    def handle_endtag(self, tag: str) -> None:
        """Note that it ends."""
        self._inside = ""


def played() -> PlayedMatch:
    """Play one deal of fixed draws in which everybody plays the first card."""
    return PlayedMatch(maghribi(1), fixed=FIXED, policy=first_card)


def page_of(
    records: list[log_pb2.LogRecord],
    seat: int | None = None,
    language: Language = ENGLISH,
    finding: str | None = None,
) -> str:
    """Give the page of a log's records."""
    return page(records, opener(records), language, seat, finding=finding)


def in_node(text: str, folder: Path, actions: Sequence[str] = ()) -> Any:  # noqa: ANN401 - JSON
    """Run a page's script on its data; give what it made of it."""
    path = folder / "page.html"
    path.write_text(text, encoding="utf-8")
    ran = subprocess.run(
        ["node", str(IN_NODE), str(path), *actions], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return json.loads(ran.stdout)


def data_of(text: str) -> dict[str, Any]:
    """Give the data in a page."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data
