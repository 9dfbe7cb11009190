"""Clients that do not read: their streams end with where to go on, and nobody waits for them."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Protocol

import grpc
import pytest

from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.referee_service_pb2_grpc import RefereeServiceStub
from ronda_bots import RandomBot
from ronda_client import RefereeClient, SeenRecord, channels, play_seats
from ronda_referee.checked_calls import _leaving
from ronda_referee.settings import Limits
from tests.referee.running import Refused, Running, Table, refusal, running
from tests.referee.streaming import Streaming, seat_of
from tests.referee.test_play_stream_limits import NARROW

# So short that tests need not wait, so long that whoever reads is never given up.
_SECONDS = 0.5


class _Watching(Protocol):
    """A stream of a watched match."""

    def __aiter__(self) -> AsyncIterator[pb.WatchMatchResponse]:
        """Give its messages."""
        ...


async def new_match(run: Running) -> Table:
    """Create a match that takes several hundred KiB to its end."""
    rules = (await run.stub.GetRuleSet(pb.GetRuleSetRequest(id="sarii"))).rule_set.rule_set
    rules.id, rules.target = "long", 200
    created = await run.stub.CreateMatch(pb.CreateMatchRequest(rule_set=rules, seats=2))
    return Table(run.stub, created.match_id, list(created.seat_tokens))


async def long_match(run: Running) -> Table:
    """Play a match of several hundred KiB to its end."""
    table = await new_match(run)
    async with (
        RefereeClient.connect(run.serving.address) as first,
        RefereeClient.connect(run.serving.address) as second,
    ):
        await asyncio.gather(
            *(
                play_seats(client, [(table.match_id, token)], RandomBot(0), verify=False)
                for client, token in zip((first, second), table.tokens, strict=True)
            )
        )
    return table


async def until(reached: Callable[[], object]) -> None:
    """Wait until something is the case."""
    while not reached():  # noqa: ASYNC110 - nothing tells when gRPC has noticed
        await asyncio.sleep(0.01)


def narrow(run: Running) -> grpc.aio.Channel:
    """Give a connection that takes little ahead of its client's reading."""
    return grpc.aio.insecure_channel(run.serving.address, options=NARROW)


def watchers(run: Running, table: Table) -> int:
    """Give how many watch a match."""
    return run.serving.referee.match(table.match_id).watchers


async def numbers_of(call: _Watching) -> tuple[list[int], Refused | None]:
    """Read a stream to its end; give the numbers of its records, and the refusal if it ends so."""
    numbers: list[int] = []
    try:
        async for message in call:
            numbers += [entry.sequence for entry in message.entries]
    except grpc.aio.AioRpcError as error:
        return numbers, refusal(error)
    return numbers, None


async def test_a_watcher_that_does_not_read_is_ended_with_where_to_go_on(tmp_path: Path) -> None:
    """Once it reads it gets what was on its way, then RESOURCE_EXHAUSTED; it goes on from there."""
    async with running(tmp_path, slow_watcher_seconds=_SECONDS) as run, narrow(run) as channel:
        table = await long_match(run)
        request = pb.WatchMatchRequest(match_id=table.match_id)
        idle = RefereeServiceStub(channel).WatchMatch(request)
        await until(lambda: watchers(run, table) == 1)
        await until(lambda: watchers(run, table) == 0)
        numbers, said = await numbers_of(idle)
        assert said == Refused(
            "RESOURCE_EXHAUSTED",
            "SLOW_WATCHER",
            "",
            (),
            f"the stream was not read for 0.5 s; open it again from sequence number {len(numbers)}",
        )
        assert said.metadata == {"resume_from": str(len(numbers))}
        again = pb.WatchMatchRequest(match_id=table.match_id, from_sequence=len(numbers))
        rest, said = await numbers_of(run.stub.WatchMatch(again))
        assert said is None
        assert numbers + rest == list(range(len(numbers) + len(rest)))
        assert (numbers + rest, None) == await numbers_of(run.stub.WatchMatch(request))


async def test_its_place_is_free_for_others_and_its_stream_is_on_its_own_account(
    tmp_path: Path,
) -> None:
    """The match has room for another watcher at once; the peer has its stream until it has gone."""
    limits = Limits(watchers_per_match=1, streams_per_peer=2)
    async with (
        running(tmp_path, slow_watcher_seconds=_SECONDS, limits=limits) as run,
        narrow(run) as channel,
    ):
        table = await long_match(run)
        request = pb.WatchMatchRequest(match_id=table.match_id)
        idle = RefereeServiceStub(channel).WatchMatch(request)
        await until(lambda: watchers(run, table) == 1)
        _, said = await numbers_of(run.stub.WatchMatch(request))
        assert said is not None
        assert said.metadata["watchers_per_match"] == "1"
        await until(lambda: watchers(run, table) == 0)
        _, said = await numbers_of(run.stub.WatchMatch(request))
        assert said is None
        waiting = run.stub.WatchMatch(pb.WatchMatchRequest(match_id=(await run.table(2)).match_id))
        assert isinstance(await waiting.read(), pb.WatchMatchResponse)
        _, said = await numbers_of(run.stub.WatchMatch(request))
        assert said is not None
        assert said.metadata["streams_per_peer"] == "2"
        # It goes without ever having read.
        idle.cancel()
        while said is not None:
            _, said = await numbers_of(run.stub.WatchMatch(request))
        assert not _leaving


async def test_nobody_else_waits_for_a_watcher_that_does_not_read(tmp_path: Path) -> None:
    """Every move reaches the other watcher before the next one is made, until long afterwards."""
    async with running(tmp_path, slow_watcher_seconds=_SECONDS) as run, narrow(run) as channel:
        table = await new_match(run)
        await table.join(0)
        await table.join(1)
        for _ in range(300):
            await table.play_lowest()
        request = pb.WatchMatchRequest(match_id=table.match_id)
        idle = RefereeServiceStub(channel).WatchMatch(request)
        other = run.stub.WatchMatch(request)
        await until(lambda: watchers(run, table) == 2)
        seen = moves = 0
        while watchers(run, table) == 2 or moves < 20:
            length = (await table.view(None)).next_sequence
            while seen < length:
                message = await other.read()
                assert isinstance(message, pb.WatchMatchResponse)
                assert [one.sequence for one in message.entries] == list(
                    range(seen, message.next_sequence)
                )
                seen = message.next_sequence
            await table.play_lowest()
            moves += 1
        numbers, said = await numbers_of(idle)
        assert said is not None
        assert (said.reason, said.metadata) == ("SLOW_WATCHER", {"resume_from": f"{len(numbers)}"})
        other.cancel()


async def test_a_stream_that_plays_and_does_not_read_is_ended(tmp_path: Path) -> None:
    """Its matches are watched no more; what was on its way comes before the status."""
    async with running(tmp_path, slow_watcher_seconds=_SECONDS) as run, narrow(run) as channel:
        table, other = await long_match(run), await run.table(2)
        idle = Streaming(RefereeServiceStub(channel))
        await idle.send([seat_of(other, 0), seat_of(table, 0, 0)])
        await until(lambda: watchers(run, table) and watchers(run, other))
        await until(lambda: not watchers(run, table) and not watchers(run, other))
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await idle.until(lambda: False)
        said = refusal(caught.value)
        assert (said.status, said.reason) == ("RESOURCE_EXHAUSTED", "SLOW_WATCHER")
        assert said.detail == "the stream was not read for 0.5 s; open it again"
        entries = idle.of(table.match_id).entries
        again = Streaming(run.stub)
        await again.send([seat_of(table, 0, len(entries))])
        await again.ended(table)
        rest = again.of(table.match_id).entries
        assert [entry.sequence for entry in entries + rest] == list(range(len(entries + rest)))


async def test_a_log_that_is_not_read_is_ended_too(tmp_path: Path) -> None:
    """Whoever asks for a file and does not take it is told to ask again."""
    async with running(tmp_path, slow_watcher_seconds=_SECONDS) as run, narrow(run) as channel:
        table = await long_match(run)
        call = RefereeServiceStub(channel).GetMatchLog(
            pb.GetMatchLogRequest(match_id=table.match_id)
        )
        await until(lambda: _leaving)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            async for _ in call:
                pass
        assert refusal(caught.value).reason == "SLOW_WATCHER"


async def test_a_watcher_that_reads_slowly_but_reads_is_not_ended(tmp_path: Path) -> None:
    """What counts is how long one message waits, and not how long the stream takes."""
    async with running(tmp_path, slow_watcher_seconds=_SECONDS, heartbeat_seconds=0.2) as run:
        table = await run.table(2, joined=False)
        watching = run.stub.WatchMatch(pb.WatchMatchRequest(match_id=table.match_id))
        for _ in range(8):
            assert isinstance(await watching.read(), pb.WatchMatchResponse)
        watching.cancel()


async def test_a_watch_of_the_client_goes_on_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader that takes its time between records gets every one of them all the same."""
    options = channels._options
    monkeypatch.setattr(channels, "_options", lambda target: [*options(target), *NARROW])
    async with (
        running(tmp_path, slow_watcher_seconds=_SECONDS) as run,
        RefereeClient.connect(run.serving.address) as client,
    ):
        table = await long_match(run)
        numbers: list[int] = []
        async for item in client.watch(table.match_id):
            assert isinstance(item, SeenRecord)
            if not numbers:
                await until(lambda: watchers(run, table) == 1)
                await until(lambda: watchers(run, table) == 0)
            numbers.append(item.sequence)
        assert numbers == list(range(len(numbers)))


_STANDS_STILL = """
import asyncio, sys, grpc
from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.referee_service_pb2_grpc import RefereeServiceStub

async def watch(address, match_id):
    async with grpc.aio.insecure_channel(address) as channel:
        call = RefereeServiceStub(channel).WatchMatch(pb.WatchMatchRequest(match_id=match_id))
        async for _ in call:
            print("reads", flush=True)

asyncio.run(watch(*sys.argv[1:]))
"""


async def test_a_program_that_stands_still_is_cut_off(tmp_path: Path) -> None:
    """Its connection is up and takes all that is sent, but nobody answers a ping any more."""
    async with running(tmp_path, slow_watcher_seconds=1.0) as run:
        table = await run.table(2)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", _STANDS_STILL, run.serving.address, table.match_id),
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            assert process.stdout is not None
            assert await process.stdout.readline() == b"reads\n"
            assert watchers(run, table) == 1
            process.send_signal(signal.SIGSTOP)
            await until(lambda: watchers(run, table) == 0)
        finally:
            process.kill()
            await process.wait()
