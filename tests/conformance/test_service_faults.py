"""Each fault that is planted in the project's referee is found by the check that is for it."""

import os
from pathlib import Path

import pytest

from ronda_conformance.results import Run, Status
from ronda_conformance.running import Limits
from ronda_conformance.service.catalogue import all_checks
from ronda_conformance.service.running import run_service_checks
from tests.conformance.faulty_referee import Fault, running_with
from tests.conformance.service_faults import FAULTS

CHECKS = {check.id: check for check in all_checks()}
# How long a check may take; those that wait for what never comes wait half of it.
LIMITS = Limits(seconds=10, parallel=8)
# Those that play whole matches or wait; `make servicefaults` plants every fault.
WITH_THE_REST = frozenset(
    {
        "a card of another hand stands in another field of the view",
        "a claim window offers cards",
        "a hand hides in other fields of the stream",
        "a record is lost after a dropped connection",
        "a seat is not sent its own openings",
        "a turn comes twice",
        "answers over the stream name another request",
        "before the end the openings of others come beside a log",
        "hands are shown to the public",
        "next_sequence is one too few",
        "openings are lost on resuming",
        "records come in another order",
        "refusals are not counted",
        "sealed answers are numbered as they come",
        "seats get other bytes than the public",
        "the end says that the log is not complete",
        "the log's end is missing",
        "the open turn is lost on resuming",
        "the public is shown a decision",
        "the public sees another score than the seats",
        "the view's cards do not add up",
        "the view's hand is in another order",
        "who is late is moved for where it should forfeit",
    }
)
EVERY = os.environ.get("SERVICE_FAULTS") == "every"
PLANTED = sorted(FAULTS) if EVERY else sorted(FAULTS.keys() - WITH_THE_REST)


async def found_by(
    names: list[str], fault: Fault, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Run:
    """Run checks against the referee with a fault."""
    async with running_with(fault, folder, monkeypatch) as served:
        run = Run(served.serving.address, judged="check")
        checks = [CHECKS[name] for name in names]
        await run_service_checks(run, checks, LIMITS, lambda _result: None)
    return run


@pytest.mark.parametrize("what", PLANTED)
async def test_a_fault_is_found(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails, by what it has found and not because nobody answered."""
    fault = FAULTS[what]
    run = await found_by([fault.check], fault, tmp_path, monkeypatch)
    (result,) = run.results
    assert result.status is Status.FAILED
    assert result.mismatches, result.reason


def test_the_list_of_the_rest_names_faults_that_there_are() -> None:
    """At least twenty are planted each time, and no name is mistyped."""
    assert WITH_THE_REST - FAULTS.keys() == set()
    assert len(FAULTS) >= 60
    assert len(PLANTED) >= 30


async def test_without_a_fault_nothing_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What wraps the referee is no fault itself: every check that finds one passes without."""
    names = sorted({fault.check for fault in FAULTS.values()})
    run = await found_by(names, Fault(""), tmp_path, monkeypatch)
    assert [
        (one.case.id, one.mismatches) for one in run.results if one.status is not Status.PASSED
    ] == []
