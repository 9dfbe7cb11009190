"""Results of playing scenarios, and what they come to."""

import enum
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

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
    # It passed although the list says that it fails: a failure, for the list is wrong.
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
        reason: why there is no answer or the answer is malformed; empty otherwise.
        mismatches: what differs.
        positions: what was to be seen after each step, from the start, as far as it went.
    """

    case: Judged
    status: Status
    reason: str = ""
    mismatches: Sequence[Mismatch] = ()
    positions: Sequence[str] = ()


@dataclass
class Run:
    """All results of a run.

    Attributes:
        target: the program under test.
        results: a result for every selected scenario, in the order of their ids.
        interrupted: why the run ended early; empty where it did not.
        judged: what its results are called, in the singular.
        left_out: what was left out because the caller said so; empty where nothing was.
    """

    target: str
    results: list[Result] = field(default_factory=list)
    interrupted: str = ""
    judged: str = "scenario"
    left_out: str = ""

    def count(self, status: Status) -> int:
        """Return how many scenarios came to a status."""
        return sum(result.status is status for result in self.results)

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


def with_known_failing(result: Result, known: Collection[str]) -> Result:
    """Return a result as the list of known failures makes it."""
    if result.case.id not in known:
        return result
    if result.status is Status.FAILED:
        return replace(result, status=Status.KNOWN_FAILING)
    if result.status is Status.PASSED:
        return replace(
            result,
            status=Status.NOW_PASSING,
            reason="it passes but stands in the list of known failures: take it out",
        )
    return result
