"""Rule-set files: one ronda.v1.RuleSet in TOML each, named after its id.

A file without `base` states every parameter. A variant names its `base`, has an `id`, `title`,
`summary` and `source` of its own, and states what it changes; each field that it states replaces
the base's field whole, and `unset` lists fields that it clears.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ronda.v1 import rule_set_pb2
from ronda_conformance import data_folders
from ronda_conformance.rule_set_values import (
    RuleSetValueError,
    enum_words,
    overlay,
    path_text,
    suggestion,
)

OWN_FIELDS = ("id", "title", "summary", "source")
# What a file without a base may leave out: unset has a meaning of its own in the schema.
MAY_BE_UNSET = frozenset(
    {
        "table_forbids",
        "table_remedy",
        "first_dealer",
        "double_ronda",
        "false_penalty",
        "false_penalty_cap",
        "penalty_to",
        "undeclared_penalty",
        "dealer_duty",
        "count",
    }
)


class RuleSetFileError(Exception):
    """A rule-set file that cannot be used; the message says what, where and what would be right.

    Attributes:
        file: the file.
        field: the field at fault as `seats[0].opening`; empty where it is the file as a whole.
        problem: what is wrong and what would be right.
    """

    def __init__(self, file: Path, field: str, problem: str) -> None:
        """Join the parts to the message."""
        super().__init__(f"{file}: {field}: {problem}" if field else f"{file}: {problem}")
        self.file = file
        self.field = field
        self.problem = problem


class RuleSetUnreadableError(RuleSetFileError):
    """The file cannot be read or is no TOML."""


class RuleSetFieldError(RuleSetFileError):
    """A field is unknown, missing, or has a value that it cannot take."""


class RuleSetBaseError(RuleSetFileError):
    """The base is unknown, or the bases form a circle."""


class RuleSetIdError(RuleSetFileError):
    """The id differs from the file's name."""


class RuleSetUnknownError(LookupError):
    """No rule-set file has this id; the message lists the ids there are."""


@dataclass(frozen=True)
class _File:
    path: Path
    base: str | None
    unset: tuple[str, ...]
    fields: Mapping[str, object]


def _read(path: Path) -> _File:
    try:
        fields: dict[str, object] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise RuleSetUnreadableError(path, "", f"it cannot be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise RuleSetUnreadableError(path, "", f"it is no TOML: {error}") from error
    base = fields.pop("base", None)
    if base is not None and not isinstance(base, str):
        raise RuleSetFieldError(path, "base", f"{base!r} is no id of a rule set")
    unset = fields.pop("unset", [])
    if not isinstance(unset, list) or not all(isinstance(name, str) for name in unset):
        raise RuleSetFieldError(path, "unset", f"{unset!r} is no list of field names")
    if unset and base is None:
        raise RuleSetFieldError(path, "unset", "only a variant with a `base` can clear fields")
    for name in unset:
        if name in fields:
            raise RuleSetFieldError(path, "unset", f"{name!r} is also given a value; keep one")
    for name in OWN_FIELDS:
        if name not in fields:
            raise RuleSetFieldError(path, name, "it is missing; every file states its own")
    if fields["id"] != path.stem:
        raise RuleSetIdError(
            path, "id", f"{fields['id']!r} differs from the file's name; it must be {path.stem!r}"
        )
    return _File(path, base, tuple(unset), fields)


def _require_complete(file: _File) -> None:
    for field in rule_set_pb2.RuleSet.DESCRIPTOR.fields:
        if field.name in file.fields or field.name in MAY_BE_UNSET:
            continue
        right = f"one of {', '.join(enum_words(field.enum_type))}" if field.enum_type else "a value"
        raise RuleSetFieldError(
            file.path, field.name, f"it is missing; a file without a `base` gives it {right}"
        )


class _Resolver:
    """Builds rule sets from files, bases first."""

    def __init__(self, files: Mapping[str, _File]) -> None:
        self._files = files
        self._done: dict[str, rule_set_pb2.RuleSet] = {}

    def resolve(self, rule_set_id: str, below: tuple[str, ...] = ()) -> rule_set_pb2.RuleSet:
        if rule_set_id in self._done:
            return self._done[rule_set_id]
        file = self._files[rule_set_id]
        if rule_set_id in below:
            circle = " -> ".join((*below[below.index(rule_set_id) :], rule_set_id))
            raise RuleSetBaseError(file.path, "base", f"the bases form a circle: {circle}")
        base = rule_set_pb2.RuleSet()
        if file.base is not None:
            if file.base not in self._files:
                raise RuleSetBaseError(
                    file.path,
                    "base",
                    f"{file.base!r} is no rule set here; {suggestion(file.base, self._files)}",
                )
            base = self.resolve(file.base, (*below, rule_set_id))
        else:
            _require_complete(file)
        try:
            result = overlay(base, {**file.fields, **dict.fromkeys(file.unset)})
        except RuleSetValueError as error:
            raise RuleSetFieldError(file.path, path_text(error.path), error.problem) from error
        self._done[rule_set_id] = result
        return result


def load_rule_sets(folder: Path | None = None) -> dict[str, rule_set_pb2.RuleSet]:
    """Return every rule set of a folder by id, sorted by id.

    Args:
        folder: where the `.toml` files are; None: those that this distribution ships.

    Raises:
        RuleSetFileError: a file cannot be used.
        DataFolderMissingError: the installation lacks its own folder.
    """
    place = data_folders.rule_sets() if folder is None else folder
    files = {path.stem: _read(path) for path in sorted(place.glob("*.toml"))}
    resolver = _Resolver(files)
    return {rule_set_id: resolver.resolve(rule_set_id) for rule_set_id in files}


def load_rule_set(rule_set_id: str, folder: Path | None = None) -> rule_set_pb2.RuleSet:
    """Return one rule set.

    Raises:
        RuleSetUnknownError: no file has this id.
        RuleSetFileError: a file cannot be used.
        DataFolderMissingError: the installation lacks its own folder.
    """
    rule_sets = load_rule_sets(folder)
    if rule_set_id not in rule_sets:
        message = f"no rule set {rule_set_id!r}; {suggestion(rule_set_id, rule_sets)}"
        raise RuleSetUnknownError(message)
    return rule_sets[rule_set_id]


def load_bases(folder: Path | None = None) -> dict[str, str | None]:
    """Return the id of each rule set's base by its own id, sorted; None: it has none.

    Args:
        folder: where the `.toml` files are; None: those that this distribution ships.

    Raises:
        RuleSetFileError: a file cannot be read or lacks what every file states.
        DataFolderMissingError: the installation lacks its own folder.
    """
    place = data_folders.rule_sets() if folder is None else folder
    return {path.stem: _read(path).base for path in sorted(place.glob("*.toml"))}
