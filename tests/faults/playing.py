"""Playing the suite against a planted fault."""

import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from types import FrameType, MappingProxyType

from ronda.conformance.v1 import testee_service_pb2 as pb
from ronda_conformance.judging import judge
from ronda_conformance.results import Status
from ronda_conformance.scenarios import Case
from tests.faults.catalogue import CatalogueError, Fault
from tests.faults.planting import Run, planted

SECONDS = 2.0
"""Processor time that a scenario may take; it takes a thousandth of that without a fault."""


class How(StrEnum):
    """How a scenario found a fault."""

    WRONG = "wrong"
    """The answer is not what the scenario expects."""
    RAISED = "raised"
    """The engine broke down over it, so that there was no answer."""
    NO_ANSWER = "no answer"
    """The engine did not come to an end in time."""


@dataclass(frozen=True)
class Catch:
    """A scenario that found a fault, and how."""

    scenario: str
    how: How


@dataclass(frozen=True)
class Outcome:
    """What came of a fault.

    Attributes:
        fault: the fault.
        catches: the scenarios that found it: those with a wrong answer first, in each those of its
            clause first, then by id.
    """

    fault: Fault
    catches: Sequence[Catch] = field(default=())

    @property
    def caught(self) -> bool:
        """Whether any scenario found it."""
        return bool(self.catches)


class _OutOfTimeError(BaseException):
    """Ends a scenario that takes too long; not an exception that the engine could swallow."""


def play(
    fault: Fault,
    cases: Sequence[Case],
    *,
    first: bool = False,
    passing: Mapping[str, bytes] = MappingProxyType({}),
) -> Outcome:
    """Play scenarios against a fault.

    Args:
        fault: what is planted.
        cases: the scenarios.
        first: to stop at the first that finds it.
        passing: answers that are known to pass, as `passing_answers` gives them: they need not be
            judged again.

    Raises:
        CatalogueError: the fault cannot be planted.
    """
    catches: list[Catch] = []
    # Those of the clause come first; the sort keeps the others by id.
    ordered = sorted(cases, key=lambda case: fault.clause not in case.clauses)
    with _planted(fault) as run:
        for case in ordered:
            how = found_by(run, case, passing=passing.get(case.id))
            if how is None:
                continue
            catches.append(Catch(case.id, how))
            # A fault that hangs would hang again and again.
            if first or how is How.NO_ANSWER:
                break
    # A wrong answer says more than none; the sort keeps the order otherwise.
    return Outcome(fault, sorted(catches, key=lambda catch: catch.how is not How.WRONG))


def passing_answers(cases: Sequence[Case]) -> dict[str, bytes]:
    """Give the engine's own answers to the scenarios that it passes, by id, as bytes."""
    with planted({}) as run:
        return {
            case.id: _bytes(_answer(run, case)) for case in cases if found_by(run, case) is None
        }


def found_by(run: Run, case: Case, *, passing: bytes | None = None) -> How | None:
    """Give how a scenario finds that an engine is wrong; None: it does not.

    `passing`: an answer that is known to pass. It need not be judged again, which takes long.
    """
    try:
        with _limited(SECONDS):
            answer = _answer(run, case)
            if passing is not None and _bytes(answer) == passing:
                return None
            result = judge(case, answer)
    except _OutOfTimeError:
        return How.NO_ANSWER
    except Exception:  # noqa: BLE001  # whatever a fault makes the engine raise, a referee would give no answer
        return How.RAISED
    return None if result.status is Status.PASSED else How.WRONG


def _bytes(answer: pb.RunResponse) -> bytes:
    return answer.SerializeToString(deterministic=True)


@contextmanager
def _planted(fault: Fault) -> Iterator[Run]:
    sources = fault.sources()
    try:
        planting = planted(sources)
        run = planting.__enter__()
    except Exception as error:
        raise CatalogueError(f"{fault.id}: the engine cannot be imported: {error}") from error
    try:
        yield run
    finally:
        planting.__exit__(None, None, None)


def _answer(run: Run, case: Case) -> pb.RunResponse:
    response = pb.RunResponse()
    for part in run(case.request):
        if part.HasField("refusal"):
            return part
        response.MergeFrom(part)
    return response


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """End what takes more processor time than so many seconds; in a process's main thread."""

    def too_long(_signal: int, _frame: FrameType | None) -> None:
        raise _OutOfTimeError

    before = signal.signal(signal.SIGVTALRM, too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
