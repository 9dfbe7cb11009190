"""The measurement of archives audits as many logs as it says."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden"
# One deal of two seats: forty moves but for the four cards that are turned.
LOG = GOLDEN / "single-deal-2.rlog"


def benchmark(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run it."""
    command = [sys.executable, *map(str, (ROOT / "benchmarks" / "archive.py", *arguments))]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_it_says_what_an_archive_took() -> None:
    """Logs, moves, time and memory; 36 moves to a log."""
    ran = benchmark(LOG, "--logs", 3, "--jobs", 1, "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    took = json.loads(ran.stdout)
    assert (took["logs"], took["clean"], took["moves"], took["jobs"]) == (3, 3, 108, 1)
    assert took["seconds"] > 0
    assert took["processor_seconds"] > 0
    # A Python that has loaded gRPC's messages, and no more than a few times that.
    assert 20_000 < took["peak_kib"] < 400_000


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("none.rlog",), "none.rlog is no file"),
        ((ROOT / "docs",), "there is no log in these folders"),
        ((LOG, "--logs", 1), "--logs takes a number from 2"),
    ],
)
def test_what_it_cannot_audit_is_said(arguments: tuple[object, ...], error: str) -> None:
    """Before anything is begun."""
    ran = benchmark(*arguments)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.endswith(f"error: {error}\n")
