"""Playing scenarios against a program that serves ronda.conformance.v1 over gRPC."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import grpc
from google.protobuf.message import DecodeError

from ronda.conformance.v1 import testee_service_pb2
from ronda_conformance.judging import judge
from ronda_conformance.refusals import patiently
from ronda_conformance.results import Result, Run, Status
from ronda_conformance.scenarios import Case

# Codes that say that the program, not its answer, is at fault: there is nothing to judge.
_NO_ANSWER = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.UNIMPLEMENTED,
    }
)
_METHOD = "/ronda.conformance.v1.TesteeService/Run"
OPTIONS = (
    # A proxy of the environment must not stand between the runner and the program.
    ("grpc.enable_http_proxy", 0),
    # A program that was restarted after a crash is found again at once.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 500),
)


@dataclass(frozen=True)
class Limits:
    """How a run treats the program under test.

    Attributes:
        seconds: how long it may take to be reached, and then for each scenario.
        parallel: how many scenarios are played at once.
        restarts: how often in all a program that answers on its standard output is started again.
    """

    seconds: float = 10.0
    parallel: int = 8
    restarts: int = 10


# The answer as bytes: gRPC itself would pass over bytes that are no answer.
Call = grpc.aio.UnaryUnaryMultiCallable[testee_service_pb2.RunRequest, bytes]


async def _play(call: Call, case: Case, seconds: float) -> Result:
    try:
        answer = await patiently(lambda: call(case.request, timeout=seconds))
    except grpc.aio.AioRpcError as error:
        code, details = error.code(), error.details() or "no details"
        if code == grpc.StatusCode.DEADLINE_EXCEEDED:
            return Result(case, Status.NO_ANSWER, f"no answer within {seconds:g} seconds")
        status = Status.NO_ANSWER if code in _NO_ANSWER else Status.FAILED
        return Result(case, status, f"the call failed with {code.name}: {details}")
    try:
        response = testee_service_pb2.RunResponse.FromString(answer)
    except DecodeError as error:
        return Result(case, Status.FAILED, f"malformed answer: {error}")
    return judge(case, response)


def open_channel(
    target: str,
    roots: bytes | None,
    options: Sequence[tuple[str, int]] = OPTIONS,
    interceptors: Sequence[grpc.aio.ClientInterceptor] = (),
) -> grpc.aio.Channel:
    """Open a connection to a program.

    Args:
        target: the program, HOST:PORT.
        roots: what its certificate must lead to, PEM; None: it speaks without TLS.
        options: how the connection behaves.
        interceptors: what stands before its calls.
    """
    if roots is None:
        return grpc.aio.insecure_channel(target, options=options, interceptors=interceptors)
    credentials = grpc.ssl_channel_credentials(roots)
    return grpc.aio.secure_channel(target, credentials, options=options, interceptors=interceptors)


async def run_cases(
    run: Run,
    cases: Sequence[Case],
    limits: Limits,
    on_result: Callable[[Result], None],
    roots: bytes | None = None,
) -> None:
    """Play scenarios; what the program does wrong is a result, never an exception.

    However this ends, the run then holds a result for every scenario. A program that cannot be
    reached, and a cancellation, leave scenarios not run.

    Args:
        run: what is filled; its target is `HOST:PORT` of a TesteeService.
        cases: what to play.
        limits: time and parallel calls.
        on_result: called with each result as it comes.
        roots: what the program's certificate must lead to, PEM; None: it speaks without TLS.
    """
    results: dict[str, Result] = {}
    gate = asyncio.Semaphore(limits.parallel)

    async def play(call: Call, case: Case) -> None:
        async with gate:
            begun = time.perf_counter()
            result = await _play(call, case, limits.seconds)
            results[case.id] = replace(result, seconds=time.perf_counter() - begun)
        on_result(results[case.id])

    try:
        async with open_channel(run.target, roots) as channel:
            await asyncio.wait_for(channel.channel_ready(), limits.seconds)
            call: Call = channel.unary_unary(
                _METHOD, request_serializer=testee_service_pb2.RunRequest.SerializeToString
            )
            async with asyncio.TaskGroup() as group:
                for case in cases:
                    group.create_task(play(call, case))
    except TimeoutError:
        run.interrupted = f"{run.target} could not be reached within {limits.seconds:g} seconds"
    finally:
        run.results = [
            results.get(case.id, Result(case, Status.NOT_RUN, run.interrupted)) for case in cases
        ]
