"""How refusals are told: no token is repeated, and a peer that has gone is no fault."""

import asyncio
from pathlib import Path

import grpc
import pytest
import structlog

from ronda.v1 import referee_service_pb2 as pb
from ronda_referee.errors import ServiceError, ServiceReason
from ronda_referee.statuses import refusals
from tests.referee.running import refused, running
from tests.referee.streaming import Streaming


async def test_a_token_that_was_sent_as_an_id_is_not_repeated(tmp_path: Path) -> None:
    """Clients log what they are told, and who confuses two arguments must not lose its seat."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        token = table.tokens[0]
        as_match = pb.GetViewRequest(match_id=token)
        match = await refused(lambda: run.stub.GetView(as_match))
        assert (match.reason, match.detail) == (
            "MATCH_NOT_FOUND",
            "there is no match '(what may be a token)'",
        )
        assert match.metadata == {"match_id": "(what may be a token)"}
        as_rules = pb.GetRuleSetRequest(id=f"x{token}y")
        rules = await refused(lambda: run.stub.GetRuleSet(as_rules))
        assert token not in rules.detail + rules.metadata["rule_set_id"]
        stream = Streaming(run.stub)
        (answer,) = await stream.answer(pb.PlayMove(match_id=token))
        assert token not in str(answer.refusal)
        await stream.rest()


class GonePeer:
    """A call whose peer has gone: gRPC cannot send its status."""

    async def abort_with_status(self, status: grpc.Status) -> None:
        """Fail as gRPC does."""
        raise grpc.aio.InternalError("Failed execute_batch")


async def test_a_refusal_that_finds_its_peer_gone_is_no_fault_of_the_referee() -> None:
    """The call is as one that was cancelled, and no error is logged, in however many layers."""
    call = GonePeer()
    with structlog.testing.capture_logs() as lines, pytest.raises(asyncio.CancelledError):
        async with refusals(call), refusals(call):  # type: ignore[arg-type]  # what is asked of it
            raise ServiceError(ServiceReason.MATCH_NOT_FOUND, "there is no match 'x'")
    assert [(line["event"], line["log_level"]) for line in lines] == [("request refused", "info")]
