"""What stands between the services and gRPC: every call is checked before its handler gets it.

An interceptor of gRPC would be asked for a handler at each call. Here each handler is wrapped once,
when its service is added to the server: calls are many, and services few.
"""

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Any, TypeAlias, cast

import grpc

from ronda_referee.checked_calls import Call, CallCheck, Context
from ronda_referee.statuses import refuse
from ronda_referee.undecodable import UndecodableRequests

_Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
_Behaviour: TypeAlias = Callable[..., Any]

# As gRPC itself says it.
_NO_SUCH_METHOD = "Method not found!"


class GuardedServer:
    """Takes services in the place of a server, and has it check every call of theirs."""

    def __init__(
        self,
        server: grpc.aio.Server,
        checks: Sequence[CallCheck],
        undecodable: UndecodableRequests,
    ) -> None:
        """Add services to this server; the checks are made in this order."""
        server.add_generic_rpc_handlers((_UnknownMethods(checks),))
        self._server = server
        self._checks = tuple(checks)
        self._undecodable = undecodable

    def add_generic_rpc_handlers(self, handlers: Sequence[grpc.GenericRpcHandler]) -> None:
        """Add nothing: the generated code adds the same handlers once more, method by method."""

    def add_registered_method_handlers(
        self, service_name: str, method_handlers: Mapping[str, _Handler]
    ) -> None:
        """Add a service's handlers, made to check first."""
        self._server.add_registered_method_handlers(
            service_name,
            {
                name: self._guarded(f"/{service_name}/{name}", handler)
                for name, handler in method_handlers.items()
            },
        )

    def _guarded(self, method: str, handler: _Handler) -> _Handler:
        call = Call(method, handler.request_streaming or handler.response_streaming)
        kind = (
            ("stream" if handler.request_streaming else "unary")
            + "_"
            + ("stream" if handler.response_streaming else "unary")
        )
        answer = cast("_Behaviour", getattr(handler, kind))
        if not handler.request_streaming:
            guarded = (
                self._streaming(call, answer)
                if inspect.isasyncgenfunction(answer)
                else self._answering(call, answer)
            )
        elif handler.response_streaming:
            guarded = self._both_streaming(call, answer)
        else:
            raise AssertionError("no call of ours takes a stream and gives one answer")
        make = getattr(grpc, f"{kind}_rpc_method_handler")
        decode = self._undecodable.tolerant(handler.request_deserializer)
        return cast("_Handler", make(guarded, decode, handler.response_serializer))

    def _answering(self, call: Call, answer: Callable[..., Awaitable[object]]) -> _Behaviour:
        """Guard a handler with one answer, or one that writes its answers through the context."""
        checks, refuse_undecodable = self._checks, self._undecodable.refuse

        async def answering(request: object, context: Context) -> object:
            try:
                for one in checks:
                    one.check(call, context)
                refuse_undecodable(request)
            except Exception as error:  # noqa: BLE001 - answered INTERNAL, never a traceback
                await refuse(context, error)
            return await answer(request, context)

        return answering

    def _streaming(self, call: Call, answer: _Behaviour) -> _Behaviour:
        checks, refuse_undecodable = self._checks, self._undecodable.refuse

        async def streaming(request: object, context: Context) -> AsyncIterator[object]:
            try:
                for one in checks:
                    one.check(call, context)
                refuse_undecodable(request)
            except Exception as error:  # noqa: BLE001 - answered INTERNAL, never a traceback
                await refuse(context, error)
            # Closed at once where the peer goes away, and not when the collector comes by.
            async with aclosing(answer(request, context)) as messages:
                async for message in messages:
                    yield message

        return streaming

    def _both_streaming(self, call: Call, answer: _Behaviour) -> _Behaviour:
        """Guard a handler of a stream of requests; what cannot be decoded is the last it gets."""
        checks, refuse_undecodable = self._checks, self._undecodable.refuse

        async def decoded(requests: AsyncIterator[object]) -> AsyncIterator[object]:
            async for request in requests:
                refuse_undecodable(request)
                yield request

        async def streaming(
            requests: AsyncIterator[object], context: Context
        ) -> AsyncIterator[object]:
            try:
                for one in checks:
                    one.check(call, context)
                async with aclosing(answer(decoded(requests), context)) as messages:
                    async for message in messages:
                        yield message
            except Exception as error:  # noqa: BLE001 - as above
                await refuse(context, error)

        return streaming


class _UnknownMethods(grpc.GenericRpcHandler):
    """Checks calls of methods that nobody serves too, and answers them UNIMPLEMENTED as gRPC does.

    gRPC asks it for methods alone that no service has added.
    """

    def __init__(self, checks: Sequence[CallCheck]) -> None:
        self._checks = tuple(checks)

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> "_Handler | None":
        """Give what refuses a call, whatever it sends: nothing of that is read."""
        call = Call(str(handler_call_details.method), streaming=False)

        async def refusing(_: object, context: Context) -> None:
            try:
                for one in self._checks:
                    one.check(call, context)
            except Exception as error:  # noqa: BLE001 - as above
                await refuse(context, error)
            try:
                await context.abort(grpc.StatusCode.UNIMPLEMENTED, _NO_SUCH_METHOD)
            except grpc.aio.InternalError:
                # The status goes to nobody any more: the peer has gone, and with it the call.
                raise asyncio.CancelledError from None

        return grpc.stream_stream_rpc_method_handler(refusing)
