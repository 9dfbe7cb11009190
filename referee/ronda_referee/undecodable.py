"""Requests that are no message at all: answered INVALID_ARGUMENT like everything malformed.

By itself gRPC would answer UNKNOWN and show the peer which exception it met.
"""

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, TypeAlias, TypeVar, cast

import grpc
from google.protobuf.message import DecodeError
from grpc.aio import ServicerContext

from ronda_referee.convert import MalformedMessage
from ronda_referee.statuses import refusals

_Request = TypeVar("_Request")
_Response = TypeVar("_Response")
_Handler: TypeAlias = "grpc.RpcMethodHandler[_Request, _Response]"
_Context: TypeAlias = "ServicerContext[Any, Any]"


class _Undecodable:
    """Stands for a request whose bytes are no message of its type."""


class UndecodableRequests(grpc.aio.ServerInterceptor):
    """Refuses requests that cannot be decoded, in every call.

    Where requests come as a stream, one that cannot be decoded is the last that the handler gets:
    its place is taken by a `MalformedMessage`.
    """

    async def intercept_service(
        self,
        continuation: "Callable[[grpc.HandlerCallDetails], Awaitable[_Handler[_Request, _Response] | None]]",  # noqa: E501 - the interface's own type
        handler_call_details: grpc.HandlerCallDetails,
    ) -> "_Handler[_Request, _Response] | None":
        """Give the method's handler, made to refuse what it cannot decode."""
        handler = await continuation(handler_call_details)
        # Without a handler there is no such method, and gRPC answers UNIMPLEMENTED.
        if handler is None:
            return handler
        decode = _tolerant(handler.request_deserializer)
        if handler.request_streaming:
            if not handler.response_streaming:
                raise AssertionError("no call of ours takes a stream and gives one answer")
            refusing: object = grpc.stream_stream_rpc_method_handler(
                _refusing_requests(handler.stream_stream), decode, handler.response_serializer
            )
        elif handler.response_streaming:
            refusing = grpc.unary_stream_rpc_method_handler(
                _refusing_stream(handler.unary_stream), decode, handler.response_serializer
            )
        else:
            answer = cast("Callable[..., Awaitable[_Response]]", handler.unary_unary)
            refusing = grpc.unary_unary_rpc_method_handler(
                _refusing(answer), decode, handler.response_serializer
            )
        return cast("_Handler[_Request, _Response]", refusing)


def _tolerant(
    decode: Callable[[bytes], _Request] | None,
) -> Callable[[bytes], _Request | _Undecodable]:
    if decode is None:
        raise AssertionError("generated handlers decode their requests")

    def tolerant(data: bytes) -> _Request | _Undecodable:
        try:
            return decode(data)
        except DecodeError:
            return _Undecodable()

    return tolerant


def _refusing(
    answer: Callable[..., Awaitable[_Response]],
) -> Callable[..., Awaitable[_Response]]:
    async def refusing(request: object, context: _Context) -> _Response:
        await _refuse_undecodable(request, context)
        return await answer(request, context)

    return refusing


def _refusing_stream(answer: object) -> Callable[..., Any]:
    if not inspect.isasyncgenfunction(answer):
        # Such a handler writes its messages through the context, as the health service does.
        return _refusing(cast("Callable[..., Awaitable[None]]", answer))

    async def refusing(request: object, context: _Context) -> AsyncIterator[_Response]:
        await _refuse_undecodable(request, context)
        async for message in answer(request, context):
            yield message

    return refusing


def _refusing_requests(answer: object) -> Callable[..., Any]:
    behaviour = cast("Callable[..., Any]", answer)

    async def requests(sent: AsyncIterator[object]) -> AsyncIterator[object]:
        async for request in sent:
            if isinstance(request, _Undecodable):
                raise _malformed()
            yield request

    if not inspect.isasyncgenfunction(answer):

        async def writing(sent: AsyncIterator[object], context: _Context) -> None:
            async with refusals(context):
                await behaviour(requests(sent), context)

        return writing

    async def refusing(sent: AsyncIterator[object], context: _Context) -> AsyncIterator[_Response]:
        async with refusals(context), aclosing(behaviour(requests(sent), context)) as messages:
            async for message in messages:
                yield message

    return refusing


async def _refuse_undecodable(request: object, context: _Context) -> None:
    if isinstance(request, _Undecodable):
        async with refusals(context):
            raise _malformed()


def _malformed() -> MalformedMessage:
    detail = "its bytes are no message of the type that this call takes"
    return MalformedMessage("request", detail)
