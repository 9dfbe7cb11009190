"""What a watcher gets, to the byte, and a stream that is read as far as it must have come."""

import asyncio
from dataclasses import dataclass
from typing import Any

import grpc
from google.protobuf.message import Message

from ronda.v1 import referee_service_pb2 as pb

SILENCE_SECONDS = 20.0


@dataclass(frozen=True)
class Seen:
    """Something that the watcher got: after which stage, by which way, and its bytes."""

    stage: int
    way: str
    data: bytes


def refusal_of(error: grpc.aio.AioRpcError) -> bytes:
    """Give all that a refused call says."""
    trailing = sorted((key, value) for key, value in error.trailing_metadata())
    return repr((error.code(), error.details(), trailing)).encode()


def bytes_of(message: Message) -> bytes:
    """Give a message's bytes."""
    return message.SerializeToString(deterministic=True)


@dataclass
class Stream:
    """A stream of a match's log, read as far as it must have come by now."""

    call: Any
    next: int = 0
    asked: int | None = None
    over: bool = False

    async def read(self) -> bytes | None:
        """Give the next message; None: the stream has ended on purpose."""
        try:
            message = await asyncio.wait_for(self.call.read(), SILENCE_SECONDS)
        except TimeoutError:
            self.over = True
            return b"silence"
        except grpc.aio.AioRpcError as error:
            self.over = True
            return refusal_of(error)
        if not isinstance(message, pb.WatchMatchResponse):
            self.over = True
            return None
        self.next = message.next_sequence
        if message.HasField("turn"):
            self.asked = message.turn.decision.decision_id
        return bytes_of(message)
