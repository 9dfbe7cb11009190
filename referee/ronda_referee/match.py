"""A match in the service: one command at a time, on disk before it is known.

Commands wait in line and one task works them off; it exists only while there are any. A caller
that goes away does not stop its command. What watchers and views show is the match after the last
commit, never one that is still on its way to the disk. Where a commit fails, the match begins
again from what is on disk; one that nobody asks anything of leaves memory in the same way.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import structlog

from ronda.v1 import log_pb2
from ronda_referee.clocks import Clock, Stamp
from ronda_referee.commits import Commits
from ronda_referee.errors import ServiceError, ServiceReason
from ronda_referee.match_clock import MatchClock
from ronda_referee.match_commands import Command, Done, Work
from ronda_referee.match_log import LogRow
from ronda_referee.match_memory import Memory
from ronda_referee.observing import observer
from ronda_referee.play import Joined, MatchPlay
from ronda_referee.requests import check_known
from ronda_referee.store import Store, StoredMatch, Write
from ronda_referee.store_records import MatchState as StoredState
from ronda_referee.surroundings import Surroundings
from ronda_referee.tokens import seat_of
from ronda_rules.errors import RulesError
from ronda_rules.state import MatchState

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Published:
    """What is on disk of a match and may be shown.

    Attributes:
        decisions: names the open decision of each seat that must act.
        sequence: the number of records that seats may see.
        public_sequence: the number of records that those may see who watch without a seat.
        clocks: the seats' clocks, by seat; empty where no clock runs.
        complete: whether that is the whole log.
    """

    decisions: Mapping[int, int]
    sequence: int
    public_sequence: int
    clocks: tuple[Clock, ...]
    complete: bool

    def sequence_for(self, seat: int | None) -> int:
        """Give the number of records that a seat, or the public (None), may see."""
        return self.public_sequence if seat is None else self.sequence


class Match:
    """One match that is open to calls.

    Attributes:
        match_id: its id.
        seats: how many seats play.
        published: what is on disk of it.
        fault: what went wrong where it is frozen, or None.
        idle_since_ms: the time on the surroundings' monotonic clock when it was last asked for.
    """

    def __init__(
        self,
        play: MatchPlay | None,
        stored: StoredMatch,
        store: Store,
        commits: Commits,
        surroundings: Surroundings,
        stored_rows: Callable[[], Sequence[LogRow]],
        replay: Callable[[Sequence[LogRow]], MatchPlay],
        ended: Callable[["Match"], None],
    ) -> None:
        """Open a match whose rows so far are on disk; its clock goes on from the last of them.

        `play` is None where it has ended and nobody has asked yet how it stands. `stored_rows`
        gives the rows on disk, `replay` plays the match again from them, by whatever thread;
        `ended` is called when its log is whole.
        """
        self.match_id = stored.match_id
        self.seats = len(stored.token_hashes)
        self.fault = stored.fault
        self._memory = Memory(
            self.match_id, play, stored_rows, replay, partial(store.length, self.match_id)
        )
        self._token_hashes = list(stored.token_hashes)
        self._refusals = list(stored.refusals)
        self._state = stored.state
        self._store = store
        self._commits = commits
        self._surroundings = surroundings
        self._ended = ended
        self._commands: deque[Command] = deque()
        # What is no part of play waits for all that is: otherwise a seat could have its token
        # changed time and again while the clock of another runs, whose move waits behind that.
        self._aside: deque[Command] = deque()
        self._worker: asyncio.Task[None] | None = None
        self._watchers: set[Callable[[], None]] = set()
        self._clock = MatchClock(surroundings, self._come_due)
        if self.fault is not None:
            self._clock.freeze()
        self.idle_since_ms = surroundings.monotonic_ms()
        if play is None:
            length = store.length(self.match_id)
            self.published = Published({}, length, length, (), complete=True)
        else:
            self._publish(play)
            self._clock.start()

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
            ServiceError: the seat was taken with other contents, the match was cancelled, it
                could not be written, or the match is frozen.
        """

        def work(play: MatchPlay, stamp: Stamp) -> Done:
            rows = play.join(seat, joined, stamp)
            return Done(seat, rows, names={seat: joined.name} if rows else {})

        await self._run(work)
        _log.info("seat joined", match_id=self.match_id, seat=seat)

    async def submit(self, accepted: log_pb2.MoveAccepted) -> int:
        """Apply a move; returns the sequence number of its record when that is on disk.

        For a sealed answer that is the number of the first answer of all (clause ANN-2). A move
        that is refused counts; with the last one that the terms allow the seat forfeits.

        Args:
            accepted: the record that the log gets of it if the rules accept it.

        Raises:
            RulesError: the move is malformed or illegal.
            ServiceError: it answers no open decision, its request id was used for another move,
                the match has not started or was cancelled, the seat has forfeited, it could not
                be written, or the match is frozen.
        """

        def work(play: MatchPlay, stamp: Stamp) -> Done:
            before = play.answered(accepted)
            if before is not None:
                return Done(before)
            try:
                check_known(accepted.move, "move")
                rows = play.move(accepted, stamp)
            except RulesError as refusal:
                if play.state is None or play.over:
                    raise
                return self._refused(play, accepted.seat, refusal, stamp)
            return Done(play.answered(accepted) or 0, rows)

        return await self._run(work, is_move=True)

    async def resign(self, seat: int) -> int:
        """Let a seat forfeit; returns the number of the forfeit's record when that is on disk.

        Raises:
            IllegalMove: the match is over.
            ServiceError: the match has not started or was cancelled, it could not be written, or
                the match is frozen.
        """

        def work(play: MatchPlay, stamp: Stamp) -> Done:
            rows, sequence = play.resign(seat, stamp)
            return Done(sequence, rows)

        return await self._run(work)

    async def cancel(self) -> None:
        """End the match with nobody having won; returns when that is on disk.

        Raises:
            ServiceError: the match is over, it could not be written, or the match is frozen.
        """

        def work(play: MatchPlay, stamp: Stamp) -> Done:
            return Done(0, play.cancel(log_pb2.END_REASON_CANCELLED, stamp))

        await self._run(work)

    async def change_token(self, token: str, token_hash: bytes) -> None:
        """Have another token open the seat that this one opens; returns when that is on disk.

        Raises:
            ServiceError: the token opens no seat, or none any more when it is its turn; it could
                not be written, or the match is frozen.
        """
        await self._run(
            lambda _play, _stamp: Done(0, token_hashes={self.seat_of(token): token_hash}),
            is_play=False,
        )

    def rows(self, start: int, limit: int) -> list[LogRow]:
        """Give up to `limit` log rows on disk from a sequence number on.

        Raises:
            ServiceError: one of them is lacking: the store is damaged.
        """
        rows = self._store.rows(self.match_id, start, limit)
        if any(row.sequence != number for number, row in enumerate(rows, start)):
            _log.error("row lacking", match_id=self.match_id)
            raise frozen(self.match_id)
        return rows

    def seen(self, seat: int | None) -> MatchState | None:
        """Give the state that a seat, or the public (None), may see; None before the start."""
        self.idle_since_ms = self._surroundings.monotonic_ms()
        return self._memory.shown()[seat is None].state

    def clock_ms(self) -> int:
        """Give the time on the match's own clock."""
        return self._clock.now_ms()

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

    @property
    def watchers(self) -> int:
        """How many watch it."""
        return len(self._watchers)

    def wake_watchers(self) -> None:
        """Have every watcher look again."""
        for wake in self._watchers:
            wake()

    async def settled(self) -> None:
        """Wait until no command is under way."""
        while self._worker is not None:
            await asyncio.wait([self._worker])

    def sleep(self) -> bool:
        """Leave memory but for what a call needs to wake it; say whether it could."""
        if self._worker is not None:
            return False
        self._memory.sleep()
        return True

    @property
    def asleep(self) -> bool:
        """Whether it has left memory."""
        return self._memory.asleep

    def start_clock(self) -> None:
        """Let the clock go on from the last record, however long ago that was written."""
        self._clock.start()

    def stop_clock(self) -> None:
        """Let no deadline pass any more: the referee is shutting down."""
        self._clock.stop()

    async def _run(self, work: Work, *, is_move: bool = False, is_play: bool = True) -> int:
        command = self._enqueue(work, is_move=is_move, is_play=is_play)
        # The command goes on where the caller is cancelled: its move may be on disk already.
        return await asyncio.shield(command.answer)

    def _enqueue(self, work: Work, *, is_move: bool = False, is_play: bool = True) -> Command:
        command = Command(work, is_move=is_move)
        (self._commands if is_play else self._aside).append(command)
        self.idle_since_ms = self._surroundings.monotonic_ms()
        if self._worker is None:
            self._worker = asyncio.create_task(self._work_off(), name=f"match {self.match_id}")
        return command

    async def _work_off(self) -> None:
        # The task begins with the context of whichever call came first.
        structlog.contextvars.clear_contextvars()
        try:
            while self._commands or self._aside:
                await self._work_one((self._commands or self._aside).popleft())
        finally:
            self._worker = None

    async def _work_one(self, command: Command) -> None:
        try:
            self._refuse_when_frozen()
            # What it takes to play the match again is nobody's time.
            stamp = Stamp(self._surroundings.now_ms(), self.clock_ms())
            await self._memory.wake()
            play = self._memory.awake()
            # What is due may make more be due at once, where a clock gives no time any more.
            while late := play.run_out(stamp):
                if not await self._written(command, play, Done(0, late)):
                    return
            done = command.work(play, stamp)
        except (RulesError, ServiceError) as refusal:
            command.answer.set_exception(refusal)
            if self._memory.play is None:
                self._clock.set_timer(retry=True)
            return
        except Exception as error:  # noqa: BLE001 - any fault freezes this match alone
            command.answer.set_exception(error)
            self._freeze(error)
            return
        if done.changes and not await self._written(command, play, done):
            # Nobody pays with time for a disk that fails: the clock is where a restart has it.
            self.start_clock()
            return
        if done.refusal is not None:
            command.answer.set_exception(done.refusal)
            return
        command.answer.set_result(done.answer)
        if done.rows and command.is_move:
            observer().move_accepted(command.came_in)

    def _refused(self, play: MatchPlay, seat: int, refusal: RulesError, stamp: Stamp) -> Done:
        """Count a refused move; with the last one that is allowed the seat forfeits."""
        count = self._refusals[seat] + 1
        rows = []
        if play.terms.most_refusals and count >= play.terms.most_refusals:
            rows = play.forfeit(seat, log_pb2.FORFEIT_REASON_REFUSALS, stamp)
        return Done(0, rows, refusal, refusals={seat: count})

    async def _written(self, command: Command, play: MatchPlay, done: Done) -> bool:
        """Put it on disk and publish it; where that fails, refuse the command and forget it."""
        state = _stored_state(play)
        write = Write(
            self.match_id,
            done.rows,
            state=None if state == self._state else state,
            names=done.names,
            refusals=done.refusals,
            token_hashes=done.token_hashes,
        )
        try:
            await self._commits.write(write)
        except Exception as error:  # noqa: BLE001 - whatever the store meets, the disk decides
            self._memory.forget()
            detail = "it could not be written to disk; send the same again"
            command.answer.set_exception(
                ServiceError(ServiceReason.STORE_UNAVAILABLE, detail, match_id=self.match_id)
            )
            _log.error("commit failed", match_id=self.match_id, exc_info=error)
            self._clock.set_timer(retry=True)
            return False
        self._state = state
        for seat, count in done.refusals.items():
            self._refusals[seat] = count
        for seat, token_hash in done.token_hashes.items():
            self._token_hashes[seat] = token_hash
        self._publish(play)
        self.wake_watchers()
        if self.published.complete and done.rows:
            self._ended(self)
        return True

    def _publish(self, play: MatchPlay) -> None:
        self._memory.show(play)
        self.published = Published(
            dict(play.decisions),
            play.visible.sequence,
            play.delayed.sequence,
            () if play.over else play.visible.clocks,
            play.over,
        )
        self._clock.written(play.stamp.clock_ms, play.deadline)

    def _come_due(self) -> None:
        self._enqueue(self._look_again)

    def _look_again(self, _play: MatchPlay, _stamp: Stamp) -> Done:
        """Do nothing but what is due by now; where the timer was early, set it again."""
        self._clock.set_again()
        return Done(0)

    async def wake(self) -> None:
        """Come back to memory; where that takes long beside the event loop, so that nobody waits.

        Raises:
            ServiceError: it cannot be read.
            StoreDamaged: its rows contradict themselves.
        """
        await self._memory.wake()

    def _refuse_when_frozen(self) -> None:
        if self.fault is not None:
            raise frozen(self.match_id)

    def _freeze(self, error: Exception) -> None:
        """Stop the match as it is on disk: what brought the fault about would do so again."""
        self.fault = f"{type(error).__name__}: {error}"
        self._clock.freeze()
        observer().match_frozen()
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


def _stored_state(play: MatchPlay) -> StoredState:
    if play.ended in {log_pb2.END_REASON_NOT_JOINED, log_pb2.END_REASON_CANCELLED}:
        return StoredState.CANCELLED
    if play.over:
        return StoredState.ENDED
    return StoredState.JOINING if play.state is None else StoredState.PLAYING
