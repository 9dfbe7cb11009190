"""The words of the game in several languages: one TOML file each, all with the same keys.

A file states its `language` (the code that is also its name), the language's own `name` and its
`direction`, and then sections of entries. Every entry has a `text`; in languages that are written
from right to left also a `latin` transliteration, for terminals that cannot show the script.

| section | its keys |
|---|---|
| `ranks`, `suits`, `kinds`, `moves` | values of `ronda.v1`, in small letters without their prefix |
| `calls` | what players call out: the last batch, the steps of a chain without and with its mesa |
| `words` | everything else, by the words of the specification |
| `of_suits` | a suit as it stands after a rank |
| `forms` | how cards, seats, sides, gains and announcements are put together; `separator` joins |
| `asked` | what a seat is asked for, by `ronda.v1.Asked` |
| `events` | a sentence for each field of `ronda.v1.Event`; where one does not do, with endings |
| `replay` | what a replay says besides the events, and what its buttons are called |
| `terminal` | what a table at a terminal says to its player besides |

A card of rank 2 to 7 is a `number_card`, the others are a `named_card`. The placeholders of a
sentence are the names of its event's own fields.

Terms, which are the first six sections, name their `source`: the number of the rule text that has
the word, perhaps with another ending, article or spelling; `usual` for what players of other card
games in that language say; `ours` where neither is known and a plain word was chosen.
"""

import string
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ronda_conformance import data_folders
from ronda_conformance.rule_set_values import suggestion

TERMS = ("ranks", "suits", "kinds", "calls", "moves", "words")
SENTENCES = ("of_suits", "forms", "asked", "events", "replay", "terminal")
SOURCES = ("000", "001", "003", "004", "usual", "ours")

_DIRECTIONS: dict[str, Literal["ltr", "rtl"]] = {"ltr": "ltr", "rtl": "rtl"}
_HEAD = ("language", "name", "direction")


class GlossaryError(Exception):
    """A glossary file that cannot be used; the message says what, where and what would be right.

    Attributes:
        file: the file.
        key: the key at fault as `words.card.latin`; empty where it is the file as a whole.
        problem: what is wrong and what would be right.
    """

    def __init__(self, file: Path, key: str, problem: str) -> None:
        """Join the parts to the message."""
        super().__init__(f"{file}: {key}: {problem}" if key else f"{file}: {problem}")
        self.file = file
        self.key = key
        self.problem = problem


class GlossaryUnknownError(LookupError):
    """There is no glossary of this language, or no such entry in it; the message lists what is."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A term or a sentence in one language.

    Attributes:
        text: as it is written, with `{placeholders}` in sentences.
        latin: the same in Latin letters; None where the text is in these.
        source: where the word comes from, one of SOURCES; None for sentences, which are ours.
    """

    text: str
    latin: str | None
    source: str | None

    @property
    def shown_in_latin(self) -> str:
        """The entry in Latin letters, whatever the language is written in."""
        return self.text if self.latin is None else self.latin


@dataclass(frozen=True, slots=True)
class Glossary:
    """The words of one language.

    Attributes:
        language: its code, as `ary`.
        name: what the language calls itself.
        direction: in which direction it is written.
        sections: entries by section and key, in the order of the file.
    """

    language: str
    name: str
    direction: Literal["ltr", "rtl"]
    sections: Mapping[str, Mapping[str, Entry]]

    def entry(self, section: str, key: str) -> Entry:
        """Return one entry.

        Raises:
            GlossaryUnknownError: there is none.
        """
        entries = self.sections.get(section)
        if entries is None:
            problem = f"no section {section!r}; {suggestion(section, self.sections)}"
            raise GlossaryUnknownError(f"{self.language}: {problem}")
        if key not in entries:
            problem = f"no key {key!r} in {section!r}; {suggestion(key, entries)}"
            raise GlossaryUnknownError(f"{self.language}: {problem}")
        return entries[key]


def placeholders(text: str) -> set[str]:
    """Return the names in braces of a text.

    Raises:
        ValueError: a brace is left open, or holds something else than a plain name.
    """
    found = set()
    for _, name, form, conversion in string.Formatter().parse(text):
        if name is None:
            continue
        if not name.isidentifier() or form or conversion:
            raise ValueError(f"{{{name}}} is no plain name")
        found.add(name)
    return found


def load_glossaries(folder: Path | None = None) -> dict[str, Glossary]:
    """Return every glossary of a folder by its language, sorted.

    Args:
        folder: where the `.toml` files are; None: those that this distribution ships.

    Raises:
        GlossaryError: a file cannot be used.
        DataFolderMissingError: the installation lacks its own folder.
    """
    place = data_folders.glossary() if folder is None else folder
    return {path.stem: read_glossary(path) for path in sorted(place.glob("*.toml"))}


def load_glossary(language: str, folder: Path | None = None) -> Glossary:
    """Return the glossary of one language.

    Raises:
        GlossaryUnknownError: there is none.
        GlossaryError: a file cannot be used.
        DataFolderMissingError: the installation lacks its own folder.
    """
    glossaries = load_glossaries(folder)
    if language not in glossaries:
        known = ", ".join(glossaries)
        raise GlossaryUnknownError(f"there is no glossary of {language!r}; there are: {known}")
    return glossaries[language]


def read_glossary(path: Path) -> Glossary:
    """Return the glossary in a file.

    Raises:
        GlossaryError: it cannot be used.
    """
    try:
        fields: dict[str, object] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise GlossaryError(path, "", f"it cannot be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise GlossaryError(path, "", f"it is no TOML: {error}") from error
    known = (*_HEAD, *TERMS, *SENTENCES)
    for key in fields:
        if key not in known:
            raise GlossaryError(path, key, f"no such key; {suggestion(key, known)}")
    for key in known:
        if key not in fields:
            raise GlossaryError(path, key, "it is missing; every glossary has it")
    language, name = (_text(path, key, fields[key]) for key in ("language", "name"))
    if language != path.stem:
        raise GlossaryError(
            path, "language", f"{language!r} differs from the file's name; it must be {path.stem!r}"
        )
    direction = _DIRECTIONS.get(str(fields["direction"]))
    if direction is None:
        raise GlossaryError(path, "direction", f"{fields['direction']!r} is neither ltr nor rtl")
    sections = {
        section: _section(path, section, fields[section], latin=direction == "rtl")
        for section in (*TERMS, *SENTENCES)
    }
    return Glossary(language, name, direction, sections)


def _section(path: Path, section: str, values: object, *, latin: bool) -> dict[str, Entry]:
    if not isinstance(values, dict) or not values:
        raise GlossaryError(path, section, "it is no table of entries")
    sourced = section in TERMS
    return {
        key: _entry(path, f"{section}.{key}", value, latin=latin, sourced=sourced)
        for key, value in values.items()
    }


def _entry(path: Path, key: str, value: object, *, latin: bool, sourced: bool) -> Entry:
    parts = ["text", *(["latin"] if latin else []), *(["source"] if sourced else [])]
    if not isinstance(value, dict):
        raise GlossaryError(path, key, f"{value!r} is no table of {', '.join(parts)}")
    for name in value:
        if name not in parts:
            raise GlossaryError(path, f"{key}.{name}", f"only {', '.join(parts)} can stand here")
    for name in parts:
        if name not in value:
            raise GlossaryError(path, f"{key}.{name}", "it is missing")
    given = {name: _text(path, f"{key}.{name}", value[name]) for name in parts}
    names = _placeholders(path, f"{key}.text", given["text"])
    if latin and (found := _placeholders(path, f"{key}.latin", given["latin"])) != names:
        raise GlossaryError(
            path,
            f"{key}.latin",
            f"its placeholders are {sorted(found)}, the text's {sorted(names)}",
        )
    if sourced and given["source"] not in SOURCES:
        raise GlossaryError(
            path, f"{key}.source", f"{given['source']!r} is none of {', '.join(SOURCES)}"
        )
    return Entry(given["text"], given.get("latin"), given.get("source"))


def _text(path: Path, key: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise GlossaryError(path, key, f"{value!r} is no text; a text of at least a letter")
    return value


def _placeholders(path: Path, key: str, text: str) -> set[str]:
    try:
        return placeholders(text)
    except ValueError as error:
        raise GlossaryError(path, key, f"its braces are wrong: {error}") from error
