"""Play over two referees, each with half of the matches, against one with all of them.

Matches know nothing of each other, so whoever has more of them than one process can play starts a
second referee, with a store and an address of its own.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

from benchmarks.bench import AWAKE, Bench
from benchmarks.measure import Aim, Row, Size
from benchmarks.streams import Streams

_REFEREES = 2
_MATCHES = {Size.FULL: 512, Size.TINY: 8}
# In a slice.
_MOVES = {Size.FULL: 6_000, Size.TINY: 40}
_SLICES = {Size.FULL: 4, Size.TINY: 1}
_ROUNDS = {Size.FULL: 7, Size.TINY: 2}


def measure(bench: Bench, of_one: Callable[[], float]) -> Iterator[Row]:
    """Measure the speed of all together; not where it has to be quick.

    Args:
        bench: The surroundings.
        of_one: Makes moves at a single referee; returns how many a second.
    """
    if bench.size not in _ROUNDS:
        return
    matches, moves = _MATCHES[bench.size], _MOVES[bench.size]

    async def opened(target: str) -> Streams:
        streams = Streams(target)
        await streams.open(matches // _REFEREES)
        return streams

    async def play(shares: list[Streams]) -> float:
        begun = time.perf_counter()
        await asyncio.gather(*(share.play(moves // _REFEREES) for share in shares))
        return moves / (time.perf_counter() - begun)

    with ExitStack() as stack:
        referees = [stack.enter_context(bench.own_referee(*AWAKE)) for _ in range(_REFEREES)]
        shares = [bench.run(opened(referee.target)) for referee in referees]
        pairs = bench.alternately(
            "play divided",
            lambda: bench.run(play(shares)),
            of_one,
            bench.rounds(_ROUNDS[bench.size]),
            slices=_SLICES[bench.size],
        )
        for share in shares:
            bench.run(share.close())
    what = f"Play: durable moves, {matches} matches divided among {_REFEREES} referees"
    yield Row("play divided", what, "Play of one", "per second", Aim.AT_LEAST, None, pairs)
