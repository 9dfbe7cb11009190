"""What no client of the protocol does: too much, too early gone, or no HTTP/2 at all."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import grpc

from ronda.v1 import referee_service_pb2 as pb
from tests.fuzz.checks import NO_SUCH_CALL, TOO_LARGE, Broken, check
from tests.fuzz.messages import varint
from tests.fuzz.sending import (
    LARGEST_REQUEST,
    METHODS,
    REFEREE,
    TIMEOUT_SECONDS,
    Metadata,
    Outcome,
    send,
)

if TYPE_CHECKING:
    from tests.fuzz.episode import Episode

_UNPACKED = 8_000_000
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_LEFT = {
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.DEADLINE_EXCEEDED,
}


async def hostile(rng: random.Random, episode: "Episode") -> Outcome:
    """Do one of these things."""
    ways: tuple[Callable[[random.Random, Episode], Awaitable[Outcome]], ...] = (
        _large,
        _large,
        _squeezed,
        _metadata,
        _metadata,
        _no_such_call,
        _short_deadline,
        _gone,
        _gone,
        _no_http,
    )
    return await rng.choice(ways)(rng, episode)


async def _large(rng: random.Random, episode: "Episode") -> Outcome:
    """A request as large as may be, or larger."""
    size = LARGEST_REQUEST + rng.choice((-1, 0, 1, 1_000_000, 5_000_000))
    # An unknown field of so many bytes; its own head takes some of them.
    head = varint(1_000 << 3 | 2)
    length = size - len(head) - 3
    data = head + varint(length) + bytes(length)
    data += bytes(max(0, size - len(data)))
    method = rng.choice(list(METHODS))
    async with grpc.aio.insecure_channel(episode.around.address) as channel:
        outcome = await send(channel, method, data, take=1, patience=TIMEOUT_SECONDS)
    check(outcome, episode.around.secrets, TOO_LARGE)
    fits = len(data) <= LARGEST_REQUEST
    if fits and outcome.code == grpc.StatusCode.RESOURCE_EXHAUSTED:
        raise Broken(f"{len(data)} bytes were too many: {outcome}")
    if not fits and outcome.code != grpc.StatusCode.RESOURCE_EXHAUSTED:
        raise Broken(f"{len(data)} bytes were not too many: {outcome}")
    return outcome


async def _squeezed(rng: random.Random, episode: "Episode") -> Outcome:
    """A request that is small on its way and large when it is unpacked."""
    data = varint(1_000 << 3 | 2) + varint(_UNPACKED) + bytes(_UNPACKED)
    async with grpc.aio.insecure_channel(episode.around.address) as channel:
        outcome = await send(channel, f"{REFEREE}GetView", data, compression=grpc.Compression.Gzip)
    check(outcome, episode.around.secrets, TOO_LARGE)
    return outcome


async def _metadata(rng: random.Random, episode: "Episode") -> Outcome:
    """Metadata that are many, long, no text, or look like others."""
    some: tuple[Metadata, ...] = (
        tuple((f"x-{number}", "y" * 20) for number in range(rng.choice((10, 100, 1_000)))),
        (("x-long", "y" * rng.choice((1_000, 7_000, 9_000, 100_000))),),
        (("x-any-bin", rng.randbytes(100)),),
        (("authorization", "Bearer " + "y" * rng.choice((0, 43, 5_000))),),
        (("authorization", "Bearer a"), ("authorization", "bearer b")),
        (("authorization-bin", b"Bearer x"),),
        (("grpc-timeout", "99999999H"),),
        (("grpc-encoding", "none"), ("te", "x")),
    )
    request = pb.CancelMatchRequest(match_id=episode.match_id)
    async with grpc.aio.insecure_channel(episode.around.address) as channel:
        outcome = await send(
            channel, f"{REFEREE}CancelMatch", request.SerializeToString(), rng.choice(some)
        )
    check(outcome, episode.around.secrets, TOO_LARGE)
    if outcome.ok:
        raise Broken("a match was cancelled without an organiser's token")
    return outcome


async def _no_such_call(rng: random.Random, episode: "Episode") -> Outcome:
    method = rng.choice(
        ("/ronda.v1.RefereeService/GetSeed", "/x/y", "/", "/ronda.v1.RefereeService/", "//")
    )
    outcome = await send(episode.around.channel, method, b"")
    if outcome.code not in NO_SUCH_CALL:
        raise Broken(f"a call that there is not was answered {outcome}")
    return outcome


async def _short_deadline(rng: random.Random, episode: "Episode") -> Outcome:
    """A call that hardly has the time to arrive."""
    request, _ = await episode.turn(rng, rng.randrange(len(episode.tokens)))
    episode.steady = False
    data = request.SerializeToString()
    outcome = await send(
        episode.around.channel, f"{REFEREE}SubmitMove", data, timeout=rng.choice((0.0, 0.001, 0.01))
    )
    outcome.left = outcome.code in _LEFT
    check(outcome, episode.around.secrets)
    return outcome


async def _gone(rng: random.Random, episode: "Episode") -> Outcome:
    """A call that its peer gives up while it is answered."""
    method = rng.choice([name for name in METHODS if not name.endswith("/BackupStore")])
    request, _ = await episode.turn(rng, rng.randrange(len(episode.tokens)))
    episode.steady = False
    # Whatever the call takes, match and token stand in its first two fields.
    task = asyncio.create_task(
        send(episode.around.channel, method, request.SerializeToString(), take=1, patience=0.2)
    )
    for _ in range(rng.randrange(6)):
        await asyncio.sleep(0)
    task.cancel()
    with suppress(asyncio.CancelledError):
        outcome = await task
        outcome.left = outcome.left or outcome.code in _LEFT
        check(outcome, episode.around.secrets)
        return outcome
    return Outcome(method, grpc.StatusCode.CANCELLED, left=True)


async def _no_http(rng: random.Random, episode: "Episode") -> Outcome:
    """Bytes on a connection that are no HTTP/2, or its beginning and then nothing right."""
    host, _, port = episode.around.address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    sent = rng.choice(
        (
            rng.randbytes(200),
            b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
            b"",
            _PREFACE,
            _PREFACE[:10],
            _PREFACE + rng.randbytes(300),
            # Settings, then a frame of 16 MiB that never comes.
            _PREFACE + bytes(3) + b"\x04" + bytes(5) + b"\xff\xff\xff\x00\x00" + bytes(4),
        )
    )
    with suppress(OSError, TimeoutError):
        writer.write(sent)
        await writer.drain()
        await asyncio.wait_for(reader.read(1_000), 0.05)
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return Outcome("no HTTP", grpc.StatusCode.CANCELLED, left=True)
