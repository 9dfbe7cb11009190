"""The second verifier, which is written in JavaScript from the pages alone, as tests run it."""

import json
import shutil
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.referee.played_logs import KEY

OLDEST_NODE = 20
FOLDER = Path(__file__).resolve().parent / "verifier"


@cache
def node_program() -> str:
    """Give the path of Node, or fail the test and say what is missing."""
    program = shutil.which("node")
    if program is None:
        pytest.fail("this test needs Node 20 or newer, and there is no `node` on the PATH")
    ran = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    version = ran.stdout.strip()
    if int(version.removeprefix("v").partition(".")[0]) < OLDEST_NODE:
        pytest.fail(f"this test needs Node {OLDEST_NODE} or newer, and `node` is {version}")
    return program


def node(script: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a script of the second verifier, which must not break."""
    command = [node_program(), FOLDER / script, *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.stderr == "", ran.stderr
    return ran


def verify(
    folder: Path, logs: Mapping[str, bytes], key: bytes = KEY.public_key
) -> dict[str, dict[str, Any]]:
    """Verify the bytes of logs, written into a folder; give what is said of each, by its name."""
    files = [folder / f"{name}.rlog" for name in logs]
    for file, data in zip(files, logs.values(), strict=True):
        file.write_bytes(data)
    ran = node("verify.mjs", "--key", key.hex(), *files)
    said = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [one.pop("file") for one in said] == list(map(str, files))
    wrong = any(one["finding"] is not None for one in said)
    assert ran.returncode == (1 if wrong else 0)
    return dict(zip(logs, said, strict=True))


def found(said: Mapping[str, Any]) -> tuple[str, int]:
    """Give the code of a finding and the number of its record."""
    finding = said["finding"]
    assert finding is not None, said
    return finding["kind"], finding["record"]
