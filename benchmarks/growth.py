"""What open matches cost the others: the same few moves in flight, with more and more of them."""

import itertools
from collections.abc import Callable, Iterator, Sequence

from benchmarks.bench import AWAKE, Bench
from benchmarks.measure import Aim, Pair, Row, Size, by_rounds, percentile
from benchmarks.streams import Streams

_FEW = 10
# As many moves are in flight as there can be in the fewest matches.
_IN_FLIGHT = _FEW
_MATCHES = {Size.FULL: (100, 1_000, 10_000), Size.QUICK: (1_000,), Size.TINY: (20,)}
# In a slice.
_MOVES = {Size.FULL: 500, Size.QUICK: 250, Size.TINY: 30}
_SLICES = {Size.FULL: 3, Size.QUICK: 2, Size.TINY: 1}
_ROUNDS = {Size.FULL: 7, Size.QUICK: 5, Size.TINY: 2}
_THROUGHPUT_TARGET = 0.8
_P99_TARGET = 2.0


def measure(bench: Bench) -> Iterator[Row]:
    """Measure a referee with few open matches and one with ever more, by turns."""
    rounds = bench.rounds(_ROUNDS[bench.size])
    moves = _MOVES[bench.size]
    slices = _SLICES[bench.size]

    async def connected(target: str) -> Streams:
        return Streams(target)

    def speed(streams: Streams, took: list[Sequence[float]]) -> Callable[[], float]:
        def play() -> float:
            load = bench.run(streams.play(moves, _IN_FLIGHT))
            took.append(load.latencies)
            return load.per_second

        return play

    with bench.own_referee(*AWAKE) as first, bench.own_referee(*AWAKE) as second:
        few, many = bench.run(connected(first.target)), bench.run(connected(second.target))
        bench.run(few.open(_FEW))
        bench.run(few.play(moves, _IN_FLIGHT))
        there = 0
        for matches in _MATCHES[bench.size]:
            bench.run(many.open(matches - there))
            bench.run(many.play(moves, _IN_FLIGHT))
            there = matches
            ours: list[Sequence[float]] = []
            theirs: list[Sequence[float]] = []
            pairs = bench.alternately(
                f"growth {matches}",
                speed(many, ours),
                speed(few, theirs),
                rounds,
                slices=slices,
                warm_up=False,
            )
            own, of_few = (
                [
                    1000 * percentile(list(itertools.chain(*one)), 99)
                    for one in by_rounds(took, rounds, slices)
                ]
                for took in (ours, theirs)
            )
            yield from _rows(matches, pairs, own, of_few)
        bench.run(few.close())
        bench.run(many.close())


def _rows(
    matches: int, pairs: tuple[Pair, ...], ours: list[float], theirs: list[float]
) -> Iterator[Row]:
    name = f"growth {matches}"
    of = f"of {matches:,} open matches, {_IN_FLIGHT} in flight"
    against = f"{_FEW} open matches"
    yield Row(
        name,
        f"growth: moves {of}",
        against,
        "per second",
        Aim.AT_LEAST,
        _THROUGHPUT_TARGET,
        pairs,
    )
    slowest = tuple(map(Pair, ours, theirs))
    name += " p99"
    yield Row(name, f"growth: p99 {of}", against, "ms", Aim.AT_MOST, _P99_TARGET, slowest)
