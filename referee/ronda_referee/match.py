"""A match in the service: one command at a time, on disk before it is known.

Commands wait in line and one task works them off; it exists only while there are any. A caller
that goes away does not stop its command. What watchers and views show is the state after the last
commit, never one that is still on its way to the disk.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import structlog

from ronda.v1 import log_pb2
from ronda_referee.commits import Commits
from ronda_referee.errors import ServiceError, ServiceReason
from ronda_referee.match_log import LogRow
from ronda_referee.play import Joined, MatchPlay
from ronda_referee.store import Store, StoredMatch, Write
from ronda_referee.surroundings import Surroundings
from ronda_referee.tokens import seat_of
from ronda_rules.errors import RulesError
from ronda_rules.state import MatchState

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Published:
    """What is on disk of a match: its state, None before it has started, and where its log is.

    Attributes:
        state: the state after the last commit.
        decisions: names the open decision of each seat that must act.
        sequence: the number of records on disk.
        complete: whether that is the whole log.
    """

    state: MatchState | None
    decisions: Mapping[int, int]
    sequence: int
    complete: bool


class _Command:
    """Work to be done on a match: makes rows and an answer that is given once they are on disk."""

    def __init__(self, work: Callable[[], tuple[list[LogRow], int]]) -> None:
        self.work = work
        self.answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        # Whoever asked may be gone; the answer is then nobody's.
        self.answer.add_done_callback(lambda done: done.cancelled() or done.exception())


class Match:
    """One match that is open to calls.

    Attributes:
        match_id: its id.
        published: what is on disk of it.
        fault: what went wrong where it is frozen, or None.
    """

    def __init__(
        self,
        play: MatchPlay,
        stored: StoredMatch,
        store: Store,
        commits: Commits,
        surroundings: Surroundings,
        ended: Callable[["Match"], None],
    ) -> None:
        """Open a match whose rows so far are on disk; `ended` is called when its log is whole."""
        self.match_id = play.match_id
        self.fault = stored.fault
        self._play = play
        self._token_hashes = stored.token_hashes
        self._store = store
        self._commits = commits
        self._surroundings = surroundings
        self._ended = ended
        self._commands: deque[_Command] = deque()
        self._worker: asyncio.Task[None] | None = None
        self._watchers: set[asyncio.Event] = set()
        self.published = self._present()

    def seat_of(self, token: str) -> int:
        """Give the seat that a token opens.

        Raises:
            ServiceError: it opens none.
        """
        seat = seat_of(token, self._token_hashes)
        if seat is None:
            raise ServiceError(
                ServiceReason.WRONG_TOKEN,
                "the token opens no seat of this match",
                match_id=self.match_id,
            )
        return seat

    async def join(self, seat: int, joined: Joined) -> None:
        """Take a seat; returns when that is on disk.

        Raises:
            ServiceError: the seat was taken with other contents, or the match is frozen.
        """

        def work() -> tuple[list[LogRow], int]:
            return self._play.join(seat, joined, self._surroundings.now_ms()), seat

        await self._run(work)
        _log.info("seat joined", match_id=self.match_id, seat=seat)

    async def submit(self, accepted: log_pb2.MoveAccepted) -> int:
        """Apply a move; returns the sequence number of its record when that is on disk.

        Args:
            accepted: the record that the log gets of it if the rules accept it.

        Raises:
            RulesError: the move is malformed or illegal.
            ServiceError: it answers no open decision, its request id was used for another move,
                the match has not started, or it is frozen.
        """

        def work() -> tuple[list[LogRow], int]:
            before = self._play.answered(accepted)
            if before is not None:
                return [], before
            rows = self._play.move(accepted, self._surroundings.now_ms())
            return rows, rows[0].sequence

        return await self._run(work)

    def rows(self, start: int, limit: int) -> list[LogRow]:
        """Give up to `limit` log rows on disk from a sequence number on."""
        return self._store.rows(self.match_id, start, limit)

    @contextmanager
    def watched(self) -> Iterator[asyncio.Event]:
        """Give an event that is set whenever there is something new, for as long as it is held."""
        news = asyncio.Event()
        self._watchers.add(news)
        try:
            yield news
        finally:
            self._watchers.discard(news)

    def wake_watchers(self) -> None:
        """Have every watcher look again."""
        for news in self._watchers:
            news.set()

    async def settled(self) -> None:
        """Wait until no command is under way."""
        while self._worker is not None:
            await asyncio.wait([self._worker])

    async def _run(self, work: Callable[[], tuple[list[LogRow], int]]) -> int:
        command = _Command(work)
        self._commands.append(command)
        if self._worker is None:
            self._worker = asyncio.create_task(self._work_off(), name=f"match {self.match_id}")
        # The command goes on where the caller is cancelled: its move may be on disk already.
        return await asyncio.shield(command.answer)

    async def _work_off(self) -> None:
        # The task begins with the context of whichever call came first.
        structlog.contextvars.clear_contextvars()
        try:
            while self._commands:
                command = self._commands.popleft()
                await self._work_one(command)
        finally:
            self._worker = None

    async def _work_one(self, command: _Command) -> None:
        try:
            if self.fault is not None:
                raise ServiceError(
                    ServiceReason.REFEREE_FAULT,
                    "the match is frozen as it was, by a fault of the referee",
                    match_id=self.match_id,
                )
            rows, answer = command.work()
            if rows:
                await self._commits.write(Write(self.match_id, rows, ended=self._play.over))
                self.published = self._present()
                self.wake_watchers()
                if self.published.complete:
                    self._ended(self)
        except (RulesError, ServiceError) as refusal:
            command.answer.set_exception(refusal)
        except Exception as error:  # noqa: BLE001 - any fault freezes this match alone
            self._freeze(error)
            command.answer.set_exception(error)
        else:
            command.answer.set_result(answer)

    def _freeze(self, error: Exception) -> None:
        """Stop the match as it is on disk; what is in memory may be ahead of that."""
        self.fault = f"{type(error).__name__}: {error}"
        _log.error("match frozen", match_id=self.match_id, error=type(error).__name__)
        self.wake_watchers()
        try:
            self._store.freeze(self.match_id, self.fault)
        except Exception as worse:  # noqa: BLE001 - frozen in memory; a restart looks again
            _log.error("match not marked as frozen", match_id=self.match_id, error=str(worse))

    def _present(self) -> Published:
        play = self._play
        return Published(play.state, dict(play.decisions), play.sequence, play.over)
