"""Watching a match: one stream for the reader, however many connections it takes."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

import grpc

from ronda.v1.referee_service_pb2 import Turn, WatchMatchRequest, WatchMatchResponse
from ronda.v1.referee_service_pb2_grpc import RefereeServiceStub
from ronda_client.backoff import Backoff, Trouble
from ronda_client.chain import Chain, SeenRecord
from ronda_client.channels import Channels
from ronda_client.errors import RefereeError, outcome_unknown
from ronda_client.logger import log


async def watch(
    channels: Channels, request: WatchMatchRequest, backoff: Backoff, silence: float
) -> AsyncGenerator[SeenRecord | Turn, None]:
    """Yield the records from the one asked for to the last, and a seat's turns among them.

    Args:
        channels: The connections to use.
        request: The match, the seat's token (empty: the public) and the first record wanted.
        backoff: How to wait where the referee is away.
        silence: Seconds without even a heartbeat after which the connection counts as lost.

    Raises:
        RefereeError: The referee refused to let it be watched.
        ForkedLog: A record does not continue those before.
        RefereeUnavailableError: The referee stayed away for longer than patience allows.
    """
    chain = Chain(request.match_id, request.from_sequence)
    trouble = Trouble(backoff, channels.target)
    while True:
        following = WatchMatchRequest()
        following.CopyFrom(request)
        following.from_sequence = chain.next_sequence
        detail = "the stream ended before the log did"
        try:
            async with (
                channels.watching() as stub,
                aclosing(_messages(stub, following, silence)) as messages,
            ):
                async for message in messages:
                    match message.WhichOneof("message"):
                        case "entry":
                            seen = chain.follow(message.entry)
                            trouble.over()
                            yield seen
                        case "turn":
                            trouble.over()
                            yield message.turn
                        case "heartbeat":
                            trouble.over()
                        case "ended":
                            if message.ended.log_complete:
                                return
                            detail = "the referee is shutting down"
                            break
        except grpc.aio.AioRpcError as error:
            refusal = RefereeError.from_rpc(error)
            if refusal.reason == "SEQUENCE_OUT_OF_RANGE" and chain.seen:
                raise chain.fork("the referee's log is shorter than it was") from error
            if not outcome_unknown(error) and refusal.reason != "SLOW_WATCHER":
                raise refusal from error
            detail = str(refusal)
        except TimeoutError:
            detail = f"not even a heartbeat in {silence} s"
        log.info(
            "watch_interrupted",
            match_id=request.match_id,
            next_sequence=chain.next_sequence,
            detail=detail,
        )
        await trouble.wait(detail)


async def _messages(
    stub: RefereeServiceStub, request: WatchMatchRequest, silence: float
) -> AsyncGenerator[WatchMatchResponse, None]:
    """Yield a stream's messages; raise TimeoutError where it is silent for too long."""
    call = stub.WatchMatch(request)
    try:
        while True:
            async with asyncio.timeout(silence):
                message = await call.read()
            if not isinstance(message, WatchMatchResponse):
                return
            yield message
    finally:
        call.cancel()
