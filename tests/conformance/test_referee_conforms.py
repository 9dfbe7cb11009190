"""This project's own referee passes the whole suite over gRPC, examples too."""

import grpc

from ronda.conformance.v1 import testee_service_pb2_grpc
from ronda_conformance.reports import text_report
from ronda_conformance.results import Run
from ronda_conformance.running import Limits, run_cases
from ronda_referee.testee import TesteeService
from tests.conformance.whole_suite import whole_suite


async def test_the_referee_passes_every_scenario() -> None:
    """All pass, none is left out; the report says otherwise what differs."""
    suite = whole_suite()
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    testee_service_pb2_grpc.add_TesteeServiceServicer_to_server(TesteeService(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        run = Run(f"127.0.0.1:{port}")
        await run_cases(run, suite.cases, Limits(seconds=60), lambda _result: None)
    finally:
        await server.stop(None)
    assert run.exit_code == 0, text_report(run)
    assert len(run.results) == len(suite.cases) > 300
