"""The faults of a referee that `make servicefaults` plants beside those of each test run.

The file's name keeps it out of the test command: together they take more than a minute.
"""

import shlex
import sys
from pathlib import Path

import pytest

from ronda_conformance.results import Run, Status
from ronda_conformance.service.running import Referee, run_service_checks
from tests.conformance.faulty_referee import Fault
from tests.conformance.free_addresses import free_address
from tests.conformance.test_service_faults import (
    ALWAYS,
    CHECKS,
    FAULTS,
    LIMITS,
    found_by,
    must_be_found,
)


@pytest.mark.parametrize("what", sorted(FAULTS.keys() - ALWAYS))
async def test_a_fault_is_found(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails, by what it has found and not because nobody answered."""
    await must_be_found(what, tmp_path, monkeypatch)


async def test_without_a_fault_nothing_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What wraps the referee is no fault itself: every check that finds one passes without."""
    names = sorted({fault.check for fault in FAULTS.values()})
    run = await found_by(names, Fault(""), tmp_path, monkeypatch)
    assert [
        (one.case.id, one.mismatches) for one in run.results if one.status is not Status.PASSED
    ] == []


@pytest.mark.parametrize(
    ("fault", "check", "found"),
    [
        ("nothing", "service-restart-kill", None),
        ("nothing", "service-restart-drain", None),
        ("forgets", "service-restart-kill", "a call that must be accepted is"),
        ("drops", "service-restart-drain", "seat 0: the stream's last word"),
        ("fails", "service-restart-drain", "the exit code"),
    ],
)
async def test_a_fault_in_stopping_or_coming_back_is_found(
    fault: str, check: str, found: str | None, tmp_path: Path
) -> None:
    """A store that is gone, watchers that are not told, a false exit code; none without a fault."""
    address = free_address()
    program = Path(__file__).with_name("faulty_server.py")
    command = shlex.join([sys.executable, str(program), fault, str(tmp_path / "data"), address])
    run = Run(address, judged="check")
    referee = Referee(server_command=command)
    await run_service_checks(run, [CHECKS[check]], LIMITS, lambda _result: None, referee)
    (result,) = run.results
    whats = [mismatch.what for mismatch in result.mismatches]
    assert result.status is (Status.PASSED if found is None else Status.FAILED), result
    assert found is None or found in whats
