"""The audit that runs beside the ratings: what it finds and raises comes to who waits for it."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ronda_cli import tournament_audit_beside
from ronda_cli.failures import CommandError
from ronda_cli.tournament_audit_beside import AuditBeside


def test_what_the_audit_finds_and_how_far_it_is_comes_to_who_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two logs, a finding, and the thread that waits is the one that is told."""

    def audit(_: Path, jobs: int, on_progress: Callable[[int, int], None]) -> dict[str, Any]:
        on_progress(1, 2)
        on_progress(2, 2)
        return {"jobs": jobs, "findings": ["one"]}

    monkeypatch.setattr(tournament_audit_beside, "audit_tournament", audit)
    told: list[tuple[int, int, bool]] = []
    here = threading.current_thread()
    with AuditBeside(tmp_path, 3) as beside:
        found = beside.result(
            lambda done, total: told.append((done, total, threading.current_thread() is here))
        )
    assert found == {"jobs": 3, "findings": ["one"]}
    assert told == [(1, 2, True), (2, 2, True)]


def test_what_is_no_tournament_is_said_to_who_waits(tmp_path: Path) -> None:
    """The folder has no journal."""
    with AuditBeside(tmp_path, 1) as beside, pytest.raises(CommandError, match="journal"):
        beside.result(lambda *_: None)


def test_an_audit_that_nobody_waits_for_is_broken_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while ratings are made: of endless logs the one under way is the last."""
    begun = threading.Event()
    logs: list[int] = []

    def audit(_: Path, __: int, on_progress: Callable[[int, int], None]) -> dict[str, Any]:
        while True:
            logs.append(len(logs))
            on_progress(len(logs), 0)
            begun.set()

    monkeypatch.setattr(tournament_audit_beside, "audit_tournament", audit)

    def interrupted() -> None:
        with AuditBeside(tmp_path, 1):
            begun.wait()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    count = len(logs)
    assert count >= 1
    assert not [one for one in threading.enumerate() if one.name.startswith("audit")]
