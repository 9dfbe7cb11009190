"""The other judge: unit tests, for what no scenario can reach."""

import math
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.mutation.engine import Engine, calls_recorded
from tests.mutation.mutants import Mutant
from tests.mutation.suite import JudgeFails

ROOT = Path(__file__).resolve().parents[2]
FILES = (
    "tests/rules/test_card_transfer.py",
    "tests/rules/test_engine.py",
    "tests/rules/test_forfeit.py",
    "tests/rules/test_position.py",
    "tests/rules/test_position_fields.py",
    "tests/rules/test_refusals.py",
    "tests/rules/test_rule_set_check.py",
    "tests/rules/test_view.py",
)
UNIT_TESTS = "unit tests"
_QUIET = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist")


class UnitTestsJudge:
    """Runs for each mutant the unit tests that call its function.

    Attributes:
        seconds: the processor time after which a mutant comes to no end: several times as much as
            all these tests take.
    """

    def __init__(self, engine: Engine) -> None:
        """Run all tests once as they are.

        Raises:
            JudgeFails: some fail.
        """
        self._engine = engine
        self._covering: dict[str, list[str]] = defaultdict(list)
        start = time.process_time()
        code = pytest.main([*_QUIET, f"--rootdir={ROOT}", *_paths(FILES)], plugins=[self])
        self.seconds = 4 + 4 * math.ceil(time.process_time() - start)
        if code != pytest.ExitCode.OK:
            raise JudgeFails("unit tests fail with nothing broken")
        engine.forget_cached()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> object:
        """Record which functions of the engine a test calls."""
        self._engine.forget_cached()
        with calls_recorded() as called:
            result = yield
        for function in called:
            self._covering[function].append(item.nodeid)
        return result

    def covering(self, mutant: Mutant) -> Sequence[str]:
        """Give the tests that call the mutant's function."""
        return self._covering.get(mutant.covers, ())

    def killer(self, mutant: Mutant) -> str:
        """Give `UNIT_TESTS`, which have killed a mutant; empty where all tests pass.

        To be called in a fork: the mutant stays switched on.
        """
        self._engine.switch_on(mutant)
        tests = _paths(self.covering(mutant))
        code = pytest.main([*_QUIET, f"--rootdir={ROOT}", *tests])
        return "" if code == pytest.ExitCode.OK else UNIT_TESTS


def _paths(tests: Sequence[str]) -> list[str]:
    return [str(ROOT / test) for test in tests]
