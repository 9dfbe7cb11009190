"""A soak: many matches at once against a referee that is killed again and again."""

import asyncio
import random
import sys
import time
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
from ronda_cli.progress import Progress, progress
from ronda_client import Backoff, RefereeClient, SeenRecord
from tests.referee.organising import organiser_token
from tests.referee.referee_process import RefereeProcess
from tests.soak.judging import Judge
from tests.soak.ledger import Ledger
from tests.soak.lines import CallLine, Line, Streams
from tests.soak.plan import Manner, MatchPlan, Organiser, Pace, Way, plans
from tests.soak.referee import Killer, Memory, Stops, log_levels
from tests.soak.seats import Seat

_CLIENTS = 8
_CREATED_AT_ONCE = 16
_LOGS_AT_ONCE = 8
# A referee that takes longer to answer counts as one that does not come back.
_PATIENCE = 600.0
# With nothing getting on for so long the soak is over, and what is open is a fault.
_STALL_SECONDS = 240.0
_SAMPLE_SECONDS = 0.5
# What a match brings on the average; the kills are spread over a good half of all of it.
_MOVES_A_MATCH = 30
_FEW_KILLS = 10


@dataclass(slots=True)
class Figures:
    """What a soak has measured.

    Attributes:
        matches: how many matches were played.
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
        stops: how often the referee was stopped.
        ledger: what the clients know.
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
        self.ledger = Ledger()
        self._plans = plans(matches, seed, pace)
        self._kills = kills
        self._seed = seed
        self._data = data
        self._chance = random.Random(f"soak {seed}")
        self._referee = RefereeProcess(
            data, *("--sleep-after-seconds", str(pace.sleep_seconds)), *("--drain-seconds", "2")
        )
        self._pace = pace
        self._killer = Killer(
            self._referee, kills, self._until_next, self._chance, self.ledger.fault
        )
        self._memory = Memory()
        self._clients: list[RefereeClient] = []
        self._rules: dict[str, RuleSet] = {}
        self._ids: dict[str, MatchPlan] = {}
        self._lost: list[str] = []
        self._quiet = False

    async def run(self) -> Figures:
        """Do all of it."""
        figures = Figures(len(self._plans), self._killer.stops, self.ledger)
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._referee)
            await stack.enter_async_context(self._sampling())
            await self._connect(stack)
            figures.memory["fresh"] = self._memory.look(self._referee.process.pid)
            await self._play(figures)
            await self._clear_up(figures)
            await self._judge(figures)
            await self._measure(figures)
            if await self._referee.stop() != 0:
                self.ledger.fault("the referee", "did not stop as it was told")
        figures.memory["largest"] = self._memory.largest
        figures.log_levels = log_levels(self._referee.log, self.ledger.fault)
        figures.store_sound = await self._check_store()
        return figures

    async def _connect(self, stack: AsyncExitStack) -> None:
        for _ in range(_CLIENTS):
            client = RefereeClient(
                self._referee.address,
                backoff=Backoff(patience=_PATIENCE),
                organiser_token=organiser_token(self._data),
                call_timeout=60.0,
            )
            self._clients.append(await stack.enter_async_context(client))
        for listed in await self._clients[0].list_rule_sets():
            self._rules[listed.rule_set.id] = listed.rule_set

    @asynccontextmanager
    async def _sampling(self) -> AsyncIterator[None]:
        async def sample() -> None:
            while True:
                self._memory.look(self._referee.process.pid)
                await asyncio.sleep(_SAMPLE_SECONDS)

        task = asyncio.create_task(sample())
        try:
            yield
        finally:
            task.cancel()

    async def _play(self, figures: Figures) -> None:
        killing = asyncio.create_task(self._killer.run(self._ready))
        with progress("create", len(self._plans)) as bar:
            tokens = await self._create(bar)
        figures.open_at_most = len(self._ids)
        begun = time.monotonic()
        streams = Streams(self._clients[0])
        tasks = [asyncio.create_task(self._spectate(match_id)) for match_id in self._watched()]
        for match_id, plan in self._ids.items():
            seats = [
                self._seat(plan, match_id, number, token, streams)
                for number, token in enumerate(tokens[match_id])
            ]
            tasks += [asyncio.create_task(seat.run()) for seat in seats]
            if plan.organiser is not Organiser.NOTHING:
                tasks.append(asyncio.create_task(self._organise(plan, match_id, seats, tokens)))
        running = [asyncio.create_task(one.run()) for one in streams.connections]
        try:
            with progress("play", len(self._ids)) as bar:
                await self._watch_over([killing, *tasks], running, bar)
        finally:
            for task in [killing, *tasks, *running]:
                task.cancel()
            await asyncio.gather(killing, *tasks, *running, return_exceptions=True)
        figures.seconds = time.monotonic() - begun

    async def _create(self, bar: Progress) -> dict[str, tuple[str, ...]]:
        tokens: dict[str, tuple[str, ...]] = {}
        room = asyncio.Semaphore(_CREATED_AT_ONCE)

        async def create(plan: MatchPlan) -> None:
            async with room:
                client = self._client(plan)
                created = await client.create_match(
                    self._rule_set(plan), plan.seats, terms=plan.terms
                )
                self._ids[created.match_id] = plan
                tokens[created.match_id] = created.seat_tokens
                bar.update(len(tokens))

        async with asyncio.TaskGroup() as group:
            for plan in self._plans:
                group.create_task(create(plan))
        return tokens

    def _rule_set(self, plan: MatchPlan) -> str | RuleSet:
        if plan.target is None:
            return plan.rule_set
        shorter = RuleSet()
        shorter.CopyFrom(self._rules[plan.rule_set])
        shorter.id = f"soak-{plan.rule_set}"
        shorter.target = plan.target
        return shorter

    def _client(self, plan: MatchPlan) -> RefereeClient:
        return self._clients[plan.number % len(self._clients)]

    def _seat(
        self, plan: MatchPlan, match_id: str, number: int, token: str, streams: Streams
    ) -> Seat:
        client = self._client(plan)
        line: Line = CallLine(client, match_id, token)
        if plan.way is Way.STREAM:
            alone = plan.manners[number] is Manner.RETURNS
            line = streams.line(match_id, token, number, alone=alone)
        chance = random.Random(f"seat {self._seed} {plan.number} {number}")
        return Seat(plan, match_id, number, line, client, self.ledger, chance)

    def _watched(self) -> list[str]:
        return [match_id for match_id, plan in self._ids.items() if plan.spectator]

    async def _spectate(self, match_id: str) -> None:
        """Watch a match without a seat; its chain must hold to the end through every restart."""
        try:
            async for seen in self._client(self._ids[match_id]).watch(match_id):
                self.ledger.counts["records seen by spectators"] += isinstance(seen, SeenRecord)
        except Exception as error:  # noqa: BLE001 - a fault is what the soak looks for
            self.ledger.fault(
                f"a spectator of match {match_id}", f"{type(error).__name__}: {error}"
            )
        else:
            self.ledger.counts["spectators to the end"] += 1

    async def _organise(
        self, plan: MatchPlan, match_id: str, seats: list[Seat], tokens: dict[str, tuple[str, ...]]
    ) -> None:
        """Wait for the seat that stops, and for some of the kills; then resign for it or cancel."""
        at_fault = next(
            seat
            for seat, manner in enumerate(plan.manners)
            if manner in {Manner.CRASHES, Manner.HANGS, Manner.ABSENT}
        )
        await seats[at_fault].stopped.wait()
        after = self._chance.randint(0, self._kills)
        while self._killer.stops.killed < after:
            await asyncio.sleep(_SAMPLE_SECONDS)
        client = self._client(plan)
        try:
            if plan.organiser is Organiser.CANCELS:
                await client.cancel_match(match_id)
            else:
                await client.resign(match_id, tokens[match_id][at_fault])
            self.ledger.counts[f"organiser {plan.organiser}"] += 1
        except Exception as error:  # noqa: BLE001 - a fault is what the soak looks for
            self.ledger.fault(
                f"the organiser of match {match_id}", f"{type(error).__name__}: {error}"
            )

    def _until_next(self) -> float:
        """Give seconds to the next stop at most; now and then so many that clocks run out."""
        if self._kills > _FEW_KILLS and self._chance.random() < 0.06:
            self._quiet = True
            return self._pace.forfeit_ms / 1000 * 1.2
        self._quiet = False
        return self._chance.uniform(0.5, 12.0)

    async def _ready(self, seconds: float) -> None:
        """Wait so long, or until so much has got on that the kills are spread over the moves."""
        share = _MOVES_A_MATCH * len(self._plans) / max(1, self._kills)
        target = self.ledger.progress + share * self._chance.uniform(0.1, 1.1)
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if not self._quiet and self.ledger.progress >= target:
                return
            await asyncio.sleep(0.02)

    async def _watch_over(
        self, work: list[asyncio.Task[None]], running: list[asyncio.Task[None]], bar: Progress
    ) -> None:
        """Wait for the work; give up where nothing gets on any more."""
        seen, since = -1, time.monotonic()
        while True:
            done, pending = await asyncio.wait(work, timeout=_SAMPLE_SECONDS)
            for task in done:
                # Faults of seats are noted by themselves; this is one of the soak.
                task.result()
            ended, stops = len(self.ledger.ended), self._killer.stops
            bar.update(ended, f"{self.ledger.acknowledgements} moves, {stops.killed} kills")
            if not pending:
                return
            if broken := [one for one in running if one.done()]:
                for one in broken:
                    self.ledger.fault("a Play connection", repr(one.exception()))
                return
            now = self.ledger.progress + stops.killed + stops.told
            if now != seen:
                seen, since = now, time.monotonic()
            elif time.monotonic() - since > _STALL_SECONDS:
                stuck = [match_id for match_id in self._ids if match_id not in self.ledger.ended]
                self.ledger.fault("the soak", f"nothing got on for {_STALL_SECONDS} s: {stuck}")
                return

    async def _clear_up(self, figures: Figures) -> None:
        """Cancel what nobody knows of; whatever else is open or frozen is a fault."""
        client = self._clients[0]
        listed = [one async for one in client.list_matches(page_size=500)]
        for one in listed:
            if one.match_id in self._ids:
                if one.state not in {MATCH_STATE_ENDED, MATCH_STATE_CANCELLED}:
                    state = MatchState.Name(one.state)
                    self.ledger.fault(f"match {one.match_id}", f"has not ended: {state}")
                continue
            figures.lost_creations += 1
            if one.state == MATCH_STATE_JOINING:
                await client.cancel_match(one.match_id)
            self._lost.append(one.match_id)
        missing = self._ids.keys() - {one.match_id for one in listed}
        for match_id in missing:
            self.ledger.fault(f"match {match_id}", "was created and is not in the list")

    async def _judge(self, figures: Figures) -> None:
        judge = Judge(self.ledger)
        ids = [*self._ids, *self._lost]
        with progress("judge", len(ids)) as bar:
            for start in range(0, len(ids), _LOGS_AT_ONCE):
                batch = ids[start : start + _LOGS_AT_ONCE]
                logs = await asyncio.gather(*map(self._clients[0].get_match_log, batch))
                for match_id, log in zip(batch, logs, strict=True):
                    judge.judge(self._ids.get(match_id), match_id, log)
                bar.update(start)
                # The referee's memory is being looked at meanwhile.
                await asyncio.sleep(0)
        figures.outcomes = judge.outcomes
        figures.moves, figures.automatic, figures.audited = (
            judge.moves,
            judge.automatic,
            judge.audited,
        )

    async def _measure(self, figures: Figures) -> None:
        """Look at the referee's memory when everything has ended and left it."""
        await asyncio.sleep(self._pace.sleep_seconds * 1.25 + 1)
        figures.memory["end"] = self._memory.look(self._referee.process.pid)

    async def _check_store(self) -> bool:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "ronda_cli", "store", "check", str(self._data)),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        out, _ = await process.communicate()
        if process.returncode != 0:
            self.ledger.fault("ronda store check", out.decode())
        return process.returncode == 0
