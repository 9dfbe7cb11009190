"""A soak: many matches at once against a referee that is killed again and again."""

import asyncio
import random
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ronda.v1.referee_service_pb2 import (
    MATCH_STATE_CANCELLED,
    MATCH_STATE_ENDED,
    MATCH_STATE_JOINING,
    MatchState,
)
from ronda.v1.rule_set_pb2 import RuleSet
from ronda_cli.progress import progress
from ronda_client import Backoff, RefereeClient
from tests.referee.organising import organiser_token
from tests.referee.referee_process import RefereeProcess
from tests.soak.judging import Judge
from tests.soak.ledger import Ledger
from tests.soak.plan import MatchPlan, Pace, harmless_plans, plans
from tests.soak.referee import Killer, Memory, Stops, log_levels
from tests.soak.wave import Wave

_CLIENTS = 8
_LOGS_AT_ONCE = 8
# A referee that takes longer to answer counts as one that does not come back.
_PATIENCE = 900.0
_SAMPLE_SECONDS = 0.5
# What a match brings on the average; the kills are spread over a good half of all of it.
_MOVES_A_MATCH = 30


@dataclass(slots=True)
class Figures:
    """What a soak has measured.

    Attributes:
        matches: how many matches were played through the kills.
        stops: how often the referee was stopped.
        ledger: what the clients know.
        seconds: from the first move to the end of the last match, restarts included.
        open_at_most: how many matches were open at once.
        outcomes: how many matches ended how.
        lost_creations: matches whose creation was acknowledged to nobody.
        moves: moves of the seats' own in the logs.
        automatic: moves that the referee made.
        audited: logs that the audit found right.
        log_levels: lines in the referee's own log, by level.
        store_sound: whether `ronda store check` found nothing.
        memory: KiB of resident memory, by when.
    """

    matches: int
    stops: Stops
    ledger: Ledger
    seconds: float = 0.0
    open_at_most: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    lost_creations: int = 0
    moves: int = 0
    automatic: int = 0
    audited: int = 0
    log_levels: Counter[str] = field(default_factory=Counter)
    store_sound: bool = False
    memory: dict[str, int] = field(default_factory=dict)


class Soak:
    """One soak."""

    def __init__(self, matches: int, kills: int, seed: int, pace: Pace, data: Path) -> None:
        """Play so many matches on a data folder that is new, through so many kills."""
        self._ledger = Ledger()
        self._plans = plans(matches, seed, pace)
        self._harmless = harmless_plans(max(4, matches // 20), seed, pace)
        self._chance = random.Random(f"soak {seed}")
        self._pace = pace
        self._data = data
        self._referee = RefereeProcess(
            data, *("--sleep-after-seconds", str(pace.sleep_seconds)), *("--drain-seconds", "2")
        )
        self._killer = self._stopping(kills, _MOVES_A_MATCH * matches)
        self._memory = Memory()
        self._clients: list[RefereeClient] = []
        self._rules: dict[str, RuleSet] = {}
        self._plan_of: dict[str, MatchPlan | None] = {}
        self._figures = Figures(matches, self._killer.stops, self._ledger)

    async def run(self) -> Figures:
        """Do all of it."""
        figures = self._figures
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._referee)
            await stack.enter_async_context(self._sampling())
            await self._connect(stack)
            await self._wave(self._harmless, self._stopping(0, 0))
            await self._look("before")
            wave = await self._wave(self._plans, self._killer)
            figures.seconds, figures.open_at_most = wave.seconds, wave.open_at_most
            await self._clear_up()
            await self._look("after")
            await self._judge()
            if await self._referee.stop() != 0:
                self._ledger.fault("the referee", "did not stop as it was told")
        figures.memory["largest"] = self._memory.largest
        figures.log_levels = log_levels(self._referee.log, self._ledger.fault)
        figures.store_sound = await self._check_store()
        self._compare_memory()
        return figures

    def _stopping(self, kills: int, moves: int) -> Killer:
        return Killer(
            self._referee,
            self._ledger,
            self._chance,
            kills=kills,
            moves=moves,
            seconds=self._pace.stop_seconds,
            quiet_seconds=1.2 * self._pace.forfeit_ms / 1000,
        )

    async def _connect(self, stack: AsyncExitStack) -> None:
        for _ in range(_CLIENTS):
            client = RefereeClient(
                self._referee.address,
                # Clocks run as soon as the referee listens: nobody may be seconds away then.
                backoff=Backoff(cap=0.5, patience=_PATIENCE),
                organiser_token=organiser_token(self._data),
                call_timeout=60.0,
            )
            self._clients.append(await stack.enter_async_context(client))
        for listed in await self._clients[0].list_rule_sets():
            self._rules[listed.rule_set.id] = listed.rule_set

    @asynccontextmanager
    async def _sampling(self) -> AsyncIterator[None]:
        """Look at the referee's memory again and again."""

        async def sample() -> None:
            while True:
                self._memory.look(self._referee.process.pid)
                await asyncio.sleep(_SAMPLE_SECONDS)

        task = asyncio.create_task(sample())
        try:
            yield
        finally:
            task.cancel()

    async def _wave(self, wanted: list[MatchPlan], killer: Killer) -> Wave:
        wave = Wave(wanted, self._clients, self._ledger, self._chance, self._pace.stall_seconds)
        await wave.play(killer, self._rules)
        self._plan_of |= {match_id: one.plan for match_id, one in wave.created.items()}
        return wave

    async def _clear_up(self) -> None:
        """Cancel what nobody knows of; whatever else is open or frozen is a fault."""
        client = self._clients[0]
        listed = [one async for one in client.list_matches(page_size=500)]
        for match_id in self._plan_of.keys() - {one.match_id for one in listed}:
            self._ledger.fault(f"match {match_id}", "was created and is not in the list")
        for one in listed:
            if one.match_id in self._plan_of:
                if one.state not in {MATCH_STATE_ENDED, MATCH_STATE_CANCELLED}:
                    state = MatchState.Name(one.state)
                    self._ledger.fault(f"match {one.match_id}", f"has not ended: {state}")
                continue
            # The referee was killed between the commit and the answer.
            self._figures.lost_creations += 1
            self._plan_of[one.match_id] = None
            if one.state == MATCH_STATE_JOINING:
                await client.cancel_match(one.match_id)

    async def _look(self, when: str) -> None:
        """Look at the referee's memory when every match has ended and left it."""
        await asyncio.sleep(self._pace.sleep_seconds * 1.25 + 0.25)
        self._figures.memory[when] = self._memory.look(self._referee.process.pid)

    def _compare_memory(self) -> None:
        memory = self._figures.memory
        grown = memory["after"] - memory["before"]
        if grown > self._pace.memory_kib:
            self._ledger.fault(
                "the referee",
                f"takes {grown} KiB more than before, when all matches have ended; "
                f"{self._pace.memory_kib} are allowed",
            )

    async def _judge(self) -> None:
        judge = Judge(self._ledger)
        ids = list(self._plan_of)
        with progress("judge", len(ids)) as bar:
            for start in range(0, len(ids), _LOGS_AT_ONCE):
                batch = ids[start : start + _LOGS_AT_ONCE]
                logs = await asyncio.gather(
                    *map(self._clients[0].get_match_log, batch), return_exceptions=True
                )
                for match_id, log in zip(batch, logs, strict=True):
                    if isinstance(log, BaseException):
                        self._ledger.fault(f"match {match_id}", f"its log is not to be had: {log}")
                    else:
                        judge.judge(self._plan_of[match_id], match_id, log)
                bar.update(start)
        figures = self._figures
        figures.outcomes, figures.audited = judge.outcomes, judge.audited
        figures.moves, figures.automatic = judge.moves, judge.automatic

    async def _check_store(self) -> bool:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "ronda_cli", "store", "check", str(self._data)),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        out, _ = await process.communicate()
        if process.returncode != 0:
            self._ledger.fault("ronda store check", out.decode())
        return process.returncode == 0
