"""Streams whose clients do not read: each is ended after a while, and nobody waits for it.

gRPC takes a message from the handler only when there is room for it on the way to the client. A
handler that has waited for that too long is stopped, and what it held is free at once. The status
follows the messages that are on their way already: whoever reads on after all gets these, and then
hears where to go on.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Generic, TypeVar

from ronda_referee.checked_calls import Context, leaving_later
from ronda_referee.errors import ServiceError, ServiceReason
from ronda_referee.statuses import end_with

_Message = TypeVar("_Message")


class SlowWatchers:
    """Ends the streams of clients that do not read."""

    def __init__(self, seconds: float) -> None:
        """Let a message wait for its client for so many seconds."""
        self._seconds = seconds

    async def ended(
        self,
        messages: AsyncGenerator[_Message],
        context: Context,
        resume_from: Callable[[_Message], int] | None = None,
    ) -> AsyncGenerator[_Message]:
        """Give the messages of a stream; where one waits for too long, the call is ended.

        To be used in the call's own task.

        Args:
            messages: the stream's messages; closed with it.
            context: the call.
            resume_from: gives the sequence number after a message, where a stream has one.
        """
        patience: _Patience[_Message] = _Patience(self._seconds, context, resume_from)
        try:
            async with aclosing(messages) as given:
                async for message in given:
                    patience.begins(message)
                    yield message
                    patience.over()
        finally:
            patience.stop()


class _Patience(Generic[_Message]):
    """Looks now and then whether a stream's message has waited for too long.

    One timer at the most, and none while nothing was sent lately: messages are many.
    """

    def __init__(
        self, seconds: float, context: Context, resume_from: Callable[[_Message], int] | None
    ) -> None:
        self._seconds = seconds
        self._context = context
        self._resume_from = resume_from
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        self._waiting: tuple[float, _Message] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def begins(self, message: _Message) -> None:
        """Note that a message is handed to gRPC."""
        self._waiting = (self._loop.time(), message)
        if self._timer is None:
            self._timer = self._loop.call_later(self._seconds, self._look)

    def over(self) -> None:
        """Note that gRPC has taken it."""
        self._waiting = None

    def stop(self) -> None:
        """Look no more."""
        self._waiting = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        self._timer = None
        if self._waiting is None:
            return
        since, message = self._waiting
        left = since + self._seconds - self._loop.time()
        if left > 0:
            self._timer = self._loop.call_later(left, self._look)
            return
        self._waiting = None
        ending = self._loop.create_task(end_with(self._context, self._error(message)))
        leaving_later(self._context, ending)
        if self._task is not None:
            self._task.cancel()

    def _error(self, message: _Message) -> ServiceError:
        detail = f"the stream was not read for {self._seconds:g} s"
        if self._resume_from is None:
            return ServiceError(ServiceReason.SLOW_WATCHER, f"{detail}; open it again")
        start = self._resume_from(message)
        return ServiceError(
            ServiceReason.SLOW_WATCHER,
            f"{detail}; open it again from sequence number {start}",
            resume_from=start,
        )
