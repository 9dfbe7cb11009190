"""A match in the service: what can be asked of it and seen of it.

What is asked waits in line (`ronda_referee.working_match`), and a caller that goes away does not
stop it. What is seen is the match after the last commit.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import structlog

from ronda.v1 import log_pb2
from ronda_referee.clocks import Stamp
from ronda_referee.errors import ServiceError, ServiceReason
from ronda_referee.match_commands import Command, Done, Told, Work
from ronda_referee.match_log import LogRow
from ronda_referee.play import Joined, MatchPlay
from ronda_referee.requests import check_known
from ronda_referee.tokens import seat_of
from ronda_referee.working_match import WorkingMatch, frozen
from ronda_rules.errors import RulesError
from ronda_rules.state import MatchState

__all__ = ["Match", "frozen"]

_log = structlog.get_logger(__name__)


class Match(WorkingMatch):
    """One match that is open to calls."""

    __slots__ = ()

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

    @property
    def token_hashes(self) -> Sequence[bytes]:
        """The SHA-256 of each seat's token, by seat; another object once one has changed."""
        return self._token_hashes

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
        return await self._run(self._moving(accepted), is_move=True)

    def begin_to_submit(self, accepted: log_pb2.MoveAccepted, told: Told) -> None:
        """Apply a move as `submit`; what that would return or raise is told once it is known."""
        self._enqueue(Command(self._moving(accepted), told, is_move=True))

    def _moving(self, accepted: log_pb2.MoveAccepted) -> Work:
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

        return work

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
        if self._recent and self._recent[0].sequence <= start:
            # Those who follow a match want what was written last, all at once.
            first = start - self._recent[0].sequence
            return self._recent[first : first + limit]
        rows = self._store.rows(self.match_id, start, limit)
        if any(row.sequence != number for number, row in enumerate(rows, start)):
            _log.error("row lacking", match_id=self.match_id)
            raise frozen(self.match_id)
        return rows

    def seen(self, seat: int | None) -> MatchState | None:
        """Give the state that a seat, or the public (None), may see; None before the start."""
        self.idle_since_ms = self._surroundings.monotonic_ms()
        return self._memory.shown()[seat is None].state

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
        if self._watchers is None:
            self._watchers = set()
        self._watchers.add(wake)

    def unwatch(self, wake: Callable[[], None]) -> None:
        """Call this no more."""
        if self._watchers is not None:
            self._watchers.discard(wake)
            if not self._watchers:
                # It is kept for them; who comes later reads the store.
                self._recent = []

    @property
    def watchers(self) -> int:
        """How many watch it."""
        return len(self._watchers or ())

    async def settled(self) -> None:
        """Wait until no command is under way."""
        await self._line.settled()

    def sleep(self) -> bool:
        """Leave memory but for what a call needs to wake it; say whether it could."""
        if self._line.busy:
            return False
        self._memory.sleep()
        self._recent = []
        return True

    @property
    def asleep(self) -> bool:
        """Whether it has left memory."""
        return self._memory.asleep

    def stop_clock(self) -> None:
        """Let no deadline pass any more: the referee is shutting down."""
        self._clock.stop()

    async def wake(self) -> None:
        """Come back to memory; where that takes long beside the event loop, so that nobody waits.

        Raises:
            ServiceError: it cannot be read.
            StoreDamaged: its rows contradict themselves.
        """
        await self._memory.wake()

    async def _run(self, work: Work, *, is_move: bool = False, is_play: bool = True) -> int:
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def told(sequence: int, error: Exception | None) -> None:
            # The command goes on where the caller has gone: its move may be on disk already.
            if answer.done():
                return
            if error is None:
                answer.set_result(sequence)
            else:
                answer.set_exception(error)
                # A caller that goes away only now leaves it to nobody.
                answer.exception()

        self._enqueue(Command(work, told, is_move=is_move), is_play=is_play)
        return await answer

    def _refused(self, play: MatchPlay, seat: int, refusal: RulesError, stamp: Stamp) -> Done:
        """Count a refused move; with the last one that is allowed the seat forfeits."""
        count = self._refusals[seat] + 1
        rows = []
        if play.terms.most_refusals and count >= play.terms.most_refusals:
            rows = play.forfeit(seat, log_pb2.FORFEIT_REASON_REFUSALS, stamp)
        return Done(0, rows, refusal, refusals={seat: count})
