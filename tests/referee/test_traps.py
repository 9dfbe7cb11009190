"""Traps that others have met, each set off against a real referee."""

import ast
import asyncio
import contextlib
import gc
import re
import sys
import tracemalloc
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import grpc
import pytest
from google.protobuf.descriptor import Descriptor

from ronda.v1 import match_terms_pb2, referee_service_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_referee.commits import Commits, Written
from ronda_referee.store import Write
from tests.referee.running import Running, Table, refused, running
from tests.referee.streaming import Streaming
from tests.referee.test_terms import Hands, surroundings, timed

ROOT = Path(__file__).parents[2]


async def test_a_deadline_inside_the_handler_loses_no_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commit begins when the caller's time is over already: the move counts all the same."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        _, _, decision = await table.turn()
        request = table.request(0, decision.decision_id, decision.legal_moves[-1])
        call = run.stub.SubmitMove(request, timeout=0.2)
        add = Commits.add
        late: list[asyncio.Task[None]] = []

        def add_late(commits: Commits, one: Write, written: Written) -> None:
            async def later() -> None:
                with contextlib.suppress(grpc.aio.AioRpcError):
                    await call
                add(commits, one, written)

            late.append(asyncio.create_task(later()))

        monkeypatch.setattr(Commits, "add", add_late)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call
        assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        monkeypatch.undo()
        await asyncio.gather(*late)
        assert (await run.stub.SubmitMove(request)).sequence == decision.decision_id + 1
        assert await table.seat_to_act() == 1


_BOT = """
import asyncio, sys, grpc
from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.referee_service_pb2_grpc import RefereeServiceStub

async def watch(address, match_id, token):
    async with grpc.aio.insecure_channel(address) as channel:
        request = pb.WatchMatchRequest(match_id=match_id, seat_token=token)
        async for message in RefereeServiceStub(channel).WatchMatch(request):
            if message.HasField("turn"):
                print(message.turn.decision.decision_id, message.next_sequence, flush=True)

asyncio.run(watch(*sys.argv[1:]))
"""


async def test_a_bot_that_crashes_comes_back_to_its_decision_and_the_clock_has_run(
    tmp_path: Path,
) -> None:
    """Killed when it is asked, back after 400 ms of 1000: the same decision, and 600 are left."""
    hands = Hands()
    async with running(tmp_path, surroundings=surroundings(hands)) as run:
        table = await run.table(2, terms=timed(1000, match_terms_pb2.TIME_OUT_FORFEIT))
        arguments = (run.serving.address, table.match_id, table.tokens[0])
        bot = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", _BOT, *arguments), stdout=asyncio.subprocess.PIPE
        )
        assert bot.stdout is not None
        decision_id, sequence = map(int, (await bot.stdout.readline()).split())
        bot.kill()
        await bot.wait()
        hands.now_ms += 400
        watching = run.stub.WatchMatch(
            pb.WatchMatchRequest(
                match_id=table.match_id, seat_token=table.tokens[0], from_sequence=sequence
            )
        )
        message = await watching.read()
        assert isinstance(message, pb.WatchMatchResponse)
        # It is the player: its own hand is there, and what it is asked.
        assert len(message.turn.view.hand) == 3
        decision = message.turn.decision
        assert (decision.decision_id, decision.milliseconds_left) == (decision_id, 600)
        watching.cancel()
        move = table.request(0, decision_id, decision.legal_moves[-1])
        assert (await run.stub.SubmitMove(move)).sequence == sequence


async def test_what_everyone_knows_takes_no_seat(tmp_path: Path) -> None:
    """Neither the match's id, nor a token of another match, nor nothing at all opens one."""
    async with running(tmp_path) as run:
        table, other = await run.table(2, joined=False), await run.table(2)
        for token in ("", table.match_id, other.tokens[0], table.tokens[0][:-1]):
            for call in calls(run, table, token):
                answer = await refused(call)
                assert (answer.status, answer.reason) == ("PERMISSION_DENIED", "WRONG_TOKEN")
            stream = Streaming(run.stub)
            await stream.send([pb.PlaySeat(match_id=table.match_id, seat_token=token)])
            while not stream.of(table.match_id).refusals:
                assert await stream.read()
            assert stream.of(table.match_id).refusals[0].reason == "WRONG_TOKEN"
            stream.call.cancel()


def calls(run: Running, table: Table, token: str) -> Iterator[Callable[[], Awaitable[object]]]:
    """Give the calls that a seat's token opens."""
    stub, match_id = run.stub, table.match_id
    yield lambda: stub.JoinMatch(pb.JoinMatchRequest(match_id=match_id, seat_token=token))
    yield lambda: stub.SubmitMove(
        pb.SubmitMoveRequest(match_id=match_id, seat_token=token, request_id="r")
    )
    yield lambda: stub.Resign(pb.ResignRequest(match_id=match_id, seat_token=token))
    yield lambda: stub.RotateSeatToken(
        pb.RotateSeatTokenRequest(
            match_id=match_id, seat_token=token, new_seat_token="0123456789" * 5
        )
    )


def fields_below(message: Descriptor, seen: set[str]) -> Iterator[str]:
    """Give every field that a message can hold, as MESSAGE.FIELD."""
    if message.full_name in seen:
        return
    seen.add(message.full_name)
    for field in message.fields:
        yield f"{message.name}.{field.name}"
        if field.message_type is not None:
            yield from fields_below(field.message_type, seen)


def test_no_message_says_when_something_is_too_late() -> None:
    """What is left is said in milliseconds; only a list of matches says when each was created."""
    service = referee_service_pb2.DESCRIPTOR.services_by_name["RefereeService"]
    seen: set[str] = set()
    fields = {name for one in service.methods for name in fields_below(one.output_type, seen)}
    words = ("time", "deadline", "_ms", "seconds", "clock", "until", "_at")
    found = {name for name in fields if any(word in name.split(".")[1] for word in words)}
    assert found == {
        "Decision.milliseconds_left",
        "SeatClock.milliseconds_left",
        "GetViewResponse.clocks",
        "WatchMatchResponse.clocks",
        "MatchSummary.created_ms",
        # How long a stream may go unread: a span, and the same for every match.
        "Limits.slow_watcher_ms",
        "MatchTerms.join_timeout_ms",
        "MatchTerms.time_control",
        "MatchTerms.time_out",
        "TimeControl.per_move_ms",
        "TimeControl.bank_ms",
        "TimeControl.increment_ms",
    }


def forking(source: str) -> list[str]:
    """Give what in a module can fork a process."""
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                found += [one.name for one in names]
            case ast.ImportFrom(module=str(module), names=names):
                found += [f"{module}.{one.name}" for one in names]
            case ast.Attribute(value=ast.Name(id="os"), attr=attribute):
                found.append(f"os.{attribute}")
            case ast.keyword(arg="preexec_fn"):
                found.append("preexec_fn")
    suspects = ("multiprocessing", "os.fork", "preexec_fn", "concurrent.futures")
    harmless = {"concurrent.futures.process.BrokenProcessPool"}
    return [one for one in found if one.startswith(suspects) and one not in harmless]


def test_nothing_forks_once_grpc_is_up() -> None:
    """No module uses what may fork but one, whose processes are spawned; programs are, too."""
    assert forking("import os, multiprocessing.pool\nos.fork()") == [
        "multiprocessing.pool",
        "os.fork",
    ]
    for folder in ("referee", "clients", "conformance"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            source = file.read_text()
            if file.name == "audit_many.py":
                contexts = re.findall(r"multiprocessing\.(\w+)\(([^)]*)\)", source)
                assert contexts == [("get_context", '"spawn"')]
                assert "ProcessPoolExecutor(jobs, spawning," in source
            else:
                assert not forking(source), file


def queues() -> int:
    """Give how many queues of asyncio there are."""
    gc.collect()
    return sum(isinstance(one, asyncio.Queue) for one in gc.get_objects())


async def test_a_match_that_is_idle_holds_little(tmp_path: Path) -> None:
    """Nothing waits in a queue of its own, and asleep a match is a few kilobytes."""
    async with running(tmp_path) as run:
        await run.table(2)
        before = queues()
        tracemalloc.start()
        try:
            begin, _ = tracemalloc.get_traced_memory()
            for _ in range(100):
                await run.table(2, "sarii", terms=timed(60_000, match_terms_pb2.TIME_OUT_FORFEIT))
            referee = run.serving.referee
            for match in referee.matches():
                await match.settled()
            gc.collect()
            awake = (tracemalloc.get_traced_memory()[0] - begin) / 100
            assert sum(match.sleep() for match in referee.matches()) == 101
            gc.collect()
            asleep = (tracemalloc.get_traced_memory()[0] - begin) / 100
        finally:
            tracemalloc.stop()
        assert queues() == before
        print(f"{awake:.0f} bytes for a match that is idle, {asleep:.0f} for one asleep")
        assert asleep < 8 * 1024
        assert awake < 64 * 1024
