"""Which module may know what: the arrows that import-linter cannot draw.

Every checker takes source texts by file name and returns one line for each violation, so that each
can be shown a planted violation as well as the real code.
"""

from __future__ import annotations

import ast
import dataclasses
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from ronda_rules.state import MatchState

ROOT = Path(__file__).resolve().parent.parent

MAX_RULES_LINES = 400

# Standard modules through which the world would get into the engine, or out of it. The first part
# of a dotted name counts. import-linter holds the same list.
IMPURE_MODULES = frozenset(
    {
        "asyncio",
        "concurrent",
        "ctypes",
        "datetime",
        "io",
        "logging",
        "multiprocessing",
        "os",
        "pathlib",
        "random",
        "secrets",
        "shutil",
        "signal",
        "socket",
        "sqlite3",
        "subprocess",
        "sys",
        "tempfile",
        "threading",
        "time",
        "uuid",
        "warnings",
    }
)
IMPURE_CALLS = frozenset({"__import__", "breakpoint", "eval", "exec", "input", "open", "print"})

# The protocol's words for what the engine has words of its own for.
RULES_PROTOS = frozenset(
    {"card_pb2", "decision_pb2", "event_pb2", "move_pb2", "rule_set_pb2", "view_pb2"}
)
CONVERTER = "ronda_referee/convert/"
STATUS_MODULES = ("google.rpc", "grpc_status")
STATUS_MAPPER = "ronda_referee/statuses.py"

# What a state holds is set where events are folded, and where it is copied.
STATE_FIELDS = frozenset(field.name for field in dataclasses.fields(MatchState)) - {"decision"}
STATE_SETTERS = ("ronda_rules/evolve.py", "ronda_rules/state.py")


def imported(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the full name of everything a source text imports, wherever it stands.

    `from a.b import c` yields `a.b.c`: whether c is a module does not show in the text.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            prefix = "." * node.level + (f"{node.module}." if node.module else "")
            for alias in node.names:
                yield node.lineno, prefix + alias.name


def impure_imports(sources: Mapping[str, str]) -> list[str]:
    """Return the imports that are neither the package's own nor pure parts of the library."""
    found = []
    for name, source in sources.items():
        for line, module in imported(source):
            top = module.split(".")[0]
            if top in {"", "ronda_rules"}:
                continue
            if top not in sys.stdlib_module_names or top in IMPURE_MODULES:
                found.append(f"{name}:{line} imports {module}")
    return found


def impure_calls(sources: Mapping[str, str]) -> list[str]:
    """Return the calls of built-in functions that read, write or run what is not passed in."""
    return [
        f"{name}:{node.lineno} calls {node.func.id}"
        for name, source in sources.items()
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in IMPURE_CALLS
    ]


def long_modules(sources: Mapping[str, str]) -> list[str]:
    """Return the modules that are longer than one chapter of the rules should be."""
    return [
        f"{name} has {lines} lines"
        for name, source in sources.items()
        if (lines := len(source.splitlines())) > MAX_RULES_LINES
    ]


def other_converters(sources: Mapping[str, str]) -> list[str]:
    """Return the modules outside one package that know the engine's words and the protocol's."""
    found = []
    for name, source in sources.items():
        parts = [module.split(".") for _, module in imported(source)]
        engine = any(part[0] == "ronda_rules" for part in parts)
        protos = sorted({word for part in parts for word in part} & RULES_PROTOS)
        if engine and protos and not name.startswith(CONVERTER):
            found.append(f"{name} imports ronda_rules and {', '.join(protos)}")
    return found


def other_status_mappers(sources: Mapping[str, str]) -> list[str]:
    """Return the modules but one that make a gRPC status with details."""
    return [
        f"{name}:{line} imports {module}"
        for name, source in sources.items()
        for line, module in imported(source)
        if name != STATUS_MAPPER
        and any(module == known or module.startswith(f"{known}.") for known in STATUS_MODULES)
    ]


def other_state_setters(sources: Mapping[str, str]) -> list[str]:
    """Return what sets a field of what is called a state, but for the modules that may."""
    return [
        f"{name}:{node.lineno} sets {ast.unparse(node)}"
        for name, source in sources.items()
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store | ast.Del)
        and node.attr in STATE_FIELDS
        and ast.unparse(node.value).endswith("state")
        and name not in STATE_SETTERS
    ]


def sources_of(folder: str, package: str) -> dict[str, str]:
    """Return the source text of every module of a package, by its path from `folder`."""
    base = ROOT / folder
    return {
        path.relative_to(base).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted((base / package).rglob("*.py"))
    }


@pytest.mark.parametrize("check", [impure_imports, impure_calls, long_modules])
def test_the_engine_is_pure_and_in_chapters(
    check: Callable[[Mapping[str, str]], list[str]],
) -> None:
    """Nothing but arguments gets into the engine, and no module outgrows its chapter."""
    sources = sources_of("referee", "ronda_rules")
    assert sources
    assert check(sources) == []


@pytest.mark.parametrize("check", [other_converters, other_status_mappers])
def test_one_place_alone_translates(check: Callable[[Mapping[str, str]], list[str]]) -> None:
    """The referee has one package between engine and protocol, a module between errors and gRPC."""
    sources = sources_of("referee", "ronda_referee")
    assert sources
    assert check(sources) == []


@pytest.mark.parametrize(
    ("folder", "package"),
    [
        ("referee", "ronda_rules"),
        ("referee", "ronda_referee"),
        ("clients", "ronda_table"),
        ("clients", "ronda_bots"),
    ],
)
def test_a_state_is_changed_by_its_events_alone(folder: str, package: str) -> None:
    """It is not frozen, and nobody who is given one sets what it holds."""
    sources = sources_of(folder, package)
    assert sources
    assert other_state_setters(sources) == []


@pytest.mark.parametrize(
    ("check", "source", "violation"),
    [
        (other_state_setters, "state.table = 0", "a.py:1 sets state.table"),
        (other_state_setters, "u.state.piles += (1,)", "a.py:1 sets u.state.piles"),
        (impure_imports, "import random", "a.py:1 imports random"),
        (impure_imports, "from os import path", "a.py:1 imports os.path"),
        (impure_imports, "import grpc.aio", "a.py:1 imports grpc.aio"),
        (impure_imports, "from ronda.v1 import card_pb2", "a.py:1 imports ronda.v1.card_pb2"),
        (
            impure_imports,
            "def late():\n    import time",
            "a.py:2 imports time",
        ),
        (impure_calls, "text = open('x').read()", "a.py:1 calls open"),
        (impure_calls, "print('x')", "a.py:1 calls print"),
        (long_modules, "x = 1\n" * (MAX_RULES_LINES + 1), "a.py has 401 lines"),
        (
            other_converters,
            "import ronda_rules.cards\nfrom ronda.v1 import card_pb2 as c, log_pb2",
            "a.py imports ronda_rules and card_pb2",
        ),
        (
            other_converters,
            "from ronda_rules import cards\nfrom ronda.v1.move_pb2 import Move",
            "a.py imports ronda_rules and move_pb2",
        ),
        (
            other_status_mappers,
            "from google.rpc import error_details_pb2",
            "a.py:1 imports google.rpc.error_details_pb2",
        ),
        (
            other_status_mappers,
            "from grpc_status import rpc_status",
            "a.py:1 imports grpc_status.rpc_status",
        ),
        (other_status_mappers, "import grpc_status", "a.py:1 imports grpc_status"),
    ],
)
def test_a_planted_violation_is_caught(
    check: Callable[[Mapping[str, str]], list[str]], source: str, violation: str
) -> None:
    """Each checker names the file, and what is wrong with it."""
    assert check({"a.py": source}) == [violation]


@pytest.mark.parametrize(
    ("check", "name", "source"),
    [
        (impure_imports, "a.py", "from dataclasses import dataclass\nfrom . import cards"),
        (impure_imports, "a.py", "from ronda_rules.cards import Card\nimport collections.abc"),
        (impure_calls, "a.py", "announcements.open(seat)"),
        (long_modules, "a.py", "x = 1\n" * MAX_RULES_LINES),
        (
            other_converters,
            f"{CONVERTER}events.py",
            "import ronda_rules\nfrom ronda.v1 import card_pb2",
        ),
        (
            other_converters,
            "ronda_referee/log.py",
            "import ronda_rules\nfrom ronda.v1 import log_pb2, referee_service_pb2",
        ),
        (other_state_setters, STATE_SETTERS[0], "state.table = 0"),
        (other_state_setters, "a.py", "self.table = state.table"),
        (other_status_mappers, STATUS_MAPPER, "from google.rpc import status_pb2"),
        (other_status_mappers, "a.py", "from google.protobuf import any_pb2"),
    ],
)
def test_what_is_allowed_passes(
    check: Callable[[Mapping[str, str]], list[str]], name: str, source: str
) -> None:
    """The one place that may does, and the others may import what is not theirs to shun."""
    assert check({name: source}) == []


# One module that breaks each of import-linter's contracts.
CONTRACT_BREAKERS = {
    "rules-are-pure": ("referee/ronda_rules", "import random"),
    "conformance-stands-alone": ("conformance/ronda_conformance", "import ronda_rules"),
    "referee-knows-no-client": ("referee/ronda_referee", "import ronda_client"),
    "metrics-are-optional": ("referee/ronda_referee", "import prometheus_client"),
    "fairness-is-optional": ("referee/ronda_referee", "import numpy"),
    "clients-know-no-server": ("clients/ronda_bots", "import ronda_rules"),
    "tournaments-know-no-server": ("clients/ronda_tournament", "import ronda_referee"),
    "replays-know-no-engine": ("clients/ronda_replay", "import ronda_referee"),
    "tables-need-no-server": ("clients/ronda_table", "import cryptography"),
    "agents-know-what-seats-see": ("clients/ronda_env", "import ronda_rules"),
    "terminals-know-no-engine": ("clients/ronda_terminal", "import ronda_rules"),
    "terminals-are-drawn-in-one-place": ("clients/ronda_terminal", "import textual"),
    "protocol-is-a-leaf": ("proto/gen/ronda", "import ronda_client"),
}


def test_every_import_contract_can_be_broken(tmp_path: Path) -> None:
    """import-linter keeps no contract that a planted violation does not break."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = {
        contract["id"]: contract["name"]
        for contract in project["tool"]["importlinter"]["contracts"]
    }
    assert contracts.keys() == CONTRACT_BREAKERS.keys()

    folders = ["proto/gen", "referee", "clients", "conformance"]
    left_out = shutil.ignore_patterns("node_modules")
    for folder in folders:
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=left_out)
    for folder, breaker in CONTRACT_BREAKERS.values():
        with (tmp_path / folder / "planted.py").open("a", encoding="utf-8") as planted:
            planted.write(f"{breaker}\n")
    finished = subprocess.run(
        [
            Path(sys.executable).parent / "lint-imports",
            *("--no-cache", "--no-logo"),
            ROOT / "pyproject.toml",
        ],
        cwd=tmp_path,
        # Before the path file of this checkout, so that the copies are what is looked at.
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join(str(tmp_path / folder) for folder in folders)}
        # Wide enough that no contract's name is broken over two lines.
        | {"COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode != 0
    for name in contracts.values():
        assert f"{name} BROKEN" in finished.stdout, finished.stdout + finished.stderr


STAND_ALONE = """
import importlib, pkgutil, sys
for name in ("ronda_rules", "ronda_referee", "ronda_client", "ronda_bots", "ronda_cli",
             "ronda_env", "ronda_replay", "ronda_table", "ronda_terminal", "ronda_tournament"):
    sys.modules[name] = None
import ronda_conformance
for module in pkgutil.walk_packages(ronda_conformance.__path__, "ronda_conformance."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""


def test_the_conformance_runner_runs_without_the_rest() -> None:
    """Every module of the runner can be imported where nothing else of ours can."""
    finished = subprocess.run(
        [sys.executable, "-c", STAND_ALONE], capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stderr
