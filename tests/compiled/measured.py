"""What measures compiled builds measures them, and not the sources; for `make compiled` alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import calls, engine, latency, play
from benchmarks.bench import Bench
from benchmarks.builds import Build
from benchmarks.measure import Row, Size
from ronda_rules import engine as imported
from tests.benchmarks.test_rows import peers

__all__ = ["peers"]


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    """Return surroundings for the modules that these tests are run with."""
    build = Build(Path(imported.__file__).parents[1])
    with Bench(Size.TINY, builds=[build]) as surroundings:
        yield surroundings


def names(rows: Iterator[Row]) -> list[str]:
    """Measure; give the rows' names."""
    return [row.name for row in rows]


@pytest.mark.usefixtures("peers")
def test_the_engine_is_measured(bench: Bench) -> None:
    """In a process of its own, which says that it has loaded what is compiled."""
    assert names(engine.measure(bench)) == [
        "engine maghribi 2 compiled / OpenSpiel hearts",
        "engine maghribi 2 compiled / RLCard gin-rummy",
        "engine classic 4 compiled / OpenSpiel hearts",
        "engine classic 4 compiled / RLCard gin-rummy",
    ]


def test_the_referee_is_measured(bench: Bench) -> None:
    """By simple calls, by streams and one move at a time."""
    rows = [*calls.measure(bench), *play.measure(bench), *latency.measure(bench)]
    assert names(iter(rows)) == [
        *("calls compiled", "calls compiled processor", "play compiled"),
        *("play compiled processor", "latency compiled p50", "latency compiled p99"),
    ]
    assert all(row.what.startswith("referee compiled") for row in rows)
