"""Playing any number of seats over one stream.

Nothing is queued for a client but the answers to its moves, and of those no more than so many: it
is not read from while they wait. News are not queued at all. What is kept of a seat is its place
in the log and whether there is something new; the message is made when the client takes it, so one
that reads slowly gets more at once, and a turn that was overtaken is never sent.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from functools import partial

import structlog
from google.protobuf.unknown_fields import UnknownFieldSet

from ronda.v1 import referee_service_pb2 as pb
from ronda_referee.convert import MalformedMessage
from ronda_referee.errors import ServiceError, ServiceReason
from ronda_referee.match import Match
from ronda_referee.referee import Referee
from ronda_referee.requests import LONGEST_REQUEST_ID, check_known
from ronda_referee.seat_calls import begin_to_submit, join, open_seat
from ronda_referee.signs_of_life import SignsOfLife, stopping
from ronda_referee.statuses import clipped, refusal
from ronda_referee.watching import Place, check_start, more, news

# A message that has reached this takes nothing more. The news of one match are little more than
# 64 KiB of records at the most, so no message comes near 256 KiB.
_FULL = 64 * 1024


@dataclass(slots=True)
class _Taken:
    """A seat that the stream plays.

    Attributes:
        match: the match, until nothing more comes of it.
        token: opens the seat, or did so when it was taken.
        place: how far the client has come.
        seat: the seat that the token opens, while it does so.
        token_hashes: the hashes of the match's tokens when it was seen that it opens it.
        told: whether the client knows that the seat is taken.
        wake: what the match calls when there is something new.
    """

    match: Match | None
    token: str = field(repr=False)
    place: Place
    seat: int
    token_hashes: Sequence[bytes] = field(repr=False)
    told: bool = False
    wake: Callable[[], None] | None = None

    def open_seat(self, match: Match) -> int:
        """Give the seat, which its token must open: it may have been replaced by another since.

        Raises:
            ServiceError: it does not any more.
        """
        if match.token_hashes is not self.token_hashes:
            self.seat = match.seat_of(self.token)
            self.token_hashes = match.token_hashes
        return self.seat


class PlayStream:
    """One stream of a client that plays."""

    def __init__(self, referee: Referee, heartbeat_seconds: float, moves_in_flight: int) -> None:
        """Play matches of a referee.

        Args:
            referee: the referee, which may shut down.
            heartbeat_seconds: after how long with nothing to say a sign of life is sent.
            moves_in_flight: how many moves, and seats to take, are taken in before they are
                answered.
        """
        self._referee = referee
        self._heartbeat_seconds = heartbeat_seconds
        self._moves_in_flight = moves_in_flight
        self._room = asyncio.Event()
        self._unanswered = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._taken: dict[str, _Taken] = {}
        self._answers: deque[pb.PlayAnswer] = deque()
        self._refused_seats: deque[pb.PlayUpdate] = deque()
        # The matches of which there is something new, the one that waits longest first.
        self._with_news: dict[str, _Taken] = {}
        self._wake = asyncio.Event()

    async def messages(
        self, requests: AsyncIterator[pb.PlayRequest]
    ) -> AsyncGenerator[pb.PlayResponse]:
        """Give the messages of the stream, each when the one before is on its way.

        Args:
            requests: what the client sends, read as long as there is room for its answers.

        Raises:
            MalformedMessage: a request was no message that this version knows; what came before
                it has been answered.
            ServiceError: the referee is shutting down; everything taken in has been answered.
        """
        signs = SignsOfLife(self._heartbeat_seconds)
        reading = asyncio.create_task(self._read(requests))
        reading.add_done_callback(lambda _: self._wake.set())
        try:
            with self._referee.telling_of_drain(self._look_everywhere), stopping(signs):
                while True:
                    self._wake.clear()
                    if self._referee.draining:
                        reading.cancel()
                    message = self._message()
                    said = message.ByteSize() > 0
                    if said:
                        yield message
                        signs.said()
                    if self._over(reading):
                        break
                    if not said and not await signs.wait(self._wake):
                        yield pb.PlayResponse()
                        signs.said()
            self._referee.refuse_when_draining()
            reading.result()
        finally:
            reading.cancel()
            # What they wait for goes on without them, see `Match.submit`.
            for task in self._tasks:
                task.cancel()
            for taken in self._taken.values():
                self._leave(taken)

    def _over(self, reading: asyncio.Task[None]) -> bool:
        """Tell whether everything asked for is answered and nothing more is read."""
        if not reading.done() or self._unanswered:
            return False
        # Where the referee shuts down, every seat is told first where to go on.
        return not (self._referee.draining and self._with_news)

    async def _read(self, requests: AsyncIterator[pb.PlayRequest]) -> None:
        async for request in requests:
            unknown = UnknownFieldSet(request)
            if len(unknown):
                detail = f"field number {unknown[0].field_number} is not known to this version"
                raise MalformedMessage("request", detail)
            for seat in request.seats:
                await self._begin(self._take(seat))
            if request.seats:
                # Moves may follow at once: they wait in line behind the joining.
                await asyncio.sleep(0)
            for move in request.moves:
                await self._has_room()
                self._unanswered += 1
                self._submit(move)

    async def _has_room(self) -> None:
        while self._unanswered >= self._moves_in_flight:
            self._room.clear()
            await self._room.wait()

    async def _begin(self, work: Coroutine[None, None, None]) -> None:
        """Start something that will be answered, as soon as there is room for the answer.

        Tasks begin in the order in which they were made, and each goes as far as the line of its
        match before it waits, so that what is asked of one match is done in order.
        """
        try:
            await self._has_room()
        except asyncio.CancelledError:
            work.close()
            raise
        self._unanswered += 1
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _submit(self, move: pb.PlayMove) -> None:
        taken = self._taken.get(move.match_id)
        told = partial(self._move_done, move.match_id, move.request_id, taken)
        try:
            # The seat may have been refused for no other reason, and is taken by the next stream.
            self._referee.refuse_when_draining()
            check_known(move)
            if taken is None:
                match = self._referee.match(move.match_id)
                raise ServiceError(
                    ServiceReason.WRONG_TOKEN,
                    "this stream has taken no seat of the match; take one with its token first",
                    match_id=match.match_id,
                )
            match = taken.match or self._referee.match(move.match_id)
            begin_to_submit(match, taken.open_seat(match), move, told)
        except Exception as error:  # noqa: BLE001 - each move has its own answer
            told(0, error)

    def _move_done(
        self,
        match_id: str,
        request_id: str,
        taken: _Taken | None,
        sequence: int,
        error: Exception | None,
    ) -> None:
        # What a client calls a move is repeated to it, but not without end.
        answer = pb.PlayAnswer(
            match_id=clipped(match_id), request_id=clipped(request_id, LONGEST_REQUEST_ID)
        )
        if error is None:
            answer.sequence = sequence
        elif taken is None:
            answer.refusal.CopyFrom(refusal(error))
        else:
            with structlog.contextvars.bound_contextvars(match_id=match_id, seat=taken.seat):
                answer.refusal.CopyFrom(refusal(error))
        self._answers.append(answer)
        self._wake.set()

    async def _take(self, wanted: pb.PlaySeat) -> None:
        try:
            await self._take_seat(wanted)
        except Exception as error:  # noqa: BLE001 - each seat has its own refusal
            self._refused_seats.append(
                pb.PlayUpdate(match_id=clipped(wanted.match_id), refusal=refusal(error))
            )
            self._wake.set()

    async def _take_seat(self, wanted: pb.PlaySeat) -> None:
        self._referee.refuse_when_draining()
        check_known(wanted, "seats")
        before = self._taken.get(wanted.match_id)
        if before is not None:
            raise MalformedMessage(
                "seats", f"this stream has taken seat {before.place.seat} of the match already"
            )
        match = self._referee.match(wanted.match_id)
        seat = open_seat(match, wanted.seat_token)
        start = wanted.from_sequence if wanted.HasField("from_sequence") else None
        taken = _Taken(match, wanted.seat_token, Place(seat, start), seat, match.token_hashes)
        self._taken[wanted.match_id] = taken
        try:
            if wanted.HasField("join"):
                await join(self._referee, _join_request(wanted))
            if start is not None:
                check_start(match, seat, start)
            if seat in match.published.decisions:
                await match.wake()
        except BaseException:
            del self._taken[wanted.match_id]
            raise
        taken.wake = partial(self._has_news, wanted.match_id, taken)
        match.watch(taken.wake)
        taken.wake()

    def _has_news(self, match_id: str, taken: _Taken) -> None:
        self._with_news[match_id] = taken
        self._wake.set()

    def _look_everywhere(self) -> None:
        """Look at every seat again: each is told that the referee is shutting down."""
        for taken in self._taken.values():
            if taken.wake is not None:
                taken.wake()
        self._wake.set()

    def _message(self) -> pb.PlayResponse:
        """Give what is to be said now, as much as goes into one message."""
        message = pb.PlayResponse()
        size = 0
        while self._answers and size < _FULL:
            answer = self._answers.popleft()
            message.answers.append(answer)
            size += answer.ByteSize()
            self._answered()
        while self._refused_seats and size < _FULL:
            refused = self._refused_seats.popleft()
            message.updates.append(refused)
            size += refused.ByteSize()
            self._answered()
        if not self._with_news or size >= _FULL:
            return message
        waiting, self._with_news = self._with_news, {}
        left = iter(waiting.items())
        for match_id, taken in left:
            size += self._tell(match_id, taken, message)
            if size >= _FULL:
                break
        # Those that are left have waited longer than those of which there is more.
        self._with_news = dict(left) | self._with_news
        return message

    def _tell(self, match_id: str, taken: _Taken, message: pb.PlayResponse) -> int:
        """Add the news of a match to a message, where there are any; give their size in bytes."""
        match = taken.match
        if match is None:
            return 0
        update: pb.PlayUpdate | None = None

        def added() -> pb.WatchMatchResponse:
            nonlocal update
            update = message.updates.add(match_id=match_id)
            update.news.SetInParent()
            return update.news

        try:
            taken.open_seat(match)
            told = news(self._referee, match, taken.place, added)
        except Exception as error:  # noqa: BLE001 - a fault in one match is told there alone
            if update is not None:
                del message.updates[-1]
            update = message.updates.add(match_id=match_id)
            update.refusal.CopyFrom(refusal(error))
            self._leave(taken)
            del self._taken[match_id]
            if not taken.told:
                self._answered()
            return update.ByteSize()
        if update is None:
            if taken.told:
                return 0
            update = message.updates.add(match_id=match_id)
        if not taken.told:
            taken.told = True
            update.seat = taken.place.seat or 0
            self._answered()
        if told is not None and told.HasField("ended"):
            self._leave(taken)
        elif more(match, taken.place):
            self._with_news[match_id] = taken
        return update.ByteSize()

    def _answered(self) -> None:
        self._unanswered -= 1
        self._room.set()

    def _leave(self, taken: _Taken) -> None:
        """Hear no more of a match; its seat stays taken."""
        if taken.match is not None and taken.wake is not None:
            taken.match.unwatch(taken.wake)
        taken.match = None


def _join_request(wanted: pb.PlaySeat) -> pb.JoinMatchRequest:
    """Give the request to join, which needs no second mention of match and token.

    Raises:
        MalformedMessage: it mentions others.
    """
    request = pb.JoinMatchRequest()
    request.CopyFrom(wanted.join)
    for name in ("match_id", "seat_token"):
        value = getattr(wanted, name)
        if getattr(request, name) not in {"", value}:
            raise MalformedMessage(f"seats.join.{name}", f"is another than the seat's {name}")
        setattr(request, name, value)
    return request
