"""A program under test that is asked over its standard input and answers on its standard output."""

import asyncio
import contextlib
import os
import shlex
import signal
import sys
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence

from ronda_conformance.framing import Frames, FramingError
from ronda_conformance.results import Status

_CHUNK = 1 << 16
_TAIL = 4096
_LINES = 10
# How long a program may take to end by itself, and then after SIGTERM, in seconds.
_GRACE = 2.0


class ProgramStartError(Exception):
    """The program cannot be started; the message says why."""


class Fault(Exception):
    """The program did not answer as it must, and has to be started again.

    Attributes:
        status: what becomes of the scenario.
        reason: what the program did instead.
    """

    def __init__(self, status: Status, reason: str) -> None:
        """Keep the parts."""
        super().__init__(reason)
        self.status = status
        self.reason = reason


def split_command(text: str) -> list[str]:
    """Return a command's words as a shell would split them; no shell takes part.

    Raises:
        ValueError: there is no word, or a quotation is open.
    """
    words = shlex.split(text)
    if not words:
        message = "it is empty"
        raise ValueError(message)
    return words


class Program:
    """One process of the program under test, with a session of its own.

    A session of its own lets the runner alone hear Ctrl-C, and be the one who ends the process
    with whatever it has started.
    """

    def __init__(
        self, process: Process, stdin: StreamWriter, stdout: StreamReader, stderr: StreamReader
    ) -> None:
        """Listen to a process that has just been started; use `start`."""
        self._process = process
        self._stdin, self._stdout, self._stderr = stdin, stdout, stderr
        self._frames = Frames()
        self._news = asyncio.Event()
        self._tail = bytearray()
        self._ended = False
        self._listening = asyncio.create_task(self._listen())
        self._listening.add_done_callback(lambda _task: self._news.set())
        self._erring = asyncio.create_task(self._pass_errors_on())

    @classmethod
    async def start(cls, words: Sequence[str]) -> "Program":
        """Start the program.

        Raises:
            ProgramStartError: the system cannot.
        """
        try:
            process = await asyncio.create_subprocess_exec(
                *words, stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True
            )
        except OSError as error:
            message = f"{words[0]!r} cannot be started: {error.strerror}"
            raise ProgramStartError(message) from error
        if process.stdin is None or process.stdout is None or process.stderr is None:
            message = f"{words[0]!r} was started without its streams"
            raise ProgramStartError(message)
        return cls(process, process.stdin, process.stdout, process.stderr)

    async def ask(self, request: bytes, seconds: float) -> bytes:
        """Send a framed request and return the bytes of its answer.

        Raises:
            Fault: no answer came in time, or what came is none.
        """
        try:
            async with asyncio.timeout(seconds):
                # Who reads no more may have answered or said why it has ended.
                with contextlib.suppress(ConnectionError):
                    self._stdin.write(request)
                    await self._stdin.drain()
                return await self._answer()
        except FramingError as error:
            raise Fault(Status.FAILED, f"the answer begins with {error}") from error
        except TimeoutError as error:
            begun = self._frames.begun()
            come = f"; of an answer there came {begun}" if begun else ""
            reason = f"no answer within {seconds:g} seconds{come}"
            raise Fault(Status.NO_ANSWER, reason) from error

    async def _answer(self) -> bytes:
        while (answer := self._frames.take()) is None:
            if self._listening.done():
                raise Fault(Status.NO_ANSWER, await self._gone())
            self._news.clear()
            await self._news.wait()
        return answer

    async def _gone(self) -> str:
        begun = self._frames.begun()
        come = f" after {begun}" if begun else ""
        try:
            async with asyncio.timeout(_GRACE):
                code = await self._process.wait()
                await self._erring
        except TimeoutError:
            return f"the program closed its standard output{come} and did not end"
        how = f"exit code {code}" if code >= 0 else f"signal {_signal_name(-code)}"
        lines = bytes(self._tail).decode("utf-8", errors="replace").splitlines()[-_LINES:]
        said = "".join(f"\n  {line}" for line in lines)
        errors = f"; the last it wrote to standard error:{said}" if said else ""
        return f"the program ended with {how}{come}{errors}"

    def unasked(self) -> str:
        """Tell what the program has written that nobody asked for; empty where it has not."""
        if not len(self._frames):
            return ""
        try:
            more = self._frames.take()
        except FramingError as error:
            return f"after the answer the program wrote {error}"
        if more is not None:
            return "the program answered more than once"
        return f"after the answer the program wrote {self._frames.begun()}"

    async def finish(self) -> str:
        """Let the program end by itself, end it otherwise; tell what it wrote unasked."""
        self._stdin.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_GRACE):
                await self._process.wait()
                await self._listening
                await self._erring
        await self.end()
        return self.unasked()

    async def end(self) -> None:
        """End the process and what it has started: terminate, then kill."""
        if self._ended:
            return
        if self._process.returncode is None:
            self._signal(signal.SIGTERM)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_GRACE):
                    await self._process.wait()
        self.kill()
        for task in (self._listening, self._erring):
            task.cancel()
        await asyncio.gather(self._listening, self._erring, return_exceptions=True)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_GRACE):
                await self._process.wait()

    def kill(self) -> None:
        """Kill the process and what it has started, at once."""
        if not self._ended:
            self._ended = True
            self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    async def _listen(self) -> None:
        while chunk := await self._stdout.read(_CHUNK):
            self._frames.feed(chunk)
            self._news.set()

    async def _pass_errors_on(self) -> None:
        while chunk := await self._stderr.read(_CHUNK):
            self._tail += chunk
            del self._tail[:-_TAIL]
            # A standard error that is closed or full must not stop the run.
            with contextlib.suppress(OSError, ValueError):
                sys.stderr.write(chunk.decode("utf-8", errors="replace"))
                sys.stderr.flush()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
