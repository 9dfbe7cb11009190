"""Moves against echoes: the speed, and what the servers need of the processor for each."""

import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchmarks.bench import Bench
from benchmarks.echo import Echo
from benchmarks.machine import processor_seconds
from benchmarks.measure import Aim, Pair, Row, by_rounds
from ronda_cli.demo_referee import RefereeProcess

IN_FLIGHT = 64


@dataclass(frozen=True, slots=True)
class Moves:
    """Moves to be measured.

    Attributes:
        referee: The referee, whose processor time is taken.
        make: Makes the moves and returns their speed.
        count: How many these are.
    """

    referee: RefereeProcess
    make: Callable[[], float]
    count: int


def measure(
    bench: Bench,
    name: str,
    what: str,
    target: float,
    ours: Moves,
    each: int,
    rounds: int,
    slices: int,
) -> Iterator[Row]:
    """Measure moves at a referee by turns with the echo.

    The second row, without a target, hangs less on what else the machine does.

    Args:
        bench: The surroundings.
        name: The row's name.
        what: What is measured.
        target: The ratio of the speeds that is wanted at least.
        ours: The moves of a slice.
        each: The echoes of a slice of each of those in flight.
        rounds: How many rounds.
        slices: How many slices each.
    """

    async def connected() -> Echo:
        return Echo(bench.echo.target)

    echo = bench.run(connected())
    own: list[float] = []
    of_echo: list[float] = []
    pairs = bench.alternately(
        name,
        _metered(ours.referee.pid, ours.make, ours.count, own),
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
