"""The stream that carries many seats, and comes back wherever it breaks off.

What was asked and not answered goes out again, unchanged, whenever the stream is opened anew:
which seats are played, each from the record that it has not seen, and every move under its request
id. Whoever plays a seat notices nothing of it.
"""

import asyncio
import contextlib
import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import grpc

from ronda.v1.move_pb2 import Move
from ronda.v1.referee_service_pb2 import (
    PlayAnswer,
    PlayMove,
    PlayRequest,
    PlayResponse,
    PlaySeat,
    PlayUpdate,
    Turn,
    WatchMatchResponse,
)
from ronda_client.backoff import Trouble
from ronda_client.chain import Chain, SeenRecord
from ronda_client.client import RefereeClient
from ronda_client.errors import (
    ForkedLog,
    RefereeError,
    RefereeUnavailableError,
    stream_lost,
)
from ronda_client.logger import log
from ronda_client.watching import Silence

# A referee takes 64 KiB in one message.
_FULL = 32 * 1024

# Of a longer one a referee repeats so much in its answer.
_LONGEST_REQUEST_ID = 64

# The connections' calls: what types-grpcio names them by.
_Call: TypeAlias = "grpc.aio.StreamStreamCall[PlayRequest, PlayResponse]"


@dataclass(frozen=True, slots=True)
class Ended:
    """A match has ended; nothing more comes of it."""


@dataclass(slots=True)
class _Sent:
    """A move that is not answered yet."""

    move: PlayMove
    answer: asyncio.Future[PlayAnswer]


class StreamedSeat:
    """A seat as the stream knows it: what has come for it and nobody has taken yet.

    That is no more than the match goes on by without the seat's own move, and at the start its log
    so far.

    Attributes:
        match_id: The match.
        seat: The seat, where the referee has said which it is.
        chain: Follows the log; None: the log is not wanted.
        next_sequence: Where the log was when the seat was asked last.
    """

    def __init__(self, match_id: str, seat_token: str, chain: Chain | None) -> None:
        """Take the match, the seat's token, and what follows the log from its next record on."""
        self.match_id = match_id
        self.seat: int | None = None
        self.chain = chain
        self.next_sequence = 0
        self.moves: dict[str, _Sent] = {}
        self._token = seat_token
        self._inbox: deque[SeenRecord | Turn | Ended] = deque()
        self._news = asyncio.Event()
        self._failure: Callable[[], Exception] | None = None

    async def next(self) -> SeenRecord | Turn | Ended:
        """Return what came next for the seat.

        Raises:
            ClientError: Nothing more can come.
        """
        while not self._inbox:
            self.check()
            self._news.clear()
            await self._news.wait()
        return self._inbox.popleft()

    def check(self) -> None:
        """Raise the error that has ended the seat's part in the stream, if one has."""
        if self._failure is not None:
            raise self._failure()

    def request(self) -> PlaySeat:
        """Return what takes the seat, from the record on that it has not seen."""
        request = PlaySeat(match_id=self.match_id, seat_token=self._token)
        if self.chain is not None:
            request.from_sequence = self.chain.next_sequence
        return request

    def take_in(self, news: WatchMatchResponse) -> None:
        """Keep what is new until it is asked for.

        Raises:
            ForkedLog: A record does not continue those before.
        """
        if self.chain is not None:
            try:
                self._inbox.extend(map(self.chain.follow, news.entries))
                if news.ended.log_complete:
                    self.chain.ended()
            finally:
                self.chain.save()
        if news.HasField("turn"):
            self._inbox.append(news.turn)
        if news.ended.log_complete:
            self._inbox.append(Ended())
        elif not news.HasField("ended"):
            self.next_sequence = news.next_sequence
        self._news.set()

    def fail(self, failure: Callable[[], Exception]) -> None:
        """End the seat's part in the stream: whoever waits for it gets an error."""
        self._failure = failure
        self._news.set()
        for sent in self.moves.values():
            if not sent.answer.done():
                sent.answer.set_exception(failure())
        self.moves.clear()


class PlayConnection:
    """One Play stream after another, for as long as there are seats to play."""

    def __init__(self, client: RefereeClient) -> None:
        """Play at the referee of a client that is open; `run` does it."""
        self._client = client
        self._seats: dict[str, StreamedSeat] = {}
        # What the present stream has not been told yet.
        self._to_take: deque[StreamedSeat] = deque()
        self._to_send: deque[PlayMove] = deque()
        self._something_to_say = asyncio.Event()
        self._seats_wanted = asyncio.Event()
        # The matches of which the present stream was told, also such as are given up since.
        self._told: set[str] = set()
        self._call: _Call | None = None
        self._starting_anew = False

    def add(self, seat: StreamedSeat) -> None:
        """Begin to play a seat.

        Raises:
            ValueError: A seat of the match is being played.
        """
        if seat.match_id in self._seats:
            raise ValueError(
                f"this stream plays a seat of match {seat.match_id} already; "
                "another seat of the same match needs another stream"
            )
        self._seats[seat.match_id] = seat
        self._seats_wanted.set()
        if seat.match_id in self._told:
            # A stream takes a seat of a match once.
            self._starting_anew = True
            if self._call is not None:
                self._call.cancel()
        else:
            self._to_take.append(seat)
            self._something_to_say.set()

    def remove(self, seat: StreamedSeat) -> None:
        """Play a seat no more; its moves that are under way are nobody's business now."""
        if self._seats.get(seat.match_id) is seat:
            del self._seats[seat.match_id]
        if not self._seats:
            self._seats_wanted.clear()

    async def submit(
        self, seat: StreamedSeat, decision_id: int, move: Move, request_id: str | None = None
    ) -> int:
        """Submit a move and return the sequence number of its record once it is on disk.

        Args:
            seat: The seat.
            decision_id: The decision that the move answers.
            move: The move.
            request_id: 1 to 64 characters that name this request among the seat's requests of
                the match, of which no other is under way; None: a random one.

        Raises:
            RefereeError: It was refused.
            ClientError: The seat's part in the stream has ended.
            ValueError: The request id is empty or too long, so that its answer would name another.
        """
        if request_id is None:
            request_id = secrets.token_hex(16)
        elif not 1 <= len(request_id) <= _LONGEST_REQUEST_ID:
            raise ValueError(
                f"the request id has {len(request_id)} characters; it must have 1 to "
                f"{_LONGEST_REQUEST_ID}"
            )
        request = PlayMove(
            match_id=seat.match_id,
            decision_id=decision_id,
            request_id=request_id,
            move=move,
        )
        trouble = Trouble(self._client.backoff, self._client.target)
        while True:
            answer = await self._answer(seat, request)
            if answer.HasField("sequence"):
                return answer.sequence
            refusal = RefereeError.from_refusal(answer.refusal)
            if refusal.code is not grpc.StatusCode.UNAVAILABLE:
                raise refusal
            await trouble.wait(str(refusal))

    async def _answer(self, seat: StreamedSeat, request: PlayMove) -> PlayAnswer:
        seat.check()
        sent = _Sent(request, asyncio.get_running_loop().create_future())
        seat.moves[request.request_id] = sent
        self._to_send.append(request)
        self._something_to_say.set()
        try:
            return await sent.answer
        finally:
            seat.moves.pop(request.request_id, None)

    async def run(self) -> None:
        """Keep the stream up, until it is cancelled.

        What ends the stream for good ends every seat's part in it; seats that come later are tried
        anew.
        """
        try:
            await self._keep_up()
        except Exception as error:
            # A fault of this package: nobody may wait for ever for what it does not do any more.
            fault = error
            self._fail_all(lambda: fault)
            raise

    async def _keep_up(self) -> None:
        trouble = Trouble(self._client.backoff, self._client.target)
        while True:
            await self._seats_wanted.wait()
            detail = await self._session(trouble)
            if detail is None:
                trouble.over()
                continue
            log().info("play_interrupted", seats=len(self._seats), detail=detail)
            try:
                await trouble.wait(detail)
            except RefereeUnavailableError as error:
                self._fail_all(
                    partial(RefereeUnavailableError, error.target, error.seconds, error.detail)
                )
                trouble.over()

    async def _session(self, trouble: Trouble) -> str | None:
        """Open one stream and follow it to its end.

        Returns:
            what broke it off, where it is to be waited before the next one; None: nothing did.
        """
        self._starting_anew = False
        self._told.clear()
        self._to_take = deque(self._seats.values())
        self._to_send = deque(
            sent.move for seat in self._seats.values() for sent in seat.moves.values()
        )
        self._something_to_say.set()
        call = self._call = self._client.stub.Play()
        silent = Silence(call, self._client.silence)
        writing = asyncio.create_task(self._write(call))
        try:
            async for message in call:
                silent.broken()
                if self._starting_anew:
                    # What still comes is for seats as they were before.
                    return None
                if self._take_in(message):
                    trouble.over()
                silent.begins()
            return "the stream ended before the matches did"
        except grpc.aio.AioRpcError as error:
            refusal = RefereeError.from_rpc(error)
            if stream_lost(error) or refusal.reason == "SLOW_WATCHER":
                return str(refusal)
            self._fail_all(partial(RefereeError.from_rpc, error))
            return None
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            if self._starting_anew:
                return None
            if not silent.too_long:
                raise
            return f"not even a heartbeat in {self._client.silence} s"
        finally:
            self._call = None
            silent.stop()
            writing.cancel()
            call.cancel()

    async def _write(self, call: _Call) -> None:
        # Where the stream has ended, its reader learns why.
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            while True:
                await self._something_to_say.wait()
                # Other bots may be about to choose in the same turn of the event loop.
                await asyncio.sleep(0)
                self._something_to_say.clear()
                while self._to_take or self._to_send:
                    await call.write(self._next_request())

    def _next_request(self) -> PlayRequest:
        request = PlayRequest()
        size = 0
        while self._to_take and size < _FULL:
            seat = self._to_take.popleft()
            if self._seats.get(seat.match_id) is seat:
                self._told.add(seat.match_id)
                request.seats.append(seat.request())
                size += request.seats[-1].ByteSize()
        while self._to_send and size < _FULL:
            request.moves.append(self._to_send.popleft())
            size += request.moves[-1].ByteSize()
        return request

    def _take_in(self, message: PlayResponse) -> bool:
        """Hand out what came; tell whether the referee goes on."""
        for answer in message.answers:
            seat = self._seats.get(answer.match_id)
            sent = None if seat is None else seat.moves.get(answer.request_id)
            if sent is not None and not sent.answer.done():
                sent.answer.set_result(answer)
        goes_on = True
        for update in message.updates:
            seat = self._seats.get(update.match_id)
            if seat is not None:
                self._update(seat, update)
            if update.news.HasField("ended") and not update.news.ended.log_complete:
                goes_on = False
        return goes_on

    def _update(self, seat: StreamedSeat, update: PlayUpdate) -> None:
        if update.HasField("refusal"):
            self._refused(seat, RefereeError.from_refusal(update.refusal))
            return
        if update.HasField("seat"):
            seat.seat = update.seat
        try:
            seat.take_in(update.news)
        except ForkedLog as fork:
            self._fork(seat, fork.detail)

    def _refused(self, seat: StreamedSeat, refusal: RefereeError) -> None:
        if refusal.code is grpc.StatusCode.UNAVAILABLE:
            # The referee is shutting down: the next stream takes the seat again.
            return
        if refusal.reason == "SEQUENCE_OUT_OF_RANGE" and seat.chain is not None and seat.chain.seen:
            self._fork(seat, "the referee's log is shorter than it was")
            return
        seat.fail(
            partial(
                RefereeError, refusal.code, refusal.reason, refusal.detail, dict(refusal.metadata)
            )
        )

    def _fork(self, seat: StreamedSeat, detail: str) -> None:
        if seat.chain is None:
            raise AssertionError("who does not follow the log sees no fork")
        seat.fail(partial(seat.chain.fork, detail))

    def _fail_all(self, failure: Callable[[], Exception]) -> None:
        for seat in self._seats.values():
            seat.fail(failure)
        self._seats.clear()
        self._seats_wanted.clear()
