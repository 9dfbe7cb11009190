"""A tournament of built-in bots from the start of its command to its end, against Play.

`ronda tournament run` is run as anybody would with bots that are quick: its referee, its bots'
programs, the ratings, the reports and the audit of every log take their time of it.
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.measure import Aim, Row, Size
from benchmarks.play import Playing

_PAIRS = {Size.FULL: 60, Size.QUICK: 8, Size.TINY: 1}
_ROUNDS = {Size.FULL: 3, Size.QUICK: 1, Size.TINY: 1}
_TARGET = 0.5

_CONFIG = """\
name = "Benchmark"
format = "round-robin"
rule_sets = ["maghribi"]
seats = 2
pairs = {pairs}
# All matches at once, up to 120: the bots are quick, and many moves travel in one message.
concurrency = 120

[[entrants]]
name = "greedy"
builtin = "greedy"

[[entrants]]
name = "random"
builtin = "random"
"""


def measure(bench: Bench) -> Iterator[Row]:
    """Measure whole tournaments against Play."""
    playing = Playing(bench)
    pairs = bench.alternately(
        "tournament",
        lambda: moves_per_second(bench, _PAIRS[bench.size]),
        playing.per_second,
        bench.rounds(_ROUNDS[bench.size]),
        warm_up=False,
    )
    playing.close()
    what = f"tournament: moves from start to end, {2 * _PAIRS[bench.size]} matches"
    yield Row("tournament", what, "Play", "per second", Aim.AT_LEAST, _TARGET, pairs)


def moves_per_second(bench: Bench, pairs: int) -> float:
    """Run a tournament of so many pairs of matches; return its moves a second.

    Raises:
        subprocess.CalledProcessError: It did not end well.
    """
    running = command(bench.new_folder(), pairs)
    begun = time.perf_counter()
    ran = subprocess.run(running, capture_output=True, check=True)
    seconds = time.perf_counter() - begun
    moves: int = json.loads(ran.stdout)["matches"]["moves"]
    return moves / seconds


def command(folder: Path, pairs: int) -> list[str]:
    """Return the command that runs a tournament of so many pairs in an empty folder."""
    config = folder / "benchmark.toml"
    config.write_text(_CONFIG.format(pairs=pairs), encoding="utf-8")
    run = [sys.executable, "-m", "ronda_cli", "tournament", "run", str(config)]
    return [*run, "--data", str(folder / "data"), "--json"]
