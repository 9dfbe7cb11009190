"""An interceptor that looks at every call before its handler does, and may refuse it."""

import asyncio
import inspect
from abc import abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar, cast

import grpc
from grpc.aio import ServicerContext

from ronda_referee.statuses import refusals

_Request = TypeVar("_Request")
_Response = TypeVar("_Response")
_Handler: TypeAlias = "grpc.RpcMethodHandler[_Request, _Response]"
Context: TypeAlias = "ServicerContext[Any, Any]"


@dataclass(frozen=True, slots=True)
class Call:
    """A call that has come in.

    Attributes:
        method: its full name, as `/ronda.v1.RefereeService/GetView`.
        streaming: whether it goes on until one side ends it.
    """

    method: str
    streaming: bool


def when_done(context: Context, act: Callable[[], None]) -> None:
    """Have something done once when a call has ended, whatever ended it.

    gRPC says so; a handler's own end may come late or never.
    """
    # The stubs ask for a class that exists in them alone; gRPC takes whatever can be called.
    context.add_done_callback(lambda _: act())  # type: ignore[arg-type]


# Calls whose handlers have ended and whose statuses are still on their way, each with what waits
# for that.
_leaving: "dict[Context, asyncio.Task[None]]" = {}


def leaving_later(context: Context, ending: "asyncio.Task[None]") -> None:
    """Count a call as there until a task has ended, although its handler ends before."""
    _leaving[context] = ending
    ending.add_done_callback(lambda _: _leaving.pop(context, None))


def when_gone(context: Context, act: Callable[[], None]) -> None:
    """Have something done once when nothing is left of a call, also no status on its way."""

    def handler_ended() -> None:
        ending = _leaving.get(context)
        if ending is None:
            act()
        else:
            ending.add_done_callback(lambda _: act())

    when_done(context, handler_ended)


class CheckedCalls(grpc.aio.ServerInterceptor):
    """Has every call of every service checked."""

    def __init__(self) -> None:
        # A method's handler is made once: there are as many as methods, and calls are many.
        self._handlers: dict[str, object] = {}

    @abstractmethod
    def check(self, call: Call, context: Context) -> None:
        """Look at a call.

        Raises:
            ServiceError: it is refused.
        """

    async def intercept_service(
        self,
        continuation: "Callable[[grpc.HandlerCallDetails], Awaitable[_Handler[_Request, _Response] | None]]",  # noqa: E501 - the interface's own type
        handler_call_details: grpc.HandlerCallDetails,
    ) -> "_Handler[_Request, _Response] | None":
        """Give the method's handler, made to check first."""
        method = str(handler_call_details.method)
        if method in self._handlers:
            return cast("_Handler[_Request, _Response]", self._handlers[method])
        handler = await continuation(handler_call_details)
        # Without a handler there is no such method, and gRPC answers UNIMPLEMENTED.
        if handler is None:
            return None
        streaming = handler.request_streaming or handler.response_streaming
        call = Call(method, streaming)
        kind = (
            ("stream" if handler.request_streaming else "unary")
            + "_"
            + ("stream" if handler.response_streaming else "unary")
        )
        make = getattr(grpc, f"{kind}_rpc_method_handler")
        checked = self._handlers[method] = make(
            self._checked(call, getattr(handler, kind)),
            handler.request_deserializer,
            handler.response_serializer,
        )
        return cast("_Handler[_Request, _Response]", checked)

    def _checked(self, call: Call, answer: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.isasyncgenfunction(answer):

            async def streaming(request: object, context: Context) -> AsyncIterator[object]:
                async with refusals(context):
                    self.check(call, context)
                # Closed at once where the peer goes away, and not when the collector comes by.
                async with aclosing(answer(request, context)) as messages:
                    async for message in messages:
                        yield message

            return streaming

        async def answering(request: object, context: Context) -> object:
            async with refusals(context):
                self.check(call, context)
            return await answer(request, context)

        return answering
