"""Rule-set files: one rule set in TOML each, named after its id.

A file without `base` states every parameter. A variant names its `base`, has an `id`, `title`,
`summary` and `source` of its own, and states what it changes; each field that it states replaces
the base's field whole, and `unset` lists fields that it clears. The table `[sources]` says where
the values come from (see `ronda_conformance.rule_set_sources`); a variant has the sources of its
base for what it does not change, and a value without an entry comes from the file's own `source`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ronda.v1 import rule_set_pb2
from ronda.v1.listed_rule_set_pb2 import ListedRuleSet
from ronda_conformance import data_folders
from ronda_conformance.rule_set_errors import (
    RuleSetBaseError,
    RuleSetFieldError,
    RuleSetFileError,
    RuleSetIdError,
    RuleSetSourceError,
    RuleSetUnknownError,
    RuleSetUnreadableError,
)
from ronda_conformance.rule_set_reading import RuleSetText, read_rule_set
from ronda_conformance.rule_set_sources import merged
from ronda_conformance.rule_set_values import overlay_with_faults, path_text, suggestion

__all__ = [
    "ReadRuleSet",
    "RuleSetBaseError",
    "RuleSetFieldError",
    "RuleSetFileError",
    "RuleSetIdError",
    "RuleSetSourceError",
    "RuleSetUnknownError",
    "RuleSetUnreadableError",
    "check_file",
    "load_beside_shipped",
    "load_listed_rule_sets",
    "load_rule_set",
    "load_rule_sets",
]


@dataclass(frozen=True)
class ReadRuleSet:
    """A rule set as its file has it.

    Attributes:
        file: the file.
        listed: the rule set with the sources of its values; not to be used where there are faults.
        faults: what is wrong with the file, or with those that it is based on.
    """

    file: Path
    listed: ListedRuleSet
    faults: tuple[RuleSetFileError, ...]


class _Files:
    """The files by id, each read when it is wanted, bases first."""

    def __init__(self, files: Iterable[Path], bases: Iterable[Path] = ()) -> None:
        """Know some files, and others that serve as bases alone where no file has the id."""
        self.clashes: list[RuleSetIdError] = []
        self._paths: dict[str, Path] = {}
        for path in files:
            other = self._paths.setdefault(path.stem, path)
            if other.resolve() != path.resolve():
                problem = f"{path.stem!r} is taken by {other}; give yours a name of its own"
                self.clashes.append(RuleSetIdError(path, "id", problem))
        self._bases = {path.stem: path for path in bases}
        self._done: dict[Path, ReadRuleSet] = {}

    def read(self, path: Path, below: tuple[str, ...] = ()) -> ReadRuleSet:
        """Read a file with its bases.

        Raises:
            RuleSetUnreadableError: one of them cannot be read or is no TOML.
        """
        if path not in self._done:
            read = self._read(read_rule_set(path), below)
            if read.faults:
                return read
            self._done[path] = read
        return self._done[path]

    def _read(self, text: RuleSetText, below: tuple[str, ...]) -> ReadRuleSet:
        base = ListedRuleSet()
        faults = list(text.faults)
        if text.base is not None:
            try:
                read = self._base(text, text.base, (*below, text.path.stem))
                base = read.listed
                faults += read.faults
            except RuleSetBaseError as error:
                faults.append(error)
        changes = {**text.fields, **dict.fromkeys(text.unset)}
        rule_set, wrong = overlay_with_faults(base.rule_set, changes)
        faults += [RuleSetFieldError(text.path, path_text(one.path), one.problem) for one in wrong]
        sources = merged(base.sources, text.sources, text.fields, text.unset, rule_set.source)
        listed = ListedRuleSet(rule_set=rule_set, sources=sources)
        return ReadRuleSet(text.path, listed, tuple(faults))

    def _base(self, text: RuleSetText, base: str, below: tuple[str, ...]) -> ReadRuleSet:
        if base in below:
            circle = " -> ".join((*below[below.index(base) :], base))
            raise RuleSetBaseError(text.path, "base", f"the bases form a circle: {circle}")
        path = self._paths.get(base) or self._bases.get(base)
        if path is None:
            known = sorted({*self._paths, *self._bases})
            problem = f"{base!r} is no rule set here; {suggestion(base, known)}"
            raise RuleSetBaseError(text.path, "base", problem)
        return self.read(path, below)


def load_listed_rule_sets(folder: Path | None = None) -> dict[str, ListedRuleSet]:
    """Return every rule set of a folder with the sources of its values, by id, sorted by id.

    Args:
        folder: where the `.toml` files are; None: the presets that this distribution ships.

    Raises:
        RuleSetFileError: a file cannot be used.
        DataFolderMissingError: the installation lacks its own folder.
    """
    files = _toml_files(data_folders.rule_sets() if folder is None else folder)
    return {name: read.listed for name, read in _all(_Files(files), files).items()}


def load_rule_sets(folder: Path | None = None) -> dict[str, rule_set_pb2.RuleSet]:
    """Return every rule set of a folder by id, sorted by id.

    Args:
        folder: where the `.toml` files are; None: the presets that this distribution ships.

    Raises:
        RuleSetFileError: a file cannot be used.
        DataFolderMissingError: the installation lacks its own folder.
    """
    return {name: listed.rule_set for name, listed in load_listed_rule_sets(folder).items()}


def load_beside_shipped(folders: Sequence[Path]) -> dict[str, ReadRuleSet]:
    """Return the presets, and the rule sets of further folders, by id, sorted by id.

    A file in one of the folders may be based on any of these, and on a house rule set that is
    shipped as an example.

    Raises:
        RuleSetFileError: a folder is none or has no files, a file cannot be used, or its id is
            taken.
        DataFolderMissingError: the installation lacks its own folders.
    """
    files = _toml_files(data_folders.rule_sets())
    for folder in folders:
        if not folder.is_dir():
            raise RuleSetUnreadableError(folder, "", "there is no such folder")
        more = _toml_files(folder)
        if not more:
            raise RuleSetUnreadableError(folder, "", "it holds no rule-set file, as my-rules.toml")
        files += more
    known = _Files(files, _toml_files(data_folders.house_rules()))
    if known.clashes:
        raise known.clashes[0]
    return _all(known, files)


def check_file(path: Path) -> ReadRuleSet:
    """Return one rule set from its file, with everything that is wrong with it.

    Its base may be a preset, a file of its own folder, or a house rule set that is shipped as an
    example. Whether the rule set can be played is not looked at.

    Raises:
        RuleSetUnreadableError: the file, or one that it is based on, cannot be read or is no TOML.
        DataFolderMissingError: the installation lacks its own folders.
    """
    presets = _toml_files(data_folders.rule_sets())
    beside = [file for file in _toml_files(path.parent) if file.resolve() != path.resolve()]
    known = _Files([*presets, path, *beside], _toml_files(data_folders.house_rules()))
    read = known.read(path)
    taken = [clash for clash in known.clashes if clash.file == path]
    return ReadRuleSet(path, read.listed, (*taken, *read.faults))


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


def _toml_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.toml"))


def _all(known: _Files, files: Iterable[Path]) -> dict[str, ReadRuleSet]:
    found: dict[str, ReadRuleSet] = {}
    for path in files:
        read = known.read(path)
        if read.faults:
            raise read.faults[0]
        found[path.stem] = read
    return dict(sorted(found.items()))


def load_bases(folder: Path | None = None) -> dict[str, str | None]:
    """Return the id of each rule set's base by its own id, sorted; None: it has none.

    Args:
        folder: where the `.toml` files are; None: those that this distribution ships.

    Raises:
        RuleSetFileError: a file cannot be read or lacks what every file states.
        DataFolderMissingError: the installation lacks its own folder.
    """
    place = data_folders.rule_sets() if folder is None else folder
    return {path.stem: read_rule_set(path).base for path in _toml_files(place)}
