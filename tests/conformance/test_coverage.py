"""The suite has no hole: clauses, rule sets, values, views, reasons and events."""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest
from google.protobuf.json_format import MessageToDict

from ronda.conformance.v1 import scenario_pb2
from ronda.conformance.v1 import testee_service_pb2 as pb
from ronda.v1 import event_pb2
from ronda_conformance import data_folders
from ronda_conformance.clauses import chapters_of_clauses
from ronda_conformance.judging import judge
from ronda_conformance.parameters import clauses_of_parameters
from ronda_conformance.results import Status
from ronda_conformance.rule_set_files import load_rule_sets
from ronda_conformance.rule_set_values import overlay
from ronda_conformance.scenarios import Case
from tests.conformance.engine_answers import answer_of
from tests.conformance.whole_suite import whole_suite
from tools import coverage, generate_coverage

CLAUSES = list(chapters_of_clauses(data_folders.spec()))
VALUES = [(name, value) for name, values in coverage.parameter_values().items() for value in values]

# Clauses that nothing can be refused by, each with its reason: whatever a seat may play, they say
# what comes of it, and what a rule set may not hold is said elsewhere.
NEVER_REFUSED = {
    "CAP-3": "a run goes along by itself",
    "CAP-4": "a card lies or captures by itself",
    "CAP-5": "it says where cards go",
    "CAP-6": "leftovers go by themselves",
    "CHAIN-2": "it says which captures are no caida",
    "CHAIN-3": "it says which captures are no caida",
    "CHAIN-4": "it cuts the ladder; a ladder of more steps than three is CHAIN-1",
    "CHAIN-5": "any card may be played on a chain",
    "CHAIN-6": "it says whose the pile is",
    "CHAIN-7": "a chain closes by itself",
    "CHALL-2": "it says what a legal challenge shows; illegal ones are CHALL-1",
    "COUNT-2": "it says whose a pile is",
    "DEAL-9": "batches are dealt by the referee",
    "MATCH-1": "deals follow each other by themselves",
    "MESA-2": "it says how an award is recorded",
    "MESA-4": "it says where a mesa goes",
    "PAY-2": "payers are named by the rules",
    "PAY-3": "debts are paid by themselves",
    "PAY-4": "debts fall and lapse by themselves",
    "SHOW-1": "it defines what is possible",
    "SHOW-3": "awards come by themselves",
    "SHOW-4": "penalties come by themselves",
    "SHOW-5": "awards are withdrawn by themselves",
}


@cache
def covered() -> coverage.Coverage:
    """Return what the suite covers."""
    return coverage.cover(whole_suite().cases, clauses_of_parameters(data_folders.spec()))


def test_every_clause_has_a_valid_case() -> None:
    """Something is played by each rule, and nothing in it is refused."""
    assert [clause for clause in CLAUSES if clause not in covered().valid] == []


def test_every_clause_has_a_refused_case_or_a_reason() -> None:
    """Where a rule forbids something, the refusal is shown; the table of the others is complete."""
    unrefused = [clause for clause in CLAUSES if clause not in covered().refused]
    assert unrefused == sorted(NEVER_REFUSED, key=CLAUSES.index)


@pytest.mark.parametrize("seats", coverage.SEATS)
def test_every_clause_is_played_with_each_seat_count(seats: int) -> None:
    """What holds for two seats is easily forgotten for three and four."""
    assert [clause for clause in CLAUSES if (clause, seats) not in covered().seats] == []


def test_every_rule_set_is_played_with_each_of_its_seat_counts() -> None:
    """Presets and variants alike."""
    holes = [
        (name, one.count)
        for name, rule_set in load_rule_sets().items()
        for one in rule_set.seats
        if (name, one.count) not in covered().rule_sets
    ]
    assert holes == []


def test_every_value_of_every_parameter_is_played_under_its_clause() -> None:
    """Enumerations word by word, numbers absent and there."""
    assert [pair for pair in VALUES if pair not in covered().values] == []


def test_every_field_of_a_view_is_stated_somewhere() -> None:
    """What is expected and what must stay hidden."""
    fields = [field.name for field in scenario_pb2.Expectation.DESCRIPTOR.fields]
    assert [name for name in fields if name not in covered().fields] == []


def test_every_reason_of_a_run_is_shown() -> None:
    """The reasons of the service are shown elsewhere."""
    reasons = coverage.reasons_of_runs()
    assert len(reasons) == 15
    assert [name for name in reasons if name not in covered().reasons] == []


def test_every_kind_of_event_is_stated() -> None:
    """All that a run can tell; seats forfeit in a service alone."""
    events = [field.name for field in event_pb2.Event.DESCRIPTOR.fields]
    missing = [name for name in events if name not in covered().events]
    assert missing == ["seat_forfeited"]


Changes = dict[str, object]
# What else a parameter could be, with what must change beside it.
_KINDS: object = {"ronda": 1, "tringa": 5, "double_ronda": 2}
_EMPTY_TABLE: Changes = {
    "seats": [{"count": 2, "opening": "EMPTY_TABLE"}, {"count": 4, "opening": "EMPTY_TABLE"}],
    "table_forbids": None,
    "table_remedy": None,
}
_TABLE_OF_FOUR: Changes = {
    "seats": [{"count": count, "opening": "TABLE_OF_FOUR"} for count in (2, 3, 4)],
    "table_forbids": ["PAIRS", "RUNS"],
    "table_remedy": "RETURN_ALL",
    "kinds": {"ronda": 1, "tringa": 5},
}
_BLUFFS: Changes = {"bluff": "PENALISED", "false_penalty": _KINDS, "penalty_to": "NEXT_SEAT"}
_DETECTION: Changes = {
    "undeclared_detection": "AUTOMATIC",
    "undeclared_penalty": _KINDS,
    "penalty_to": "NEXT_SEAT",
}
TOGETHER: list[Changes] = [
    _EMPTY_TABLE,
    _TABLE_OF_FOUR,
    _BLUFFS,
    {**_BLUFFS, "settle": "BATCH_END"},
    {"bluff": "REFUSED", "false_penalty": None, "challenge": False},
    {"false_penalty": {"ronda": 3, "tringa": 6, "double_ronda": 3}},
    {"undeclared_penalty": {"ronda": 3, "tringa": 6, "double_ronda": 5}},
    _DETECTION,
    {"undeclared_detection": "NONE", "undeclared_penalty": None},
    {"kinds": _KINDS, "double_ronda": "ANY_FOUR_CARD_HAND"},
    {
        "kinds": _KINDS,
        "double_ronda": "ANY_FOUR_CARD_HAND",
        "false_penalty": _KINDS,
        "undeclared_penalty": _KINDS,
    },
]
# Values that no scenario can hang on, each with its reason.
NEVER_DECISIVE = {
    ("seats", "3 TABLE_OF_FOUR"): "three seats have no other opening",
    ("penalty_to", "unset"): "it is unset where nothing is received, or refused",
    ("false_penalty", "double_ronda 0"): "a kind without a penalty is one without a value",
}


@cache
def single_values() -> dict[str, list[object]]:
    """Return the values of each parameter that occur in the suite's rule sets."""
    found: dict[str, dict[str, object]] = {}
    for case in whole_suite().cases:
        values = MessageToDict(case.request.rule_set, preserving_proto_field_name=True)
        for name in coverage.parameter_values():
            value = values.get(name)
            found.setdefault(name, {})[json.dumps(value, sort_keys=True)] = value
    return {name: list(values.values()) for name, values in found.items()}


def alternatives(case: Case, parameter: str, value: str) -> Iterator[Case]:
    """Give a scenario with other rules, in which a parameter differs."""
    base = case.request.rule_set
    singles: list[Changes] = [{parameter: other} for other in single_values()[parameter]]
    for changes in [*singles, *(one for one in TOGETHER if parameter in one)]:
        rule_set = overlay(base, changes)
        # Of an amount another one will do.
        amount = value.endswith(" set")
        labels = coverage.values_of(rule_set, case.scenario.seats, parameter)
        if value in labels and not amount:
            continue
        request = pb.RunRequest()
        request.CopyFrom(case.request)
        request.rule_set.CopyFrom(rule_set)
        yield replace(case, request=request)


def decides(case: Case, parameter: str, value: str) -> bool:
    """Return whether a scenario fails with another value of a parameter that can be played."""
    for other in alternatives(case, parameter, value):
        answer = answer_of(other)
        unplayable = answer.refusal.reason == "RULE_SET_INVALID"
        if not unplayable and judge(other, answer).status is not Status.PASSED:
            return True
    return False


@pytest.mark.parametrize("parameter", coverage.parameter_values())
def test_every_value_decides_what_comes_of_a_scenario(parameter: str) -> None:
    """One of those that name a clause of the parameter fails with another value of it."""
    cases = {case.id: case for case in whole_suite().cases}
    for value in coverage.parameter_values()[parameter]:
        if (parameter, value) in NEVER_DECISIVE:
            continue
        playing = [cases[name] for name in covered().values[parameter, value]]
        assert any(decides(case, parameter, value) for case in playing), value


def test_the_page_is_as_generated() -> None:
    """`python -m tools.generate_coverage` writes it anew."""
    assert generate_coverage.PAGE.read_text(encoding="utf-8") == generate_coverage.page(
        covered(), load_rule_sets(), CLAUSES
    )


def test_a_hole_would_be_found() -> None:
    """Without the scenarios of a rule set, a value, a reason and an event they are missing."""
    few = [case for case in whole_suite().cases if case.id == "cap-2-table-of-equal-ranks"]
    found = coverage.cover(few, clauses_of_parameters(data_folders.spec()))
    assert set(found.valid) | set(found.refused) == {"CAP-2"}
    assert ("sarii", 2) not in found.rule_sets
    assert ("timing", "SIMULTANEOUS") not in found.values
    assert "DRAW_INVALID" not in found.reasons
    assert "duty_awarded" not in found.events
