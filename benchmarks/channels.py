"""Connections to a referee and to its peer, alike."""

import asyncio
import time
from collections.abc import Awaitable, Callable

import grpc

_OPTIONS = (
    # Without this, channels to one target share one connection, whatever their number.
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.enable_http_proxy", 0),
)


def open_channel(target: str) -> grpc.aio.Channel:
    """Return a connection of its own to a server on loopback."""
    return grpc.aio.insecure_channel(target, options=_OPTIONS)


async def in_flight(work: Callable[[int], Awaitable[int]], at_once: int) -> tuple[int, float]:
    """Do something so many times at once.

    Args:
        work: Takes its number from 0, and returns how much it has done.
        at_once: How many of it.

    Returns:
        how much was done in all, and in how many seconds.
    """
    begun = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(_as_coroutine(work(number))) for number in range(at_once)]
    return sum(task.result() for task in tasks), time.perf_counter() - begun


async def _as_coroutine(work: Awaitable[int]) -> int:
    return await work
