"""A wave of matches: created, all played at once, watched over until every one has ended."""

import asyncio
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ronda.v1.rule_set_pb2 import RuleSet
from ronda_cli.progress import Progress, progress
from ronda_client import RefereeClient, SeenRecord
from tests.soak.ledger import Ledger
from tests.soak.lines import CallLine, Line, Streams
from tests.soak.plan import Manner, MatchPlan, Organiser, Way
from tests.soak.referee import Killer
from tests.soak.seats import Seat

_CREATED_AT_ONCE = 16
_LOOK_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Created:
    """A match that was created.

    Attributes:
        plan: what it is to be.
        tokens: its seats' tokens, by seat.
    """

    plan: MatchPlan
    tokens: tuple[str, ...]


class Wave:
    """Matches that are played at once.

    Attributes:
        created: the matches, by id.
        seconds: how long it took from the first move on.
        open_at_most: how many had been created and not ended when the first move was made.
    """

    def __init__(
        self,
        plans: Sequence[MatchPlan],
        clients: Sequence[RefereeClient],
        ledger: Ledger,
        chance: random.Random,
        stall_seconds: float,
    ) -> None:
        """Play these matches with these clients; give up where nothing gets on for so long."""
        self.created: dict[str, Created] = {}
        self.seconds = 0.0
        self.open_at_most = 0
        self._plans = plans
        self._clients = clients
        self._ledger = ledger
        self._chance = chance
        self._stall_seconds = stall_seconds
        self._seed = chance.getrandbits(64)

    async def play(self, killer: Killer, rules: Mapping[str, RuleSet]) -> None:
        """Play all of them, through all the kills; what goes wrong is noted."""
        killing = asyncio.create_task(killer.run())
        work: list[asyncio.Task[None]] = [killing]
        running: list[asyncio.Task[None]] = []
        try:
            with progress("create", len(self._plans)) as bar:
                await self._create(rules, bar)
            self.open_at_most = len(self.created.keys() - self._ledger.ended)
            begun = time.monotonic()
            streams = Streams(self._clients[0])
            for match_id, one in self.created.items():
                work += self._begin(match_id, one, streams, killer)
            running += [asyncio.create_task(one.run()) for one in streams.connections]
            with progress("play", len(self.created)) as bar:
                await self._watch_over(work, running, killer, bar)
            self.seconds = time.monotonic() - begun
        finally:
            for task in [*work, *running]:
                task.cancel()
            await asyncio.gather(*work, *running, return_exceptions=True)

    async def _create(self, rules: Mapping[str, RuleSet], bar: Progress) -> None:
        room = asyncio.Semaphore(_CREATED_AT_ONCE)

        async def create(plan: MatchPlan) -> None:
            async with room:
                created = await self._client(plan).create_match(
                    _rule_set(plan, rules), plan.seats, terms=plan.terms
                )
                self.created[created.match_id] = Created(plan, created.seat_tokens)
                bar.update(len(self.created))

        async with asyncio.TaskGroup() as group:
            for plan in self._plans:
                group.create_task(create(plan))

    def _begin(
        self, match_id: str, one: Created, streams: Streams, killer: Killer
    ) -> list[asyncio.Task[None]]:
        """Begin what plays a match, watches it and organises it."""
        plan = one.plan
        seats = [
            self._seat(plan, match_id, number, token, streams)
            for number, token in enumerate(one.tokens)
        ]
        tasks = [asyncio.create_task(seat.run()) for seat in seats]
        if plan.spectator:
            tasks.append(asyncio.create_task(self._spectate(match_id, plan)))
        if plan.organiser is not Organiser.NOTHING:
            tasks.append(asyncio.create_task(self._organise(match_id, one, seats, killer)))
        return tasks

    def _client(self, plan: MatchPlan) -> RefereeClient:
        return self._clients[plan.number % len(self._clients)]

    def _seat(
        self, plan: MatchPlan, match_id: str, number: int, token: str, streams: Streams
    ) -> Seat:
        client = self._client(plan)
        line: Line
        if plan.way is Way.STREAM:
            alone = plan.manners[number] is Manner.RETURNS
            line = streams.line(match_id, token, number, alone=alone)
        else:
            line = CallLine(client, match_id, token)
        chance = random.Random(f"seat {self._seed} {plan.number} {number}")
        return Seat(plan, match_id, number, line, client, self._ledger, chance)

    async def _spectate(self, match_id: str, plan: MatchPlan) -> None:
        """Watch a match without a seat; its chain must hold to the end through every restart."""
        try:
            async for seen in self._client(plan).watch(match_id):
                self._ledger.counts["records seen by spectators"] += isinstance(seen, SeenRecord)
        except Exception as error:  # noqa: BLE001 - a fault is what the soak looks for
            self._ledger.fault(f"a spectator of match {match_id}", f"{error!r}")
        else:
            self._ledger.counts["spectators to the end"] += 1

    async def _organise(
        self, match_id: str, one: Created, seats: Sequence[Seat], killer: Killer
    ) -> None:
        """Wait for the seat that stops, and for some of the kills; then resign for it or cancel."""
        plan = one.plan
        at_fault = next(
            seat
            for seat, manner in enumerate(plan.manners)
            if manner in {Manner.CRASHES, Manner.HANGS, Manner.ABSENT}
        )
        await seats[at_fault].stopped.wait()
        await killer.killed(self._chance.randint(0, killer.kills))
        try:
            if plan.organiser is Organiser.CANCELS:
                await self._client(plan).cancel_match(match_id)
            else:
                await self._client(plan).resign(match_id, one.tokens[at_fault])
        except Exception as error:  # noqa: BLE001 - a fault is what the soak looks for
            self._ledger.fault(f"the organiser of match {match_id}", f"{error!r}")
        else:
            self._ledger.counts[f"organiser {plan.organiser}"] += 1

    async def _watch_over(
        self,
        work: Sequence[asyncio.Task[None]],
        running: Sequence[asyncio.Task[None]],
        killer: Killer,
        bar: Progress,
    ) -> None:
        """Wait for the work; give up where nothing gets on any more."""
        seen, since = -1, time.monotonic()
        pending = set(work)
        while pending:
            done, pending = await asyncio.wait(pending, timeout=_LOOK_SECONDS)
            for task in done:
                # Faults of seats are noted by themselves; this is one of the soak.
                task.result()
            ended, killed = len(self._ledger.ended), killer.stops.killed
            bar.update(ended, f"{self._ledger.acknowledgements} moves, {killed} kills")
            for broken in [one for one in running if one.done()]:
                self._ledger.fault("a Play connection", repr(broken.exception()))
                return
            now = self._ledger.progress + killed + killer.stops.told
            if now != seen:
                seen, since = now, time.monotonic()
            elif time.monotonic() - since > self._stall_seconds:
                stuck = sorted(self.created.keys() - self._ledger.ended)
                self._ledger.fault(
                    "the soak", f"nothing got on for {self._stall_seconds} s: {stuck}"
                )
                return


def _rule_set(plan: MatchPlan, rules: Mapping[str, RuleSet]) -> str | RuleSet:
    if plan.target is None:
        return plan.rule_set
    shorter = RuleSet()
    shorter.CopyFrom(rules[plan.rule_set])
    shorter.id = f"soak-{plan.rule_set}"
    shorter.target = plan.target
    return shorter
