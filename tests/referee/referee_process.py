"""A referee in a process of its own, as `ronda serve` starts it."""

import asyncio
import signal
import sys
from pathlib import Path
from typing import Self


class RefereeProcess:
    """Runs `ronda serve` on a data folder; what it logs goes to a file.

    Attributes:
        address: where it listens, HOST:PORT.
        log: the file with its log lines, of all its runs.
    """

    def __init__(self, data: Path, *options: str, address: str = "127.0.0.1:0") -> None:
        """Prepare a referee; entering the context starts it."""
        self.address = address
        self.log = data.with_name(data.name + ".log")
        self._data = data
        self._options = options
        self._process: asyncio.subprocess.Process | None = None

    @property
    def process(self) -> asyncio.subprocess.Process:
        """The process that runs now."""
        assert self._process is not None
        return self._process

    async def __aenter__(self) -> Self:
        """Start it and wait until it answers."""
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Kill it if it still runs."""
        if self.process.returncode is None:
            await self.kill()

    async def start(self) -> None:
        """Start it and wait until it says that it listens."""
        await self.begin()
        assert await self.listening(), self.log.read_text()

    async def begin(self) -> None:
        """Start it."""
        arguments = ["serve", "--data", str(self._data), "--listen", self.address]
        arguments += ["--log-format", "json", *self._options]
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "ronda_cli", *arguments),
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
            )

    async def listening(self) -> bool:
        """Wait until it says that it listens, or has ended; tell which."""
        assert self.process.stdout is not None
        line = (await self.process.stdout.readline()).decode()
        if not line.startswith("listening on "):
            return False
        self.address = line.removeprefix("listening on ").strip()
        return True

    async def kill(self) -> None:
        """Kill it as a power cut would, with no chance to tidy up."""
        self.process.send_signal(signal.SIGKILL)
        await self.process.wait()

    async def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to stop; give its exit code."""
        self.process.send_signal(number)
        return await self.process.wait()
