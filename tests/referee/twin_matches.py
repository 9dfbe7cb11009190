"""Planned matches played on a real referee, and every byte that the watcher gets of them.

The referee's surroundings are steady: its entropy counts, its clocks stand where the plan puts
them, and a commitment says nothing of what is committed to.
"""

import asyncio
import hashlib
import random
import re
import tempfile
from collections.abc import AsyncIterator, Iterator, MutableMapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import grpc
import structlog

from ronda.v1 import log_pb2, match_terms_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_referee import metrics, restoring
from ronda_referee.convert import card_to_proto, move_to_proto
from ronda_referee.data_folder import KEY_FILE
from ronda_referee.signing_key import load_or_create
from ronda_referee.surroundings import Surroundings
from tests.referee.running import CountedEntropy, Running, Table, running
from tests.referee.test_metrics import scraped
from tests.referee.twin_plans import PER_MOVE_MS, Act, Interlude, Plan
from tests.referee.watched_streams import Seen, refusal_of
from tests.referee.watching_eye import Eye

_CARD = re.compile(r"\b(?:[1-7]|1[0-2])[oceb]\b|SUIT_|RANK_")
_NEVER_SECONDS = 600.0

SECRET = "secret"


class IdealSealer:
    """Commits without saying anything: the same bytes whatever is committed to."""

    def seal(self, sequence: int, payload: bytes) -> tuple[bytes, bytes]:
        """Give a nonce and a commitment that hang on the place alone."""
        nonce = hashlib.sha256(b"nonce %d" % sequence).digest()
        return nonce, ideal_commitment(nonce, payload)


def ideal_commitment(nonce: bytes, payload: bytes) -> bytes:
    """Commit to nothing but the nonce."""
    del payload
    return hashlib.sha256(b"ideal" + nonce).digest()


@dataclass
class Clock:
    """The time that the referee is told."""

    ms: int = 0

    def now_ms(self) -> int:
        """Give milliseconds since 1970 UTC."""
        return 1_700_000_000_000 + self.ms

    def monotonic_ms(self) -> int:
        """Give milliseconds on a clock that nobody sets."""
        return self.ms


@dataclass
class House:
    """A referee that can be started again, and what it logs.

    Attributes:
        folder: its data folder.
        lines: the log lines since they were taken last.
        clock: its clock.
        eyes: those who watch, or have watched.
    """

    folder: Path
    lines: list[str] = field(default_factory=list)
    clock: Clock = field(default_factory=Clock)
    eyes: list[Eye] = field(default_factory=list)
    _stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    _run: Running | None = None
    _entropy: CountedEntropy = field(default_factory=CountedEntropy)

    @property
    def run(self) -> Running:
        """The referee that runs now."""
        assert self._run is not None
        return self._run

    async def start(self) -> None:
        """Run the referee on its folder."""
        surroundings = Surroundings(
            self.clock.now_ms, self.clock.monotonic_ms, self._entropy, IdealSealer()
        )
        self._run = await self._stack.enter_async_context(
            running(
                self.folder,
                surroundings=surroundings,
                allow_fixed_draws=True,
                heartbeat_seconds=_NEVER_SECONDS,
                metrics_listen="127.0.0.1:0",
            )
        )

    async def stop(self) -> None:
        """Shut the referee down; whoever watches reads on to the end."""
        await self.run.serving.referee.drain()
        for eye in self.eyes:
            await eye.to_the_end()
        await self._stack.aclose()

    def sleep(self, match_id: str) -> None:
        """Have a match leave memory."""
        assert self.run.serving.referee.match(match_id).sleep()

    async def metrics(self) -> str:
        """Give the text of the metrics."""
        address = self.run.serving.metrics_address
        assert address is not None
        return await scraped(address)

    def seed(self, match_id: str) -> bytes:
        """Give a match's seed, which nobody may see."""
        stored = self.run.serving.referee.store.match(match_id)
        assert stored is not None
        return stored.seed

    def take_lines(self) -> list[str]:
        """Give the log lines since the last time, in no order."""
        lines, self.lines = sorted(self.lines), []
        return lines


@cache
def _signing_key() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / KEY_FILE
        load_or_create(path)
        return path.read_bytes()


@contextmanager
def _steady(lines: list[str]) -> Iterator[None]:
    """Take log lines down, and keep time and chance out of what is sent."""

    def take(_logger: object, _method: str, event: MutableMapping[str, Any]) -> str:
        told = {name: value for name, value in event.items() if name != "address"}
        lines.append(repr(sorted(told.items())))
        raise structlog.DropEvent

    before = structlog.get_config()
    structlog.configure(processors=[structlog.contextvars.merge_contextvars, take])
    try:
        with (
            mock.patch.object(restoring, "commitment", ideal_commitment),
            mock.patch.object(metrics.Metrics, "now", return_value=0.0),
        ):
            yield
    finally:
        structlog.configure(**before)


@asynccontextmanager
async def _house() -> AsyncIterator[House]:
    with tempfile.TemporaryDirectory() as folder:
        key = Path(folder) / KEY_FILE
        key.touch(0o600)
        key.write_bytes(_signing_key())
        house = House(Path(folder))
        with _steady(house.lines):
            await house.start()
            # With others in the list it has pages.
            for _ in range(2):
                request = pb.CreateMatchRequest(rule_set_id="sarii", seats=2)
                await house.run.stub.CreateMatch(request)
            yield house


async def played(plans: Sequence[Plan], world: int) -> list[list[Seen]]:
    """Play one of the two of every plan, all on one referee; give what the watcher got of each."""
    async with _house() as house:
        for plan in plans:
            await _played(house, plan, world)
        await house.stop()
        return [eye.seen for eye in house.eyes]


async def _played(house: House, plan: Plan, world: int) -> None:
    rng = random.Random(f"{plan.name} {plan.seed}")
    eye = await _seated(house, plan, world, rng)
    everything: list[str] = []
    for number, stage in enumerate(plan.stages, 1):
        eye.stage = number
        end = house.clock.ms + stage.takes_ms
        for place, act in enumerate(stage.acts[world]):
            house.clock.ms += act.after_ms
            await _act(eye, act, f"{number} {place}", twice=(plan.seed + number) % 2 == 0)
        house.clock.ms = end
        match stage.then:
            case Interlude.RESTART:
                await house.stop()
                await house.start()
                await eye.comes_back(house.run.stub, rng)
            case Interlude.SLEEP:
                house.sleep(eye.table.match_id)
            case Interlude.NOTHING:
                pass
        await eye.look(random.Random(f"{plan.name} {plan.seed} {number}"))
        everything += _told(house, eye, plan)
    eye.stage = len(plan.stages) + 1
    await eye.leave(resigns=plan.resigns)
    everything += _told(house, eye, plan)
    _note_secrets(house, eye, everything)


def _told(house: House, eye: Eye, plan: Plan) -> list[str]:
    lines = house.take_lines()
    if plan.same_calls:
        eye.note("log lines", "\n".join(lines).encode())
    return lines


def _note_secrets(house: House, eye: Eye, lines: list[str]) -> None:
    """Look for what no log line and no metric may ever hold, be it hidden or not."""
    seed = house.seed(eye.table.match_id)
    secrets = [*eye.table.tokens, seed.hex(), repr(seed)]
    for line in [*lines, *eye.metrics]:
        found = [secret for secret in secrets if secret in line] or _CARD.findall(line)
        if found:
            eye.note(SECRET, f"{found}: {line}".encode())


async def _seated(house: House, plan: Plan, world: int, rng: random.Random) -> Eye:
    """Create the match and have every seat take its place."""
    stub = house.run.stub
    terms = match_terms_pb2.MatchTerms(most_refusals=1_000_000, spectator_delay=plan.delay)
    if plan.timed:
        terms.time_control.per_move_ms = PER_MOVE_MS
        terms.time_control.bank_ms = 60_000
        terms.time_control.increment_ms = 500
    request = pb.CreateMatchRequest(
        seats=plan.seats,
        terms=terms,
        fixed_draws=log_pb2.FixedDraws(cards=map(card_to_proto, plan.draws[world])),
    )
    if plan.shipped:
        request.rule_set_id = plan.rule_set.id
    else:
        request.rule_set.CopyFrom(plan.rule_set)
    created = await stub.CreateMatch(request)
    table = Table(stub, created.match_id, list(created.seat_tokens))
    eye = Eye(table, plan.watcher, house.metrics if plan.same_calls else None)
    await eye.begins_to_count()
    house.eyes.append(eye)
    eye.note("created", created.SerializeToString(deterministic=True))
    await eye.before_the_start(rng)
    order = rng.sample(range(plan.seats), plan.seats)
    for number, seat in enumerate(order, 1):
        await eye.joins(seat, f"bot {seat}", started=number == plan.seats)
    await eye.look(rng)
    return eye


async def _act(eye: Eye, act: Act, name: str, *, twice: bool) -> None:
    """Have a seat do what is planned, over its stream or by a call."""
    move = move_to_proto(act.move)
    if act.seat == eye.seat:
        await eye.acts(move, name, twice=twice)
        return
    decision = (await eye.table.view(act.seat)).decision
    try:
        await eye.table.stub.SubmitMove(
            eye.table.request(act.seat, decision.decision_id, move, name)
        )
    except grpc.aio.AioRpcError as error:
        # What is legal in both in the engine is so in the service too, or it tells them apart.
        eye.note("refused to another seat", refusal_of(error))


def ways_apart(one: Sequence[Seen], other: Sequence[Seen]) -> set[str]:
    """Give the ways by which the watcher can tell what it got of two matches apart.

    What nobody may ever see is told apart where there is any.
    """
    ways = {seen.way for seen in (*one, *other) if seen.way == SECRET}
    for way in {seen.way for seen in (*one, *other)}:
        got = [[seen for seen in world if seen.way == way] for world in (one, other)]
        if got[0] != got[1]:
            ways.add(way)
    return ways


def told_apart(plans: Sequence[Plan]) -> list[set[str]]:
    """Play both matches of every plan; give for each the ways by which they can be told apart."""

    async def both() -> list[list[list[Seen]]]:
        return [await played(plans, 0), await played(plans, 1)]

    first, second = asyncio.run(both())
    return [ways_apart(one, other) for one, other in zip(first, second, strict=True)]
