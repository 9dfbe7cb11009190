"""Where the values of a rule set come from: the table `[sources]` of a rule-set file.

An entry names a parameter, or a part of one as `kinds.tringa`. It is a place, or a table that makes
the value a ruling: `{ place = "003, dealing", ruling = "L", other = "RETURN_LAST" }`.
"""

from collections.abc import Iterable, Iterator, Mapping

from ronda.v1 import rule_set_pb2
from ronda.v1.listed_rule_set_pb2 import ParameterSource, Ruling
from ronda_conformance.rule_set_values import RuleSetValueError, suggestion

OWN_FIELDS = ("id", "title", "summary", "source")
LETTERS = {"S": Ruling.RULING_SILENT, "L": Ruling.RULING_LESS_CERTAIN}
_KEYS = ("place", "ruling", "other")
_WANTED = "a place as a text, or a table of place, ruling and other"


def parts(field: str) -> tuple[str, ...]:
    """Return the parts of a parameter that can have a source of their own."""
    descriptor = rule_set_pb2.RuleSet.DESCRIPTOR.fields_by_name[field]
    if descriptor.message_type is None or descriptor.is_repeated:
        return ()
    return tuple(part.name for part in descriptor.message_type.fields)


def parameters() -> tuple[str, ...]:
    """Return the fields of a rule set that are parameters, in order."""
    names = (field.name for field in rule_set_pb2.RuleSet.DESCRIPTOR.fields)
    return tuple(name for name in names if name not in OWN_FIELDS)


def field_of(parameter: str) -> str:
    """Return the field that a parameter is or is a part of."""
    return parameter.partition(".")[0]


def letter(source: ParameterSource) -> str:
    """Return S or L for a ruling, and nothing where a value is none."""
    return next((word for word, ruling in LETTERS.items() if ruling == source.ruling), "")


def rulings(sources: Iterable[ParameterSource]) -> list[ParameterSource]:
    """Return those that make a value a ruling."""
    return [source for source in sources if letter(source)]


def read_sources(table: object) -> tuple[dict[str, ParameterSource], list[RuleSetValueError]]:
    """Return the entries of `[sources]` by parameter, and what is wrong with the others."""
    if not isinstance(table, Mapping):
        return {}, [RuleSetValueError(("sources",), f"{table!r} is no table of parameters")]
    found: dict[str, ParameterSource] = {}
    faults: list[RuleSetValueError] = []
    for parameter, entry in _flat(table):
        path = ("sources", parameter)
        if parameter not in _names():
            detail = f"no such parameter; {suggestion(parameter, _names())}"
            faults.append(RuleSetValueError(path, detail))
            continue
        if parameter in found:
            faults.append(RuleSetValueError(path, "it stands twice; keep one"))
            continue
        try:
            found[parameter] = _entry(parameter, entry)
        except RuleSetValueError as fault:
            faults.append(fault)
    return found, faults


def merged(
    base: Iterable[ParameterSource],
    own: Mapping[str, ParameterSource],
    given: Iterable[str],
    cleared: Iterable[str],
    place: str,
) -> list[ParameterSource]:
    """Return the sources of a variant, in the order of the schema.

    Args:
        base: the sources of its base; those of parameters that it changes are dropped.
        own: its own entries.
        given: the parameters that it gives a value.
        cleared: the parameters that it clears.
        place: where a value comes from that has no entry: what the file says of itself.
    """
    changed = {*given, *cleared}
    result = {one.parameter: one for one in base if field_of(one.parameter) not in changed}
    result |= own
    for field in given:
        if field in parameters() and field not in own and not _parts_sourced(field, own):
            result[field] = ParameterSource(
                parameter=field, place=place, ruling=Ruling.RULING_STATED
            )
    return [result[name] for name in _names() if name in result]


def _parts_sourced(field: str, own: Mapping[str, ParameterSource]) -> bool:
    names = parts(field)
    return bool(names) and all(f"{field}.{part}" in own for part in names)


def _names() -> list[str]:
    return [
        name
        for field in parameters()
        for name in (field, *(f"{field}.{part}" for part in parts(field)))
    ]


def _flat(table: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Give every entry by its dotted name; `kinds.tringa` may stand with quotes or without."""
    for name, entry in table.items():
        nested = isinstance(entry, Mapping) and name in parameters() and parts(name)
        if isinstance(entry, Mapping) and nested and not set(entry) & set(_KEYS):
            for part, inner in entry.items():
                yield f"{name}.{part}", inner
        else:
            yield name, entry


def _entry(parameter: str, entry: object) -> ParameterSource:
    path = ("sources", parameter)
    if isinstance(entry, str):
        return ParameterSource(
            parameter=parameter, place=_text(entry, path), ruling=Ruling.RULING_STATED
        )
    if not isinstance(entry, Mapping):
        raise RuleSetValueError(path, f"{entry!r} is no source; {_WANTED}")
    for key in entry:
        if key not in _KEYS:
            raise RuleSetValueError((*path, key), f"no such key; {suggestion(key, _KEYS)}")
    if "place" not in entry:
        raise RuleSetValueError((*path, "place"), "it is missing; a source names its place")
    place = _text(entry["place"], (*path, "place"))
    if "ruling" not in entry:
        if "other" in entry:
            detail = "it is missing; another reading stands beside a ruling, S or L"
            raise RuleSetValueError((*path, "ruling"), detail)
        return ParameterSource(parameter=parameter, place=place, ruling=Ruling.RULING_STATED)
    word = entry["ruling"]
    if not isinstance(word, str) or word not in LETTERS:
        detail = (
            f"{word!r} is no ruling; S: the text is silent, L: the less certain of two readings"
        )
        raise RuleSetValueError((*path, "ruling"), detail)
    if "other" not in entry:
        raise RuleSetValueError((*path, "other"), "it is missing; a ruling names the other reading")
    return ParameterSource(
        parameter=parameter,
        place=place,
        ruling=LETTERS[word],
        other_reading=_text(entry["other"], (*path, "other")),
    )


def _text(value: object, path: tuple[str, ...]) -> str:
    if not isinstance(value, str) or not value.strip():
        raise RuleSetValueError(path, f"{value!r} is no text; a text of at least a letter")
    return value
