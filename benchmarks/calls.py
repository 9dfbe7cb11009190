"""The referee's simple calls: durable moves by SubmitMove, against an echo."""

from collections.abc import Iterator

from benchmarks import against_echo
from benchmarks.against_echo import IN_FLIGHT
from benchmarks.bench import Bench
from benchmarks.measure import Row, Size
from benchmarks.submits import Submits

# Moves of each of the matches in a slice, of which there are as many as moves in flight.
_MOVES = {Size.FULL: 10, Size.QUICK: 5, Size.TINY: 1}
_SLICES = {Size.FULL: 5, Size.QUICK: 3, Size.TINY: 1}
_ROUNDS = {Size.FULL: 7, Size.QUICK: 5, Size.TINY: 2}
_TARGET = 0.6


def measure(bench: Bench) -> Iterator[Row]:
    """Measure SubmitMove against the echo, so many in flight with each."""
    rounds = bench.rounds(_ROUNDS[bench.size])
    moves = _MOVES[bench.size]
    slices = _SLICES[bench.size]

    async def connected() -> Submits:
        submits = Submits(bench.referee.target)
        await submits.open(IN_FLIGHT, moves * (rounds * slices + 1))
        return submits

    submits = bench.run(connected())
    yield from against_echo.measure(
        bench,
        "calls",
        f"referee, simple calls: durable moves, {IN_FLIGHT} in flight",
        _TARGET,
        (lambda: bench.run(submits.per_second(moves)), IN_FLIGHT * moves),
        moves,
        rounds,
        slices,
    )
