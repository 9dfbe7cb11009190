"""A run: a referee in its own process, episodes and bots at once, and what must hold after it."""

import asyncio
import io
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import grpc

from ronda_client import RefereeClient
from ronda_referee.audit import audit_stream
from ronda_referee.data_folder import STORE_FILE
from ronda_referee.log_file import MAGIC, frame
from ronda_referee.store import SqliteStore, StoredMatch
from tests.fuzz.bots import Bots
from tests.fuzz.checks import Broken, Secrets, check_seeds
from tests.fuzz.episode import LENGTH, Episode
from tests.fuzz.sending import Metadata, Outcome
from tests.fuzz.surroundings import Surroundings, positions
from tests.fuzz.untouched import Untouched
from tests.referee.organising import organiser_token
from tests.referee.referee_process import RefereeProcess

EPISODES_AT_ONCE = 8
REQUESTS_PER_BOT_MATCH = 400
REQUESTS_PER_LOOK = 5_000

MOST_MEMORY_BYTES = 600 << 20
"""What the referee's process may hold at any time."""
MOST_GROWTH_BYTES = 48 << 20
"""How much more it may hold at the end of a run than when half of it was over."""

_OPTIONS = (
    "--allow-fixed-draws",
    # Matches leave memory and come back, and streams with no news say that they live.
    "--sleep-after-seconds",
    "1",
    "--heartbeat-seconds",
    "1",
    "--limits-moves-in-flight",
    "100",
)


class Failed(Exception):
    """Something did not hold; says which request it was and how to run it again alone."""


@dataclass
class Report:
    """What came of a run.

    Attributes:
        requests: how many requests were sent and checked.
        outcomes: how often each status and reason came.
        bot_matches: the matches that bots played to the end.
        matches: the matches in the store afterwards.
        audited: the logs that were audited.
        memory: the referee's resident bytes, after how many requests.
    """

    requests: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    bot_matches: int = 0
    matches: int = 0
    audited: int = 0
    memory: list[tuple[int, int]] = field(default_factory=list)


class Run:
    """One run over a range of requests."""

    def __init__(
        self, folder: Path, seed: int, first: int, requests: int, on_progress: Callable[[int], None]
    ) -> None:
        """Prepare a run.

        Args:
            folder: where the referee keeps its data; it must be empty.
            seed: fixes all requests together with their numbers.
            first: the number of the first request wanted; its episode is run from its beginning.
            requests: how many from there on.
            on_progress: is told how many requests have been sent.
        """
        self.report = Report()
        self._data = folder / "data"
        self._seed = seed
        self._numbers = iter(range(first // LENGTH, -(-(first + requests) // LENGTH)))
        self._end = first + requests
        self._on_progress = on_progress
        self.referee = RefereeProcess(self._data, *_OPTIONS)
        self._logged = 0
        self._secrets = Secrets()
        self._under_way: dict[int, Episode] = {}
        self._looked = 0

    async def run(self) -> Report:
        """Send everything, and look at everything afterwards.

        Raises:
            Failed: something did not hold.
        """
        async with self.referee as referee:
            own = organiser_token(self._data) or ""
            self._secrets.add([own])
            organiser: Metadata = (("authorization", f"Bearer {own}"),)
            async with (
                grpc.aio.insecure_channel(referee.address) as channel,
                RefereeClient.connect(referee.address) as client,
            ):
                untouched = Untouched(channel)
                await untouched.set_up(organiser)
                self._secrets.add(untouched.tokens)
                around = Surroundings(
                    referee.address, channel, organiser, self._secrets, untouched, positions()
                )
                bots = Bots(around, client)
                try:
                    async with asyncio.TaskGroup() as group:
                        for _ in range(EPISODES_AT_ONCE):
                            group.create_task(self._episodes(around))
                        group.create_task(self._bots(bots))
                except ExceptionGroup as failures:
                    raise failures.exceptions[0] from failures.exceptions[0].__cause__
                await self._look(around)
                self._checked("at the end", self._check_growth)
            code = await referee.stop()
            if code:
                raise Failed(f"the referee ended with the exit code {code}")
        await self._look_into_store()
        return self.report

    async def _episodes(self, around: Surroundings) -> None:
        for number in self._numbers:
            episode = Episode(around, self._seed, number)
            self._under_way[number] = episode
            at = episode.first
            try:
                await episode.begin()
                for at in range(episode.first, min(episode.first + LENGTH, self._end)):
                    outcome = await episode.request(at)
                    self._count(outcome)
                await episode.end()
                self._check_process()
            except Exception as error:
                raise Failed(
                    f"request {at}: {type(error).__name__}: {error}\n"
                    f"sent last: {episode.last}\n{self._errors_logged()}{self._again(at)}"
                ) from error
            del self._under_way[number]
            if self.report.requests // REQUESTS_PER_LOOK > self._looked:
                self._looked = self.report.requests // REQUESTS_PER_LOOK
                await self._look(around)

    async def _bots(self, bots: Bots) -> None:
        """Play matches as long as there are episodes, a few for each thousand requests."""
        while True:
            try:
                await bots.play_one()
            except Broken as error:
                raise Failed(f"bots: {error}") from error
            self.report.bot_matches = bots.matches
            wanted = bots.matches * REQUESTS_PER_BOT_MATCH
            while self.report.requests < wanted:
                if not self._under_way:
                    return
                await asyncio.sleep(0.05)
            if not self._under_way:
                return

    def _count(self, outcome: Outcome) -> None:
        self.report.requests += 1
        said = "left early" if outcome.left else f"{outcome.code.name} {outcome.reason}".strip()
        self.report.outcomes[f"{outcome.name} {said}"] += 1
        self._on_progress(self.report.requests)

    def _again(self, number: int) -> str:
        return f"again alone: make fuzz SEED={self._seed} FIRST={number} REQUESTS=1"

    def _check_process(self) -> None:
        """The process lives, has logged no error, and holds no more memory than it may.

        Raises:
            Broken: one of these is not so.
        """
        if self.referee.process.returncode is not None:
            raise Broken(f"the referee is gone: {self.referee.process.returncode}")
        held = resident_bytes(self.referee.process.pid)
        self.report.memory.append((self.report.requests, held))
        if held > MOST_MEMORY_BYTES:
            raise Broken(f"the referee holds {held >> 20} MiB")
        for line in self._new_lines():
            self._secrets.check(line, "a log line")
            try:
                level = json.loads(line)["level"]
            except (ValueError, KeyError) as error:
                raise Broken(f"logged what is no line of the log: {line!r}") from error
            if level in {"error", "critical"}:
                raise Broken(f"logged an error; under way: {sorted(self._under_way)}: {line!r}")

    def _errors_logged(self) -> str:
        """Give the errors that the referee has logged since it was looked at last."""
        lines = [line.decode(errors="replace") for line in self._new_lines()]
        return "".join(line for line in lines if '"level": "info"' not in line)

    def _new_lines(self) -> Iterator[bytes]:
        with self.referee.log.open("rb") as log:
            log.seek(self._logged)
            for line in log:
                if not line.endswith(b"\n"):
                    return
                self._logged += len(line)
                yield line

    def _checked(self, when: str, look: Callable[[], None]) -> None:
        try:
            look()
        except Broken as error:
            raise Failed(f"{when}, {self.report.requests} requests: {error}") from error

    def _check_growth(self) -> None:
        self._check_process()
        memory = self.report.memory
        half = [held for number, held in memory if number <= self.report.requests // 2]
        if half and memory[-1][1] - max(half) > MOST_GROWTH_BYTES:
            grown = [(number, held >> 20) for number, held in memory[:: max(1, len(memory) // 20)]]
            raise Broken(f"the referee's memory grows: {grown} MiB")

    async def _look(self, around: Surroundings) -> None:
        """Nothing has happened to the matches that nobody touches."""
        try:
            await around.untouched.check()
        except Broken as error:
            raise Failed(
                f"after {self.report.requests} requests, episodes under way "
                f"{sorted(self._under_way)}: {error}"
            ) from error

    async def _look_into_store(self) -> None:
        """The store is sound, every log of a match that has ended audits, no secret was logged."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "ronda_cli", "store", "check", str(self._data)),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        said, _ = await process.communicate()
        if process.returncode:
            raise Failed(f"ronda store check: {said.decode()}")
        seeds: set[bytes] = set()
        with SqliteStore(self._data / STORE_FILE) as store:
            for match in _all_matches(store):
                self.report.matches += 1
                seeds.add(match.seed)
                if match.fault is not None:
                    raise Failed(f"the match {match.match_id} is frozen: {match.fault}")
                if match.open:
                    continue
                rows = store.rows(match.match_id, 0, 1 << 62)
                log = MAGIC + b"".join(frame(row.record) for row in rows)
                report = audit_stream(io.BytesIO(log))
                if not report.ok:
                    raise Failed(f"the log of {match.match_id} does not audit: {report.finding}")
                self.report.audited += 1
        try:
            check_seeds(self.referee.log.read_bytes(), seeds, "the log")
        except Broken as error:
            raise Failed(str(error)) from error


def _all_matches(store: SqliteStore) -> Iterator[StoredMatch]:
    before = None
    while page := store.matches(100, before):
        yield from page
        before = page[-1].number


def resident_bytes(pid: int) -> int:
    """Give how much memory a process holds now, as the kernel counts it."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return 0
