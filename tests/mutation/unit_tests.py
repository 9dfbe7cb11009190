"""The other judge: unit tests, for what no scenario can reach."""

import math
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.engine import Engine, calls_recorded
from tests.mutation.mutants import Mutant
from tests.mutation.suite import JudgeFails

ROOT = Path(__file__).resolve().parents[2]
FILES = (
    "tests/rules/test_announcements.py",
    "tests/rules/test_card_transfer.py",
    "tests/rules/test_deal.py",
    "tests/rules/test_double_ronda.py",
    "tests/rules/test_engine.py",
    "tests/rules/test_errors.py",
    "tests/rules/test_forfeit.py",
    "tests/rules/test_holdings.py",
    "tests/rules/test_position.py",
    "tests/rules/test_position_fields.py",
    "tests/rules/test_refusals.py",
    "tests/rules/test_rule_set_check.py",
    "tests/rules/test_state.py",
    "tests/rules/test_timings.py",
    "tests/rules/test_view.py",
)
# The options of the project's own runs are for reports, of which there are none here.
_OPTIONS = (
    *("-p", "no:terminal", "-p", "no:cacheprovider", "-s", "--import-mode=importlib"),
    *("-o", "addopts=", "-o", "faulthandler_timeout=0"),
)


class UnitTestsJudge:
    """Runs for each mutant the unit tests that call its function, the quickest first.

    A test that has killed a mutant comes before the others for the next ones of its function.

    Attributes:
        seconds: the processor time after which a mutant comes to no end: several times as much as
            all these tests take.
    """

    def __init__(self, engine: Engine, tests: Sequence[pytest.Item]) -> None:
        """Run all tests once as they are.

        Raises:
            JudgeFails: with those that fail.
        """
        self._engine = engine
        self._tests = {test.nodeid: test for test in tests}
        self._covering: dict[str, list[str]] = defaultdict(list)
        seconds: dict[str, float] = {}
        failed = []
        for test in tests:
            engine.forget_cached()
            with calls_recorded() as called:
                start = time.process_time()
                passed = _passes(test)
                seconds[test.nodeid] = time.process_time() - start
            if not passed:
                failed.append(test.nodeid)
            for function in called:
                self._covering[function].append(test.nodeid)
        if failed:
            raise JudgeFails(f"these fail with nothing broken: {', '.join(failed)}")
        for covering in self._covering.values():
            covering.sort(key=seconds.__getitem__)
        self.seconds = 2 + 3 * math.ceil(sum(seconds.values()))
        engine.forget_cached()

    def killer(self, mutant: Mutant) -> str:
        """Give the id of a test that fails with the mutant; empty where all pass.

        To be called in a fork: the mutant stays switched on.
        """
        self._engine.switch_on(mutant)
        for test in self._covering.get(mutant.covers, ()):
            if not _passes(self._tests[test]):
                return test
        return ""

    def has_killed(self, test: str, mutant: Mutant) -> None:
        """Run a test before the others from now on where the mutant's function is called."""
        covering = self._covering[mutant.covers]
        covering.remove(test)
        covering.insert(0, test)


def with_unit_tests(work: Callable[[Sequence[pytest.Item]], None]) -> None:
    """Have pytest collect the unit tests, and do some work with them while they can be run.

    Raises:
        JudgeFails: they cannot be collected; and whatever the work raises.
    """
    loop = _Loop(work)
    pytest.main(
        [*_OPTIONS, f"--rootdir={ROOT}", *(str(ROOT / file) for file in FILES)], plugins=[loop]
    )
    if loop.raised is not None:
        raise loop.raised
    if not loop.done:
        raise JudgeFails("the unit tests cannot be collected; pytest says why")


class _Loop:
    """A plugin of pytest that does something else with the tests than run them one by one."""

    def __init__(self, work: Callable[[Sequence[pytest.Item]], None]) -> None:
        self._work = work
        self.done = False
        self.raised: Exception | None = None

    def pytest_configure(self, config: pytest.Config) -> None:
        """Ask for plain tracebacks: pytest's own would parse the mutated module, a megabyte."""
        config.option.tbstyle = "native"

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Do the work in place of running the tests."""
        if session.testsfailed:
            return True
        try:
            self._work(session.items)
        except Exception as error:  # noqa: BLE001  # it is raised again where pytest has ended
            self.raised = error
        self.done = True
        return True


def _passes(test: pytest.Item) -> bool:
    reports = runtestprotocol(test, log=False, nextitem=None)
    return not any(report.failed for report in reports)
