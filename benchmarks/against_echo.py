"""Moves against echoes: the speed, and what the servers need of the processor for each."""

import statistics
from collections.abc import Callable, Iterator

from benchmarks.bench import Bench
from benchmarks.echo import Echo
from benchmarks.machine import processor_seconds
from benchmarks.measure import Aim, Pair, Row, by_rounds

IN_FLIGHT = 64


def measure(
    bench: Bench,
    name: str,
    what: str,
    target: float,
    ours: tuple[Callable[[], float], int],
    each: int,
    rounds: int,
    slices: int,
) -> Iterator[Row]:
    """Measure moves at the shared referee by turns with the echo.

    The second row, without a target, hangs less on what else the machine does.

    Args:
        bench: The surroundings.
        name: The row's name.
        what: What is measured.
        target: The ratio of the speeds that is wanted at least.
        ours: Makes the moves of a slice and returns their speed; and how many there are.
        each: The echoes of a slice of each of those in flight.
        rounds: How many rounds.
        slices: How many slices each.
    """

    async def connected() -> Echo:
        return Echo(bench.echo.target)

    echo = bench.run(connected())
    make, moves = ours
    own: list[float] = []
    of_echo: list[float] = []
    pairs = bench.alternately(
        name,
        _metered(bench.referee.pid, make, moves, own),
        _metered(
            bench.echo.pid,
            lambda: bench.run(echo.calls_per_second(IN_FLIGHT, each)),
            IN_FLIGHT * each,
            of_echo,
        ),
        rounds,
        slices=slices,
    )
    yield Row(name, what, "echo", "per second", Aim.AT_LEAST, target, pairs)
    used = tuple(
        Pair(statistics.fmean(mine), statistics.fmean(theirs))
        for mine, theirs in zip(
            by_rounds(own, rounds, slices), by_rounds(of_echo, rounds, slices), strict=True
        )
    )
    what = f"{what}: the server's processor time for each"
    yield Row(f"{name} processor", what, "echo", "µs", Aim.AT_MOST, None, used)


def _metered(
    process: int, work: Callable[[], float], count: int, used: list[float]
) -> Callable[[], float]:
    """Return a work that also notes the microseconds of a processor that a process had for each."""

    def doing() -> float:
        before = processor_seconds(process)
        figure = work()
        used.append(1e6 * (processor_seconds(process) - before) / count)
        return figure

    return doing
