"""How long the conformance suite takes over gRPC, profile `rules`, from start to end."""

import subprocess
import sys
import time
from collections.abc import Iterator

from benchmarks.against_echo import IN_FLIGHT
from benchmarks.bench import Bench
from benchmarks.echo import Echo
from benchmarks.measure import Aim, Pair, Row, Size
from ronda_cli.progress import progress

_ROUNDS = {Size.FULL: 3, Size.QUICK: 2, Size.TINY: 1}
_LIMIT_SECONDS = 10.0
_QUICK_SCENARIOS = "cap-*"
# Of each of those in flight.
_QUICK_ECHOES = 16


def measure(bench: Bench) -> Iterator[Row]:
    """Measure the whole suite against ten seconds; quickly, a part of it against the echo."""
    rounds = bench.rounds(_ROUNDS[bench.size])
    if bench.size is not Size.FULL:
        yield _quick(bench, rounds)
        return
    pairs = []
    with progress("conformance", rounds) as bar:
        for number in range(rounds):
            pairs.append(Pair(seconds(bench), _LIMIT_SECONDS))
            bar.update(number + 1)
    what = "conformance: the whole profile `rules` over gRPC"
    yield Row("conformance", what, "10 s", "s", Aim.AT_MOST, 1.0, tuple(pairs))


def _quick(bench: Bench, rounds: int) -> Row:
    async def connected() -> Echo:
        return Echo(bench.echo.target)

    echo = bench.run(connected())
    pairs = bench.alternately(
        "conformance",
        lambda: 1 / seconds(bench, "--id", _QUICK_SCENARIOS),
        lambda: bench.run(echo.calls_per_second(IN_FLIGHT, _QUICK_ECHOES)),
        rounds,
        warm_up=False,
    )
    what = f"conformance: runs of the scenarios {_QUICK_SCENARIOS} over gRPC"
    return Row("conformance", what, "echo", "per second", Aim.AT_LEAST, None, pairs)


def seconds(bench: Bench, *selection: str) -> float:
    """Run the suite against the referee, and return how many seconds its command took.

    Raises:
        subprocess.CalledProcessError: A scenario failed.
    """
    command = [sys.executable, "-m", "ronda_cli", "conform", "--target", bench.referee.target]
    begun = time.perf_counter()
    subprocess.run([*command, *selection], capture_output=True, check=True)
    return time.perf_counter() - begun
