"""Playing the mutants: the suite judges each, and unit tests what no scenario can reach."""

from collections.abc import Callable, Sequence
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
        killer: the id of a scenario that fails with it, or of a unit test where no scenario does;
            `no end` where the process of either did not come to its end; empty: it survives.
        by_unit_tests: whether all scenarios pass, and unit tests have killed it.
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
    beyond: list[Mutant] = []

    def by_the_suite(mutant: Mutant, killer: str) -> None:
        if not killer and listed.judged_by_unit_tests(mutant.place):
            beyond.append(mutant)
        else:
            on_outcome(Outcome(mutant, killer))

    def by_unit_tests(mutant: Mutant, killer: str) -> None:
        on_outcome(Outcome(mutant, killer, by_unit_tests=bool(killer)))

    def run_unit_tests(tests: Sequence[pytest.Item]) -> None:
        _judge(UnitTestsJudge(engine, tests), beyond, processes, by_unit_tests)

    _judge(SuiteJudge(engine), mutants, processes, by_the_suite)
    if beyond:
        with_unit_tests(run_unit_tests)


def _judge(
    judge: _Judge,
    mutants: Sequence[Mutant],
    processes: int,
    on_killer: Callable[[Mutant, str], None],
) -> None:
    for mutant, answer in in_forks(
        mutants, judge.killer, processes=processes, seconds=judge.seconds
    ):
        if answer:
            judge.has_killed(answer, mutant)
        on_killer(mutant, NO_END if answer is None else answer)
