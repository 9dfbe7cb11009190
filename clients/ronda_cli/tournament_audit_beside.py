"""A tournament's audit in a thread, while this process does something else with the results."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Self

from ronda_cli.tournament_audit import audit_tournament


class _Unwanted(Exception):
    """Nobody waits for the audit any more."""


class AuditBeside:
    """An audit that runs while its context lasts, and is broken off where that is left before."""

    def __init__(self, path: Path, jobs: int) -> None:
        """Audit a tournament's folder with so many processes; entering begins."""
        self._path = path
        self._jobs = jobs
        self._thread = ThreadPoolExecutor(1, "audit")
        self._told: SimpleQueue[tuple[int, int] | None] = SimpleQueue()
        self._unwanted = threading.Event()
        self._audit: Future[dict[str, Any]] = Future()

    def __enter__(self) -> Self:
        self._audit = self._thread.submit(
            audit_tournament, self._path, self._jobs, self._on_progress
        )
        self._audit.add_done_callback(lambda _: self._told.put(None))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._unwanted.set()
        self._thread.shutdown()

    def result(self, on_progress: Callable[[int, int], None]) -> dict[str, Any]:
        """Wait for what the audit finds, as `audit_tournament` gives it.

        Args:
            on_progress: Told how many logs are done, and how many there are.

        Raises:
            CommandError: As `audit_tournament`.
        """
        while (told := self._told.get()) is not None:
            on_progress(*told)
        return self._audit.result()

    def _on_progress(self, done: int, total: int) -> None:
        if self._unwanted.is_set():
            raise _Unwanted
        self._told.put((done, total))
