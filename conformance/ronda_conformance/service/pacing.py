"""Making no more calls in a second than the referee under test allows (CALL-3, CALL-25).

A stream that is refused because it came too soon would look like one that ended by itself. So calls
wait for their turn before they are made, those that open a stream too.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import grpc

from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.referee_service_pb2_grpc import RefereeServiceStub
from ronda_conformance.refusals import patiently

# Of what the referee allows: its clock and ours differ, and others may call it from here.
_SHARE = 0.8
_Continuation = Callable[[Any, Any], Any]


class Pace:
    """Gives calls their turns: some at once, and then so many in a second.

    Attributes:
        calls_per_second: what the referee allows; 0: any number.
    """

    def __init__(self, calls_per_second: int) -> None:
        """Take what the referee allows."""
        self.calls_per_second = calls_per_second
        self._rate = calls_per_second * _SHARE
        # Half of a second's calls may come at once.
        self._burst = 0.5
        self._free_at = 0.0
        self._timeouts: set[asyncio.Timeout] = set()

    async def turn(self) -> None:
        """Wait until one more call may be made."""
        if not self._rate:
            return
        now = asyncio.get_running_loop().time()
        before = max(self._free_at, now)
        self._free_at = max(self._free_at, now - self._burst) + 1 / self._rate
        if self._free_at > now:
            self._put_off(self._free_at - before)
            await asyncio.sleep(self._free_at - now)

    @asynccontextmanager
    async def timeout(self, seconds: float) -> AsyncGenerator[None]:
        """Allow so much time, in which that does not count where calls wait for their turn.

        Raises:
            TimeoutError: it took longer.
        """
        async with asyncio.timeout(seconds) as timeout:
            self._timeouts.add(timeout)
            try:
                yield
            finally:
                self._timeouts.discard(timeout)

    def _put_off(self, seconds: float) -> None:
        for timeout in self._timeouts:
            when = timeout.when()
            if when is not None and not timeout.expired():
                timeout.reschedule(when + seconds)

    def interceptors(self) -> Sequence[grpc.aio.ClientInterceptor]:
        """Give what has the calls of a connection wait for their turn; nothing where none must."""
        if not self._rate:
            return ()
        return _OneAnswer(self), _Answers(self), _BothWays(self)


async def pace_of(channel: grpc.aio.Channel, seconds: float) -> Pace:
    """Ask a referee how many calls it allows in a second; one that does not say allows any number.

    Whether it says so as it must is for the checks to find.
    """
    ask = RefereeServiceStub(channel).GetServerInfo
    try:
        async with asyncio.timeout(seconds):
            answer = await patiently(lambda: ask(pb.GetServerInfoRequest()))
    except (grpc.aio.AioRpcError, TimeoutError):
        return Pace(0)
    return Pace(answer.limits.calls_per_second)


# gRPC wants a class for each kind of call.
class _OneAnswer(grpc.aio.UnaryUnaryClientInterceptor):
    def __init__(self, pace: Pace) -> None:
        self._pace = pace

    async def intercept_unary_unary(
        self,
        continuation: _Continuation,
        client_call_details: grpc.aio.ClientCallDetails,
        request: Any,  # noqa: ANN401  # of any call
    ) -> Any:  # noqa: ANN401  # as above
        await self._pace.turn()
        return await continuation(client_call_details, request)


class _Answers(grpc.aio.UnaryStreamClientInterceptor):
    def __init__(self, pace: Pace) -> None:
        self._pace = pace

    async def intercept_unary_stream(
        self,
        continuation: _Continuation,
        client_call_details: grpc.aio.ClientCallDetails,
        request: Any,  # noqa: ANN401  # of any call
    ) -> Any:  # noqa: ANN401  # as above
        await self._pace.turn()
        return await continuation(client_call_details, request)


class _BothWays(grpc.aio.StreamStreamClientInterceptor):
    def __init__(self, pace: Pace) -> None:
        self._pace = pace

    async def intercept_stream_stream(
        self,
        continuation: _Continuation,
        client_call_details: grpc.aio.ClientCallDetails,
        request_iterator: Any,  # noqa: ANN401  # of any call
    ) -> Any:  # noqa: ANN401  # as above
        await self._pace.turn()
        return await continuation(client_call_details, request_iterator)
