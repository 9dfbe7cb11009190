"""Profiles: which part a look counts for, and what is said where nothing can be looked at."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import profiles
from benchmarks.bench import Bench
from benchmarks.looking import Look, shares
from benchmarks.machine import children
from benchmarks.profiles import Profiled

ROOT = Path(__file__).resolve().parents[2]
PARTS = {
    "the engine": ("ronda_rules/",),
    "the store": ("ronda_referee/store.py", "ronda_referee/sqlite.py"),
    "the referee": ("ronda_referee/",),
}


def test_a_look_counts_for_the_innermost_part_that_is_named() -> None:
    """Six looks at the engine, three at the store, one elsewhere; a library is its caller's."""
    stacks = [
        "main (ronda_cli/main.py:1);move (ronda_referee/play.py:3);go (ronda_rules/engine.py:9) 5",
        "main (ronda_cli/main.py:1);play (ronda_rules/match.py:7);copy (copy.py:2) 1",
        "main (ronda_cli/main.py:1);commit (ronda_referee/store.py:4);exit (contextlib.py:8) 3",
        "main (ronda_cli/main.py:1) 1",
    ]
    assert shares(stacks, PARTS) == pytest.approx(
        {"the engine": 0.6, "the store": 0.3, "all else": 0.1}
    )


@pytest.mark.parametrize("name", list(profiles.PROFILED))
def test_each_part_names_files_that_are_there_and_that_no_part_before_it_has(name: str) -> None:
    """Nothing would ever count for a file that is gone, or that an earlier part takes."""
    earlier: list[str] = []
    for beginnings in profiles.PROFILED[name].parts.values():
        ours = [one for one in beginnings if one.startswith("ronda_")]
        assert [one for one in ours if not (ROOT / "referee" / one).exists()] == []
        assert [one for one in beginnings if one.startswith(tuple(earlier))] == []
        earlier += beginnings


def test_threads_that_do_not_do_the_work_do_not_count() -> None:
    """One look at the loop, nine at a thread beside it."""
    stacks = [
        "run_forever (asyncio/base_events.py:607);move (ronda_referee/play.py:3) 1",
        "wait (threading.py:3);move (ronda_rules/engine.py:3) 9",
    ]
    assert shares(stacks, PARTS, "run_forever") == {"the referee": 1.0, "all else": 0.0}


def test_what_takes_next_to_nothing_is_with_all_else() -> None:
    """One look of a hundred; without any look there are no shares."""
    stacks = ["a (ronda_rules/engine.py:1) 99", "a (ronda_referee/play.py:1) 1"]
    assert shares(stacks, PARTS) == pytest.approx({"the engine": 0.99, "all else": 0.01})
    assert shares([], PARTS) == {}


def test_a_process_names_those_that_it_has_started() -> None:
    """A program that starts another and says which."""
    program = (
        "import subprocess, sys; started = subprocess.Popen(['cat'], stdin=subprocess.PIPE);"
        "print(started.pid, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        started = int(parent.stdout.readline())
        assert children(parent.pid) == [started]
        parent.communicate()


def test_profiles_are_tables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In the page, between its marks, and nowhere else."""
    page = tmp_path / "page.md"
    page.write_text("before <!-- profiles: begin -->old<!-- profiles: end --> after\n")
    monkeypatch.setattr(profiles, "PROFILED", {"a": Profiled("It", {}, lambda *_: None)})
    monkeypatch.setattr(profiles, "profile", lambda *_: {"the engine": 0.75, "all else": 0.25})
    assert profiles.main(["--write", str(page)]) == 0
    assert page.read_text() == (
        "before <!-- profiles: begin -->\n"
        "| It | share |\n|---|---|\n| the engine | 75% |\n| all else | 25% |\n"
        "<!-- profiles: end --> after\n"
    )


def test_without_py_spy_it_is_said_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2."""

    def work(_: Bench, look: Look) -> None:
        look.at(1)

    monkeypatch.setattr(profiles, "PROFILED", {"a": Profiled("It", {}, work)})
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert profiles.main([]) == 2
    assert "make bench" in capsys.readouterr().err


def test_a_process_that_cannot_be_looked_at_is_no_profile(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """py-spy says why; exit code 3."""
    spy = tmp_path / "py-spy"
    spy.write_text("#!/bin/sh\necho no such process >&2\nexit 1\n")
    spy.chmod(0o755)

    def work(_: Bench, look: Look) -> None:
        look.at(1)

    monkeypatch.setattr(profiles, "PROFILED", {"a": Profiled("It", {}, work)})
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert profiles.main([]) == 3
    assert "no such process" in capsys.readouterr().err
