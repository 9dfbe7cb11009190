"""Judging an answer of a program under test: expectations, and what must always hold."""

from ronda.conformance.v1 import scenario_pb2, testee_service_pb2
from ronda_conformance.cards import MalformedCardError
from ronda_conformance.comparing import Mismatch, compare, compare_start_refusal
from ronda_conformance.event_texts import MalformedEventError
from ronda_conformance.invariants import Watch
from ronda_conformance.results import Result, Status
from ronda_conformance.scenarios import Case


def judge(case: Case, response: testee_service_pb2.RunResponse) -> Result:
    """Return the result of a scenario from the program's answer."""
    mismatches: list[Mismatch] = []
    sights: list[testee_service_pb2.Sight] = []
    reason = ""
    try:
        _judge(case, response, mismatches, sights)
    except (MalformedCardError, MalformedEventError) as error:
        reason = f"malformed answer after step {max(len(sights) - 1, 0)}: {error}"
    failed = bool(mismatches or reason)
    return Result(
        case=case,
        status=Status.FAILED if failed else Status.PASSED,
        reason=reason,
        mismatches=mismatches,
        sights=sights,
    )


def _judge(
    case: Case,
    response: testee_service_pb2.RunResponse,
    mismatches: list[Mismatch],
    sights: list[testee_service_pb2.Sight],
) -> None:
    scenario = case.scenario
    mismatches += compare_start_refusal(scenario.start, response)
    if response.HasField("refusal"):
        if response.steps or response.start.events or response.start.HasField("sight"):
            mismatches.append(
                Mismatch(0, "always", "no steps where the start is refused", "there are some")
            )
        return
    if mismatches:
        return
    if len(response.steps) != len(scenario.steps):
        expected, got = f"{len(scenario.steps)} step results", f"{len(response.steps)}"
        mismatches.append(Mismatch(0, "always", expected, got))
    if scenario.HasField("position") and response.start.events:
        mismatches.append(Mismatch(0, "always", "no events where a position starts", "some"))
    hands = [list(hand) for hand in case.hands or []]
    watch = Watch(scenario.seats, case.request.rule_set, hands)
    expectations = [scenario.start, *(step.expect for step in scenario.steps)]
    for number, (expect, result) in enumerate(
        zip(expectations, [response.start, *response.steps], strict=False)
    ):
        _judge_step(number, expect, result, watch, mismatches)
        sights.append(result.sight)


def _judge_step(
    number: int,
    expect: scenario_pb2.Expectation,
    result: testee_service_pb2.StepResult,
    watch: Watch,
    mismatches: list[Mismatch],
) -> None:
    always = [Mismatch(number, "always", *finding) for finding in watch.step(result)]
    # What the scenario is about comes first; what must always hold often follows from it.
    mismatches += compare(number, expect, result)
    mismatches += always
