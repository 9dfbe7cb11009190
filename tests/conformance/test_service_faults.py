"""Each fault that is planted in the project's referee is found by the check that is there for it."""

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
LIMITS = Limits(seconds=float(os.environ.get("SERVICE_FAULT_SECONDS", "10")), parallel=8)


async def found_by(
    names: list[str], fault: Fault, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Run:
    """Run checks against the referee with a fault."""
    async with running_with(fault, folder, monkeypatch) as served:
        run = Run(served.serving.address, judged="check")
        checks = [CHECKS[name] for name in names]
        await run_service_checks(run, checks, LIMITS, lambda _result: None)
    return run


@pytest.mark.parametrize("what", FAULTS)
async def test_a_fault_is_found(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check fails, by what it has found and not because nobody answered."""
    fault = FAULTS[what]
    run = await found_by([fault.check], fault, tmp_path, monkeypatch)
    (result,) = run.results
    assert result.status is Status.FAILED
    assert result.mismatches, result.reason


async def test_without_a_fault_nothing_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What wraps the referee is no fault itself: every check that finds one passes without."""
    names = sorted({fault.check for fault in FAULTS.values()})
    run = await found_by(names, Fault(""), tmp_path, monkeypatch)
    assert [(one.case.id, one.mismatches) for one in run.results if one.status is not Status.PASSED] == []
