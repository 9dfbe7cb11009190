"""The clauses of the specification: where each stands and what its rule says."""

import re
from dataclasses import dataclass
from pathlib import Path

_HEADING = re.compile(r"^## ([A-Z]+-[1-9][0-9]*) (\S.*)$", re.MULTILINE)
_RULE = re.compile(r"^\*\*Rule\.\*\* (.*?)\n\n", re.MULTILINE | re.DOTALL)
# A sentence ends before a capital letter, a number or a word in quotation marks.
_SENTENCE_END = re.compile(r"(?<=[.])\s+(?=[A-Z0-9`*])")
_QUOTED = 240


@dataclass(frozen=True)
class Clause:
    """A clause of the specification.

    Attributes:
        id: as `CAP-3`.
        title: of its heading.
        chapter: the page it stands in, without `.md`.
        rule: what its rule part says, on one line; of the protocol's clauses, which have no parts,
            the first paragraph.
    """

    id: str
    title: str
    chapter: str
    rule: str

    @property
    def quote(self) -> str:
        """The rule's first sentence, with those that follow as long as it stays short."""
        sentences = _SENTENCE_END.split(self.rule)
        quote = sentences[0]
        for sentence in sentences[1:]:
            if len(quote) + 1 + len(sentence) > _QUOTED:
                return f"{quote} [...]"
            quote += f" {sentence}"
        return quote


def read_clauses(folder: Path) -> dict[str, Clause]:
    """Return the clauses of every page of a folder, by id, in the order of the pages."""
    clauses: dict[str, Clause] = {}
    for page in sorted(folder.glob("*.md")):
        parts = _HEADING.split(page.read_text(encoding="utf-8"))
        for name, title, text in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
            rule = _RULE.search(text)
            said = " ".join((rule[1] if rule else text.strip().split("\n\n")[0]).split())
            clauses[name] = Clause(name, title, page.stem, said)
    return clauses


def chapters_of_clauses(folder: Path) -> dict[str, str]:
    """Return the chapter of each clause, in the order of the pages and within them.

    Args:
        folder: where the pages are; a chapter is a page's name without `.md`, and a folder of the
            suites.
    """
    return {clause.id: clause.chapter for clause in read_clauses(folder).values()}
