"""What a person is told when the environment cannot be set up, and that it can be."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
TOOLS = ["awk", "bash", "cat", "cksum", "cut", "dirname", "grep", "make", "rm", "sed", "tail"]

# Stands for an interpreter of another version: all that is asked of it is its version.
FAKE_PYTHON = "#!/bin/sh\necho {version}\n"
# Stands for a Python whose venv module the distribution ships apart.
PYTHON_WITHOUT_VENV = """#!/bin/sh
case "$2" in
  *"import venv"*) exit 1 ;;
  *) echo 3.11.4 ;;
esac
"""


def program(folder: Path, name: str, text: str) -> Path:
    """Write an executable script."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a copy of this checkout as it would be cloned, in a folder with spaces in its name."""
    copy = tmp_path / "a clone of it"
    left_out = shutil.ignore_patterns(
        ".*_cache", ".git", ".hypothesis", ".venv", "__pycache__", "node_modules"
    )
    shutil.copytree(ROOT, copy, ignore=left_out)
    return copy


@pytest.fixture
def bin_folder(tmp_path: Path) -> Path:
    """Return a folder that, as the whole PATH, holds what the script needs and no Python."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in TOOLS:
        found = shutil.which(name)
        assert found is not None
        (folder / name).symlink_to(found)
    return folder


def make(checkout: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run make in the checkout, free of what the environment says about Python."""
    inherited = {name: os.environ[name] for name in os.environ if name != "PYTHON"}
    # A make that runs these tests passes its own flags down.
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "CHECK"):
        inherited.pop(name, None)
    return subprocess.run(
        ["make", *arguments],
        cwd=checkout,
        env=inherited | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_old_python_is_refused_with_what_to_do(checkout: Path, bin_folder: Path) -> None:
    """The message says what was found, what is needed, and how to point at another."""
    program(bin_folder, "python3", FAKE_PYTHON.format(version="3.9.18"))
    finished = make(checkout, "demo", PATH=str(bin_folder))
    assert finished.returncode != 0
    assert "Python 3.11 or newer is needed." in finished.stderr
    assert "Found: python3 is Python 3.9.18." in finished.stderr
    assert "make PYTHON=/path/to/python3.12" in finished.stderr
    assert not (checkout / ".venv").exists()


def test_no_python_at_all_is_said(checkout: Path, bin_folder: Path) -> None:
    """A machine without Python gets the same message, not a shell's."""
    finished = make(checkout, "demo", PATH=str(bin_folder))
    assert finished.returncode != 0
    assert "Found: no python3 on the PATH." in finished.stderr


def test_the_named_python_is_the_only_one_tried(checkout: Path, tmp_path: Path) -> None:
    """Whoever names an interpreter does not get another one silently."""
    old = program(tmp_path / "old one", "python", FAKE_PYTHON.format(version="3.8.1"))
    finished = make(checkout, "demo", f"PYTHON={old}")
    assert finished.returncode != 0
    assert f"Found: {old} is Python 3.8.1." in finished.stderr
    finished = make(checkout, "demo", "PYTHON=/nowhere/python3")
    assert finished.returncode != 0
    assert "Found: /nowhere/python3 does not run." in finished.stderr


def test_a_newer_python_is_taken_over_an_old_python3(checkout: Path, bin_folder: Path) -> None:
    """The first name that is new enough is taken; here it then lacks venv, and that is said."""
    program(bin_folder, "python3", FAKE_PYTHON.format(version="3.9.18"))
    program(bin_folder, "python3.12", PYTHON_WITHOUT_VENV)
    finished = make(checkout, "demo", PATH=str(bin_folder))
    assert finished.returncode != 0
    assert "python3.12 has no venv module" in finished.stderr
    assert "apt install python3-venv" in finished.stderr


def test_an_environment_behind_a_link_is_left_alone(checkout: Path, tmp_path: Path) -> None:
    """The environment may be another checkout's: it is not emptied, and the link is named."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "kept").touch()
    (checkout / ".venv").symlink_to(other)
    ran = make(checkout, "venv")
    assert ran.returncode == 2
    assert ".venv is a link" in ran.stderr
    assert [path.name for path in other.iterdir()] == ["kept"]


def test_an_unreachable_index_is_said(checkout: Path) -> None:
    """Without the network the message says so, and where pip's own words are."""
    finished = make(checkout, "demo", PIP_NO_INDEX="1", PIP_FIND_LINKS="")
    assert finished.returncode != 0
    assert "pip could not reach the package index." in finished.stderr
    assert "Full log: .venv/pip.log" in finished.stderr
    assert "from versions: none" in (checkout / ".venv" / "pip.log").read_text(encoding="utf-8")
    # The next run tries again.
    again = make(checkout, "venv", PIP_NO_INDEX="1", PIP_FIND_LINKS="")
    assert "pip could not reach the package index." in again.stderr


def test_a_clone_in_a_folder_with_spaces_sets_itself_up(checkout: Path) -> None:
    """What the demo needs is installed once, and again only when what it depends on changes."""
    bootstrap = ["bash", "tools/bootstrap.sh", "demo"]

    def run() -> str:
        finished = subprocess.run(
            bootstrap, cwd=checkout, capture_output=True, text=True, check=False
        )
        assert finished.returncode == 0, finished.stderr
        return finished.stdout

    assert "Making .venv" in run()
    ronda = subprocess.run(
        [checkout / ".venv" / "bin" / "ronda", "--help"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ronda.returncode == 0, ronda.stderr
    assert "usage" in ronda.stdout.lower()
    assert run() == ""

    with (checkout / "constraints.txt").open("a", encoding="utf-8") as constraints:
        constraints.write("# changed\n")
    changed = run()
    assert "Installing" in changed
    assert "Making .venv" not in changed


def test_make_alone_explains_itself(checkout: Path) -> None:
    """Plain `make` lists every target, and does nothing."""
    finished = make(checkout)
    assert finished.returncode == 0, finished.stderr
    listed = {line.split()[1] for line in finished.stdout.splitlines() if line.startswith("  make")}
    text = (checkout / "Makefile").read_text(encoding="utf-8")
    (targets,) = re.findall(r"^\.PHONY: (.*)$", text, re.MULTILINE)
    assert listed == set(targets.split())
    assert {"help", "demo", "test"} < listed


def test_a_check_that_fails_is_named(checkout: Path) -> None:
    """The run stops at the first failing check and says which, and how to repeat it."""
    (checkout / ".venv").symlink_to(ROOT / ".venv")
    (checkout / "tools" / "planted.py").write_text("import os\n", encoding="utf-8")
    finished = subprocess.run(
        ["bash", "tools/check.sh", "lint", "format"],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 1
    assert 'FAILED at "ruff check"; again alone: make test CHECK=lint' in finished.stderr
    assert "=== ruff format" not in finished.stdout


def test_types_are_checked_beside_the_rest(tmp_path: Path) -> None:
    """What mypy finds is said at its place, after the checks before it, and fails the run.

    Commands that wait for each other stand in for mypy and ruff.
    """
    for folder in ("tools", ".venv/bin"):
        (tmp_path / folder).mkdir(parents=True)
    os.mkfifo(tmp_path / "begun")
    commands = {"mypy": "cat begun; exit 1", "ruff": "echo planted.py:3 > begun"}
    for name, script in commands.items():
        command = tmp_path / ".venv" / "bin" / name
        command.write_text(f"#!/usr/bin/env bash\n{script}\n", encoding="utf-8")
        command.chmod(0o755)
    check = shutil.copy(ROOT / "tools" / "check.sh", tmp_path / "tools")
    finished = subprocess.run(
        ["bash", check, "format", "mypy"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert finished.returncode == 1
    assert 'FAILED at "mypy, strict"; again alone: make test CHECK=mypy' in finished.stderr
    assert finished.stdout.splitlines()[-2:] == ["=== mypy, strict", "planted.py:3"]
