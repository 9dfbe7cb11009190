"""The referee of a soak: killed and started again, and looked at for what it takes of memory."""

import asyncio
import json
import math
import random
import signal
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.referee.referee_process import RefereeProcess
from tests.soak.ledger import Ledger


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
    """Stops the referee at random times and starts it again on the same data and port.

    Attributes:
        kills: how many times it will have been killed.
        stops: how often it has been stopped by now.
    """

    def __init__(
        self,
        referee: RefereeProcess,
        ledger: Ledger,
        chance: random.Random,
        *,
        kills: int,
        moves: int,
        seconds: float,
        quiet_seconds: float,
    ) -> None:
        """Spread so many kills over a good half of so many moves, each after `seconds` at most.

        Where there are many, some come only after `quiet_seconds`, in which clocks run out.
        """
        self.kills = kills
        self.stops = Stops()
        self._referee = referee
        self._ledger = ledger
        self._chance = chance
        self._share = moves / max(1, kills)
        self._seconds = seconds
        self._quiet_seconds = quiet_seconds
        self._killed = asyncio.Condition()

    async def run(self) -> None:
        """Do it."""
        loop = asyncio.get_running_loop()
        while self.stops.killed < self.kills:
            await self._wait()
            if self._chance.random() < _TOLD:
                await self._tell()
            else:
                await self._kill()
            begun = loop.time()
            await self._referee.begin()
            if self.stops.killed < self.kills and self._chance.random() < _WHILE_STARTING:
                await asyncio.sleep(self._chance.uniform(0.0, 2.0))
                await self._kill()
                self.stops.killed_while_starting += 1
                await self._referee.begin()
            if not await self._referee.listening():
                raise RuntimeError(f"the referee did not start again; see {self._referee.log}")
            self.stops.starting_seconds.append(loop.time() - begun)

    async def killed(self, times: int) -> None:
        """Wait until it has been killed so many times."""
        async with self._killed:
            await self._killed.wait_for(lambda: self.stops.killed >= times)

    async def _wait(self) -> None:
        """Wait for a random number of moves, or seconds where they do not come."""
        quiet = self.kills >= _MANY_KILLS and self._chance.random() < _QUIET
        share = self._chance.uniform(0.1, 1.1) * self._share
        moves = math.inf if quiet else self._ledger.acknowledgements + share
        seconds = self._quiet_seconds if quiet else self._chance.uniform(0.5, self._seconds)
        await self._ledger.reach(moves, seconds)

    async def _kill(self) -> None:
        await self._referee.kill()
        async with self._killed:
            self.stops.killed += 1
            self._killed.notify_all()

    async def _tell(self) -> None:
        code = await self._referee.stop(signal.SIGTERM)
        self.stops.told += 1
        if code != 0:
            self._ledger.fault("the referee", f"ended with {code} when it was told to stop")


# How often the referee is told to stop rather than killed, killed again before it listens, and
# left alone until clocks have run out.
_TOLD = 0.15
_WHILE_STARTING = 0.1
_QUIET = 0.06
_MANY_KILLS = 10


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
