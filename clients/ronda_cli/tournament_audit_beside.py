"""A tournament's audit in a thread, while this process does something else with the results."""

import threading
from collections.abc import Callable
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
        # How far it is, and in the end what it finds or what has kept it from that.
        self._said: SimpleQueue[tuple[int, int] | dict[str, Any] | Exception] = SimpleQueue()
        self._unwanted = threading.Event()
        self._thread = threading.Thread(target=self._audit, name="audit")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._unwanted.set()
        self._thread.join()

    def result(self, on_progress: Callable[[int, int], None]) -> dict[str, Any]:
        """Wait for what the audit finds, as `audit_tournament` gives it.

        Args:
            on_progress: Told how many logs are done, and how many there are.

        Raises:
            CommandError: As `audit_tournament`.
        """
        while isinstance(said := self._said.get(), tuple):
            on_progress(*said)
        if isinstance(said, Exception):
            raise said
        return said

    def _audit(self) -> None:
        try:
            self._said.put(audit_tournament(self._path, self._jobs, self._on_progress))
        except Exception as error:  # noqa: BLE001 - whoever waits for it gets it
            self._said.put(error)

    def _on_progress(self, done: int, total: int) -> None:
        if self._unwanted.is_set():
            raise _Unwanted
        self._said.put((done, total))
