"""Playing scenarios against programs that answer over standard input and output."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from google.protobuf.message import DecodeError

from ronda.conformance.v1 import testee_service_pb2
from ronda_conformance.framing import framed
from ronda_conformance.judging import judge
from ronda_conformance.programs import Fault, Program, ProgramStartError
from ronda_conformance.results import Result, Run, Status
from ronda_conformance.running import Limits
from ronda_conformance.scenarios import Case


@dataclass
class _Pool:
    """Scenarios that wait, and the processes that play them.

    Attributes:
        words: the command.
        limits: time, processes and starts.
        on_result: called with each result as it comes.
        waiting: the scenarios that nobody plays yet.
        results: what came of the others, by id.
        restarts: how often a process had to be started again.
        gave_up: why no more are played; empty where they are.
        programs: every process that may still be there.
    """

    words: Sequence[str]
    limits: Limits
    on_result: Callable[[Result], None]
    waiting: deque[Case]
    results: dict[str, Result] = field(default_factory=dict)
    restarts: int = 0
    gave_up: str = ""
    programs: list[Program] = field(default_factory=list)

    async def start(self) -> Program:
        program = await Program.start(self.words)
        self.programs.append(program)
        return program

    async def work(self, program: Program | None) -> None:
        """Play scenarios with one process, which is started again after each fault."""
        last: Case | None = None
        while self.waiting and not self.gave_up:
            case = self.waiting.popleft()
            try:
                if program is None:
                    program = await self._start_again()
                last = case
                self._take(await self._play(program, case))
                fault = program.unasked()
            except ProgramStartError as error:
                self.waiting.appendleft(case)
                self.gave_up = f"the program was not started again: {error}"
                return
            except Fault as error:
                self._take(Result(case, error.status, error.reason))
                fault = ""
            else:
                if not fault:
                    continue
                self._blame(case, fault)
            if program is not None:
                await program.end()
            program, last = None, None
        if program is not None:
            fault = await program.finish()
            if fault and last is not None:
                self._blame(last, fault)

    async def _start_again(self) -> Program:
        if self.restarts >= self.limits.restarts:
            message = f"it would be more than the {self.limits.restarts} times that are allowed"
            raise ProgramStartError(message)
        self.restarts += 1
        return await self.start()

    async def _play(self, program: Program, case: Case) -> Result:
        begun = time.perf_counter()
        answer = await program.ask(framed(case.request), self.limits.seconds)
        try:
            response = testee_service_pb2.RunResponse.FromString(answer)
        except DecodeError as error:
            # Where a message begins is no longer sure, so the process is not asked again.
            raise Fault(Status.FAILED, f"malformed answer: {error}") from error
        return replace(judge(case, response), seconds=time.perf_counter() - begun)

    def _take(self, result: Result) -> None:
        self.results[result.case.id] = result
        self.on_result(result)

    def _blame(self, case: Case, fault: str) -> None:
        """Make a scenario fail whose answer was followed by something."""
        before = self.results[case.id]
        self.results[case.id] = replace(before, status=Status.FAILED, reason=fault)


async def run_programs(
    run: Run,
    cases: Sequence[Case],
    limits: Limits,
    on_result: Callable[[Result], None],
    words: Sequence[str],
) -> None:
    """Play scenarios with processes of a program; what it does wrong is a result.

    However this ends, the run then holds a result for every scenario and no process is left. A
    program that had to be started again too often, and a cancellation, leave scenarios not run.

    Args:
        run: what is filled.
        cases: what to play.
        limits: time, processes and how often one may be started again.
        on_result: called with each result as it comes.
        words: the command.

    Raises:
        ProgramStartError: the program could not be started at all.
    """
    pool = _Pool(words, limits, on_result, deque(cases))
    try:
        programs = [await pool.start() for _ in range(min(limits.parallel, len(cases)))]
        async with asyncio.TaskGroup() as group:
            for program in programs:
                group.create_task(pool.work(program))
        if pool.gave_up and pool.waiting:
            run.interrupted = pool.gave_up
    finally:
        try:
            await asyncio.gather(*(program.end() for program in pool.programs))
        finally:
            # Whoever interrupts twice does not wait, and leaves nothing behind either.
            for program in pool.programs:
                program.kill()
            run.results = [
                pool.results.get(case.id, Result(case, Status.NOT_RUN, run.interrupted))
                for case in cases
            ]
