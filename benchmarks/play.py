"""The referee's call Play: durable moves of many matches over two streams, against an echo."""

from collections.abc import Iterator

from benchmarks.bench import Bench
from benchmarks.calls import IN_FLIGHT
from benchmarks.echo import Echo
from benchmarks.measure import Aim, Row, Size
from benchmarks.streams import Streams

_MATCHES = {Size.FULL: 512, Size.QUICK: 512, Size.TINY: 8}
# In a slice.
_MOVES = {Size.FULL: 3_000, Size.QUICK: 1_500, Size.TINY: 40}
_ECHOES = {Size.FULL: 1_000, Size.QUICK: 400, Size.TINY: 64}
_SLICES = {Size.FULL: 4, Size.QUICK: 2, Size.TINY: 1}
_ROUNDS = {Size.FULL: 7, Size.QUICK: 5, Size.TINY: 2}
_TARGET = 10.0


class Playing:
    """Matches that are played over streams at the referee that the rows share."""

    def __init__(self, bench: Bench) -> None:
        """Open so many as the size asks for."""
        self._bench = bench
        self._moves = _MOVES[bench.size]
        self._streams = bench.run(self._opened())

    async def _opened(self) -> Streams:
        streams = Streams(self._bench.referee.target)
        await streams.open(_MATCHES[self._bench.size])
        return streams

    def per_second(self) -> float:
        """Make moves in all matches at once; return how many a second."""
        return self._bench.run(self._streams.play(self._moves)).per_second

    def close(self) -> None:
        """Leave the streams."""
        self._bench.run(self._streams.close())


def measure(bench: Bench) -> Iterator[Row]:
    """Measure Play, all matches at once, against the echo with as many in flight as elsewhere."""

    async def connected() -> Echo:
        return Echo(bench.echo.target)

    playing = Playing(bench)
    echo = bench.run(connected())
    pairs = bench.alternately(
        "play",
        playing.per_second,
        lambda: bench.run(echo.calls_per_second(IN_FLIGHT, _ECHOES[bench.size])),
        bench.rounds(_ROUNDS[bench.size]),
        slices=_SLICES[bench.size],
    )
    playing.close()
    what = f"referee, Play: durable moves, {_MATCHES[bench.size]} matches, 2 streams"
    yield Row("play", what, "echo", "per second", Aim.AT_LEAST, _TARGET, pairs)
