"""Whatever a program under test does is a result, and the run goes on."""

import asyncio
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from google.protobuf.message import Message

from ronda.conformance.v1 import testee_service_pb2 as pb
from ronda_conformance.refusals import Refusal
from ronda_conformance.results import ExitCode, Result, Run, Status
from ronda_conformance.running import Limits, run_cases
from ronda_conformance.scenarios import Case
from ronda_referee.settings import Limits as ServerLimits
from tests.conformance.fake_testee import Answer, serving
from tests.conformance.small_case import SCENARIO, read, right_answer
from tests.referee.running import running


def cases(folder: Path, *names: str) -> list[Case]:
    """Return the small case under several ids."""
    return [read(SCENARIO.replace("id: small-case", f"id: {name}"), folder, name) for name in names]


async def play(answer: Answer, played: list[Case], limits: Limits | None = None) -> Run:
    """Play scenarios against an answer on a real server."""
    seen: list[Result] = []
    async with serving(answer) as target:
        run = Run(target)
        await run_cases(run, played, limits or Limits(), seen.append)
    assert sorted(result.case.id for result in seen) == [case.id for case in played]
    return run


async def right(request: pb.RunRequest) -> Message:
    """Answer rightly."""
    return right_answer()


async def wrong(request: pb.RunRequest) -> Message:
    """Answer with a table that is not there."""
    answer = right_answer()
    del answer.steps[0].sight.public.table[:]
    return answer


async def test_right_answers_pass(tmp_path: Path) -> None:
    """All pass, in the order given, and the exit code says so."""
    run = await play(right, cases(tmp_path, "a", "b", "c"))
    assert [(result.case.id, result.status) for result in run.results] == [
        ("a", Status.PASSED),
        ("b", Status.PASSED),
        ("c", Status.PASSED),
    ]
    assert run.complete
    assert int(run.exit_code) == 0


async def test_the_program_is_asked_for_the_whole_scenario(tmp_path: Path) -> None:
    """The rule set in full, the position as written, and the moves with their suits."""
    asked: list[pb.RunRequest] = []

    async def remember(request: pb.RunRequest) -> Message:
        asked.append(request)
        return right_answer()

    await play(remember, cases(tmp_path, "a"))
    assert asked[0].rule_set.target == 41
    assert asked[0].position.endswith("piles 16 16; capturer 1")
    assert [move.seat for move in asked[0].moves] == [0, 0, 1]
    assert asked[0].moves[0].move.play.card.suit == 1


async def test_a_wrong_answer_fails(tmp_path: Path) -> None:
    """Failures give exit code 1."""
    run = await play(wrong, cases(tmp_path, "a"))
    assert run.results[0].status is Status.FAILED
    assert int(run.exit_code) == 1


@pytest.mark.parametrize("garbage", [b"\xff\xff\xff", b"\x12\x05ab", b"not a message at all"])
async def test_garbage_fails_and_the_run_goes_on(tmp_path: Path, garbage: bytes) -> None:
    """Bytes that are no answer fail their scenario; the next is played."""
    answers = [garbage, garbage]

    async def garbage_first(request: pb.RunRequest) -> Message | bytes:
        return answers.pop() if answers else right_answer()

    run = await play(garbage_first, cases(tmp_path, "a", "b", "c"), Limits(parallel=1))
    assert [result.status for result in run.results] == [
        Status.FAILED,
        Status.FAILED,
        Status.PASSED,
    ]
    assert run.results[0].reason.startswith("malformed answer: ")
    assert run.exit_code == ExitCode.FAILURES


async def test_an_empty_answer_fails(tmp_path: Path) -> None:
    """No bytes at all are a message without anything in it."""

    async def nothing(request: pb.RunRequest) -> bytes:
        return b""

    run = await play(nothing, cases(tmp_path, "a"))
    assert run.results[0].status is Status.FAILED


async def test_an_error_of_the_call_fails(tmp_path: Path) -> None:
    """A program that raises is at fault; the reason is told."""

    async def raising(request: pb.RunRequest) -> Message:
        raise RuntimeError("a bug in the engine")

    run = await play(raising, cases(tmp_path, "a"))
    assert run.results[0].status is Status.FAILED
    assert "UNKNOWN" in run.results[0].reason
    assert "a bug in the engine" in run.results[0].reason
    assert run.exit_code == ExitCode.FAILURES


async def test_a_referee_that_allows_few_calls_is_asked_again_when_it_says(tmp_path: Path) -> None:
    """Twice as many scenarios as it takes in a second; each is answered, and none fails."""
    wanted = cases(tmp_path, *"abcdefghijklmnopqrst")
    async with running(tmp_path / "data", limits=ServerLimits(calls_per_second=10)) as served:
        run = Run(served.serving.address)
        await run_cases(run, wanted, Limits(), lambda _result: None)
    assert [(one.case.id, one.status, one.reason) for one in run.results] == [
        (case.id, Status.PASSED, "") for case in wanted
    ]


@pytest.mark.parametrize(
    ("reason", "milliseconds", "seconds"),
    [
        ("TOO_MANY_CALLS", "250", 0.25),
        ("TOO_MANY_CALLS", "soon", 0.1),
        ("TOO_MANY_CALLS", "60001", None),
        ("TOO_MANY_STREAMS", "250", None),
    ],
)
def test_only_what_came_too_soon_is_asked_again(
    reason: str, milliseconds: str, seconds: float | None
) -> None:
    """And not by a program that would have the run wait for ever."""
    refusal = Refusal("RESOURCE_EXHAUSTED", reason, metadata={"retry_after_ms": milliseconds})
    assert refusal.retry_after == seconds


async def test_a_program_that_hangs_gives_no_answer(tmp_path: Path) -> None:
    """It is cut off; the others are played; the run is partial and no pass."""
    calls = 0

    async def hang_once(request: pb.RunRequest) -> Message:
        nonlocal calls
        calls += 1
        if calls == 1:
            await asyncio.Event().wait()
        return right_answer()

    run = await play(hang_once, cases(tmp_path, "a", "b"), Limits(seconds=0.5, parallel=1))
    assert [result.status for result in run.results] == [Status.NO_ANSWER, Status.PASSED]
    assert run.results[0].reason == "no answer within 0.5 seconds"
    assert not run.complete
    assert int(run.exit_code) == 3


async def test_a_partial_run_with_failures_is_partial(tmp_path: Path) -> None:
    """What was not answered weighs more than what failed."""
    calls = 0

    async def wrong_then_hang(request: pb.RunRequest) -> Message:
        nonlocal calls
        calls += 1
        if calls == 1:
            return await wrong(request)
        await asyncio.Event().wait()
        return right_answer()

    run = await play(wrong_then_hang, cases(tmp_path, "a", "b"), Limits(seconds=0.5, parallel=1))
    assert [result.status for result in run.results] == [Status.FAILED, Status.NO_ANSWER]
    assert run.exit_code == ExitCode.PARTIAL


CRASHING = """
import asyncio, os, sys, grpc
from ronda.conformance.v1 import testee_service_pb2_grpc as services

class Crashing(services.TesteeServiceServicer):
    async def Run(self, request, context):
        os._exit(1)

async def main():
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    services.add_TesteeServiceServicer_to_server(Crashing(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(port, flush=True)
    await server.wait_for_termination()

asyncio.run(main())
"""


@asynccontextmanager
async def crashing_program() -> AsyncIterator[tuple[Process, str]]:
    """Start a process of its own that dies of its first call."""
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", CRASHING, stdout=PIPE)
    assert process.stdout is not None
    try:
        port = (await process.stdout.readline()).decode().strip()
        yield process, f"127.0.0.1:{port}"
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def test_a_program_that_crashes_gives_no_answers(tmp_path: Path) -> None:
    """A process that dies leaves every scenario without an answer, each with a reason."""
    async with crashing_program() as (process, target):
        run = Run(target)
        await run_cases(run, cases(tmp_path, "a", "b", "c"), Limits(), lambda _result: None)
        assert await process.wait() == 1
    assert [result.status for result in run.results] == [Status.NO_ANSWER] * 3
    assert all("UNAVAILABLE" in result.reason for result in run.results)
    assert run.exit_code == ExitCode.PARTIAL


async def test_a_program_that_is_not_there_leaves_everything_not_run(tmp_path: Path) -> None:
    """Nobody listens on a port that is bound and not listened on."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        run = Run(f"127.0.0.1:{bound.getsockname()[1]}")
        await run_cases(run, cases(tmp_path, "a"), Limits(seconds=0.3), lambda _result: None)
    assert run.results[0].status is Status.NOT_RUN
    assert "could not be reached within 0.3 seconds" in run.interrupted
    assert run.exit_code == ExitCode.PARTIAL


async def test_a_cancelled_run_keeps_what_was_answered(tmp_path: Path) -> None:
    """The answered scenario stays, the others are not run, and the cancellation goes on."""
    answered = asyncio.Event()
    calls = 0

    async def first_alone(request: pb.RunRequest) -> Message:
        nonlocal calls
        calls += 1
        if calls > 1:
            await asyncio.Event().wait()
        return right_answer()

    async with serving(first_alone) as target:
        run = Run(target)
        playing = asyncio.create_task(
            run_cases(
                run,
                cases(tmp_path, "a", "b"),
                Limits(parallel=1),
                lambda _result: answered.set(),
            )
        )
        await answered.wait()
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing
    assert [result.status for result in run.results] == [Status.PASSED, Status.NOT_RUN]
    assert run.exit_code == ExitCode.PARTIAL


async def test_scenarios_are_played_at_once(tmp_path: Path) -> None:
    """Two wait for each other, which only ends if both are asked; never more than allowed."""
    both = asyncio.Barrier(2)
    now = most = 0

    async def meet(request: pb.RunRequest) -> Message:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await both.wait()
        now -= 1
        return right_answer()

    run = await play(meet, cases(tmp_path, "a", "b", "c", "d"), Limits(parallel=2))
    assert run.exit_code == ExitCode.PASSED
    assert most == 2
