"""One rule-set file as it stands, without its base, and everything that is wrong with it alone."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ronda.v1 import rule_set_pb2
from ronda.v1.listed_rule_set_pb2 import ParameterSource
from ronda_conformance.rule_set_errors import (
    RuleSetFieldError,
    RuleSetFileError,
    RuleSetIdError,
    RuleSetSourceError,
    RuleSetUnreadableError,
)
from ronda_conformance.rule_set_sources import OWN_FIELDS, read_sources
from ronda_conformance.rule_set_values import enum_words, path_text

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


@dataclass(frozen=True)
class RuleSetText:
    """What a file says.

    Attributes:
        path: the file.
        base: the id of the rule set that it changes.
        unset: the fields that it clears.
        fields: the fields that it gives, their values not yet checked.
        sources: where its values come from, by parameter.
        faults: what is wrong with it but for the values of its fields.
    """

    path: Path
    base: str | None
    unset: tuple[str, ...]
    fields: Mapping[str, object]
    sources: Mapping[str, ParameterSource]
    faults: tuple[RuleSetFileError, ...]


def read_rule_set(path: Path) -> RuleSetText:
    """Read a file.

    Raises:
        RuleSetUnreadableError: it cannot be read or is no TOML.
    """
    try:
        fields: dict[str, object] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise RuleSetUnreadableError(path, "", f"it cannot be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise RuleSetUnreadableError(path, "", f"it is no TOML: {error}") from error
    faults: list[RuleSetFileError] = []
    base = fields.pop("base", None)
    has_base = base is not None
    if base is not None and not isinstance(base, str):
        faults.append(RuleSetFieldError(path, "base", f"{base!r} is no id of a rule set"))
        base = None
    unset = _unset(path, fields, faults, has_base=has_base)
    sources, wrong = read_sources(fields.pop("sources", {}))
    for name in OWN_FIELDS:
        if name not in fields:
            problem = "it is missing; every file states its own"
            faults.append(RuleSetFieldError(path, name, problem))
    if fields.get("id", path.stem) != path.stem:
        problem = f"{fields['id']!r} differs from the file's name; it must be {path.stem!r}"
        faults.append(RuleSetIdError(path, "id", problem))
    if not has_base:
        faults += _missing(path, fields)
    faults += [RuleSetSourceError(path, path_text(one.path), one.problem) for one in wrong]
    return RuleSetText(path, base, unset, fields, sources, tuple(faults))


def _unset(
    path: Path, fields: dict[str, object], faults: list[RuleSetFileError], *, has_base: bool
) -> tuple[str, ...]:
    unset = fields.pop("unset", [])
    if not isinstance(unset, list) or not all(isinstance(name, str) for name in unset):
        faults.append(RuleSetFieldError(path, "unset", f"{unset!r} is no list of field names"))
        return ()
    if unset and not has_base:
        problem = "only a variant with a `base` can clear fields"
        faults.append(RuleSetFieldError(path, "unset", problem))
    for name in unset:
        if name in fields:
            problem = f"{name!r} is also given a value; keep one"
            faults.append(RuleSetFieldError(path, "unset", problem))
    return tuple(name for name in unset if name not in fields)


def _missing(path: Path, fields: Mapping[str, object]) -> list[RuleSetFileError]:
    found: list[RuleSetFileError] = []
    for field in rule_set_pb2.RuleSet.DESCRIPTOR.fields:
        if field.name in fields or field.name in MAY_BE_UNSET or field.name in OWN_FIELDS:
            continue
        right = f"one of {', '.join(enum_words(field.enum_type))}" if field.enum_type else "a value"
        problem = f"it is missing; a file without a `base` gives it {right}"
        found.append(RuleSetFieldError(path, field.name, problem))
    return found
