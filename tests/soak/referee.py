"""The referee of a soak: a process that is killed and started again, and what it takes of memory."""

import asyncio
import json
import random
import signal
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.referee.referee_process import RefereeProcess


@dataclass(slots=True)
class Stops:
    """How often, and how, the referee was stopped.

    Attributes:
        killed: with SIGKILL, at any time.
        killed_while_starting: how many of those came before it listened.
        told: with SIGTERM.
        starting_seconds: how long it took until it listened, each time that it did.
    """

    killed: int = 0
    killed_while_starting: int = 0
    told: int = 0
    starting_seconds: list[float] = field(default_factory=list)


@dataclass(slots=True)
class Memory:
    """Resident memory of the referee's processes, in KiB, as /proc/PID/status has it.

    Attributes:
        largest: the largest VmRSS seen of any of them.
    """

    largest: int = 0

    def look(self, pid: int) -> int:
        """Give what a process takes now; 0 where it is gone."""
        try:
            text = Path(f"/proc/{pid}/status").read_text()
        except OSError:
            return 0
        sizes = [int(row.split()[1]) for row in text.splitlines() if row.startswith("VmRSS:")]
        now = sizes[0] if sizes else 0
        self.largest = max(self.largest, now)
        return now


class Killer:
    """Stops the referee at random times and starts it again on the same data and port."""

    def __init__(
        self,
        referee: RefereeProcess,
        kills: int,
        every: Callable[[], float],
        chance: random.Random,
        fault: Callable[[str, str], None],
    ) -> None:
        """Kill so many times; `every` gives the seconds to wait before the next time."""
        self.stops = Stops()
        self._referee = referee
        self._kills = kills
        self._every = every
        self._chance = chance
        self._fault = fault

    async def run(self, ready: Callable[[float], Awaitable[None]]) -> None:
        """Do it; `ready` is awaited before each stop with the seconds to wait at most."""
        loop = asyncio.get_running_loop()
        while self.stops.killed < self._kills:
            await ready(self._every())
            if self._chance.random() < 0.15:
                await self._tell()
            else:
                await self._kill()
            begun = loop.time()
            await self._referee.begin()
            if self.stops.killed < self._kills and self._chance.random() < 0.1:
                await asyncio.sleep(self._chance.uniform(0.0, 2.0))
                await self._kill()
                self.stops.killed_while_starting += 1
                await self._referee.begin()
            if not await self._referee.listening():
                self._fault("the referee", f"did not start again: {self._referee.log}")
                return
            self.stops.starting_seconds.append(loop.time() - begun)

    async def _kill(self) -> None:
        await self._referee.kill()
        self.stops.killed += 1

    async def _tell(self) -> None:
        code = await self._referee.stop(signal.SIGTERM)
        self.stops.told += 1
        if code != 0:
            self._fault("the referee", f"ended with {code} when it was told to stop")


def log_levels(log: Path, fault: Callable[[str, str], None]) -> Counter[str]:
    """Count the referee's log lines by level; what is above a warning is a fault."""
    levels: Counter[str] = Counter()
    other: list[str] = []
    for line in log.read_text().splitlines():
        try:
            said = json.loads(line)
            level = str(said["level"])
        except (ValueError, KeyError, TypeError):
            other.append(line)
            continue
        levels[level] += 1
        if level in {"error", "critical"} and levels[level] <= _SHOWN:
            fault("the referee's log", line)
    if other:
        # Whatever is no log line is a traceback or another library's complaint.
        levels["not JSON"] = len(other)
        fault("the referee's log", "\n".join(other[:_SHOWN]))
    return levels


_SHOWN = 20
