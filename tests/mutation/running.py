"""Playing the mutants: the suite judges each, and unit tests what no scenario can reach."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tests.mutation.engine import Engine
from tests.mutation.forks import in_forks
from tests.mutation.listed import Listed
from tests.mutation.mutants import Mutant
from tests.mutation.suite import SuiteJudge
from tests.mutation.unit_tests import UNIT_TESTS, UnitTestsJudge

NO_END = "no end"


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant.

    Attributes:
        mutant: which one.
        killer: the id of a scenario that fails with it; `unit tests` where only these do;
            `no end` where the process of either did not come to its end; empty: it survives.
        by_unit_tests: whether all scenarios pass, and unit tests have killed it.
    """

    mutant: Mutant
    killer: str
    by_unit_tests: bool = False


def outcomes(
    engine: Engine, mutants: Sequence[Mutant], listed: Listed, processes: int
) -> Iterator[Outcome]:
    """Play mutants and give what became of each, in no certain order.

    Raises:
        JudgeFails: a scenario or a unit test fails with nothing broken.
    """
    suite = SuiteJudge(engine)
    unseen: list[Mutant] = []
    beyond: list[Mutant] = []
    covered: list[Mutant] = []
    for mutant in mutants:
        (covered if suite.covering(mutant) else unseen).append(mutant)
    for mutant, killer in _killers(covered, suite.killer, processes, suite.seconds):
        if killer not in {"", NO_END}:
            suite.has_killed(killer, mutant)
        if killer:
            yield Outcome(mutant, killer)
        else:
            unseen.append(mutant)
    for mutant in unseen:
        if listed.judged_by_unit_tests(mutant.place):
            beyond.append(mutant)
        else:
            yield Outcome(mutant, "")
    if not beyond:
        return
    tests = UnitTestsJudge(engine)
    for mutant, killer in _killers(beyond, tests.killer, processes, tests.seconds):
        yield Outcome(mutant, killer, by_unit_tests=killer in {UNIT_TESTS, NO_END})


def _killers(
    mutants: Sequence[Mutant], killer: Callable[[Mutant], str], processes: int, seconds: int
) -> Iterator[tuple[Mutant, str]]:
    for mutant, answer in in_forks(mutants, killer, processes=processes, seconds=seconds):
        yield mutant, NO_END if answer is None else answer
