"""What the suite covers: clauses, rule sets, values of parameters, views, reasons, events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from google.protobuf.descriptor import FieldDescriptor

from ronda.conformance.v1 import scenario_pb2
from ronda.v1 import error_pb2, rule_set_pb2
from ronda_conformance.event_texts import EVENT_FORMS
from ronda_conformance.parameters import PARAMETERS
from ronda_conformance.rule_set_values import enum_prefix, enum_words
from ronda_conformance.scenarios import Case

# A seat count with what it is played with.
SEATS = (2, 3, 4)
_UNSET = "unset"
# Numbers by parameter: what a value is called.
_Label = Callable[[rule_set_pb2.RuleSet, int], Iterable[str]]


@dataclass
class Coverage:
    """Which scenarios cover what, each list in the order of ids.

    Attributes:
        valid: by clause, those in which nothing is refused.
        refused: by clause, those with a refusal.
        seats: by clause and seat count.
        rule_sets: by rule set and seat count.
        values: by parameter and value, those that are played with it and name a clause of it.
        fields: by field of an expectation, those that state it.
        reasons: by reason of a refusal.
        events: by kind of event, those that state one.
    """

    valid: dict[str, list[str]] = field(default_factory=dict)
    refused: dict[str, list[str]] = field(default_factory=dict)
    seats: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    rule_sets: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    values: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    fields: dict[str, list[str]] = field(default_factory=dict)
    reasons: dict[str, list[str]] = field(default_factory=dict)
    events: dict[str, list[str]] = field(default_factory=dict)


def _enum_label(name: str) -> _Label:
    descriptor = rule_set_pb2.RuleSet.DESCRIPTOR.fields_by_name[name].enum_type
    if descriptor is None:
        raise TypeError(f"{name} is no enumeration")
    prefix = enum_prefix(descriptor)

    def label(rules: rule_set_pb2.RuleSet, _: int) -> list[str]:
        word = descriptor.values_by_number[getattr(rules, name)].name.removeprefix(prefix)
        return [_UNSET if word == "UNSPECIFIED" else word]

    return label


def _opening(rules: rule_set_pb2.RuleSet, seats: int) -> Iterator[str]:
    for one in rules.seats:
        if one.count == seats:
            yield f"{seats} {rule_set_pb2.Opening.Name(one.opening).removeprefix('OPENING_')}"


def _forbids(rules: rule_set_pb2.RuleSet, _: int) -> list[str]:
    words = [rule_set_pb2.TableForbid.Name(one) for one in rules.table_forbids]
    return [" ".join(sorted(word.removeprefix("TABLE_FORBID_") for word in words)) or "none"]


def _first_dealer(rules: rule_set_pb2.RuleSet, _: int) -> list[str]:
    if rules.first_dealer.WhichOneof("choice") == "seat":
        return ["seat"]
    return ["drawn" if rules.first_dealer.drawn else _UNSET]


def _ladder(rules: rule_set_pb2.RuleSet, _: int) -> Iterator[str]:
    yield f"{len(rules.ladder)} steps"
    if 0 in rules.ladder:
        yield "a step of 0"


def _min_seats(rules: rule_set_pb2.RuleSet, seats: int) -> list[str]:
    if not rules.chain_min_seats:
        return ["0"]
    return ["above the seats" if seats < rules.chain_min_seats else "met"]


def _number(number: int) -> str:
    return str(number) if number < 2 else "2 or more"  # noqa: PLR2004  # one and more


def _kinds(name: str) -> _Label:
    def label(rules: rule_set_pb2.RuleSet, _: int) -> Iterator[str]:
        for kind in ("ronda", "tringa", "double_ronda"):
            amount = getattr(getattr(rules, name), kind)
            yield f"{kind} {'set' if amount else '0'}"

    return label


def _duty(rules: rule_set_pb2.RuleSet, _: int) -> list[str]:
    duty = rules.dealer_duty
    return [name for name in ("king", "ace", "miss") if getattr(duty, name)] or ["none"]


def _count(rules: rule_set_pb2.RuleSet, seats: int) -> list[str]:
    if not rules.HasField("count"):
        return [_UNSET]
    if seats == 3:  # noqa: PLR2004  # three seats are three sides
        return ["three sides 13" if rules.count.three_sides == 13 else "three sides, another"]  # noqa: PLR2004
    return ["two sides 20" if rules.count.two_sides == 20 else "two sides, another"]  # noqa: PLR2004


_KIND_VALUES = tuple(
    f"{kind} {word}" for kind in ("ronda", "tringa", "double_ronda") for word in ("0", "set")
)
_NUMBERS = ("0", "1", "2 or more")
# Parameters that are no enumerations: the values to cover, and what a rule set's is called.
_OTHERS: dict[str, tuple[tuple[str, ...], _Label]] = {
    "seats": (
        ("2 TABLE_OF_FOUR", "3 TABLE_OF_FOUR", "4 TABLE_OF_FOUR", "2 EMPTY_TABLE", "4 EMPTY_TABLE"),
        _opening,
    ),
    # Pairs can be allowed only where no table is turned.
    "table_forbids": (("none", "PAIRS", "PAIRS RUNS"), _forbids),
    "first_dealer": ((_UNSET, "seat", "drawn"), _first_dealer),
    "ladder": (("0 steps", "1 steps", "2 steps", "3 steps", "a step of 0"), _ladder),
    "chain_min_seats": (("0", "above the seats", "met"), _min_seats),
    "mesa": (_NUMBERS, lambda rules, _: [_number(rules.mesa)]),
    "kinds": (_KIND_VALUES, _kinds("kinds")),
    "false_penalty": (_KIND_VALUES, _kinds("false_penalty")),
    "false_penalty_cap": (_NUMBERS, lambda rules, _: [_number(rules.false_penalty_cap)]),
    "undeclared_penalty": (_KIND_VALUES, _kinds("undeclared_penalty")),
    "dealer_duty": (("none", "king", "ace", "miss"), _duty),
    "count": (
        (_UNSET, "two sides 20", "two sides, another", "three sides 13", "three sides, another"),
        _count,
    ),
    "target": (("0", "set"), lambda rules, _: ["set" if rules.target else "0"]),
}
# Enumerations that may be left unset.
_MAY_BE_UNSET = ("table_remedy", "double_ronda", "penalty_to")


def parameter_values() -> dict[str, tuple[str, ...]]:
    """Return the values to cover of each parameter, in the order of the schema."""
    found: dict[str, tuple[str, ...]] = {}
    for name in PARAMETERS:
        field_ = rule_set_pb2.RuleSet.DESCRIPTOR.fields_by_name[name]
        if name in _OTHERS:
            found[name] = _OTHERS[name][0]
        elif field_.enum_type is not None:
            unset = (_UNSET,) if name in _MAY_BE_UNSET else ()
            found[name] = (*unset, *enum_words(field_.enum_type))
        elif field_.type == FieldDescriptor.TYPE_BOOL:
            found[name] = ("false", "true")
        else:
            message = f"the parameter {name} is new: say in tools/coverage.py what covers it"
            raise LookupError(message)
    return found


def values_of(rules: rule_set_pb2.RuleSet, seats: int, parameter: str) -> list[str]:
    """Return which of the values to cover a rule set has, played by so many seats."""
    if parameter in _OTHERS:
        return list(_OTHERS[parameter][1](rules, seats))
    if rule_set_pb2.RuleSet.DESCRIPTOR.fields_by_name[parameter].enum_type is not None:
        return list(_enum_label(parameter)(rules, seats))
    return [str(getattr(rules, parameter)).lower()]


def reasons_of_runs() -> list[str]:
    """Return the reasons that a run can be refused for; the others are a service's."""
    names = [
        name.removeprefix("ERROR_REASON_")
        for name, number in error_pb2.ErrorReason.items()
        if 0 < number < _FIRST_OF_A_SERVICE
    ]
    return [name for name in names if name not in NEVER_OF_RUNS]


_FIRST_OF_A_SERVICE = 40
# Reasons of moves and starts that no scenario can ask for.
NEVER_OF_RUNS = {
    "MALFORMED_REQUEST": "what is no move and no card cannot be written in a scenario",
    "RULE_SET_UNSUPPORTED": "only a program that does not play every parameter sends it",
}


def expectations(case: Case) -> list[scenario_pb2.Expectation]:
    """Return the expectations of a scenario, the start's before those of its steps."""
    return [case.scenario.start, *(step.expect for step in case.scenario.steps)]


def is_refused(case: Case) -> bool:
    """Return whether anything is refused in a scenario."""
    return any(expect.HasField("refused") for expect in expectations(case))


def cover(cases: Iterable[Case], clauses_of: Mapping[str, list[str]]) -> Coverage:
    """Return what scenarios cover.

    Args:
        cases: the scenarios, in the order of their ids.
        clauses_of: the clauses that hang on each parameter.
    """
    found = Coverage()
    for case in cases:
        seats = case.scenario.seats
        for clause in case.clauses:
            by_clause = found.refused if is_refused(case) else found.valid
            by_clause.setdefault(clause, []).append(case.id)
            found.seats.setdefault((clause, seats), []).append(case.id)
        found.rule_sets.setdefault((case.scenario.rule_set, seats), []).append(case.id)
        _cover_expectations(case, found)
        if case.scenario.start.HasField("refused"):
            continue
        for parameter in PARAMETERS:
            if not set(case.clauses) & set(clauses_of[parameter]):
                continue
            for value in values_of(case.request.rule_set, seats, parameter):
                found.values.setdefault((parameter, value), []).append(case.id)
    return found


def _cover_expectations(case: Case, found: Coverage) -> None:
    fields: dict[str, None] = {}
    lines: dict[str, None] = {}
    for expect in expectations(case):
        if expect.HasField("refused"):
            found.reasons.setdefault(expect.refused, []).append(case.id)
        fields |= dict.fromkeys(field_.name for field_, _ in expect.ListFields())
        lines |= dict.fromkeys([*expect.awards, *expect.events])
    for name in fields:
        found.fields.setdefault(name, []).append(case.id)
    for name, form in EVENT_FORMS.items():
        if any(form.fullmatch(line) for line in lines):
            found.events.setdefault(name, []).append(case.id)
