"""The referee's simple calls: durable moves by SubmitMove, against an echo."""

from collections.abc import Iterator

from benchmarks.bench import Bench
from benchmarks.echo import Echo
from benchmarks.measure import Aim, Row, Size
from benchmarks.submits import Submits

IN_FLIGHT = 64

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

    async def connected() -> tuple[Submits, Echo]:
        submits = Submits(bench.referee.target)
        await submits.open(IN_FLIGHT, moves * (rounds * slices + 1))
        return submits, Echo(bench.echo.target)

    submits, echo = bench.run(connected())
    pairs = bench.alternately(
        "calls",
        lambda: bench.run(submits.per_second(moves)),
        lambda: bench.run(echo.calls_per_second(IN_FLIGHT, IN_FLIGHT * moves)),
        rounds,
        slices=slices,
    )
    what = f"referee, simple calls: durable moves, {IN_FLIGHT} in flight"
    yield Row("calls", what, "echo", "per second", Aim.AT_LEAST, _TARGET, pairs)
