"""Each fault that is planted in the project's referee is found by the check that is for it."""

from pathlib import Path

import pytest

from ronda_conformance.results import Run, Status
from ronda_conformance.running import Limits
from ronda_conformance.service.catalogue import all_checks
from ronda_conformance.service.running import Referee, run_service_checks
from tests.conformance.faulty_referee import Fault, running_with
from tests.conformance.more_service_faults import MORE_FAULTS
from tests.conformance.service_faults import FIRST_FAULTS
from tests.conformance.stream_faults import STREAM_FAULTS
from tests.referee.organising import organiser_token

FAULTS = {**FIRST_FAULTS, **STREAM_FAULTS, **MORE_FAULTS}
CHECKS = {check.id: check for check in all_checks()}
# How long a check may take; those that wait for what never comes wait half of it.
LIMITS = Limits(seconds=10, parallel=8)
# Planted each time: one of each kind. `make servicefaults` plants the others too.
ALWAYS = frozenset(
    {
        "a card that is not in the hand is played as another one",
        "a hand is shown in another seat's stream",
        "a record is lost after a dropped connection",
        "a refusal repeats a token",
        "a request id with other contents counts as another id",
        "a request that comes again is answered anew",
        "a seat moves for the one that is asked",
        "a seat's bytes are not recorded",
        "a stale decision has another status",
        "a stale decision is taken for the open one",
        "a token of another match opens a seat",
        "a window offers cards",
        "an unknown parameter is passed over",
        "before the end a log comes with every opening",
        "everyone can cancel",
        "lists show tokens",
        "no token opens a seat",
        "records come twice",
        "refusals have no reason",
        "refusals over the stream have another code",
        "spectators are not delayed",
        "the explicit end is omitted",
        "the match's id opens a seat",
        "the old token opens the seat still",
        "the stream of the public is not delayed",
        "the time left is not told",
        "the tokens are given in another order",
        "the view's table lacks a card",
        "who comes back is shown every hand",
        "who has sealed an answer is told",
        "who is late forfeits where the referee should move",
        "who resigns again gets another answer",
    }
)
# Stopped referees have faults of their own; whether an abandoned call arrives is chance.
WITHOUT_A_FAULT = frozenset(
    {"service-move-abandoned", "service-restart-kill", "service-restart-drain"}
)


async def found_by(
    names: list[str], fault: Fault, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Run:
    """Run checks against the referee with a fault."""
    async with running_with(fault, folder, monkeypatch) as served:
        referee = Referee(organiser_token=organiser_token(folder))
        run = Run(served.serving.address, judged="check")
        checks = [CHECKS[name] for name in names]
        await run_service_checks(run, checks, LIMITS, lambda _result: None, referee)
    return run


@pytest.mark.parametrize("what", sorted(ALWAYS))
async def test_a_fault_is_found(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails, by what it has found and not because nobody answered."""
    await must_be_found(what, tmp_path, monkeypatch)


async def must_be_found(what: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plant a fault, and see its check fail by what it has found."""
    fault = FAULTS[what]
    run = await found_by([fault.check], fault, folder, monkeypatch)
    (result,) = run.results
    assert result.status is Status.FAILED
    assert result.mismatches, result.reason


def test_the_faults_that_are_planted_each_time_are_faults() -> None:
    """No name is mistyped."""
    assert ALWAYS - FAULTS.keys() == set()
    assert len(FAULTS) >= 100


def test_every_check_has_a_fault_that_it_finds() -> None:
    """A check that finds nothing would be none."""
    found = {fault.check for fault in FAULTS.values()} | WITHOUT_A_FAULT
    assert CHECKS.keys() - found == set()
