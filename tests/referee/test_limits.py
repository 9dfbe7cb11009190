"""Limits: each says what is too much and what to do, and none that one peer meets harms another."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import cast

import grpc
import pytest
from google.protobuf.message import Message

from ronda.v1 import log_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.referee_service_pb2_grpc import RefereeServiceStub
from ronda_referee import server
from ronda_referee.checked_calls import Context
from ronda_referee.errors import ServiceError, ServiceReason
from ronda_referee.peer_limits import CallRate, PeerLimits, peer_name
from ronda_referee.settings import Limits
from ronda_referee.watcher_limits import WatcherLimits
from tests.referee.running import Table, refused, running

INFO = pb.GetServerInfoRequest()
CREATE = pb.CreateMatchRequest(rule_set_id="sarii", seats=2)


class Clock:
    """Time that passes when a test says so, in seconds."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        """Give the time."""
        return self.now


@asynccontextmanager
async def another_peer(address: str, source: str) -> AsyncIterator[RefereeServiceStub]:
    """Call a referee from another loopback address, through a relay that listens on its own.

    The whole of 127.0.0.0/8 is this machine; gRPC cannot choose where a connection comes from.
    """
    host, _, port = address.rpartition(":")
    tasks: set[asyncio.Task[None]] = set()

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65_536):
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection(
            host, int(port), local_addr=(source, 0)
        )
        for one, other in ((reader, far_writer), (far_reader, writer)):
            task = asyncio.create_task(pump(one, other))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(relay, "127.0.0.1", 0)
    listening = server.sockets[0].getsockname()[1]
    async with grpc.aio.insecure_channel(f"127.0.0.1:{listening}") as channel:
        yield RefereeServiceStub(channel)
    server.close()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def watch(stub: RefereeServiceStub, match_id: str, token: str = "") -> "Watching":
    """Watch a match."""
    return Watching(stub, match_id, token)


class Watching:
    """A stream that watches a match."""

    def __init__(self, stub: RefereeServiceStub, match_id: str, token: str) -> None:
        """Open the stream."""
        request = pb.WatchMatchRequest(match_id=match_id, seat_token=token)
        self.call = stub.WatchMatch(request)

    async def first(self) -> Message:
        """Give its first message."""
        message = await self.call.read()
        assert isinstance(message, pb.WatchMatchResponse), message
        return message

    async def leave(self) -> None:
        """End it, and wait until that is known here."""
        self.call.cancel()
        await self.call.code()


async def admitted(stub: RefereeServiceStub, match_id: str, token: str = "") -> Watching:
    """Watch a match as soon as there is room: the referee learns of those that left a bit later."""
    async with asyncio.timeout(30):
        while True:
            watching = watch(stub, match_id, token)
            try:
                await watching.first()
            except grpc.aio.AioRpcError:
                continue
            return watching


def test_a_bucket_holds_one_seconds_calls_and_fills_as_fast() -> None:
    """Four at once at four in a second; then one every 250 ms, and never more than four saved."""
    clock = Clock()
    rate = CallRate(4, clock)
    assert [rate.wait_ms("a") for _ in range(5)] == [0, 0, 0, 0, 250]
    clock.now += 0.1
    assert rate.wait_ms("a") == 150
    clock.now += 0.15
    assert [rate.wait_ms("a") for _ in range(2)] == [0, 250]
    clock.now += 100
    assert [rate.wait_ms("a") for _ in range(5)] == [0, 0, 0, 0, 250]


def test_each_peer_has_a_bucket_of_its_own_that_is_forgotten_when_full() -> None:
    """One that has used its calls up takes none from another; a crowd leaves nothing behind."""
    clock = Clock()
    rate = CallRate(1, clock)
    assert [rate.wait_ms("a"), rate.wait_ms("a"), rate.wait_ms("b")] == [0, 1000, 0]
    for number in range(1000):
        rate.wait_ms(f"peer {number}")
    assert len(rate) == 1002
    clock.now += 1
    assert rate.wait_ms("a") == 0
    assert len(rate) == 1


def test_no_rate_is_no_limit() -> None:
    """0 stands for any number, and nobody is remembered."""
    rate = CallRate(0, Clock())
    assert {rate.wait_ms("a") for _ in range(10_000)} == {0}
    assert len(rate) == 0


@pytest.mark.parametrize(
    ("peer", "name"),
    [
        ("ipv4:192.0.2.7:50123", "192.0.2.7"),
        ("ipv4:192.0.2.7:50124", "192.0.2.7"),
        ("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:50123", "2001:db8:1:2::/64"),
        ("ipv6:[2001:db8:1:2:ffff::1]:9", "2001:db8:1:2::/64"),
        ("ipv6:%5B2001:db8:1:3::1%5D:50123", "2001:db8:1:3::/64"),
        ("ipv6:%5B::ffff:192.0.2.7%5D:50123", "192.0.2.7"),
        ("ipv6:%5Bfe80::1%25eth0%5D:50123", "fe80::/64"),
        ("ipv6:%5B::1%5D:50123", "::1"),
        ("unix:/run/ronda.sock", "unix:/run/ronda.sock"),
    ],
)
def test_a_peer_is_an_address_or_a_network_of_version_6(peer: str, name: str) -> None:
    """The port is another with each connection, and a network has any number of addresses."""
    assert peer_name(peer) == name


async def test_too_many_calls_say_when_to_try_again(tmp_path: Path) -> None:
    """The third of two in a second is refused; another peer is served all the while."""
    async with (
        running(tmp_path, limits=Limits(calls_per_second=2)) as run,
        another_peer(run.serving.address, "127.0.0.2") as other,
    ):
        answers = [run.stub.GetServerInfo(INFO) for _ in range(40)]
        codes = [await answer.code() for answer in answers]
        assert grpc.StatusCode.RESOURCE_EXHAUSTED in codes
        answer = await refused(lambda: run.stub.GetServerInfo(INFO))
        assert (answer.status, answer.reason) == ("RESOURCE_EXHAUSTED", "TOO_MANY_CALLS")
        assert 1 <= int(answer.metadata["retry_after_ms"]) <= 500
        assert "2 calls in a second" in answer.detail
        assert (await other.GetServerInfo(INFO)).limits.calls_per_second == 2


NOBODYS = [
    pytest.param("/ronda.v1.RefereeService/NoSuchCall", id="no call of the referee's"),
    pytest.param("/nobody.v1.NoService/GetView", id="no service"),
]


@pytest.mark.parametrize("method", NOBODYS)
async def test_calls_of_methods_that_nobody_serves_count_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    """Two pass in a second that does not end, and then neither these nor known calls do."""
    monkeypatch.setattr(server, "PeerLimits", partial(PeerLimits, clock=Clock()))
    async with (
        running(tmp_path, limits=Limits(calls_per_second=2)) as run,
        grpc.aio.insecure_channel(run.serving.address) as channel,
        another_peer(run.serving.address, "127.0.0.2") as other,
    ):
        unknown: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(method)
        codes = [await unknown(b"").code() for _ in range(3)]
        assert [code.name for code in codes] == [
            "UNIMPLEMENTED",
            "UNIMPLEMENTED",
            "RESOURCE_EXHAUSTED",
        ]
        for call in (lambda: unknown(b""), lambda: run.stub.GetServerInfo(INFO)):
            answer = await refused(call)
            assert (answer.status, answer.reason) == ("RESOURCE_EXHAUSTED", "TOO_MANY_CALLS")
            assert answer.metadata == {"retry_after_ms": "500"}
        await other.GetServerInfo(INFO)


@pytest.mark.parametrize("method", NOBODYS)
async def test_methods_that_nobody_serves_are_unimplemented(tmp_path: Path, method: str) -> None:
    """However a call would go on, it is answered at once as gRPC answers it, and holds nothing."""
    async with (
        running(tmp_path, limits=Limits(calls_per_second=0, streams_per_peer=1)) as run,
        grpc.aio.insecure_channel(run.serving.address) as channel,
    ):
        one: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(method)
        many: grpc.aio.UnaryStreamMultiCallable[bytes, bytes] = channel.unary_stream(method)
        for _ in range(3):
            calls: list[grpc.aio.Call] = [
                one(b"no message of any type"),
                many(b""),
                channel.stream_unary(method)(),
                channel.stream_stream(method)(),
            ]
            answers = [(await call.code(), await call.details()) for call in calls]
            assert answers == [(grpc.StatusCode.UNIMPLEMENTED, "Method not found!")] * 4
        table = await run.table(2)
        watching = watch(run.stub, table.match_id)
        await watching.first()
        await watching.leave()


async def test_too_many_streams_of_one_peer(tmp_path: Path) -> None:
    """A third stream is refused until one of two has ended; another peer watches all the same."""
    async with (
        running(tmp_path, limits=Limits(streams_per_peer=2)) as run,
        another_peer(run.serving.address, "127.0.0.2") as other,
    ):
        table = await run.table(2)
        held = [watch(run.stub, table.match_id) for _ in range(2)]
        for one in held:
            await one.first()
        third = watch(run.stub, table.match_id)
        answer = await refused(third.first)
        assert (answer.status, answer.reason) == ("RESOURCE_EXHAUSTED", "TOO_MANY_STREAMS")
        assert "one peer may have 2 streams" in answer.detail
        # Simple calls are no streams.
        await table.play_lowest()
        elsewhere = watch(other, table.match_id)
        await elsewhere.first()
        await held[0].leave()
        await (await admitted(run.stub, table.match_id)).leave()
        for one in (held[1], elsewhere):
            await one.leave()


async def test_spectators_never_keep_a_player_out(tmp_path: Path) -> None:
    """The public's places are taken; each seat has its own, and another match has others."""
    async with running(tmp_path, limits=Limits(watchers_per_match=2)) as run:
        table = await run.table(2)
        another = await run.table(2)
        held = [watch(run.stub, table.match_id) for _ in range(2)]
        held += [watch(run.stub, table.match_id, table.tokens[0]) for _ in range(2)]
        held += [
            watch(run.stub, table.match_id, table.tokens[1]),
            watch(run.stub, another.match_id),
        ]
        for one in held:
            await one.first()
        for token in ("", table.tokens[0]):
            answer = await refused(watch(run.stub, table.match_id, token).first)
            assert (answer.status, answer.reason) == ("RESOURCE_EXHAUSTED", "TOO_MANY_STREAMS")
            assert "has 2 watchers" in answer.detail
        await held[0].leave()
        held[0] = await admitted(run.stub, table.match_id)
        for one in held:
            await one.leave()


class CallFrom:
    """A call as its limits see it: where it comes from, and what is done when it ends."""

    def __init__(self, peer: str) -> None:
        """Come from a peer, as gRPC writes it."""
        self._peer = peer
        self._at_end: list[Callable[[object], None]] = []

    def peer(self) -> str:
        """Give the peer."""
        return self._peer

    def add_done_callback(self, act: Callable[[object], None]) -> None:
        """Keep what is to be done at the end."""
        self._at_end.append(act)

    def end(self) -> None:
        """End the call."""
        for act in self._at_end:
            act(self)


def test_beyond_loopback_one_peer_gets_a_quarter_of_a_matchs_watchers() -> None:
    """Two of eight; the others' places stay free, and a place that is left is had again."""
    limits = WatcherLimits(8)

    def watches(call: CallFrom, match_id: str = "m") -> bool:
        try:
            limits.take(match_id, None, cast("Context", call))
        except ServiceError as error:
            return error.reason is not ServiceReason.TOO_MANY_STREAMS
        return True

    greedy = [CallFrom(f"ipv4:192.0.2.1:{port}") for port in (1, 2, 3)]
    assert [watches(call) for call in greedy] == [True, True, False]
    assert watches(CallFrom("ipv4:192.0.2.1:4"), "another match")
    greedy[0].end()
    assert watches(greedy[2])
    others = [CallFrom(f"ipv4:192.0.2.{number}:1") for number in range(2, 9)]
    assert [watches(call) for call in others] == [True] * 6 + [False]
    near = [CallFrom("ipv4:127.0.0.1:1") for _ in range(9)]
    assert [watches(call, "near") for call in near] == [True] * 8 + [False]


async def test_too_many_open_matches(tmp_path: Path) -> None:
    """A third is refused until one of two has ended."""
    async with running(tmp_path, limits=Limits(open_matches=2)) as run:
        creating = [run.stub.CreateMatch(CREATE) for _ in range(3)]
        codes = sorted([(await call.code()).name for call in creating])
        assert codes == ["OK", "OK", "RESOURCE_EXHAUSTED"]
        answer = await refused(lambda: run.stub.CreateMatch(CREATE))
        assert (answer.status, answer.reason) == ("RESOURCE_EXHAUSTED", "TOO_MANY_MATCHES")
        assert "2 open matches" in answer.detail
        created = [await call for call in creating if await call.code() is grpc.StatusCode.OK]
        table = Table(run.stub, created[0].match_id, list(created[0].seat_tokens))
        await table.join(0)
        await table.join(1)
        await table.play_to_the_end()
        await run.stub.CreateMatch(CREATE)


async def test_matches_that_come_at_once_are_counted_before_they_are_on_disk(
    tmp_path: Path,
) -> None:
    """All three wait for the same commit; the third is refused all the same."""
    async with running(tmp_path, limits=Limits(open_matches=2)) as run:
        rule_set = (await run.stub.GetRuleSet(pb.GetRuleSetRequest(id="sarii"))).rule_set
        wanted = log_pb2.LogHeader(rule_set=rule_set.rule_set, seats=2)
        creating = [run.serving.referee.create(wanted) for _ in range(3)]
        answers = await asyncio.gather(*creating, return_exceptions=True)
        assert [isinstance(answer, tuple) for answer in answers] == [True, True, False]
        assert isinstance(answers[2], ServiceError)
        assert answers[2].reason is ServiceReason.TOO_MANY_MATCHES
        assert run.serving.referee.open_matches == 2


async def test_much_metadata_is_refused_and_the_connection_lives(tmp_path: Path) -> None:
    """7 KiB pass and 9 KiB do not, each time."""
    async with running(tmp_path) as run:
        for _ in range(5):
            await run.stub.GetServerInfo(INFO, metadata=(("x-much", "y" * 7 * 1024),))
            call = run.stub.GetServerInfo(INFO, metadata=(("x-much", "y" * 9 * 1024),))
            assert await call.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        await run.stub.GetServerInfo(INFO)


async def test_a_client_that_pings_as_often_as_it_may_keeps_its_stream(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By gRPC's own floor of five minutes it would be cut off at the fourth ping.

    It may every ten seconds, and here every second: four pings take a minute otherwise.
    """
    floor = "grpc.http2.min_ping_interval_without_data_ms"
    assert dict(server._OPTIONS)[floor] == 10_000
    monkeypatch.setattr(server, "_OPTIONS", tuple({**dict(server._OPTIONS), floor: 1_000}.items()))
    options = [
        ("grpc.keepalive_time_ms", 1_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),
    ]
    async with (
        running(tmp_path, heartbeat_seconds=3600) as run,
        grpc.aio.insecure_channel(run.serving.address, options=options) as channel,
    ):
        table = await run.table(2)
        watching = watch(RefereeServiceStub(channel), table.match_id)
        await watching.first()
        more = asyncio.create_task(watching.call.read())
        # Nothing but the pings passes; a stream that is cut off ends before the time is over.
        cut_off, _ = await asyncio.wait([more], timeout=6)
        assert not cut_off
        await table.play_lowest()
        assert isinstance(await more, pb.WatchMatchResponse)
        await watching.leave()
