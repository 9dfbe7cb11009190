"""Playing the mutants: the suite judges each, and unit tests what no scenario can reach."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import pytest

from tests.mutation.engine import Engine
from tests.mutation.forks import in_forks
from tests.mutation.listed import Listed
from tests.mutation.mutants import Mutant
from tests.mutation.suite import SuiteJudge
from tests.mutation.unit_tests import UnitTestsJudge, with_unit_tests

NO_END = "no end"


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant.

    Attributes:
        mutant: which one.
        killer: the id of a scenario or of a unit test that fails with it; `no end` where the
            process of either did not come to its end; empty: it survives.
        by_unit_tests: whether it is unit tests that have killed it.
    """

    mutant: Mutant
    killer: str
    by_unit_tests: bool = False


class _Judge(Protocol):
    seconds: int

    def killer(self, mutant: Mutant) -> str: ...

    def has_killed(self, what: str, mutant: Mutant, /) -> None: ...


def play(
    engine: Engine,
    mutants: Sequence[Mutant],
    listed: Listed,
    processes: int,
    on_outcome: Callable[[Outcome], None],
) -> None:
    """Play mutants and tell what became of each, in no certain order.

    Raises:
        JudgeFails: a scenario or a unit test fails with nothing broken.
    """
    suite = SuiteJudge(engine)
    first = [one for one in mutants if listed.judged_by_unit_tests(one.place, first=True)]
    for_the_suite = [one for one in mutants if one not in first]
    left = _judged_by_unit_tests(engine, first, processes, on_outcome)
    for_unit_tests: list[Mutant] = []
    for mutant, killer in _killers(suite, for_the_suite + left, processes):
        if not killer and listed.judged_by_unit_tests(mutant.place, first=False):
            for_unit_tests.append(mutant)
        else:
            on_outcome(Outcome(mutant, killer))
    for mutant in _judged_by_unit_tests(engine, for_unit_tests, processes, on_outcome):
        on_outcome(Outcome(mutant, ""))


def _judged_by_unit_tests(
    engine: Engine,
    mutants: Sequence[Mutant],
    processes: int,
    on_outcome: Callable[[Outcome], None],
) -> list[Mutant]:
    """Tell which mutants unit tests kill, and give those that survive them."""
    survive: list[Mutant] = []

    def judge(tests: Sequence[pytest.Item]) -> None:
        for mutant, killer in _killers(UnitTestsJudge(engine, tests), mutants, processes):
            if killer:
                on_outcome(Outcome(mutant, killer, by_unit_tests=True))
            else:
                survive.append(mutant)

    if mutants:
        with_unit_tests(judge)
    return survive


def _killers(
    judge: _Judge, mutants: Sequence[Mutant], processes: int
) -> Iterator[tuple[Mutant, str]]:
    for mutant, answer in in_forks(
        mutants, judge.killer, processes=processes, seconds=judge.seconds
    ):
        if answer:
            judge.has_killed(answer, mutant)
        yield mutant, NO_END if answer is None else answer
