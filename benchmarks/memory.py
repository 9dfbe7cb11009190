"""The memory of a referee with many open matches, asleep and awake.

A match that nobody asks anything of for `sleep_after_seconds` leaves memory until somebody does;
all of them asleep is one figure, none of them the other. Both seats of each match have joined and
its cards are dealt; nobody is connected while the memory is read.
"""

import time
from collections.abc import Callable, Iterator

from benchmarks.bench import AWAKE, Bench
from benchmarks.machine import resident
from benchmarks.measure import Aim, Row, Size, checked
from benchmarks.streams import Streams
from ronda_cli.demo_referee import RefereeProcess
from ronda_cli.progress import progress

_WANTED = 100_000
_RULE_SET = "maghribi"
_MIB = 1024 * 1024
_LIMIT_MIB = 1024

# How many matches there are where the memory is read; what more would take goes by the slope. All
# that are wanted are there awake, which takes some minutes; asleep they need less.
_ASLEEP = {Size.FULL: (2_000, 12_000), Size.QUICK: (), Size.TINY: (5, 10)}
_AWAKE = {Size.FULL: (2_000, _WANTED), Size.QUICK: (500, 4_000), Size.TINY: ()}

_ASLEEP_FLAGS = ("--sleep-after-seconds", "1", "--limits-open-matches", "1000000")

# Streams hold something of each seat that they have taken, so they are left now and then. What is
# needed meanwhile and stays with the process is there before the memory is read first.
_OPENED_TOGETHER = 500

# The memory is read once it has not changed for so long.
_SETTLED_SECONDS = 3.0
_SETTLED_BYTES = _MIB
_PATIENCE_SECONDS = 60.0


def measure(bench: Bench) -> Iterator[Row]:
    """Measure a referee whose matches sleep, and one whose matches do not."""
    if counts := _ASLEEP[bench.size]:
        yield _row(bench, "asleep", counts, _ASLEEP_FLAGS)
    if counts := _AWAKE[bench.size]:
        yield _row(bench, "awake", counts, AWAKE)


def at(wanted: int, counts: tuple[int, int], held: tuple[float, float]) -> float:
    """Return what so many matches take, by what two smaller numbers of them did.

    What more than the greater number would take goes by the slope between the two.
    """
    (few, many), (of_few, of_many) = counts, held
    return of_many + (wanted - many) * (of_many - of_few) / (many - few)


def _row(bench: Bench, how: str, counts: tuple[int, ...], flags: tuple[str, ...]) -> Row:
    few, many = counts
    with bench.own_referee(*flags) as referee, progress(f"memory {how}", many) as bar:
        _open(bench, referee, 0, few, bar.update)
        of_few = settled(referee.pid)
        _open(bench, referee, few, many, bar.update)
        of_many = settled(referee.pid)
    mib = at(_WANTED, (few, many), (of_few / _MIB, of_many / _MIB))
    each = (of_many - of_few) / (many - few) / 1024
    note = f"{each:.1f} KiB for each match, by the slope from {few:,} to {many:,}"
    if many == _WANTED:
        note = f"{each:.1f} KiB for each match beyond the first {few:,}"
    what = f"memory: {_WANTED:,} open matches, all {how}"
    pairs = (checked(mib, _LIMIT_MIB),)
    return Row(f"memory {how}", what, "1 GiB", "MiB", Aim.AT_MOST, 1.0, pairs, note)


def _open(
    bench: Bench,
    referee: RefereeProcess,
    there: int,
    wanted: int,
    tell: Callable[[float], None],
) -> None:
    async def more(count: int) -> None:
        streams = Streams(referee.target)
        await streams.open(count, _RULE_SET)
        await streams.close()

    while there < wanted:
        count = min(_OPENED_TOGETHER, wanted - there)
        bench.run(more(count))
        there += count
        tell(there)


def settled(process: int) -> float:
    """Return the memory that a process holds, in bytes, once that does not change any more."""
    begun = since = time.monotonic()
    held = resident(process)
    while True:
        time.sleep(0.1)
        now = time.monotonic()
        found = resident(process)
        if abs(found - held) > _SETTLED_BYTES:
            held, since = found, now
        if now - since > _SETTLED_SECONDS or now - begun > _PATIENCE_SECONDS:
            return found
