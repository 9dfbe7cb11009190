"""How long one move takes at low load, on disk, against an echo and one sync of the same disk."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.builds import Build
from benchmarks.echo import Echo
from benchmarks.measure import Aim, Pair, Row, Size, checked, percentile
from benchmarks.submits import Submits
from ronda_cli.progress import progress

# The three are measured by turns, so many of each at a time.
_BLOCK = 25
_BLOCKS = {Size.FULL: 40, Size.QUICK: 12, Size.TINY: 1}
_ROUNDS = {Size.FULL: 7, Size.QUICK: 5, Size.TINY: 2}
_MATCHES = {Size.FULL: 64, Size.QUICK: 32, Size.TINY: 5}

# By the percentile: how many times as long as echo and sync together at the most.
_TARGETS = {50: 1.5, 99: 3.0}

_PAGE = bytes(4096)
_PAGES = 256


class Disk:
    """A file whose pages are written over, and on disk after each: as a store's log is."""

    def __init__(self, path: Path) -> None:
        """Make the file in full, so that no write makes it longer."""
        self._file = path.open("wb", buffering=0)
        for _ in range(_PAGES):
            self._file.write(_PAGE)
        os.fsync(self._file)
        self._next = 0

    def latencies(self, syncs: int) -> list[float]:
        """Write a page and sync it, so often; return how many seconds each took."""
        took = []
        for _ in range(syncs):
            begun = time.perf_counter()
            os.pwrite(self._file.fileno(), _PAGE, self._next * len(_PAGE))
            os.fsync(self._file)
            took.append(time.perf_counter() - begun)
            self._next = (self._next + 1) % _PAGES
        return took

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def measure(bench: Bench) -> Iterator[Row]:
    """Measure moves of each build, echoes and syncs by turns, one at a time."""
    for build in bench.builds:
        yield from _measured(bench, build)


def _measured(bench: Bench, build: Build) -> Iterator[Row]:
    referee = bench.referee_of(build)
    rounds = bench.rounds(_ROUNDS[bench.size])
    blocks = _BLOCKS[bench.size]
    matches = _MATCHES[bench.size]

    async def connected() -> tuple[Submits, Echo]:
        submits = Submits(referee.target)
        await submits.open(matches, -(-(rounds * blocks + 1) * _BLOCK // matches))
        return submits, Echo(bench.echo.target)

    submits, echo = bench.run(connected())
    disk = Disk(bench.new_folder() / "synced")
    bench.run(submits.latencies(_BLOCK))
    bench.run(echo.latencies(_BLOCK))
    found: dict[int, list[Pair]] = {percent: [] for percent in _TARGETS}
    syncs: list[float] = []
    with progress(build.named("latency"), rounds) as bar:
        for number in range(rounds):
            moves: list[float] = []
            echoes: list[float] = []
            synced: list[float] = []
            for _ in range(blocks):
                moves += bench.run(submits.latencies(_BLOCK))
                echoes += bench.run(echo.latencies(_BLOCK))
                synced += disk.latencies(_BLOCK)
            syncs += synced
            for percent, pairs in found.items():
                ours = percentile(moves, percent)
                theirs = percentile(echoes, percent) + percentile(synced, percent)
                pairs.append(checked(1000 * ours, 1000 * theirs))
            bar.update(number + 1)
    disk.close()
    for percent, pairs in found.items():
        what = f"{build.named('referee')}: one move at low load, p{percent}, on disk"
        against = f"echo and one sync, p{percent}"
        note = f"of it the sync {1000 * percentile(syncs, percent):.2f} ms"
        name = f"{build.named('latency')} p{percent}"
        target = _TARGETS[percent]
        yield Row(name, what, against, "ms", Aim.AT_MOST, target, tuple(pairs), note)
