"""Signs of life on a stream that has nothing to say.

They come so long after the last message, whatever goes on behind the scenes meanwhile: that a
seat has answered under seal, or that a move was refused, must not show in when they come.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def stopping(signs: "SignsOfLife") -> Iterator[None]:
    """Have signs of life given for as long as the context is held."""
    try:
        yield
    finally:
        signs.stop()


class SignsOfLife:
    """Says when a stream must give its next sign of life.

    One timer at the most, which is late rather than set anew at each message: messages are many.
    """

    def __init__(self, seconds: float) -> None:
        """Give one after so many seconds without a message, reckoned from now."""
        self._seconds = seconds
        self._loop = asyncio.get_running_loop()
        self._due = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._waiting: asyncio.Event | None = None
        self.said()

    def said(self) -> None:
        """Reckon anew: a message has gone out."""
        self._due = self._loop.time() + self._seconds

    async def wait(self, news: asyncio.Event) -> bool:
        """Wait for news; False: it is time for a sign of life."""
        if not news.is_set():
            if self._timer is None:
                self._timer = self._loop.call_at(self._due, self._look)
            self._waiting = news
            try:
                await news.wait()
            finally:
                self._waiting = None
        return self._loop.time() < self._due

    def stop(self) -> None:
        """Say nothing more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        self._timer = None
        if self._waiting is None:
            # It has something to say just now, and looks again when it next waits.
            return
        if self._due > self._loop.time():
            self._timer = self._loop.call_at(self._due, self._look)
        else:
            self._waiting.set()
