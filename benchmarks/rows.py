"""All that is measured, by name, in the order of the page."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from benchmarks import (
    audit,
    calls,
    conformance,
    engine,
    growth,
    latency,
    memory,
    play,
    tournament,
)
from benchmarks.bench import Bench
from benchmarks.machine import load
from benchmarks.measure import Row

MEASURES: dict[str, Callable[[Bench], Iterator[Row]]] = {
    "engine": engine.measure,
    "calls": calls.measure,
    "play": play.measure,
    "latency": latency.measure,
    "audit": audit.measure,
    "memory": memory.measure,
    "tournament": tournament.measure,
    "growth": growth.measure,
    "conformance": conformance.measure,
}


def measure_of(row: str) -> str:
    """Return what measures a row, of which the row's name is the first word."""
    return row.partition(" ")[0]


def measured(bench: Bench, wanted: Sequence[str]) -> Iterator[Row]:
    """Measure, and yield each row as it is done.

    Raises:
        PeerMissingError: A peer is not installed.
    """
    for name in wanted:
        for row in MEASURES[name](bench):
            yield replace(row, load=load())
