"""Planting a fault: the engine with some modules' sources changed, in memory alone.

The changed modules, and those that import them on whatever way, are imported anew from the changed
source; all others stay as they are. Afterwards the engine is as it was.
"""

import ast
import importlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_loader
from pathlib import Path
from types import CodeType, ModuleType

from ronda.conformance.v1 import testee_service_pb2 as pb

Run = Callable[[pb.RunRequest], Iterator[pb.RunResponse]]

_TESTEE = "ronda_referee.testee"


class _Anew(InspectLoader, MetaPathFinder):
    """Finds the modules to import anew before any other finder, and loads them from sources.

    Packages are left to the other finders; none is ever changed.
    """

    def __init__(self, sources: Mapping[str, str], anew: AbstractSet[str]) -> None:
        self._sources = sources
        self._anew = {name for name in anew if not hasattr(sys.modules[name], "__path__")}

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Give the spec of a module to import anew, and none for others."""
        return spec_from_loader(fullname, self) if fullname in self._anew else None

    def is_package(self, fullname: str) -> bool:
        """Give that no such module is a package."""
        return False

    def get_source(self, fullname: str) -> str:
        """Give the changed source of a module, or its own."""
        return self._sources.get(fullname) or _source(fullname)

    def get_code(self, fullname: str) -> CodeType:
        """Give the code of a module; each source is compiled once, however often it is planted."""
        return _compiled(fullname, self.get_source(fullname))


@contextmanager
def planted(sources: Mapping[str, str]) -> Iterator[Run]:
    """Give the engine's testee with these sources instead of those of its modules.

    Args:
        sources: the changed source by the module's name; without any it is the engine as it is.

    Raises:
        Exception: whatever the changed source raises while it is imported.
    """
    importlib.import_module(_TESTEE)
    anew = _dependants(frozenset(sources)) & sys.modules.keys()
    finder = _Anew(sources, anew)
    before = {name: sys.modules.pop(name) for name in anew}
    sys.meta_path.insert(0, finder)
    try:
        yield importlib.import_module(_TESTEE).run
    finally:
        sys.meta_path.remove(finder)
        for name in anew:
            _restore(name, before[name])


def _restore(name: str, module: ModuleType) -> None:
    sys.modules[name] = module
    package, _, own = name.rpartition(".")
    setattr(sys.modules[package], own, module)


@cache
def _dependants(modules: frozenset[str]) -> frozenset[str]:
    """Give these modules and all that import one of them, directly or by others."""
    found = modules
    while True:
        more = frozenset(name for name, wanted in _imports().items() if wanted & found)
        if more <= found:
            return found
        found |= more


@lru_cache(maxsize=256)
def _compiled(name: str, source: str) -> CodeType:
    return compile(source, f"<{name}>", "exec", dont_inherit=True)


@cache
def _source(name: str) -> str:
    return _engine_files()[name].read_text(encoding="utf-8")


@cache
def _imports() -> Mapping[str, frozenset[str]]:
    """Give what each module of the engine, and of the testee around it, imports."""
    return {name: frozenset(_imported(file)) for name, file in _engine_files().items()}


@cache
def _engine_files() -> Mapping[str, Path]:
    around = {name: file for name, file in _files("ronda_referee") if _around_the_engine(name)}
    return dict(_files("ronda_rules")) | around


def _around_the_engine(name: str) -> bool:
    return name == _TESTEE or name.startswith("ronda_referee.convert")


def _files(package: str) -> Iterator[tuple[str, Path]]:
    spec = find_spec(package)
    if spec is None or spec.submodule_search_locations is None:
        raise AssertionError(f"{package} is not installed")
    (folder,) = map(Path, spec.submodule_search_locations)
    for file in sorted(folder.rglob("*.py")):
        parts = (package, *file.relative_to(folder).with_suffix("").parts)
        yield ".".join(part for part in parts if part != "__init__"), file


def _imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            # What is imported from a package can be a module of it.
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
