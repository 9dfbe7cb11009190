"""The audit: moves a second and core with everything checked, against bare reading.

Bare reading is protobuf's parsing of each record and SHA-256 of its bytes, of the same logs in the
same process. It is the time of the processor that counts, of one thread.
"""

import hashlib
import io
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.measure import Aim, Row, Size
from ronda.v1.log_pb2 import LogRecord
from ronda_referee.audit import audit_stream
from ronda_referee.log_file import MAGIC

_GOLDEN = Path(__file__).resolve().parent.parent / "tests" / "golden"
_LOGS = {
    Size.FULL: ("maghribi-2", "maghribi-4", "classic-2", "classic-4", "khlaso-2", "qahwa-4"),
    Size.QUICK: ("maghribi-2", "classic-4"),
    Size.TINY: ("single-deal-2",),
}
# How often each is read barely, which takes so much less: the clock is too coarse for less.
_BARELY = 20
_REPEATED = {Size.FULL: 3, Size.QUICK: 1, Size.TINY: 1}
_ROUNDS = {Size.FULL: 9, Size.QUICK: 5, Size.TINY: 2}
_TARGET = 0.33

_MORE = 0x80


def records(log: bytes) -> Iterator[bytes]:
    """Yield a log's records, serialized as they stand there."""
    at = len(MAGIC)
    while at < len(log):
        size = shift = 0
        while True:
            byte = log[at]
            at += 1
            size |= (byte & ~_MORE) << shift
            shift += 7
            if not byte & _MORE:
                break
        yield log[at : at + size]
        at += size


def logs(size: Size) -> list[bytes]:
    """Return the logs that are audited."""
    return [(_GOLDEN / f"{name}.rlog").read_bytes() for name in _LOGS[size]]


def read_barely(logs: list[bytes]) -> int:
    """Parse and hash every record; return how many moves there are."""
    moves = 0
    for log in logs:
        for record in records(log):
            hashlib.sha256(record).digest()
            moves += LogRecord.FromString(record).HasField("move_accepted")
    return moves


def audited(logs: list[bytes]) -> int:
    """Audit every log; return how many moves there are.

    Raises:
        ValueError: Something is wrong with one, so that it was not audited to its end.
    """
    moves = 0
    for log in logs:
        report = audit_stream(io.BytesIO(log))
        if report.finding is not None:
            raise ValueError(f"a log that is right is found wrong: {report.finding}")
        moves += report.moves
    return moves


def measure(bench: Bench) -> Iterator[Row]:
    """Measure the audit of some logs against their bare reading."""
    read = logs(bench.size)
    repeated = _REPEATED[bench.size]
    pairs = bench.alternately(
        "audit",
        lambda: _per_second(lambda: audited(read), repeated),
        lambda: _per_second(lambda: read_barely(read), repeated * _BARELY),
        bench.rounds(_ROUNDS[bench.size]),
    )
    what = "audit: moves with everything checked, one core"
    against = "parsing and hashing alone"
    yield Row("audit", what, against, "moves/s", Aim.AT_LEAST, _TARGET, pairs)


def _per_second(read: Callable[[], int], repeated: int) -> float:
    begun = time.process_time()
    moves = sum(read() for _ in range(repeated))
    return moves / (time.process_time() - begun)
