"""The sources that the specification's clauses name: the rule texts and the places in them."""

import re
from collections.abc import Iterator, Mapping

# The places of each rule text, as the pages call them: its headings, or what a paragraph is about.
PLACES: Mapping[str, tuple[str, ...]] = {
    "000": (
        "overview",
        "players and pack",
        "capture",
        "caida and mesa",
        "announcements",
        "end of the deal",
        "summary step",
        "the list of points",
    ),
    "001": (
        "the pack",
        "the teams",
        "batches",
        "the empty table",
        "capturing",
        "the run",
        "lying cards",
        "the chain",
        "announcing",
        "double ronda",
        "the best announcement",
        "clear kinds",
        "partners",
    ),
    "003": (
        "the pack",
        "players and dealing",
        "capturing",
        "caida",
        "mesa",
        "ronda and tringa",
        "counting",
        "winning",
    ),
    "004": (
        "players and cards",
        "dealing and play",
        "ronda and tringa",
        "capturing cards",
        "scoring",
        "advanced game",
        "four-card hands",
        "moving cards",
        "ranks",
        "changes in scoring",
        "programs",
    ),
}
SILENT = "silent"
_SOURCE = re.compile(r"\*\*Source\.\*\* (.*?)(?=\n\n|\Z)", re.DOTALL)
_ENTRY = re.compile(r"\b(0\d\d): ")


def source_of(clause: str) -> str:
    """Return the source of a clause's text on one line, empty where there is none."""
    found = _SOURCE.search(clause)
    return " ".join(found[1].split()) if found else ""


def source_findings(source: str) -> Iterator[str]:
    """Give what a source lacks: it says of each text a place in it, or that it is silent."""
    parts = _ENTRY.split(source)
    entries = list(zip(parts[1::2], parts[2::2], strict=True))
    if [text for text, _ in entries] != list(PLACES):
        yield f"it must speak of {', '.join(PLACES)}, each once and in this order"
        return
    for text, said in entries:
        # What a text says begins with its place, or with its silence.
        if not said.startswith((SILENT, *PLACES[text])):
            yield f"{text} names neither a place of the text nor that it is {SILENT}: {said!r}"
