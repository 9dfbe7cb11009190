"""Lists in files: an entry a line, `#` begins a comment."""

import difflib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from ronda_conformance.scenarios import read_text
from ronda_conformance.yaml_documents import DocumentError


@dataclass(frozen=True)
class Entry:
    """An entry of a list.

    Attributes:
        file: the list.
        line: its line, from 1.
        text: what it says, without the comment, words one blank apart.
    """

    file: Path
    line: int
    text: str

    def error(self, problem: str) -> DocumentError:
        """Return an error at this entry."""
        return DocumentError(self.file, self.line, 1, problem)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


def nearest(word: str, allowed: Collection[str]) -> str:
    """Return the end of a message that names the nearest of what may be very many words."""
    near = difflib.get_close_matches(word, allowed, n=1)
    return f"did you mean {near[0]!r}?" if near else "--list shows them all"


def read_list(file: Path) -> Iterator[Entry]:
    """Give the entries of a list, in order.

    Raises:
        DocumentError: the file cannot be read, or an entry stands twice.
    """
    seen: dict[str, int] = {}
    for number, line in enumerate(read_text(file).splitlines(), start=1):
        text = " ".join(line.partition("#")[0].split())
        if not text:
            continue
        entry = Entry(file, number, text)
        if text in seen:
            raise entry.error(f"{text!r} stands twice, first in line {seen[text]}; keep one")
        seen[text] = number
        yield entry
