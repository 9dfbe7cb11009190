"""A server that answers every call with what it was sent, and does nothing else.

It is what gRPC itself takes: the same library, the same kind of server and the same interpreter's
settings as a referee's, without interceptors, messages, rules or a disk. `python -m
benchmarks.echo` prints `listening on HOST:PORT` and serves until its standard input ends.
"""

import asyncio
import sys

import grpc

from benchmarks.channels import in_flight, open_channel
from ronda_referee.serve_command import collect_rarely

METHOD = "/ronda.benchmarks.Echo/Echo"

# About as long as a move with its match, token and request id.
MESSAGE = bytes(range(128))

# As a referee's, see ronda_referee.serve_command.
_SWITCH_SECONDS = 0.001


async def _echo(request: bytes, _: "grpc.aio.ServicerContext[bytes, bytes]") -> bytes:
    return request


async def serve() -> None:
    """Serve on a free port of loopback until standard input ends."""
    sys.setswitchinterval(_SWITCH_SECONDS)
    collect_rarely()
    server = grpc.aio.server(
        options=(("grpc.so_reuseport", 0), ("grpc.max_concurrent_streams", 1024))
    )
    _, service, method = METHOD.split("/")
    handler = grpc.method_handlers_generic_handler(
        service, {method: grpc.unary_unary_rpc_method_handler(_echo)}
    )
    server.add_generic_rpc_handlers((handler,))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    sys.stdout.write(f"listening on 127.0.0.1:{port}\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.buffer.read)
    await server.stop(0)


class Echo:
    """Calls of the echo, over one connection."""

    def __init__(self, target: str) -> None:
        """Connect, in the event loop that runs."""
        self._call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = open_channel(
            target
        ).unary_unary(METHOD)

    async def calls_per_second(self, at_once: int, each: int) -> float:
        """Have so many clients at once make so many calls each; return how many a second."""

        async def call(_: int) -> int:
            for _ in range(each):
                await self._call(MESSAGE)
            return each

        done, seconds = await in_flight(call, at_once)
        return done / seconds

    async def latencies(self, calls: int) -> list[float]:
        """Make calls one after the other, and return how many seconds each took."""
        loop = asyncio.get_running_loop()
        took = []
        for _ in range(calls):
            begun = loop.time()
            await self._call(MESSAGE)
            took.append(loop.time() - begun)
        return took


if __name__ == "__main__":
    asyncio.run(serve())
