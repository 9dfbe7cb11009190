"""The catalogue of faults: TOML files, one for each chapter of the specification.

A fault is a misreading of one clause and the change of the engine's source that makes it: a text
that stands exactly once in a file of `ronda_rules`, and what is put in its place.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import ronda_rules

FOLDER = Path(__file__).resolve().parent / "catalogue"
ENGINE = Path(ronda_rules.__file__).resolve().parent
"""The folder of the engine's source, which is read and never written."""

_CHANGE_KEYS = {"file", "old", "new"}
_KEYS = _CHANGE_KEYS | {"id", "clause", "misreading", "also"}


class CatalogueError(Exception):
    """A catalogue that cannot be used; the message names the file, the fault and what is wrong."""


@dataclass(frozen=True)
class Change:
    """A replacement in the source of the engine.

    Attributes:
        file: the file's name in `ronda_rules`.
        old: what stands there, exactly once.
        new: what stands there instead.
    """

    file: str
    old: str
    new: str

    @property
    def module(self) -> str:
        """The name of the module that is changed."""
        return f"{ronda_rules.__name__}.{self.file.removesuffix('.py')}"


@dataclass(frozen=True)
class Fault:
    """A plausible misreading of the rules, or a slip in writing them down.

    Attributes:
        id: its permanent name.
        clause: the clause that it breaks.
        misreading: what a program with it would do, in a sentence.
        changes: what makes it, each of another place.
    """

    id: str
    clause: str
    misreading: str
    changes: tuple[Change, ...]

    def sources(self, engine: Path = ENGINE) -> dict[str, str]:
        """Give the changed source of each module that the fault changes, by the module's name.

        Raises:
            CatalogueError: the text to replace does not stand exactly once in its file.
        """
        changed: dict[str, str] = {}
        for change in self.changes:
            source = changed.get(change.module)
            if source is None:
                source = self._read(engine / change.file)
            found = source.count(change.old)
            if found != 1:
                shown = f"{change.old!r} stands {found} times in {change.file}, not once"
                raise CatalogueError(f"{self.id}: {shown}")
            changed[change.module] = source.replace(change.old, change.new)
        return changed

    def _read(self, file: Path) -> str:
        try:
            return _text_of(file)
        except OSError as error:
            raise CatalogueError(f"{self.id}: {file.name} cannot be read: {error}") from error


def load_catalogue(folder: Path = FOLDER) -> tuple[Fault, ...]:
    """Give the faults of every `.toml` file of a folder, by file and in each in its order.

    Raises:
        CatalogueError: a file cannot be read, or a fault in it is not as it must be.
    """
    faults = tuple(fault for file in sorted(folder.glob("*.toml")) for fault in _faults(file))
    if not faults:
        raise CatalogueError(f"{folder}: no fault in any .toml file")
    ids = [fault.id for fault in faults]
    twice = sorted({one for one in ids if ids.count(one) > 1})
    if twice:
        raise CatalogueError(f"{folder}: {', '.join(twice)} stands more than once")
    return faults


@cache
def _text_of(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def _faults(file: Path) -> Iterator[Fault]:
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CatalogueError(f"{file}: it cannot be read: {error}") from error
    if set(document) != {"fault"}:
        raise CatalogueError(f"{file}: it holds [[fault]] tables and nothing else")
    for number, table in enumerate(document["fault"], start=1):
        where = f"{file}: {table.get('id', f'fault {number}')}"
        unknown = sorted(set(table) - _KEYS)
        if unknown:
            raise CatalogueError(f"{where}: no key {', '.join(unknown)}; {sorted(_KEYS)} are known")
        texts = {key: _text(where, table, key) for key in ("id", "clause", "misreading")}
        own = {key: table[key] for key in _CHANGE_KEYS if key in table}
        changes = tuple(_change(where, one) for one in (own, *table.get("also", [])))
        yield Fault(**texts, changes=changes)


def _change(where: str, table: Mapping[str, object]) -> Change:
    texts = {key: _text(where, table, key) for key in sorted(_CHANGE_KEYS)}
    if texts["old"] == texts["new"] or not texts["old"]:
        raise CatalogueError(f"{where}: the change replaces nothing by something else")
    return Change(**texts)


def _text(where: str, table: Mapping[str, object], key: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not (value or key == "new"):
        raise CatalogueError(f"{where}: {key} must be a text")
    return value
