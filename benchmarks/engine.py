"""The engine: matches played out at random, and the same by other libraries.

Every decision of a player counts as one move, or ply. What chance decides is drawn by the same
loop and takes its time, and counts for nothing, with us and with OpenSpiel; RLCard's environment
deals by itself. It is the time of the processor that counts, of one thread.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TypeAlias

from benchmarks.bench import Bench
from benchmarks.builds import Build
from benchmarks.engine_process import EngineProcess
from benchmarks.measure import Aim, Row, Size
from benchmarks.peers import RlCardGinRummy, open_spiel_hearts
from benchmarks.playouts import PlayOut, moves_per_second, play_out, rules_of

# Seconds for each side of a slice.
_SECONDS = {Size.FULL: 0.25, Size.QUICK: 0.1, Size.TINY: 0.02}
_SLICES = {Size.FULL: 4, Size.QUICK: 3, Size.TINY: 1}
_ROUNDS = {Size.FULL: 9, Size.QUICK: 5, Size.TINY: 2}

_OURS = (("maghribi", 2), ("classic", 4))

_OPEN_SPIEL_TARGET = 1.0
_RLCARD_TARGET = 20.0

_Speed: TypeAlias = Callable[[float], float]


def measure(bench: Bench) -> Iterator[Row]:
    """Measure each of ours, by each build, against each peer.

    Raises:
        PeerMissingError: A peer is not installed.
    """
    gin_rummy = RlCardGinRummy(seed=1)
    peers: tuple[tuple[str, str, float, PlayOut], ...] = (
        ("OpenSpiel", "hearts", _OPEN_SPIEL_TARGET, lambda chance: open_spiel_hearts(1, chance)),
        ("RLCard", "gin-rummy", _RLCARD_TARGET, lambda chance: gin_rummy.play(1, chance)),
    )
    for build in bench.builds:
        for rule_set, seats in _OURS:
            with _engine(build, rule_set, seats) as ours:
                for peer, game, target, of_peer in peers:
                    name = build.named(f"engine {rule_set} {seats}")
                    what = f"{build.named('engine')}: random play-outs, {rule_set}, {seats} seats"
                    yield _row(bench, name, what, ours, f"{peer} {game}", target, of_peer)


@contextmanager
def _engine(build: Build, rule_set: str, seats: int) -> Iterator[_Speed]:
    """Give what measures a build's engine for so many seconds of the processor."""
    if build.folder is None:
        rules, chance = rules_of(rule_set), random.Random(1)
        yield lambda seconds: moves_per_second(partial(play_out, rules, seats), seconds, chance)
    else:
        with EngineProcess(build, rule_set, seats) as process:
            yield process.moves_per_second


def _row(
    bench: Bench,
    name: str,
    what: str,
    ours: _Speed,
    peer: str,
    target: float,
    of_peer: PlayOut,
) -> Row:
    seconds = _SECONDS[bench.size]
    chance = random.Random(1)
    name = f"{name} / {peer}"
    pairs = bench.alternately(
        name,
        lambda: ours(seconds),
        lambda: moves_per_second(of_peer, seconds, chance),
        bench.rounds(_ROUNDS[bench.size]),
        slices=_SLICES[bench.size],
    )
    return Row(name, what, peer, "moves/s", Aim.AT_LEAST, target, pairs)
