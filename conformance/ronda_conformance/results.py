"""Results of playing scenarios, and what they come to."""

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ronda.conformance.v1 import testee_service_pb2
from ronda_conformance.comparing import Mismatch
from ronda_conformance.judged import Judged


class Status(enum.Enum):
    """What became of a scenario."""

    PASSED = "passed"
    FAILED = "failed"
    # The program under test crashed, hung, or could not be reached.
    NO_ANSWER = "no answer"
    # It failed, as the list of known failures says.
    KNOWN_FAILING = "known failing"
    # It failed, and needs what the program is said not to support.
    UNSUPPORTED = "unsupported"
    # It passed although a list says that it fails: a failure, for the list is wrong.
    NOW_PASSING = "now passing"
    # The run ended before its turn.
    NOT_RUN = "not run"


class ExitCode(enum.IntEnum):
    """What a run tells its caller."""

    PASSED = 0
    FAILURES = 1
    # Wrong arguments, an unreadable suite, or a selection that matches nothing.
    USAGE = 2
    # Not every selected scenario was answered: never a pass, whatever the others say.
    PARTIAL = 3


@dataclass(frozen=True)
class Result:
    """One scenario's result.

    Attributes:
        case: the scenario, or the check of the service.
        status: what became of it.
        reason: why there is no answer, the answer is malformed or the list is wrong; else empty.
        mismatches: what differs.
        sights: what was to be seen after each step, from the start, as far as it went.
        seconds: how long it took.
    """

    case: Judged
    status: Status
    reason: str = ""
    mismatches: Sequence[Mismatch] = ()
    sights: Sequence[testee_service_pb2.Sight] = ()
    seconds: float = 0.0


@dataclass
class Run:
    """All results of a run.

    Attributes:
        target: the program under test.
        results: a result for every selected scenario, in the order of their ids.
        interrupted: why the run ended early; empty where it did not.
        judged: what its results are called, in the singular.
        suite_size: how many scenarios the whole suite has; None: those that were selected.
        left_out: what was left out because the caller said so; empty where nothing was.
    """

    target: str
    results: list[Result] = field(default_factory=list)
    interrupted: str = ""
    judged: str = "scenario"
    suite_size: int | None = None
    left_out: str = ""

    def count(self, status: Status) -> int:
        """Return how many scenarios came to a status."""
        return sum(result.status is status for result in self.results)

    @property
    def is_selection(self) -> bool:
        """Whether only a part of the suite was selected."""
        return self.suite_size is not None and len(self.results) < self.suite_size

    @property
    def complete(self) -> bool:
        """Whether every selected scenario was answered."""
        unanswered = self.count(Status.NO_ANSWER) + self.count(Status.NOT_RUN)
        return not unanswered and not self.interrupted

    @property
    def exit_code(self) -> ExitCode:
        """What the run tells its caller."""
        if not self.complete or not self.results:
            return ExitCode.PARTIAL
        if self.count(Status.FAILED) or self.count(Status.NOW_PASSING):
            return ExitCode.FAILURES
        return ExitCode.PASSED


@dataclass(frozen=True)
class Listed:
    """Why a scenario is expected to fail.

    Attributes:
        status: what it is where it does fail: known failing or unsupported.
        entry: the entry of the list that says so, as `file:line: entry`.
    """

    status: Status
    entry: str


def with_lists(result: Result, listed: Mapping[str, Listed]) -> Result:
    """Return a result as the lists of what a program fails make it; no answer stays none."""
    why = listed.get(result.case.id)
    if why is None:
        return result
    if result.status is Status.FAILED:
        return replace(result, status=why.status)
    if result.status is Status.PASSED:
        problem = f"it passes, but {why.entry} says that it fails: take it out"
        return replace(result, status=Status.NOW_PASSING, reason=problem)
    return result
