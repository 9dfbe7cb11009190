"""No scenario hangs on a ruling that it does not set itself."""

from dataclasses import replace

import pytest
from google.protobuf.json_format import MessageToDict

from ronda.conformance.v1 import testee_service_pb2 as pb
from ronda_conformance import data_folders
from ronda_conformance.results import Status
from ronda_conformance.rule_set_files import load_rule_sets
from ronda_conformance.rule_set_reading import read_rule_set
from ronda_conformance.rule_set_sources import field_of, rulings
from ronda_conformance.rule_set_values import overlay
from ronda_conformance.scenarios import Case
from tests.conformance.engine_answers import played
from tests.conformance.other_readings import OTHER_READINGS, Reading
from tests.conformance.whole_suite import whole_suite


def with_reading(case: Case, reading: Reading) -> Case:
    """Return a scenario with another reading of its rule set."""
    request = pb.RunRequest()
    request.CopyFrom(case.request)
    request.rule_set.CopyFrom(overlay(case.request.rule_set, reading))
    return replace(case, request=request)


def hanging_on(case: Case, readings: list[Reading]) -> list[Reading]:
    """Return the readings with which a scenario fails that sets nothing of them itself."""
    stated = MessageToDict(case.scenario.changes)
    return [
        reading
        for reading in readings
        if not stated.keys() & reading.keys()
        and played(with_reading(case, reading)).status is not Status.PASSED
    ]


@pytest.mark.parametrize("rule_set", sorted(load_rule_sets()))
def test_scenarios_hang_on_no_ruling(rule_set: str) -> None:
    """Each passes with every other reading of what its rule set leaves to a ruling."""
    hanging = {
        case.id: readings
        for case in whole_suite().cases
        if case.scenario.rule_set == rule_set
        and (readings := hanging_on(case, OTHER_READINGS[rule_set]))
    }
    assert hanging == {}


def test_a_scenario_that_hangs_on_a_ruling_would_be_found() -> None:
    """Without what it sets itself the draw of a qahwa match hangs on the target's tie."""
    case = next(case for case in whole_suite().cases if case.id == "match-3-a-draw-at-once")
    bare = replace(case, scenario=type(case.scenario)())
    bare.scenario.CopyFrom(case.scenario)
    bare.scenario.ClearField("changes")
    assert hanging_on(bare, [{"target_tie": "PLAY_ON"}]) == [{"target_tie": "PLAY_ON"}]


def test_every_ruling_has_its_other_reading() -> None:
    """The table names each parameter that a rule-set file calls a ruling."""
    missing = {
        (name, source.parameter)
        for name in load_rule_sets()
        for source in rulings(
            read_rule_set(data_folders.rule_sets() / f"{name}.toml").sources.values()
        )
        if not any(field_of(source.parameter) in reading for reading in OTHER_READINGS[name])
    }
    assert missing == set()
