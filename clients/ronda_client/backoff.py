"""How to wait for a referee that does not answer."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from ronda_client.errors import RefereeUnavailableError


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """How long to wait between attempts, and for how long to go on.

    Attributes:
        first: Seconds before the second attempt, at most.
        factor: What the wait is multiplied by after each further failure.
        cap: Seconds that no single wait exceeds.
        patience: Seconds without any success after which the client gives up.
        notice: Called with what an attempt met with, before each wait, and with None once one has
            succeeded after that; None: nobody wants to know.
    """

    first: float = 0.05
    factor: float = 2.0
    cap: float = 2.0
    patience: float = 60.0
    notice: Callable[[str | None], None] | None = None

    def __post_init__(self) -> None:
        if not (self.first > 0 and self.factor >= 1 and self.cap >= self.first):
            raise ValueError(
                "a backoff needs first > 0, factor >= 1 and cap >= first, not "
                f"first={self.first}, factor={self.factor}, cap={self.cap}"
            )
        if self.patience < 0:
            raise ValueError(f"patience must not be negative, it is {self.patience}")


class Trouble:
    """One series of failed attempts: counts them, waits between them, and gives up in the end."""

    def __init__(
        self,
        backoff: Backoff,
        target: str,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        jitter: Callable[[float, float], float] = random.uniform,
    ) -> None:
        """Take the waits to keep to and where the referee should be; the rest is for tests."""
        self._backoff = backoff
        self._target = target
        self._clock = clock
        self._sleep = sleep
        self._jitter = jitter
        self._since: float | None = None
        self._next_wait = backoff.first

    def over(self) -> None:
        """Note a success: patience and waits begin anew."""
        if self._since is not None and self._backoff.notice is not None:
            self._backoff.notice(None)
        self._since = None
        self._next_wait = self._backoff.first

    async def wait(self, detail: str, at_least: float = 0.0) -> None:
        """Note a failure and wait before the next attempt.

        The wait is drawn between half and the whole of the present one, so that clients which
        lost the referee together do not come back together. The last attempt is made when
        patience ends.

        Args:
            detail: What the attempt met with.
            at_least: Seconds that the referee has asked to wait; the drawn wait comes on top.

        Raises:
            RefereeUnavailableError: Patience has ended.
        """
        now = self._clock()
        if self._since is None:
            self._since = now
        left = self._backoff.patience - (now - self._since)
        if left <= 0:
            raise RefereeUnavailableError(self._target, now - self._since, detail)
        if self._backoff.notice is not None:
            self._backoff.notice(detail)
        wait = at_least + self._jitter(self._next_wait / 2, self._next_wait)
        self._next_wait = min(self._next_wait * self._backoff.factor, self._backoff.cap)
        await self._sleep(min(wait, left))
