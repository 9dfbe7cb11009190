"""Watching a match: one stream for the reader, however many connections it takes."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing

import grpc

from ronda.v1.referee_service_pb2 import (
    SeatClock,
    Turn,
    WatchMatchRequest,
    WatchMatchResponse,
)
from ronda.v1.referee_service_pb2_grpc import RefereeServiceStub
from ronda_client.backoff import Backoff, Trouble
from ronda_client.chain import Chain, SeenRecord
from ronda_client.channels import Channels
from ronda_client.errors import RefereeError, outcome_unknown, retry_after
from ronda_client.heads import Heads
from ronda_client.logger import log


async def watch(
    channels: Channels,
    request: WatchMatchRequest,
    backoff: Backoff,
    silence: float,
    heads: Heads | None = None,
    clocks: Callable[[Sequence[SeatClock]], None] | None = None,
) -> AsyncGenerator[SeenRecord | Turn, None]:
    """Yield the records from the one asked for to the last, and a seat's turns among them.

    Args:
        channels: The connections to use.
        request: The match, the seat's token (empty: the public) and the first record wanted.
        backoff: How to wait where the referee is away.
        silence: Seconds without even a heartbeat after which the connection counts as lost.
        heads: The heads that were seen before; None: none were.
        clocks: Called with the seats' clocks, by seat, where any run, after what came with them.

    Raises:
        RefereeError: The referee refused to let it be watched.
        ForkedLog: A record does not continue those before.
        RefereeUnavailableError: The referee stayed away for longer than patience allows.
    """
    chain = Chain(request.match_id, request.from_sequence, heads)
    trouble = Trouble(backoff, channels.target)
    while True:
        following = WatchMatchRequest()
        following.CopyFrom(request)
        following.from_sequence = chain.next_sequence
        detail = "the stream ended before the log did"
        pause = None
        try:
            async with (
                channels.watching() as stub,
                aclosing(_messages(stub, following, silence)) as messages,
            ):
                async for message in messages:
                    try:
                        for entry in message.entries:
                            yield chain.follow(entry)
                    finally:
                        chain.save()
                    if message.HasField("turn"):
                        yield message.turn
                    if clocks is not None and message.clocks:
                        clocks(message.clocks)
                    if message.HasField("ended"):
                        if message.ended.log_complete:
                            chain.ended()
                            return
                        detail = "the referee is shutting down"
                        break
                    trouble.over()
        except grpc.aio.AioRpcError as error:
            refusal = RefereeError.from_rpc(error)
            if refusal.reason == "SEQUENCE_OUT_OF_RANGE" and chain.seen:
                raise chain.fork("the referee's log is shorter than it was") from error
            pause = retry_after(refusal)
            if not outcome_unknown(error) and refusal.reason != "SLOW_WATCHER" and pause is None:
                raise refusal from error
            detail = str(refusal)
        except TimeoutError:
            detail = f"not even a heartbeat in {silence} s"
        log().info(
            "watch_interrupted",
            match_id=request.match_id,
            next_sequence=chain.next_sequence,
            detail=detail,
        )
        await trouble.wait(detail, pause or 0.0)


async def _messages(
    stub: RefereeServiceStub, request: WatchMatchRequest, silence: float
) -> AsyncGenerator[WatchMatchResponse, None]:
    """Yield a stream's messages; raise TimeoutError where it is silent for too long."""
    call = stub.WatchMatch(request)
    silent = Silence(call, silence)
    try:
        async for message in call:
            silent.broken()
            yield message
            silent.begins()
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if not silent.too_long or (task is not None and task.cancelling()):
            raise
        raise TimeoutError from None
    finally:
        silent.stop()
        call.cancel()


class Silence:
    """Cancels a call that is read from for too long without a message.

    One timer that looks after the reader now and then: a timeout for each message would cost
    more than the message. The time that the reader spends elsewhere does not count.
    """

    def __init__(self, call: grpc.aio.Call, seconds: float) -> None:
        self.too_long = False
        self._call = call
        self._seconds = seconds
        self._loop = asyncio.get_running_loop()
        self._since: float | None = self._loop.time()
        self._timer = self._loop.call_later(seconds, self._look)

    def begins(self) -> None:
        """Note that the call is read from."""
        self._since = self._loop.time()

    def broken(self) -> None:
        """Note that a message came."""
        self._since = None

    def stop(self) -> None:
        """Look no more."""
        self._timer.cancel()

    def _look(self) -> None:
        now = self._loop.time()
        since = now if self._since is None else self._since
        left = since + self._seconds - now
        if left <= 0:
            self.too_long = True
            self._call.cancel()
        else:
            self._timer = self._loop.call_later(left, self._look)
