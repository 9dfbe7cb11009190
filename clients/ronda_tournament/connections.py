"""How the runner speaks with a bot: with a program that it started, or one that waits for it."""

import asyncio
import contextlib
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Protocol

from ronda_tournament import keeper
from ronda_tournament.config import Entrant

LONGEST_LINE = 4096
_STOP_SECONDS = 5.0
_LAST_WORDS_SECONDS = 1.0
_CHUNK = 65536


class Connection(Protocol):
    """A way to a bot that is open."""

    lines: asyncio.StreamReader

    def write(self, data: bytes) -> None:
        """Send something, as soon as it can go."""

    async def close(self) -> str:
        """End it, with the program where it was started here; return how it ended, for people."""
        ...


class ProgramConnection:
    """A program that the runner has started."""

    def __init__(
        self, process: asyncio.subprocess.Process, life: int, copying: asyncio.Task[None]
    ) -> None:
        """Take the keeper's process, the pipe that keeps it, and what reads standard error."""
        if process.stdout is None or process.stdin is None:
            raise RuntimeError("the program's input and output are pipes")
        self.lines = process.stdout
        self._process = process
        self._input = process.stdin
        self._life = life
        self._copying = copying

    def write(self, data: bytes) -> None:
        """Send something to its standard input."""
        with contextlib.suppress(BrokenPipeError, ConnectionResetError, RuntimeError):
            self._input.write(data)

    async def close(self) -> str:
        """End the program; return its exit code, as text."""
        before = self._process.returncode
        if before is None:
            # It may be about to end by itself, and its exit code says more than ours.
            with contextlib.suppress(TimeoutError):
                if self.lines.at_eof():
                    await asyncio.wait_for(self._process.wait(), 0.5)
            before = self._process.returncode
        if self._life >= 0:
            os.close(self._life)
            self._life = -1
        try:
            await asyncio.wait_for(self._process.wait(), _STOP_SECONDS)
        except TimeoutError:
            self._process.kill()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), _STOP_SECONDS)
        # A process that has got away from the keeper may hold the other end for ever.
        await asyncio.wait({self._copying}, timeout=_LAST_WORDS_SECONDS)
        self._copying.cancel()
        return "" if before is None else f"exit code {before}"


class AddressConnection:
    """A program that was running before."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take the connection to it."""
        self.lines = reader
        self._writer = writer

    def write(self, data: bytes) -> None:
        """Send something."""
        self._writer.write(data)

    async def close(self) -> str:
        """Close the connection; the program goes on."""
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()
        return ""


async def connect(
    entrant: Entrant,
    folder: Path,
    builtin_arguments: Sequence[str],
    on_error_output: Callable[[bytes], Awaitable[None]],
) -> Connection:
    """Open a way to an entrant.

    Args:
        entrant: Who.
        folder: Where a command is run.
        builtin_arguments: What a built-in bot is started with, after its name.
        on_error_output: Gets what the program writes to standard error.

    Raises:
        OSError: The address does not answer.
    """
    if entrant.address:
        host, _, port = entrant.address.rpartition(":")
        reader, writer = await asyncio.open_connection(
            host.strip("[]"), int(port), limit=LONGEST_LINE
        )
        return AddressConnection(reader, writer)
    command = entrant.command or (
        *(sys.executable, "-m", "ronda_tournament.builtin"),
        *(entrant.builtin, *builtin_arguments),
    )
    kept, life = os.pipe()
    try:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-S", str(keeper.__file__), str(kept), *command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(kept,),
            cwd=folder,
            env=_environment(),
            limit=LONGEST_LINE,
            # Ctrl-C at the terminal is for the runner alone.
            start_new_session=True,
        )
    except BaseException:
        os.close(life)
        raise
    finally:
        os.close(kept)
    copying = asyncio.create_task(_copy(process.stderr, on_error_output))
    return ProgramConnection(process, life, copying)


def _environment() -> dict[str, str]:
    """Return the runner's own without what is a secret, its interpreter found first."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("RONDA_")}
    own = str(Path(sys.executable).parent)
    kept["PATH"] = os.pathsep.join(filter(None, (own, kept.get("PATH", ""))))
    return kept


async def _copy(
    source: asyncio.StreamReader | None, to: Callable[[bytes], Awaitable[None]]
) -> None:
    while source is not None and (data := await source.read(_CHUNK)):
        await to(data)
