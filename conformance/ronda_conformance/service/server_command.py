"""The referee as a program that the runner starts, kills and starts again."""

import asyncio
import contextlib
import os
import shlex
import signal
import tempfile
from typing import IO


class ServerStartError(Exception):
    """The program could not be started, or does not answer; the text says what it said."""


class ServerProcess:
    """Runs a command as a program of its own, with the processes that it starts.

    Attributes:
        command: the command, as a shell would read it; no shell runs it.
        target: where it listens, HOST:PORT.
        seconds: how long it may take to listen, and to end.
    """

    def __init__(self, command: str, target: str, seconds: float) -> None:
        """Prepare; `start` runs it."""
        self.command = command
        self.target = target
        self.seconds = seconds
        self._process: asyncio.subprocess.Process | None = None
        self._output: IO[bytes] | None = None

    async def start(self) -> None:
        """Run it and wait until it listens.

        Raises:
            ServerStartError: it cannot be run, ends, or does not listen in time, or something else
                listens there.
        """
        if await self._listening():
            raise ServerStartError(
                f"something answers at {self.target} already; stop it, for --server-command starts "
                "the referee itself"
            )
        if self._output is None:
            self._output = tempfile.TemporaryFile()  # noqa: SIM115  # closed with the program
        try:
            self._process = await asyncio.create_subprocess_exec(
                *shlex.split(self.command),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=self._output,
                stderr=self._output,
                # A group of its own, so that what it starts is killed with it.
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise ServerStartError(f"--server-command cannot be run: {error}") from error
        try:
            async with asyncio.timeout(self.seconds):
                while not await self._listening():
                    if self._process.returncode is not None:
                        raise ServerStartError(
                            f"--server-command ended with exit code {self._process.returncode} "
                            f"before it listened at {self.target}; it said:\n{self._said()}"
                        )
                    await asyncio.sleep(0.05)
        except TimeoutError:
            raise ServerStartError(
                f"--server-command does not listen at {self.target} after {self.seconds:g} "
                f"seconds; it said:\n{self._said()}"
            ) from None

    async def kill(self) -> None:
        """Kill it with all that it has started, as a power cut would."""
        await self._signal(signal.SIGKILL)

    async def terminate(self) -> None:
        """Ask it to stop, and do not wait."""
        assert self._process is not None  # noqa: S101  # it has been started
        self._process.send_signal(signal.SIGTERM)

    async def ended(self) -> int | None:
        """Wait until it has ended; give its exit code, None where it does not end in time."""
        assert self._process is not None  # noqa: S101  # it has been started
        try:
            return await asyncio.wait_for(self._process.wait(), self.seconds)
        except TimeoutError:
            return None

    async def close(self) -> None:
        """Stop it in order, or kill it, and let go of what it has said."""
        if self._process is not None and self._process.returncode is None:
            await self.terminate()
            if await self.ended() is None:
                await self.kill()
        if self._output is not None:
            self._output.close()
            self._output = None

    async def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None  # noqa: S101  # it has been started
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)
        await self._process.wait()

    async def _listening(self) -> bool:
        host, _, port = self.target.rpartition(":")
        try:
            _, writer = await asyncio.open_connection(host.strip("[]"), int(port))
        except OSError:
            return False
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
        return True

    def _said(self) -> str:
        assert self._output is not None  # noqa: S101  # it has been started
        self._output.seek(0)
        return self._output.read().decode(errors="replace")[-2000:].strip() or "nothing"
