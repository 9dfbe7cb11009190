"""The judge: the scenarios and examples, played in this process against the mutated engine."""

import importlib
import time
from collections import defaultdict
from collections.abc import Sequence

from ronda_conformance.examples import load_whole_suite
from ronda_conformance.results import Status
from ronda_conformance.rule_set_files import load_rule_sets
from ronda_conformance.scenarios import Case
from tests.mutation.engine import Engine, calls_recorded
from tests.mutation.forks import in_fork
from tests.mutation.mutants import Mutant

# All scenarios together take a second: more than this is an endless loop.
_SECONDS = 20
_SURVIVED = "-"


class SuiteFails(Exception):
    """A scenario fails though nothing is broken: no mutant can be judged by it."""


class SuiteJudge:
    """Plays for each mutant the scenarios that call its function, the quickest first.

    A scenario that has killed a mutant comes before the others for the next ones of its function.
    """

    def __init__(self, engine: Engine) -> None:
        """Load the suite and play it once as it is.

        Raises:
            SuiteFails: with the scenarios that fail.
        """
        self._engine = engine
        suite = load_whole_suite(load_rule_sets())
        if suite.errors:
            raise SuiteFails("\n".join(map(str, suite.errors)))
        self.cases: Sequence[Case] = suite.cases
        self._covering: dict[str, list[int]] = defaultdict(list)
        seconds: dict[int, float] = {}
        failed = []
        for number, case in enumerate(self.cases):
            engine.forget_cached()
            with calls_recorded() as called:
                start = time.process_time()
                passed = _passes(case)
                seconds[number] = time.process_time() - start
            if not passed:
                failed.append(case.id)
            for function in called:
                self._covering[function].append(number)
        if failed:
            raise SuiteFails(f"these fail with nothing broken: {', '.join(failed)}")
        for function in engine.at_import:
            self._covering[function] = list(range(len(self.cases)))
        for numbers in self._covering.values():
            numbers.sort(key=seconds.__getitem__)
        engine.forget_cached()

    def covers(self, mutant: Mutant) -> bool:
        """Whether any scenario calls the mutant's function."""
        return bool(self._covering.get(mutant.covers))

    def killer(self, mutant: Mutant) -> str | None:
        """Give the id of a scenario that fails with the mutant; None: all pass.

        Where the scenarios come to no end, or end the process, it is `no end`.
        """
        numbers = self._covering.get(mutant.covers)
        if not numbers:
            return None

        def play() -> str:
            self._engine.switch_on(mutant)
            for number in numbers:
                if not _passes(self.cases[number]):
                    return str(number)
            return _SURVIVED

        answer = in_fork(play, _SECONDS)
        if answer is None:
            return "no end"
        if answer == _SURVIVED:
            return None
        number = int(answer)
        numbers.remove(number)
        numbers.insert(0, number)
        return self.cases[number].id


def _passes(case: Case) -> bool:
    try:
        # Imported late: a mutant may have had its module imported anew.
        answers = importlib.import_module("tests.conformance.engine_answers")
        status: Status = answers.played(case).status
    except Exception:  # noqa: BLE001  # whatever a broken engine raises, it has been caught
        return False
    return status is Status.PASSED
