"""The values of a configuration file, one by one: what each may be, and what is wrong with it."""

import difflib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath

from ronda_tournament.config_lines import Path, line_at


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is wrong with a configuration.

    Attributes:
        file: The file.
        line: The line, from 1.
        key: The key at fault, as `entrants[1].builtin`; empty: the file as a whole.
        detail: What is wrong, with the value and what is allowed.
    """

    file: FilePath
    line: int
    key: str
    detail: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.key}: {self.detail}".replace(": : ", ": ")


class ConfigError(Exception):
    """A configuration cannot be used.

    Attributes:
        problems: All that is wrong.
    """

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, problems)))


class Problems:
    """Where what is wrong is collected, so that all of it is said at once."""

    def __init__(self, file: FilePath, lines: dict[Path, int]) -> None:
        """Take the file's name and the lines of its keys."""
        self.found: list[Problem] = []
        self._file = file
        self._lines = lines

    def add(self, path: Path, detail: str) -> None:
        """Note that something is wrong with a key."""
        self.found.append(Problem(self._file, line_at(self._lines, path), _shown(path), detail))

    def check(self) -> None:
        """Raise what was found.

        Raises:
            ConfigError: Something was.
        """
        if self.found:
            raise ConfigError(sorted(self.found, key=lambda problem: problem.line))


class Table:
    """A table of the file, whose values are taken out one by one."""

    def __init__(self, values: Mapping[str, object], path: Path, problems: Problems) -> None:
        """Take the table, where it stands, and where to say what is wrong."""
        self.path = path
        self._values = values
        self._problems = problems

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def problem(self, key: str, detail: str) -> None:
        """Note that something is wrong with a key of the table."""
        self._problems.add((*self.path, key) if key else self.path, detail)

    def only(self, allowed: Iterable[str]) -> None:
        """Note every key that is none."""
        names = tuple(allowed)
        for key in self._values:
            if key not in names:
                near = difflib.get_close_matches(key, names, 1)
                hint = f"; did you mean {near[0]}?" if near else f"; there are: {', '.join(names)}"
                self.problem(key, f"there is no such key{hint}")

    def text(self, key: str, default: str | None, longest: int = 64) -> str:
        """Return a text of printable characters; without a default the key is needed."""
        value = self._get(key, default)
        if value is None:
            return ""
        if isinstance(value, str) and value.isprintable() and 1 <= len(value) <= longest:
            return value
        self._wrong(key, f"a text of 1 to {longest} printable characters", value)
        return default or ""

    def word(self, key: str, default: str | None, words: Sequence[str]) -> str:
        """Return one of some words."""
        value = self._get(key, default)
        if isinstance(value, str) and value in words:
            return value
        if value is not None:
            self._wrong(key, " or ".join(f'"{word}"' for word in words), value)
        return default or ""

    def whole(self, key: str, default: int | None, low: int, high: int) -> int:
        """Return a whole number within bounds."""
        value = self._get(key, default)
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        if value is not None:
            self._wrong(key, f"a whole number from {low} to {high:,}", value)
        return low if default is None else default

    def number(self, key: str, default: float | None, low: float, high: float) -> float:
        """Return a number within bounds."""
        value = self._get(key, default)
        if isinstance(value, int | float) and not isinstance(value, bool):
            number = float(value)
            if math.isfinite(number) and low <= number <= high:
                return number
        if value is not None:
            self._wrong(key, f"a number from {low:g} to {high:g}", value)
        return low if default is None else default

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the texts of a list, at least one."""
        value = self._get(key, None)
        if value is None:
            return ()
        if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
            return tuple(value)
        self._wrong(key, 'a list of texts, as ["maghribi"]', value)
        return ()

    def table(self, key: str) -> "Table | None":
        """Return a table within; None: there is none."""
        value = self._values.get(key)
        if value is None:
            return None
        if isinstance(value, dict):
            return Table(value, (*self.path, key), self._problems)
        self._wrong(key, f"a table, as [{key}]", value)
        return None

    def tables(self, key: str) -> list["Table"]:
        """Return the tables of a list."""
        value = self._get(key, None)
        if value is None:
            return []
        if isinstance(value, list) and all(isinstance(one, dict) for one in value):
            return [
                Table(one, (*self.path, key, number), self._problems)
                for number, one in enumerate(value)
            ]
        self._wrong(key, f"tables, each with the heading [[{key}]]", value)
        return []

    def value(self, key: str) -> object:
        """Return a value as it is; None: it is not there."""
        return self._values.get(key)

    def _get(self, key: str, default: object) -> object:
        if key in self._values:
            return self._values[key]
        if default is None:
            self.problem(key, "it is needed")
        return default

    def _wrong(self, key: str, needed: str, value: object) -> None:
        self.problem(key, f"it must be {needed}, not {shown(value)}")


def shown(value: object) -> str:
    """Return a value as TOML writes it, shortened where it is long."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"' if len(value) <= 60 else f'"{value[:60]}…"'  # noqa: PLR2004
    if isinstance(value, dict):
        return "a table"
    text = str(value)
    return text if len(text) <= 60 else f"{text[:60]}…"  # noqa: PLR2004 - as above


def _shown(path: Path) -> str:
    text = ""
    for part in path:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}"
    return text.removeprefix(".")
