"""The referee's call Play: durable moves of many matches over two streams, against an echo."""

from collections.abc import Iterator

from benchmarks import against_echo, divided
from benchmarks.against_echo import Moves
from benchmarks.bench import Bench
from benchmarks.builds import PURE, Build
from benchmarks.measure import Row, Size
from benchmarks.streams import Streams

_MATCHES = {Size.FULL: 512, Size.QUICK: 512, Size.TINY: 8}
# In a slice.
_MOVES = {Size.FULL: 3_000, Size.QUICK: 1_500, Size.TINY: 40}
# Of each of those in flight.
_ECHOES = {Size.FULL: 16, Size.QUICK: 7, Size.TINY: 1}
_SLICES = {Size.FULL: 4, Size.QUICK: 2, Size.TINY: 1}
_ROUNDS = {Size.FULL: 7, Size.QUICK: 5, Size.TINY: 2}
_TARGET = 10.0


class Playing:
    """Matches that are played over streams at the referee that the rows share."""

    def __init__(self, bench: Bench, build: Build = PURE) -> None:
        """Open so many as the size asks for, at the referee of a build."""
        self._bench = bench
        self._referee = bench.referee_of(build)
        self._moves = _MOVES[bench.size]
        self._streams = bench.run(self._opened())

    async def _opened(self) -> Streams:
        streams = Streams(self._referee.target)
        await streams.open(_MATCHES[self._bench.size])
        return streams

    def per_second(self) -> float:
        """Make moves in all matches at once; return how many a second."""
        return self._bench.run(self._streams.play(self._moves)).per_second

    def close(self) -> None:
        """Leave the streams."""
        self._bench.run(self._streams.close())


def measure(bench: Bench) -> Iterator[Row]:
    """Measure Play of each build, all matches at once, against the echo."""
    for build in bench.builds:
        playing = Playing(bench, build)
        matches = _MATCHES[bench.size]
        yield from against_echo.measure(
            bench,
            build.named("play"),
            f"{build.named('referee')}, Play: durable moves, {matches} matches, 2 streams",
            _TARGET,
            Moves(bench.referee_of(build), playing.per_second, _MOVES[bench.size]),
            _ECHOES[bench.size],
            bench.rounds(_ROUNDS[bench.size]),
            _SLICES[bench.size],
        )
        if build is PURE:
            yield from divided.measure(bench, playing.per_second)
        playing.close()
