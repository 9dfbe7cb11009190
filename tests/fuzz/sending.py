"""Sending bytes to a referee, and all that it says to them."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

import grpc
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from ronda.conformance.v1 import testee_service_pb2
from ronda.v1 import referee_service_pb2

TIMEOUT_SECONDS = 60.0
"""How long an answer may take; a referee that takes longer hangs."""

LARGEST_REQUEST = 64 * 1024
"""How many bytes a request may have."""

Metadata: TypeAlias = tuple[tuple[str, str | bytes], ...]

SERVICES = (
    referee_service_pb2.DESCRIPTOR.services_by_name["RefereeService"],
    testee_service_pb2.DESCRIPTOR.services_by_name["TesteeService"],
    health_pb2.DESCRIPTOR.services_by_name["Health"],
    reflection_pb2.DESCRIPTOR.services_by_name["ServerReflection"],
)
METHODS: dict[str, MethodDescriptor] = {
    f"/{service.full_name}/{method.name}": cast("MethodDescriptor", method)
    for service in SERVICES
    for method in service.methods
}
"""Every call that a referee answers, by its full name."""
REFEREE = "/ronda.v1.RefereeService/"
TESTEE = "/ronda.conformance.v1.TesteeService/Run"


@dataclass
class Outcome:
    """What came of one call.

    Attributes:
        method: its full name.
        code: the status.
        detail: the status's text.
        reason: the stable reason; empty: there is none.
        values: the values at fault.
        raw: everything that the status says, as bytes.
        answers: the messages of the answer, as bytes.
        left: whether the peer went away before the call had ended.
    """

    method: str
    code: grpc.StatusCode
    detail: str = ""
    reason: str = ""
    values: dict[str, str] = field(default_factory=dict)
    raw: bytes = b""
    answers: list[bytes] = field(default_factory=list)
    left: bool = False

    @property
    def name(self) -> str:
        """The call's name without its service."""
        return self.method.rpartition("/")[2]

    @property
    def ok(self) -> bool:
        """Whether it was answered."""
        return self.code == grpc.StatusCode.OK

    def __str__(self) -> str:
        """Say it on one line."""
        said = f"{self.name}: {self.code.name} {self.reason} {self.detail!r}"
        return said + (" (left early)" if self.left else "")


async def send(
    channel: grpc.aio.Channel,
    method: str,
    data: bytes,
    metadata: Metadata = (),
    *,
    take: int | None = None,
    patience: float | None = None,
    timeout: float = TIMEOUT_SECONDS,
    compression: grpc.Compression | None = None,
) -> Outcome:
    """Send one request to any call, and give what came of it.

    Of a stream no more than `take` messages are read, each waited for no longer than `patience`
    seconds, then the peer goes away; None: all of them, and to the end.
    """
    descriptor = METHODS.get(method)
    if descriptor is None or not (descriptor.client_streaming or descriptor.server_streaming):
        unary: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(method)
        call = unary(data, metadata=metadata, timeout=timeout, compression=compression)
        try:
            answer = await call
        except grpc.aio.AioRpcError as error:
            return refused(method, error)
        return Outcome(method, grpc.StatusCode.OK, answers=[answer])
    if descriptor.client_streaming:
        return await converse(channel, method, [data], metadata, take=take, patience=patience)
    streaming: grpc.aio.UnaryStreamMultiCallable[bytes, bytes] = channel.unary_stream(method)
    stream = streaming(data, metadata=metadata, timeout=timeout)
    return await read(method, stream, take, patience)


async def converse(
    channel: grpc.aio.Channel,
    method: str,
    messages: Sequence[bytes],
    metadata: Metadata = (),
    *,
    take: int | None = None,
    patience: float | None = None,
) -> Outcome:
    """Send messages on a stream, close this side, and read as `send` does."""

    async def requests() -> AsyncIterator[bytes]:
        for message in messages:
            yield message

    both: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(method)
    stream = both(requests(), metadata=metadata, timeout=TIMEOUT_SECONDS)
    return await read(method, stream, take, patience)


async def read(
    method: str,
    stream: Any,  # noqa: ANN401 - gRPC's types of streams have no common name in the stubs
    take: int | None = None,
    patience: float | None = None,
) -> Outcome:
    """Read what comes on a stream, as `send` does."""
    answers: list[bytes] = []
    try:
        while take is None or len(answers) < take:
            async with asyncio.timeout(patience):
                message = await stream.read()
            if message is grpc.aio.EOF:
                code = await stream.code()
                if code == grpc.StatusCode.OK:
                    return Outcome(method, code, answers=answers)
                raise AssertionError(f"a stream ended with {code} and did not say so")
            answers.append(message)
    except grpc.aio.AioRpcError as error:
        outcome = refused(method, error)
        outcome.answers = answers
        # The library's own word for a write on a stream whose status has not come in yet.
        outcome.left = outcome.detail == "Internal error from Core"
        return outcome
    except TimeoutError:
        pass
    finally:
        stream.cancel()
    return Outcome(method, grpc.StatusCode.CANCELLED, answers=answers, left=True)


def refused(method: str, error: grpc.aio.AioRpcError) -> Outcome:
    """Give what a status says."""
    outcome = Outcome(method, error.code(), error.details() or "")
    raw = [outcome.detail.encode(errors="surrogateescape")]
    for key, value in error.trailing_metadata() or ():
        data = value if isinstance(value, bytes) else value.encode()
        raw.append(data)
        if key == "grpc-status-details-bin":
            _take_details(outcome, data)
    outcome.raw = b"\n".join(raw)
    return outcome


def _take_details(outcome: Outcome, data: bytes) -> None:
    status = status_pb2.Status()
    try:
        status.ParseFromString(data)
    except DecodeError:
        outcome.reason = "UNREADABLE_DETAILS"
        return
    info = error_details_pb2.ErrorInfo()
    for detail in status.details:
        if detail.Is(error_details_pb2.ErrorInfo.DESCRIPTOR):
            detail.Unpack(info)
            outcome.reason = info.reason if info.domain == "ronda.v1" else "WRONG_DOMAIN"
            outcome.values = dict(info.metadata)
