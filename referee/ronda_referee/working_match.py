"""How a match does what is asked of it: one command at a time, on disk before it is known.

What watchers and views show is the match after the last commit, never one that is still on its way
to the disk. Where a commit fails, the match begins again from what is on disk; one that nobody
asks anything of leaves memory in the same way.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import structlog

from ronda.v1 import log_pb2
from ronda_referee.clocks import Stamp
from ronda_referee.commits import Commits
from ronda_referee.errors import ServiceError, ServiceReason
from ronda_referee.match_clock import MatchClock
from ronda_referee.match_commands import Command, Done, nobody
from ronda_referee.match_line import Line
from ronda_referee.match_log import LogRow
from ronda_referee.match_memory import Keeper, Memory, Published
from ronda_referee.observing import observer
from ronda_referee.play import MatchPlay
from ronda_referee.store import Store, StoredMatch, Write
from ronda_referee.store_records import MatchState as StoredState
from ronda_referee.surroundings import Surroundings
from ronda_rules.errors import RulesError

_Value = TypeVar("_Value")

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Writing:
    """What is on its way to the disk.

    Attributes:
        command: whose it is.
        stamp: when that was begun; None: it is the command's own, and not what was due before it.
        play: the match with it.
        done: what it is.
        state: where the match stands with it.
    """

    command: Command
    stamp: Stamp | None
    play: MatchPlay
    done: Done
    state: StoredState


class WorkingMatch:
    """One match that works off commands.

    Attributes:
        match_id: its id.
        seats: how many seats play.
        published: what is on disk of it.
        fault: what went wrong where it is frozen, or None.
        idle_since_ms: the time on the surroundings' monotonic clock when it was last asked for.
    """

    # There are many of them, and most are asleep.
    __slots__ = (
        "_clock",
        "_commits",
        "_keeper",
        "_line",
        "_memory",
        "_recent",
        "_refusals",
        "_state",
        "_store",
        "_surroundings",
        "_token_hashes",
        "_waking",
        "_watchers",
        "_writing",
        "fault",
        "idle_since_ms",
        "match_id",
        "published",
        "seats",
    )

    def __init__(
        self,
        play: MatchPlay | None,
        stored: StoredMatch,
        store: Store,
        commits: Commits,
        surroundings: Surroundings,
        keeper: Keeper[Any],
    ) -> None:
        """Open a match whose rows so far are on disk; its clock goes on from the last of them.

        `play` is None where it has ended and nobody has asked yet how it stands.
        """
        self.match_id = stored.match_id
        self.seats = len(stored.token_hashes)
        self.fault = stored.fault
        self._memory = Memory(stored, play, keeper, store)
        # What was written last, and with it what was not shown when that was written.
        self._recent: list[LogRow] = []
        self._token_hashes = stored.token_hashes
        self._refusals = stored.refusals
        self._state = stored.state
        self._store = store
        self._commits = commits
        self._surroundings = surroundings
        self._keeper = keeper
        self._line = Line(self._do)
        self._writing: _Writing | None = None
        self._waking: asyncio.Task[None] | None = None
        self._watchers: set[Callable[[], None]] | None = None
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

    def clock_ms(self) -> int:
        """Give the time on the match's own clock."""
        return self._clock.now_ms()

    def wake_watchers(self) -> None:
        """Have every watcher look again."""
        for wake in self._watchers or ():
            wake()

    def start_clock(self) -> None:
        """Let the clock go on from the last record, however long ago that was written."""
        self._clock.start()

    def _enqueue(self, command: Command, *, is_play: bool = True) -> None:
        self.idle_since_ms = self._surroundings.monotonic_ms()
        self._line.add(command, self._commits.context, is_play=is_play)

    def _do(self, command: Command) -> bool:
        """Do a command, or begin to; tell whether it is done."""
        # What it takes to play the match again is nobody's time.
        stamp = Stamp(self._surroundings.now_ms(), self.clock_ms())
        if self._memory.play is not None or self.fault is not None:
            return self._do_awake(command, stamp)
        self._waking = asyncio.create_task(self._do_later(command, stamp))
        return False

    async def _do_later(self, command: Command, stamp: Stamp) -> None:
        try:
            await self._memory.wake()
        except Exception as error:  # noqa: BLE001 - the caller is told
            self._refuse(command, error)
            done = True
        else:
            done = self._do_awake(command, stamp)
        self._waking = None
        if done:
            self._line.go_on()

    def _do_awake(self, command: Command, stamp: Stamp) -> bool:
        """Do a command of a match that is in memory, and before it what was due by then."""
        try:
            self._refuse_when_frozen()
            play = self._memory.awake()
            # What is due may make more be due at once, where a clock gives no time any more.
            late = play.run_out(stamp)
            done = Done(0, late) if late else command.work(play, stamp)
        except Exception as error:  # noqa: BLE001 - the caller is told
            self._refuse(command, error)
            return True
        if late or done.changes:
            self._write(_Writing(command, stamp if late else None, play, done, _stored_state(play)))
            return False
        self._answer(command, done)
        return True

    def _refuse(self, command: Command, error: Exception) -> None:
        """Tell the caller; what is no refusal is a fault that freezes this match alone."""
        if not isinstance(error, RulesError | ServiceError):
            self._freeze(error)
        elif self._memory.play is None:
            self._clock.set_timer(retry=True)
        command.told(0, error)

    def _answer(self, command: Command, done: Done) -> None:
        if done.refusal is None and done.rows and command.is_move:
            observer().move_accepted(command.came_in)
        command.told(done.answer, done.refusal)

    def _write(self, writing: _Writing) -> None:
        """Put on disk what a command has made, or what was due before it."""
        self._writing = writing
        done = writing.done
        write = Write(
            self.match_id,
            done.rows,
            state=None if writing.state == self._state else writing.state,
            names=done.names,
            refusals=done.refusals,
            token_hashes=done.token_hashes,
        )
        self._commits.add(write, self._came_to_disk)

    def _came_to_disk(self, error: Exception | None) -> None:
        """Publish what was written, and go on; where it was not, refuse the command and forget it.

        `error` is what has kept it from the disk.
        """
        writing = self._writing
        if writing is None:
            raise AssertionError("what comes to the disk was on its way there")
        self._writing = None
        command = writing.command
        if error is not None:
            self._not_written(writing, error)
        else:
            try:
                self._take_over(writing.play, writing.done, writing.state)
            except Exception as fault:  # noqa: BLE001 - any fault freezes this match alone
                self._refuse(command, fault)
            else:
                if writing.stamp is None:
                    self._answer(command, writing.done)
                elif not self._do_awake(command, writing.stamp):
                    return
        self._line.go_on()

    def _not_written(self, writing: _Writing, error: Exception) -> None:
        """Forget what could not be written: the disk decides, whatever the store has met."""
        self._memory.forget()
        _log.error("commit failed", match_id=self.match_id, exc_info=error)
        self._clock.set_timer(retry=True)
        if writing.stamp is None:
            # Nobody pays with time for a disk that fails: the clock is where a restart has it.
            self.start_clock()
        detail = "it could not be written to disk; send the same again"
        unavailable = ServiceReason.STORE_UNAVAILABLE
        writing.command.told(0, ServiceError(unavailable, detail, match_id=self.match_id))

    def _take_over(self, play: MatchPlay, done: Done, state: StoredState) -> None:
        """Publish what is on disk now."""
        self._state = state
        if done.refusals:
            self._refusals = _changed(self._refusals, done.refusals)
        if done.token_hashes:
            self._token_hashes = _changed(self._token_hashes, done.token_hashes)
        if not self._watchers:
            self._recent = []
        elif done.rows:
            shown = self.published.sequence >= done.rows[0].sequence
            self._recent = done.rows if shown else [*self._recent, *done.rows]
        self._publish(play)
        self.wake_watchers()
        if self.published.complete and done.rows:
            self._keeper.match_ended(self)

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
        self._enqueue(Command(self._look_again, nobody))

    def _look_again(self, _play: MatchPlay, _stamp: Stamp) -> Done:
        """Do nothing but what is due by now, which is done before any command."""
        return Done(0)

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


def _changed(values: tuple[_Value, ...], changes: Mapping[int, _Value]) -> tuple[_Value, ...]:
    return tuple(changes.get(seat, value) for seat, value in enumerate(values))


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
