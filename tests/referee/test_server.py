"""Starting and stopping a referee: addresses, folders, health, shutting down in order."""

import asyncio
import json
import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from structlog.testing import capture_logs

from ronda.v1 import card_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.referee_service_pb2_grpc import RefereeServiceStub
from ronda_referee.errors import ServiceError, ServiceReason, SettingsError, StoreError
from ronda_referee.server import Settings, serving
from ronda_referee.statuses import refusals
from tests.referee.referee_process import RefereeProcess
from tests.referee.running import Table, play, refused, running


@pytest.mark.parametrize("listen", ["0.0.0.0:0", "192.168.1.2:7632", "[::]:0", "example.org:80"])
async def test_it_does_not_listen_beyond_loopback(tmp_path: Path, listen: str) -> None:
    """In the clear it stays on its own machine, and says so."""
    with pytest.raises(SettingsError, match="loopback"):
        async with serving(Settings(tmp_path, listen), {}):
            pytest.fail("it serves")


@pytest.mark.parametrize("listen", ["127.0.0.1", "127.0.0.1:port", "127.0.0.1:70000", ":"])
async def test_an_address_that_is_none_is_refused(tmp_path: Path, listen: str) -> None:
    """The error quotes it and shows a right one."""
    with pytest.raises(SettingsError, match=r"not HOST:PORT, as 127\.0\.0\.1:7632"):
        async with serving(Settings(tmp_path, listen), {}):
            pytest.fail("it serves")


async def test_a_second_referee_cannot_have_the_same_port(tmp_path: Path) -> None:
    """It would get half of the calls; gRPC allows that unless told not to."""
    async with running(tmp_path / "one") as run:
        with pytest.raises(SettingsError, match="another program"):
            async with serving(Settings(tmp_path / "two", run.serving.address), {}):
                pytest.fail("it serves")


async def test_a_second_referee_cannot_have_the_same_folder(tmp_path: Path) -> None:
    """Two would each think that they know the matches; afterwards the folder is free again."""
    async with running(tmp_path):
        with pytest.raises(SettingsError, match="in use by another referee"):
            async with serving(Settings(tmp_path, "127.0.0.1:0"), {}):
                pytest.fail("it serves")
    async with running(tmp_path):
        pass


async def test_a_file_that_is_no_store_is_left_alone(tmp_path: Path) -> None:
    """A foreign or newer file is refused, not overwritten."""
    store = tmp_path / "matches.sqlite"
    store.write_bytes(b"not a database, but long enough to be looked at as one" * 20)
    before = store.read_bytes()
    with pytest.raises(StoreError):
        async with serving(Settings(tmp_path, "127.0.0.1:0"), {}):
            pytest.fail("it serves")
    assert store.read_bytes() == before
    store.unlink()
    newer = sqlite3.connect(store)
    newer.execute("PRAGMA user_version = 99")
    newer.commit()
    newer.close()
    store.chmod(0o600)
    with pytest.raises(StoreError, match="version 99"):
        async with serving(Settings(tmp_path, "127.0.0.1:0"), {}):
            pytest.fail("it serves")


def _health(channel: grpc.aio.Channel, name: str) -> Callable[..., Any]:
    """Give a call of the health service, whose stub's methods have no types."""
    call: Callable[..., Any] = getattr(health_pb2_grpc.HealthStub(channel), name)
    return call


async def test_a_store_that_others_may_read_is_refused(tmp_path: Path) -> None:
    """It holds every seed and hand; a new one is its owner's alone, whatever the folder's mode."""
    tmp_path.chmod(0o755)
    async with running(tmp_path):
        for file in tmp_path.glob("matches.sqlite*"):
            assert file.stat().st_mode & 0o077 == 0, file
    (tmp_path / "matches.sqlite").chmod(0o644)
    with pytest.raises(StoreError, match="chmod 600"):
        async with serving(Settings(tmp_path, "127.0.0.1:0"), {}):
            pytest.fail("it serves")


async def test_a_log_reader_that_goes_away_stops_no_match(tmp_path: Path) -> None:
    """Log lines that cannot be written are lost, and a match is played to its end all the same."""
    arguments = ["serve", "--data", str(tmp_path / "data"), "--listen", "127.0.0.1:0"]
    reader, writer = os.pipe()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "ronda_cli", *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=writer,
    )
    os.close(writer)
    os.close(reader)
    assert process.stdout is not None
    address = (await process.stdout.readline()).decode().removeprefix("listening on ").strip()
    async with grpc.aio.insecure_channel(address) as channel:
        stub = RefereeServiceStub(channel)
        created = await stub.CreateMatch(pb.CreateMatchRequest(rule_set_id="sarii", seats=2))
        table = Table(stub, created.match_id, list(created.seat_tokens))
        await table.join(0)
        await table.join(1)
        wrong = table.request(0, 0, play(card_pb2.Card()))
        answer = await refused(lambda: stub.SubmitMove(wrong))
        assert answer.reason == "MALFORMED_REQUEST"
        await table.play_to_the_end()
    process.send_signal(signal.SIGTERM)
    assert await process.wait() == 0


async def test_nobody_else_can_lock_the_store_while_it_is_in_use(tmp_path: Path) -> None:
    """Another program that held a lock would make every match wait."""
    meddler = "import sqlite3, sys; sqlite3.connect(sys.argv[1], 0).execute('BEGIN IMMEDIATE')"
    async with running(tmp_path) as run:
        table = await run.table(2)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", meddler, str(tmp_path / "matches.sqlite")),
            stderr=asyncio.subprocess.PIPE,
        )
        _, errors = await process.communicate()
        assert b"database is locked" in errors
        await table.play_lowest()


async def test_a_folder_in_the_way_is_a_clear_message(tmp_path: Path) -> None:
    """Where it cannot say where it listens it does not start."""
    (tmp_path / "listening").mkdir()
    with pytest.raises(SettingsError, match="listening cannot be written"):
        async with serving(Settings(tmp_path, "127.0.0.1:0"), {}):
            pytest.fail("it serves")


async def test_health_says_that_it_serves(tmp_path: Path) -> None:
    """For the whole server and for each of its services."""
    async with (
        running(tmp_path) as run,
        grpc.aio.insecure_channel(run.serving.address) as channel,
    ):
        check = _health(channel, "Check")
        for service in ("", "ronda.v1.RefereeService", "ronda.conformance.v1.TesteeService"):
            answer = await check(health_pb2.HealthCheckRequest(service=service))
            assert answer.status == health_pb2.HealthCheckResponse.SERVING


async def test_the_folder_says_where_it_listens(tmp_path: Path) -> None:
    """The file is there while it serves, for whoever started it on a free port."""
    async with running(tmp_path) as run:
        assert (tmp_path / "listening").read_text() == run.serving.address + "\n"
    assert not (tmp_path / "listening").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_stops_it_in_order(tmp_path: Path, number: signal.Signals) -> None:
    """Watchers are told where to go on, health goes first, and the exit code is 0."""
    async with RefereeProcess(tmp_path / "data") as referee:
        async with grpc.aio.insecure_channel(referee.address) as channel:
            stub = RefereeServiceStub(channel)
            request = pb.CreateMatchRequest(rule_set_id="maghribi", seats=2)
            created = await stub.CreateMatch(request)
            watching = stub.WatchMatch(pb.WatchMatchRequest(match_id=created.match_id))
            health = _health(channel, "Watch")(health_pb2.HealthCheckRequest())
            messages = [await anext(aiter(watching))]
            states = [(await anext(aiter(health))).status]
            stopping = asyncio.create_task(referee.stop(number))
            messages += [message async for message in watching]
            states.append((await anext(aiter(health))).status)
            health.cancel()
            assert await stopping == 0
        assert messages[-1] == pb.WatchMatchResponse(
            next_sequence=1, ended=pb.WatchEnded(log_complete=False)
        )
        serving_states = health_pb2.HealthCheckResponse
        assert states == [serving_states.SERVING, serving_states.NOT_SERVING]
        assert not (tmp_path / "data" / "listening").exists()
    lines = [json.loads(line) for line in referee.log.read_text().splitlines()]
    # gRPC logs on its own account when a client leaves while it is being answered.
    events = [line["event"] for line in lines if line["event"] != "library"]
    assert events[-2:] == ["draining", "stopped"]


async def test_a_port_that_is_taken_is_a_clear_message(tmp_path: Path) -> None:
    """`ronda serve` ends with exit code 2 and one line on standard error."""
    async with running(tmp_path / "one") as run:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "ronda_cli", "serve"),
            *("--data", str(tmp_path / "two"), "--listen", run.serving.address),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        output, errors = await process.communicate()
    assert process.returncode == 2
    assert output == b""
    lines = errors.decode().splitlines()
    assert lines[-1].startswith(f"ronda serve: {run.serving.address} cannot be listened on")
    assert "Traceback" not in errors.decode()


async def test_log_lines_hold_no_token_no_seed_and_no_card(tmp_path: Path) -> None:
    """A whole match is played, with refusals: each line has an event and ids, no secret."""
    async with (
        RefereeProcess(tmp_path / "data") as referee,
        grpc.aio.insecure_channel(referee.address) as channel,
    ):
        stub = RefereeServiceStub(channel)
        created = await stub.CreateMatch(pb.CreateMatchRequest(rule_set_id="sarii", seats=2))
        table = Table(stub, created.match_id, list(created.seat_tokens))
        await table.join(0, entropy=b"salt of seat zero")
        await table.join(1)
        seat, _, decision = await table.turn()
        stale = table.request(seat, decision.decision_id + 1, decision.legal_moves[-1])
        with pytest.raises(grpc.aio.AioRpcError):
            await stub.SubmitMove(stale)
        await table.play_to_the_end()
        assert await referee.stop() == 0
    seed = sqlite3.connect(tmp_path / "data" / "matches.sqlite").execute("SELECT seed FROM match")
    secrets = [*table.tokens, seed.fetchone()[0].hex(), "salt of seat zero"]
    text = referee.log.read_text()
    for secret in secrets:
        assert secret not in text
    allowed = {"event", "level", "timestamp", "match_id", "seat", "seats", "rule_set", "reason"}
    allowed |= {"address", "restored"}
    lines = [json.loads(line) for line in text.splitlines()]
    assert {"match created", "seat joined", "request refused", "match ended"} <= {
        line["event"] for line in lines
    }
    for line in lines:
        assert set(line) <= allowed, line


async def test_a_peer_that_is_gone_when_it_is_to_be_refused_is_no_fault() -> None:
    """GRPC cannot send the status then and says so; nobody logs that as the referee's fault."""

    class Gone:
        async def abort_with_status(self, status: object) -> None:
            raise grpc.aio.InternalError("the status cannot be sent")

    context = cast("grpc.aio.ServicerContext[Any, Any]", Gone())
    with capture_logs() as lines, pytest.raises(asyncio.CancelledError):
        async with refusals(context), refusals(context):
            raise ServiceError(ServiceReason.DRAINING, "the referee is shutting down")
    assert [(line["event"], line["log_level"]) for line in lines] == [("request refused", "info")]
