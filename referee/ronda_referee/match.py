"""A match in the service: one command at a time, on disk before it is known.

Commands wait in line and one task works them off; it exists only while there are any. A caller
that goes away does not stop its command. What watchers and views show is the state after the last
commit, never one that is still on its way to the disk. Where a commit fails, the match begins
again from what is on disk.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

import structlog

from ronda.v1 import log_pb2
from ronda_referee.commits import Commits
from ronda_referee.errors import ServiceError, ServiceReason
from ronda_referee.match_log import LogRow
from ronda_referee.play import Joined, MatchPlay
from ronda_referee.store import MatchState as StoredState
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


_Work: TypeAlias = Callable[[MatchPlay], tuple[list[LogRow], int]]


class _Command:
    """Work to be done on a match: makes rows and an answer that is given once they are on disk."""

    def __init__(self, work: _Work) -> None:
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
        reload: Callable[[], MatchPlay],
        ended: Callable[["Match"], None],
    ) -> None:
        """Open a match whose rows so far are on disk.

        `reload` plays it again from there; `ended` is called when its log is whole.
        """
        self.match_id = play.match_id
        self.fault = stored.fault
        self._play: MatchPlay | None = play
        self._reload = reload
        self._token_hashes = stored.token_hashes
        self._store = store
        self._commits = commits
        self._surroundings = surroundings
        self._ended = ended
        self._commands: deque[_Command] = deque()
        self._worker: asyncio.Task[None] | None = None
        self._watchers: set[Callable[[], None]] = set()
        self.published = _published(play)

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
            ServiceError: the seat was taken with other contents, it could not be written, or the
                match is frozen.
        """

        def work(play: MatchPlay) -> tuple[list[LogRow], int]:
            return play.join(seat, joined, self._surroundings.now_ms()), seat

        await self._run(work)
        _log.info("seat joined", match_id=self.match_id, seat=seat)

    async def submit(self, accepted: log_pb2.MoveAccepted) -> int:
        """Apply a move; returns the sequence number of its record when that is on disk.

        Args:
            accepted: the record that the log gets of it if the rules accept it.

        Raises:
            RulesError: the move is malformed or illegal.
            ServiceError: it answers no open decision, its request id was used for another move,
                the match has not started, it could not be written, or the match is frozen.
        """

        def work(play: MatchPlay) -> tuple[list[LogRow], int]:
            before = play.answered(accepted)
            if before is not None:
                return [], before
            rows = play.move(accepted, self._surroundings.now_ms())
            return rows, rows[0].sequence

        return await self._run(work)

    def rows(self, start: int, limit: int) -> list[LogRow]:
        """Give up to `limit` log rows on disk from a sequence number on."""
        return self._store.rows(self.match_id, start, limit)

    @contextmanager
    def watched(self) -> Iterator[asyncio.Event]:
        """Give an event that is set whenever there is something new, for as long as it is held."""
        news = asyncio.Event()
        self.watch(news.set)
        try:
            yield news
        finally:
            self.unwatch(news.set)

    def watch(self, wake: Callable[[], None]) -> None:
        """Call this whenever there is something new, until `unwatch`; it must not raise."""
        self._watchers.add(wake)

    def unwatch(self, wake: Callable[[], None]) -> None:
        """Call this no more."""
        self._watchers.discard(wake)

    def wake_watchers(self) -> None:
        """Have every watcher look again."""
        for wake in self._watchers:
            wake()

    async def settled(self) -> None:
        """Wait until no command is under way."""
        while self._worker is not None:
            await asyncio.wait([self._worker])

    async def _run(self, work: _Work) -> int:
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
            self._refuse_when_frozen()
            play = self._play = self._play or self._reload()
            rows, answer = command.work(play)
        except (RulesError, ServiceError) as refusal:
            command.answer.set_exception(refusal)
            return
        except Exception as error:  # noqa: BLE001 - any fault freezes this match alone
            command.answer.set_exception(error)
            self._freeze(error)
            return
        if rows and not await self._written(
            command, Write(self.match_id, rows, state=_state(play))
        ):
            return
        self.published = _published(play)
        command.answer.set_result(answer)
        if rows:
            self.wake_watchers()
            if self.published.complete:
                self._ended(self)

    async def _written(self, command: _Command, write: Write) -> bool:
        """Put rows on disk; where that fails, refuse the command and forget what is only here."""
        try:
            await self._commits.write(write)
        except Exception as error:  # noqa: BLE001 - whatever the store meets, the disk decides
            self._play = None
            detail = "it could not be written to disk; send the same again"
            command.answer.set_exception(
                ServiceError(ServiceReason.STORE_UNAVAILABLE, detail, match_id=self.match_id)
            )
            _log.error("commit failed", match_id=self.match_id, exc_info=error)
            return False
        return True

    def _refuse_when_frozen(self) -> None:
        if self.fault is not None:
            raise frozen(self.match_id)

    def _freeze(self, error: Exception) -> None:
        """Stop the match as it is on disk: what brought the fault about would do so again."""
        self.fault = f"{type(error).__name__}: {error}"
        self.wake_watchers()
        try:
            self._store.freeze(self.match_id, self.fault)
        except Exception as worse:  # noqa: BLE001 - frozen in memory; a restart looks again
            _log.error("match not marked as frozen", match_id=self.match_id, exc_info=worse)
        _log.error("match frozen", match_id=self.match_id, exc_info=error)


def frozen(match_id: str) -> ServiceError:
    """Give the error for a match that a fault of the referee has stopped."""
    return ServiceError(
        ServiceReason.REFEREE_FAULT,
        "the match is frozen as it was, by a fault of the referee",
        match_id=match_id,
    )


def _state(play: MatchPlay) -> StoredState:
    if play.over:
        return StoredState.ENDED
    return StoredState.JOINING if play.state is None else StoredState.PLAYING


def _published(play: MatchPlay) -> Published:
    return Published(play.state, dict(play.decisions), play.sequence, play.over)
