"""Running the checks of the service against a referee."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import grpc

from ronda_conformance.refusals import refusal_of
from ronda_conformance.results import Result, Run, Status
from ronda_conformance.running import OPTIONS, Limits, open_channel
from ronda_conformance.service.checks import Check, Needs
from ronda_conformance.service.log_files import MalformedLog
from ronda_conformance.service.pacing import pace_of
from ronda_conformance.service.server_command import ServerProcess, ServerStartError
from ronda_conformance.service.session import Broken, Session, Setup

# Codes that say that nobody answered.
_GONE = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED})
_SKIPPED = {
    Needs.ORGANISER: (
        "it needs an organiser's token: name a file with --organiser-token-file, or say "
        "--without-organiser"
    ),
    Needs.RESTARTS: (
        "it kills and stops the referee: name the command that starts it with --server-command, or "
        "say --without-restarts"
    ),
}
_ORGANISERS_CREATE = (
    "this referee lets organisers alone create matches: name a file with --organiser-token-file"
)


@dataclass(frozen=True)
class Referee:
    """How to reach the referee under test.

    Attributes:
        roots: what its certificate must lead to, PEM; None: it speaks without TLS.
        organiser_token: an organiser's token, or what gives it once the referee runs; None: none.
        server_command: the command that starts it; None: it runs already, and is left running.
    """

    roots: bytes | None = None
    organiser_token: str | Callable[[], str] | None = None
    server_command: str | None = None


def skipped_for(check: Check, referee: Referee) -> str:
    """Give why a check cannot be run against a referee; empty where it can."""
    lacking = (check.needs is Needs.ORGANISER and referee.organiser_token is None) or (
        check.needs is Needs.RESTARTS and referee.server_command is None
    )
    return _SKIPPED[check.needs] if lacking else ""


async def run_service_checks(
    run: Run,
    checks: Sequence[Check],
    limits: Limits,
    on_result: Callable[[Result], None],
    referee: Referee | None = None,
) -> None:
    """Hold a referee against checks; what it does wrong is a result, never an exception.

    However this ends, the run then holds a result for every check. Checks for which something is
    lacking, a referee that cannot be reached, and a cancellation leave checks not run, so that the
    run is partial.

    Args:
        run: what is filled; its target is `HOST:PORT` of a RefereeService.
        checks: what to run.
        limits: time and checks at once; those that stop the referee come last, one by one.
        on_result: called with each result as it comes.
        referee: how to reach it.

    Raises:
        ServerStartError: the server command does not start a referee.
    """
    referee = referee or Referee()
    results: dict[str, Result] = {}
    for check in checks:
        if why := skipped_for(check, referee):
            results[check.id] = Result(check, Status.NOT_RUN, why)
            on_result(results[check.id])
    process = None
    try:
        if referee.server_command is not None:
            process = ServerProcess(referee.server_command, run.target, limits.seconds)
            await process.start()
        left = [check for check in checks if check.id not in results]
        await _run_all(run, left, limits, _noting(results, on_result), referee, process)
    except TimeoutError:
        run.interrupted = f"{run.target} could not be reached within {limits.seconds:g} seconds"
    finally:
        if process is not None:
            await process.close()
        run.results = [
            results.get(check.id, Result(check, Status.NOT_RUN, run.interrupted))
            for check in checks
        ]


def _noting(
    results: dict[str, Result], on_result: Callable[[Result], None]
) -> Callable[[Result], None]:
    def note(result: Result) -> None:
        results[result.case.id] = result
        on_result(result)

    return note


async def _run_all(
    run: Run,
    checks: Sequence[Check],
    limits: Limits,
    note: Callable[[Result], None],
    referee: Referee,
    process: ServerProcess | None,
) -> None:
    async with open_channel(run.target, referee.roots) as channel:
        await asyncio.wait_for(channel.channel_ready(), limits.seconds)
        pace = await pace_of(channel, limits.seconds)

    def connect() -> grpc.aio.Channel:
        # A connection of its own, not one that gRPC shares between channels.
        own = (*OPTIONS, ("grpc.use_local_subchannel_pool", 1))
        return open_channel(run.target, referee.roots, own, pace.interceptors())

    gate = asyncio.Semaphore(limits.parallel)
    token = referee.organiser_token
    async with connect() as channel:
        await asyncio.wait_for(channel.channel_ready(), limits.seconds)
        setup = Setup(
            run.target,
            channel,
            connect,
            limits.seconds,
            pace,
            token() if callable(token) else token,
            process,
        )

        async def one(check: Check) -> None:
            async with gate:
                note(await run_check(setup, check))

        try:
            async with asyncio.TaskGroup() as group:
                for check in checks:
                    if check.needs is not Needs.RESTARTS:
                        group.create_task(one(check))
            for check in checks:
                if check.needs is Needs.RESTARTS:
                    note(await run_check(replace(setup, shared={}), check))
        finally:
            for task in setup.shared.values():
                task.cancel()
            await asyncio.gather(*setup.shared.values(), return_exceptions=True)


async def run_check(setup: Setup, check: Check) -> Result:
    """Run one check and judge what it has found."""
    session = Session(setup, check.id)
    begun = time.perf_counter()
    status, reason = Status.PASSED, ""
    try:
        async with setup.pace.timeout(setup.seconds):
            await check.body(session)
    except Broken:
        pass
    except TimeoutError:
        status, reason = Status.FAILED, f"not done within {setup.seconds:g} seconds"
    except grpc.aio.AioRpcError as error:
        said = refusal_of(error)
        if error.code() in _GONE and not said.reason:
            status, reason = Status.NO_ANSWER, f"nobody answers: {said.text()}: {said.detail}"
        elif said.reason == "ORGANISER_ONLY" and setup.organiser_token is None:
            status, reason = Status.NOT_RUN, _ORGANISERS_CREATE
        else:
            got = f"{said.text()}: {said.detail}"
            session.expect("a call that must be accepted is", got, "accepted")
    except MalformedLog as error:
        status, reason = Status.FAILED, f"malformed records: {error}"
    except ServerStartError as error:
        status, reason = Status.NO_ANSWER, f"the referee did not start again: {error}"
    except Exception as error:  # noqa: BLE001  # whatever a program says, it fails its check and no other
        status, reason = Status.FAILED, f"its answers make no sense: {error!r}"
    finally:
        await session.close()
    if session.found and status is Status.PASSED:
        status = Status.FAILED
    return Result(check, status, reason, tuple(session.found), seconds=time.perf_counter() - begun)
