"""What is built is what is tested: the wheel, installed where nothing else of ours is."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = frozenset(
    Path(package).name
    for package in PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
)
DATA_FOLDERS = ("spec", "suites", "rule_sets", "house_rules", "glossary", "vectors")
# What no plain installation may bring.
EXTRAS_ONLY = (
    "apsw",
    "cryptography",
    "grpc_health",
    "grpc_reflection",
    "gymnasium",
    "jsonschema",
    "pettingzoo",
    "prometheus_client",
    "rich",
)

# Prints where each import package of ours was found, and what the runner finds of its own data.
LOOK_AROUND = """
import importlib, importlib.resources, sys
for name in sys.argv[1].split(","):
    print(name, importlib.import_module(name).__file__)
root = importlib.resources.files("ronda_conformance")
for folder in sys.argv[2].split(","):
    print(folder, sum(1 for _ in root.joinpath(folder).iterdir()))
"""
# Prints which of the named modules can be found at all.
CAN_FIND = """
import importlib.util, sys
print([name for name in sys.argv[1].split(",") if importlib.util.find_spec(name)])
"""


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command that must succeed and return what it printed."""
    finished = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, f"{command}\n{finished.stdout}{finished.stderr}"
    return finished.stdout


def new_environment(folder: Path) -> Path:
    """Make an empty virtual environment, without pip too, and return its interpreter."""
    run(sys.executable, "-m", "venv", "--without-pip", folder, cwd=folder.parent)
    return folder / "bin" / "python"


def install(python: Path, *arguments: str | Path) -> None:
    """Install with pip as a user would, quietly; byte code is made of what is imported alone."""
    run(
        *(sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"),
        *("install", "--quiet", "--no-compile"),
        *arguments,
        cwd=python.parent,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel, built as a release is: from the source distribution."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the interpreter of a new environment with the wheel and all its extras."""
    interpreter = new_environment(tmp_path_factory.mktemp("installed") / "venv")
    install(interpreter, "--constraint", ROOT / "constraints.txt", f"{wheel}[all,rl]")
    return interpreter


def names(wheel: Path) -> list[PurePosixPath]:
    """Return the paths of the files in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return [PurePosixPath(name) for name in archive.namelist()]


def metadata(wheel: Path) -> Message:
    """Return a wheel's metadata."""
    (path,) = (name for name in names(wheel) if name.name == "METADATA")
    with zipfile.ZipFile(wheel) as archive:
        return Parser().parsestr(archive.read(str(path)).decode("utf-8"))


def test_it_holds_the_listed_packages_and_nothing_else(wheel: Path) -> None:
    """Installing it puts nothing beside our packages, each of which says that it is typed."""
    found = names(wheel)
    tops = {path.parts[0] for path in found}
    assert {top for top in tops if not top.endswith(".dist-info")} == PACKAGES
    assert {package for package in PACKAGES if PurePosixPath(package, "py.typed") in found} == (
        PACKAGES
    )
    assert [path for path in found if path.name == "LICENSE"]


def test_it_ships_spec_suites_rule_sets_glossary_and_vectors(wheel: Path) -> None:
    """Every page, suite, rule set, glossary and vector file of the checkout is in the wheel."""
    found = set(names(wheel))
    for folder in DATA_FOLDERS:
        source = ROOT / "conformance" / folder
        expected = {
            PurePosixPath("ronda_conformance", folder, path.relative_to(source).as_posix())
            for path in source.rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }
        assert expected, f"conformance/{folder} is empty"
        assert expected <= found


def test_its_metadata_is_as_promised(wheel: Path) -> None:
    """The licence is an SPDX expression, and a plain installation is four packages and theirs."""
    told = metadata(wheel)
    assert told["License-Expression"] == "Apache-2.0"
    assert told["Requires-Python"] == ">=3.11"
    requirements = told.get_all("Requires-Dist") or []
    core = {re.split(r"[^\w-]", line)[0] for line in requirements if "extra ==" not in line}
    assert core == {"grpcio", "grpcio-status", "protobuf", "structlog"}


def test_the_command_runs_from_it(python: Path, tmp_path: Path) -> None:
    """`ronda --help` answers where there is no checkout."""
    assert "usage" in run(python.parent / "ronda", "--help", cwd=tmp_path).lower()


def test_everything_is_found_in_it(python: Path, tmp_path: Path) -> None:
    """The packages are imported from the installation, and the runner finds its data there."""
    printed = run(
        python,
        *("-c", LOOK_AROUND, ",".join(sorted(PACKAGES)), ",".join(DATA_FOLDERS)),
        cwd=tmp_path,
    )
    found = dict(line.split(" ", 1) for line in printed.splitlines())
    for package in PACKAGES:
        assert Path(found[package]).is_relative_to(python.parent.parent), found[package]
    for folder in DATA_FOLDERS:
        assert int(found[folder]) > 0


def test_a_plain_installation_runs_on_the_oldest_it_promises(wheel: Path, tmp_path: Path) -> None:
    """With the lower bounds of the core dependencies a bot's packages import, without a warning."""
    floors = [line.replace(">=", "==") for line in PROJECT["project"]["dependencies"]]
    interpreter = new_environment(tmp_path / "venv")
    install(interpreter, wheel, *floors)
    imports = (
        "import ronda_client, ronda_bots, ronda_rules, ronda_table, ronda.v1.log_pb2, "
        "ronda.v1.referee_service_pb2_grpc"
    )
    run(interpreter, "-W", "error", "-c", imports, cwd=tmp_path)
    found = run(interpreter, "-c", CAN_FIND, ",".join(EXTRAS_ONLY), cwd=tmp_path)
    assert found.strip() == "[]"
