"""The oracle as a program under test: TesteeService on a loopback port."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc
from grpc.aio import ServicerContext

from ronda.conformance.v1 import testee_service_pb2 as testee_pb2
from ronda.conformance.v1 import testee_service_pb2_grpc
from tests.oracle.respond import respond


class Testee(testee_service_pb2_grpc.TesteeServiceServicer):
    """Answers each call with what the oracle plays."""

    async def Run(
        self,
        request: testee_pb2.RunRequest,
        context: ServicerContext[testee_pb2.RunRequest, testee_pb2.RunResponse],
    ) -> testee_pb2.RunResponse:
        """Play the moves and report after each."""
        return respond(request)


@asynccontextmanager
async def serving() -> AsyncIterator[str]:
    """Serve the oracle and give `HOST:PORT`."""
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    testee_service_pb2_grpc.add_TesteeServiceServicer_to_server(Testee(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(None)
