"""The judge: the scenarios and examples, played in this process against the mutated engine."""

import importlib
import math
import time
from collections import defaultdict

from ronda_conformance.examples import load_whole_suite
from ronda_conformance.results import Status
from ronda_conformance.rule_set_files import load_rule_sets
from ronda_conformance.scenarios import Case
from tests.mutation.engine import Engine, calls_recorded
from tests.mutation.mutants import Mutant


class JudgeFails(Exception):
    """A scenario or a test fails though nothing is broken: no mutant can be judged by it."""


class SuiteJudge:
    """Plays for each mutant the scenarios that call its function, the quickest first.

    A scenario that has killed a mutant comes before the others for the next ones of its function.

    Attributes:
        seconds: the processor time after which a mutant comes to no end: several times as much as
            the whole suite takes.
    """

    def __init__(self, engine: Engine) -> None:
        """Load the suite and play it once as it is.

        Raises:
            JudgeFails: with the scenarios that fail.
        """
        self._engine = engine
        suite = load_whole_suite(load_rule_sets())
        if suite.errors:
            raise JudgeFails("\n".join(map(str, suite.errors)))
        self._cases: dict[str, Case] = {case.id: case for case in suite.cases}
        self._covering: dict[str, list[str]] = defaultdict(list)
        seconds: dict[str, float] = {}
        failed = []
        for case in suite.cases:
            engine.forget_cached()
            with calls_recorded() as called:
                start = time.process_time()
                passed = _passes(case)
                seconds[case.id] = time.process_time() - start
            if not passed:
                failed.append(case.id)
            for function in called:
                self._covering[function].append(case.id)
        if failed:
            raise JudgeFails(f"these fail with nothing broken: {', '.join(failed)}")
        for function in engine.at_import:
            self._covering[function] = list(self._cases)
        for covering in self._covering.values():
            covering.sort(key=seconds.__getitem__)
        self.seconds = 2 + 3 * math.ceil(sum(seconds.values()))
        engine.forget_cached()

    def killer(self, mutant: Mutant) -> str:
        """Give the id of a scenario that fails with the mutant; empty where all pass.

        To be called in a fork: the mutant stays switched on.
        """
        self._engine.switch_on(mutant)
        for scenario in self._covering.get(mutant.covers, ()):
            if not _passes(self._cases[scenario]):
                return scenario
        return ""

    def has_killed(self, scenario: str, mutant: Mutant) -> None:
        """Play a scenario before the others from now on where the mutant's function is called."""
        covering = self._covering[mutant.covers]
        covering.remove(scenario)
        covering.insert(0, scenario)


def _passes(case: Case) -> bool:
    try:
        # Imported late: a mutant may have had its module imported anew.
        answers = importlib.import_module("tests.conformance.engine_answers")
        status: Status = answers.played(case).status
    except Exception:  # noqa: BLE001  # whatever a broken engine raises, it has been caught
        return False
    return status is Status.PASSED
