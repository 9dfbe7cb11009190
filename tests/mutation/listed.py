"""The list of mutants that survive for a reason, and of what no scenario can reach."""

import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from tests.mutation.mutants import Place

FILE = Path(__file__).parent / "equivalent.toml"


class ListError(Exception):
    """The list cannot be read; the message says where and what would be right."""


@dataclass(frozen=True)
class Beyond:
    """Mutants that no scenario reaches, so that unit tests judge them.

    Attributes:
        functions: a pattern of functions, as `forfeit.*`.
        lines: a pattern that the old lines fit, as `*forfeit(*`.
        first: whether unit tests judge before the suite, which would be played whole for nearly
            every one of them.
    """

    functions: str
    lines: str = "*"
    first: bool = False

    def holds(self, place: Place) -> bool:
        """Whether a mutant is among them."""
        function = f"{place.module}.{place.function}"
        return fnmatchcase(function, self.functions) and fnmatchcase(place.old, self.lines)


@dataclass(frozen=True)
class Listed:
    """What the list says.

    Attributes:
        equivalent: why each of these mutants changes nothing that anybody could see.
        beyond_the_suite: what unit tests judge too, each with the reason why scenarios cannot.
    """

    equivalent: Mapping[Place, str]
    beyond_the_suite: Mapping[Beyond, str]

    def judged_by_unit_tests(self, place: Place, *, first: bool) -> bool:
        """Whether unit tests judge a mutant, before the suite or after it."""
        return any(one.holds(place) and one.first == first for one in self.beyond_the_suite)

    def unused(self, places: Collection[Place]) -> list[Beyond]:
        """Give the entries among whose functions and lines none of these mutants is."""
        return [
            beyond
            for beyond in self.beyond_the_suite
            if not any(beyond.holds(place) for place in places)
        ]


def read_list(file: Path = FILE) -> Listed:
    """Read the list.

    Raises:
        ListError: an entry lacks something, is named twice or gives no reason.
    """
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise ListError(f"{file.name}: {error}") from error
    equivalent: dict[Place, str] = {}
    for entry in _entries(document, "equivalent"):
        nth = entry.get("nth", 1)
        words = [_text(entry, key) for key in ("module", "function", "old", "new", "reason")]
        if not isinstance(nth, int) or nth < 1:
            raise ListError(f"{words[0]}.{words[1]}: nth is no number from 1 on")
        place = Place(words[0], words[1], words[2].strip(), words[3].strip(), nth)
        if place in equivalent:
            raise ListError(f"{described(place)} is listed twice")
        equivalent[place] = words[4]
    beyond: dict[Beyond, str] = {}
    for entry in _entries(document, "beyond_the_suite"):
        lines = _text(entry, "lines") if "lines" in entry else "*"
        one = Beyond(_text(entry, "functions"), lines, entry.get("first", False) is True)
        if (one.functions, one.lines) in {(other.functions, other.lines) for other in beyond}:
            raise ListError(f"{one.functions} with the lines {one.lines} is listed twice")
        beyond[one] = _text(entry, "reason")
    unknown = document.keys() - {"equivalent", "beyond_the_suite"}
    if unknown:
        raise ListError(f"unknown tables: {', '.join(sorted(unknown))}")
    return Listed(equivalent, beyond)


def described(place: Place) -> str:
    """Give a place as people read it: function, the old line and the new one."""
    which = f" (number {place.nth})" if place.nth > 1 else ""
    lines = [f"{place.module}.{place.function}{which}"]
    lines += [f"  - {line}" for line in place.old.splitlines()]
    lines += [f"  + {line}" for line in place.new.splitlines()]
    return "\n".join(lines)


def _entries(document: Mapping[str, object], name: str) -> Sequence[Mapping[str, object]]:
    entries = document.get(name, [])
    if not isinstance(entries, list) or not all(isinstance(one, dict) for one in entries):
        raise ListError(f"{name} is no array of tables")
    return entries


def _text(entry: Mapping[str, object], key: str) -> str:
    text = entry.get(key)
    if not isinstance(text, str):
        raise ListError(f"an entry lacks the text {key!r}: {dict(entry)}")
    if not text.strip() and key != "new":
        raise ListError(f"an entry has an empty {key!r}: {dict(entry)}")
    return text
