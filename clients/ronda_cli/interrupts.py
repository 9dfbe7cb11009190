"""Ctrl-C and SIGTERM, so that what was started is stopped in good order."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Coroutine
from types import FrameType, TracebackType
from typing import Any, Self, TypeVar

from ronda_cli.failures import Terminated

_SIGNALS = (signal.SIGINT, signal.SIGTERM)

# A bar hides it while it moves.
_SHOW_CURSOR = "\x1b[?25h"

_Result = TypeVar("_Result")


class Interrupts:
    """Turns SIGINT and SIGTERM into KeyboardInterrupt and Terminated while a context lasts.

    Plain code is interrupted where it stands. An event loop is not: there the work is cancelled,
    comes to its end, and then the exception is raised. A second signal meanwhile ends the process
    at once.
    """

    def __init__(self) -> None:
        """Begin without a signal."""
        self._before: dict[signal.Signals, Any] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[Any] | None = None
        self._in_loop = False
        self._noted: KeyboardInterrupt | None = None

    def __enter__(self) -> Self:
        for number in _SIGNALS:
            # Whoever starts a program in the background may have it ignore Ctrl-C.
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def run(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        """Run a coroutine in an event loop of its own, as `asyncio.run`.

        Raises:
            KeyboardInterrupt: A signal came; the work was cancelled and has ended.
        """
        self._in_loop = True
        try:
            return asyncio.run(self._watched(work))
        except asyncio.CancelledError:
            if self._noted is None:
                raise
            raise self._noted from None
        finally:
            self._in_loop = False

    async def _watched(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        try:
            if self._noted is not None:
                work.close()
                raise asyncio.CancelledError
            result = await work
        finally:
            self._task = None
        if self._noted is not None:
            # The work had ended, or made nothing of being cancelled.
            raise asyncio.CancelledError
        return result

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        raised = Terminated() if number == signal.SIGTERM else KeyboardInterrupt()
        if not self._in_loop:
            raise raised
        if self._noted is not None:
            _tell_person(_SHOW_CURSOR)
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        _tell_person("\nstopping; once more, and it ends at once\n")
        self._noted = raised
        if self._loop is not None and self._task is not None:
            self._loop.call_soon_threadsafe(self._task.cancel)


def _tell_person(text: str) -> None:
    """Write to standard error where that is a terminal; past its buffer, which may be in use."""
    descriptor = 2
    if os.isatty(descriptor):
        with contextlib.suppress(OSError):
            os.write(descriptor, text.encode())
