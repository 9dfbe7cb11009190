"""The mutated engine, imported in place of the real one, and what is known of it."""

import functools
import gc
import importlib
import shutil
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from mutmut.mutation.trampoline import set_mutant_under_test
from mutmut.state import state

from tests.mutation.mutants import PACKAGE, Mutant, mutated

SOURCE = Path(__file__).resolve().parents[2] / "referee" / PACKAGE
# What imports the engine and judges by it; imported anew where a module must be made anew.
_USERS = ("ronda_referee", "tests.conformance.engine_answers")


def write_mutated(folder: Path, modules: Collection[str]) -> list[Mutant]:
    """Write the engine into a folder, some modules mutated, and give their mutants."""
    package = folder / PACKAGE
    package.mkdir(parents=True)
    mutants: list[Mutant] = []
    for file in sorted(SOURCE.glob("*.py")):
        if file.stem not in modules:
            shutil.copy(file, package)
            continue
        module = mutated(file)
        (package / file.name).write_text(module.source, encoding="utf-8")
        mutants += module.mutants
    return mutants


class Engine:
    """The mutated engine in this process.

    Attributes:
        at_import: the functions that are called while the engine is imported.
        caches: the functions of the engine that keep what they gave.
    """

    def __init__(self, folder: Path) -> None:
        """Import the engine from where `write_mutated` has put it."""
        if any(name == PACKAGE or name.startswith(f"{PACKAGE}.") for name in sys.modules):
            raise RuntimeError(f"{PACKAGE} is imported already, so it cannot be the mutated one")
        sys.path.insert(0, str(folder))
        with calls_recorded() as called:
            for file in sorted((folder / PACKAGE).glob("*.py")):
                importlib.import_module(f"{PACKAGE}.{file.stem}")
        self.at_import = frozenset(called)
        if Path(sys.modules[PACKAGE].__file__ or "").parent != folder / PACKAGE:
            raise RuntimeError(f"{PACKAGE} was imported from elsewhere")
        self.caches = [
            one
            for one in gc.get_objects()
            if isinstance(one, functools._lru_cache_wrapper) and one.__module__.startswith(PACKAGE)
        ]

    def switch_on(self, mutant: Mutant) -> None:
        """Make a mutant the engine of this process, from its import on where that calls it."""
        set_mutant_under_test(mutant.name)
        if mutant.covers not in self.at_import:
            return
        for name in list(sys.modules):
            if name.split(".")[0] in {PACKAGE, *_USERS} or name in _USERS:
                del sys.modules[name]

    def forget_cached(self) -> None:
        """Empty every cache of the engine: what was cached before would hide a mutant."""
        for one in self.caches:
            one.cache_clear()


@contextmanager
def calls_recorded() -> Iterator[set[str]]:
    """Record which functions of the engine are called; the set is complete at the end."""
    called: set[str] = set()
    state()._stats.clear()
    set_mutant_under_test("stats")
    try:
        yield called
    finally:
        set_mutant_under_test("")
        called.update(state()._stats)
        state()._stats.clear()
