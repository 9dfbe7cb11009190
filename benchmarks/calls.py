"""The referee's simple calls: durable moves by SubmitMove, against an echo."""

from collections.abc import Iterator

from benchmarks import against_echo
from benchmarks.against_echo import IN_FLIGHT, Moves
from benchmarks.bench import Bench
from benchmarks.builds import Build
from benchmarks.measure import Row, Size
from benchmarks.submits import Submits

# Moves of each of the matches in a slice, of which there are as many as moves in flight.
_MOVES = {Size.FULL: 10, Size.QUICK: 5, Size.TINY: 1}
_SLICES = {Size.FULL: 5, Size.QUICK: 3, Size.TINY: 1}
_ROUNDS = {Size.FULL: 7, Size.QUICK: 5, Size.TINY: 2}
_TARGET = 0.6


def measure(bench: Bench) -> Iterator[Row]:
    """Measure SubmitMove of each build against the echo, so many in flight with each."""
    for build in bench.builds:
        yield from _measured(bench, build)


def _measured(bench: Bench, build: Build) -> Iterator[Row]:
    referee = bench.referee_of(build)
    rounds = bench.rounds(_ROUNDS[bench.size])
    moves = _MOVES[bench.size]
    slices = _SLICES[bench.size]

    async def connected() -> Submits:
        submits = Submits(referee.target)
        await submits.open(IN_FLIGHT, moves * (rounds * slices + 1))
        return submits

    submits = bench.run(connected())
    yield from against_echo.measure(
        bench,
        build.named("calls"),
        f"{build.named('referee')}, simple calls: durable moves, {IN_FLIGHT} in flight",
        _TARGET,
        Moves(referee, lambda: bench.run(submits.per_second(moves)), IN_FLIGHT * moves),
        moves,
        rounds,
        slices,
    )
