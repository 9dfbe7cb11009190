"""The runner works with nothing of ours beside it but the generated code and its own data."""

import asyncio
import os
import shutil
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from google.protobuf.message import Message

from ronda.conformance.v1 import testee_service_pb2 as pb
from tests.conformance.fake_testee import serving
from tests.conformance.small_case import SCENARIO, right_answer

ROOT = Path(__file__).resolve().parents[2]

# Takes this checkout's folders off the path, shows that the rest of the project is out of reach,
# and runs the module.
PROGRAM = """
import importlib.util, os, runpy, sys
checkout = os.environ["CHECKOUT"]
sys.path[:] = [place for place in sys.path if not place.startswith(checkout) or ".venv" in place]
for name in ("ronda_rules", "ronda_referee", "ronda_client", "ronda_bots", "ronda_cli"):
    assert importlib.util.find_spec(name) is None, name
runpy.run_module("ronda_conformance", run_name="__main__", alter_sys=True)
"""


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    """A folder with the generated code and the runner, its data inside it as in a wheel."""
    place = tmp_path / "alone"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "proto" / "gen" / "ronda", place / "ronda", ignore=ignored)
    package = place / "ronda_conformance"
    shutil.copytree(ROOT / "conformance" / "ronda_conformance", package, ignore=ignored)
    for data in ("spec", "suites", "rule_sets", "house_rules", "glossary"):
        shutil.copytree(ROOT / "conformance" / data, package / data)
    return place


async def run(alone: Path, *arguments: str) -> tuple[int | None, str, str]:
    """Run the copy and return its exit code and what it printed."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", PROGRAM, *arguments),
        cwd=alone,
        env=os.environ | {"PYTHONPATH": str(alone), "CHECKOUT": str(ROOT)},
        stdout=PIPE,
        stderr=PIPE,
    )
    out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()


async def test_it_finds_its_own_suite(alone: Path) -> None:
    """The scenarios of the copy are listed."""
    code, out, err = await run(alone, "--list", "--id", "cap-3-*")
    assert (code, err) == (0, "")
    assert out.startswith("cap-3-nothing-follows-the-twelve  CAP-3  ")


async def test_it_has_the_checks_of_the_service(alone: Path) -> None:
    """They need nothing of ours either, and their rule sets are those of the copy."""
    code, out, err = await run(alone, "--profile", "service", "--list")
    assert (code, err) == (0, "")
    assert "service-watch-end  CALL-9  " in out


async def test_it_plays_against_a_program(alone: Path) -> None:
    """A right program passes with 0, a wrong one fails with 1."""
    wrong = False

    async def answer(request: pb.RunRequest) -> Message:
        response = right_answer()
        if wrong:
            response.steps.pop()
        return response

    suites = alone / "own"
    suites.mkdir()
    (suites / "small-case.yaml").write_text(SCENARIO, encoding="utf-8")
    async with serving(answer) as target:
        arguments = ("--target", target, "--suites", str(suites))
        code, out, err = await run(alone, *arguments)
        assert (code, out, err) == (0, f"1 scenario against {target}: 1 passed.\n", "")
        wrong = True
        code, out, err = await run(alone, *arguments)
    assert (code, err) == (1, "")
    assert "FAILED small-case" in out


async def test_its_authors_commands_work(alone: Path) -> None:
    """Its own scenarios are linted, and a new one is not written into what is installed."""
    code, out, err = await run(alone, "lint", "ronda_conformance/suites/mesa")
    assert (code, err) == (0, "")
    assert out.endswith(" files, nothing is wrong\n")
    code, out, err = await run(alone, "new", "mesa-1-x", "--clause", "MESA-1")
    assert (code, out) == (2, "")
    assert err == "conform: --suites DIR is missing: the installed suites are not written to\n"
