"""Playing any number of seats over one stream.

Nothing is queued for a client but the answers to its moves, and of those no more than so many: it
is not read from while they wait. News are not queued at all. What is kept of a seat is its place
in the log and whether there is something new; the message is made when the client takes it, so one
that reads slowly gets more at once, and a turn that was overtaken is never sent.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from dataclasses import dataclass, field
from functools import partial

from google.protobuf.unknown_fields import UnknownFieldSet

from ronda.v1 import referee_service_pb2 as pb
from ronda_referee.convert import MalformedMessage
from ronda_referee.errors import ServiceError, ServiceReason
from ronda_referee.match import Match
from ronda_referee.referee import Referee
from ronda_referee.requests import LONGEST_REQUEST_ID, check_known
from ronda_referee.seat_calls import join, open_seat, submit
from ronda_referee.signs_of_life import SignsOfLife
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
        told: whether the client knows that the seat is taken.
        wake: what the match calls when there is something new.
    """

    match: Match | None
    token: str = field(repr=False)
    place: Place
    told: bool = False
    wake: Callable[[], None] | None = None


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
        self._room = asyncio.Semaphore(moves_in_flight)
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
            with self._referee.telling_of_drain(self._look_everywhere):
                while True:
                    self._wake.clear()
                    if self._referee.draining:
                        reading.cancel()
                    message = self._message()
                    if message.ByteSize():
                        yield message
                        signs.said()
                    if self._over(reading):
                        break
                    if not message.ByteSize() and not await self._woken(signs):
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

    async def _woken(self, signs: SignsOfLife) -> bool:
        """Wait until there may be something to say; False: the client wants a sign of life."""
        if not await signs.wait(self._wake):
            return False
        # A commit wakes watchers first and then, over the next two turns of the event loop, those
        # who wait for its answers: what belongs together goes out together.
        for _ in range(2):
            await asyncio.sleep(0)
        return True

    async def _read(self, requests: AsyncIterator[pb.PlayRequest]) -> None:
        async for request in requests:
            unknown = UnknownFieldSet(request)
            if len(unknown):
                detail = f"field number {unknown[0].field_number} is not known to this version"
                raise MalformedMessage("request", detail)
            for seat in request.seats:
                await self._begin(self._take(seat))
            for move in request.moves:
                await self._begin(self._submit(move))

    async def _begin(self, work: Coroutine[None, None, None]) -> None:
        """Start something that will be answered, as soon as there is room for the answer.

        Tasks begin in the order in which they were made, and each goes as far as the line of its
        match before it waits, so that what is asked of one match is done in order.
        """
        try:
            await self._room.acquire()
        except asyncio.CancelledError:
            work.close()
            raise
        self._unanswered += 1
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _submit(self, move: pb.PlayMove) -> None:
        # What a client calls a move is repeated to it, but not without end.
        answer = pb.PlayAnswer(
            match_id=clipped(move.match_id), request_id=clipped(move.request_id, LONGEST_REQUEST_ID)
        )
        try:
            answer.sequence = await self._submitted(move)
        except Exception as error:  # noqa: BLE001 - each move has its own answer
            answer.refusal.CopyFrom(refusal(error))
        self._answers.append(answer)
        self._wake.set()

    async def _submitted(self, move: pb.PlayMove) -> int:
        # The seat may have been refused for no other reason, and is taken by the next stream.
        self._referee.refuse_when_draining()
        check_known(move)
        taken = self._taken.get(move.match_id)
        if taken is None:
            match = self._referee.match(move.match_id)
            raise ServiceError(
                ServiceReason.WRONG_TOKEN,
                "this stream has taken no seat of the match; take one with its token first",
                match_id=match.match_id,
            )
        request = pb.SubmitMoveRequest(
            match_id=move.match_id,
            seat_token=taken.token,
            decision_id=move.decision_id,
            request_id=move.request_id,
            move=move.move,
        )
        return await submit(self._referee, request)

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
        taken = _Taken(match, wanted.seat_token, Place(seat, start))
        # Moves may follow at once: they wait in line behind the joining.
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
        for match_id, taken in list(self._with_news.items()):
            if size >= _FULL:
                break
            del self._with_news[match_id]
            update = self._update(match_id, taken)
            if update is not None:
                message.updates.append(update)
                size += update.ByteSize()
        return message

    def _update(self, match_id: str, taken: _Taken) -> pb.PlayUpdate | None:
        """Give the news of a match, or None where there are none."""
        match = taken.match
        if match is None:
            return None
        update = pb.PlayUpdate(match_id=match_id)
        try:
            # The token may have been replaced by another since the seat was taken.
            match.seat_of(taken.token)
            message = news(self._referee, match, taken.place)
        except Exception as error:  # noqa: BLE001 - a fault in one match is told there alone
            update.refusal.CopyFrom(refusal(error))
            self._leave(taken)
            del self._taken[match_id]
            if not taken.told:
                self._answered()
            return update
        if message is None and taken.told:
            return None
        if message is not None:
            update.news.CopyFrom(message)
        if not taken.told:
            taken.told = True
            update.seat = taken.place.seat or 0
            self._answered()
        if update.news.HasField("ended"):
            self._leave(taken)
        elif more(match, taken.place):
            self._with_news[match_id] = taken
        return update

    def _answered(self) -> None:
        self._unanswered -= 1
        self._room.release()

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
