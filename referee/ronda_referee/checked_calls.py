"""Checks that look at every call before its handler does, and may refuse it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from grpc.aio import ServicerContext

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


class CallCheck(Protocol):
    """Looks at every call of every service."""

    def check(self, call: Call, context: Context) -> None:
        """Look at a call.

        Raises:
            ServiceError: it is refused.
        """
        ...
