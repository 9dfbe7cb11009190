"""The line in which the commands of a match wait: one at a time, in the order in which they came.

A move that finds the line empty is done at once; a commit that comes back, a match that has come
back to memory, take the line up again. No task is needed for that, of which there would be one for
every move.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from contextvars import Context

from ronda_referee.match_commands import Command


class Line:
    """The commands of one match that wait, and whether one is under way."""

    __slots__ = ("_aside", "_busy", "_commands", "_do", "_idle")

    def __init__(self, do: Callable[[Command], bool]) -> None:
        """Have commands done by `do`, which tells whether one is done.

        Where it is not, `go_on` must be called when it is.
        """
        self._do = do
        self._busy = False
        self._commands: deque[Command] | None = None
        # What is no part of play waits for all that is: otherwise a seat could have its token
        # changed time and again while the clock of another runs, whose move waits behind that.
        self._aside: deque[Command] | None = None
        self._idle: list[asyncio.Future[None]] = []

    @property
    def busy(self) -> bool:
        """Whether a command is under way, or about to be."""
        return self._busy

    def add(self, command: Command, context: Context, *, is_play: bool) -> None:
        """Do a command, or have it wait for its turn; it is done in this context."""
        if is_play:
            if self._commands is None:
                self._commands = deque()
            self._commands.append(command)
        else:
            if self._aside is None:
                self._aside = deque()
            self._aside.append(command)
        if not self._busy:
            self._busy = True
            if is_play:
                context.run(self.go_on)
            else:
                # What is part of play, and comes in the same turn of the event loop, goes first.
                asyncio.get_running_loop().call_soon(self.go_on, context=context)

    def go_on(self) -> None:
        """Do what waits, up to a command that takes a while, or to the end."""
        while waiting := self._commands or self._aside:
            if not self._do(waiting.popleft()):
                return
        self._busy = False
        # A line that is empty is to be small: there are many matches.
        self._commands = self._aside = None
        for idle in self._idle:
            if not idle.done():
                idle.set_result(None)
        self._idle.clear()

    async def settled(self) -> None:
        """Wait until no command is under way."""
        while self._busy:
            idle: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._idle.append(idle)
            await idle
