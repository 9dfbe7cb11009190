"""Auditing any number of logs, on as many cores as are wanted, in the order in which they come.

Only some logs for each core are under way at any time, so what is held does not grow with their
number.
"""

import io
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path

from ronda_referee.audit import AuditReport, Deal, SeenHeads, audit_file, audit_stream

# A process takes about as long to start as some logs of usual length take to be audited.
_WORTH_A_PROCESS = 16
# So many logs for each process are handed out ahead: none waits for one that takes longer.
_AHEAD = 4


@dataclass(frozen=True, slots=True)
class Log:
    """A log that is to be audited.

    Attributes:
        name: what it is called, for people.
        source: its file, or its bytes; or why it cannot be had.
    """

    name: str
    source: Path | bytes | OSError = field(repr=False)


@dataclass(frozen=True, slots=True)
class Audited:
    """What came of a log.

    Attributes:
        name: what it is called.
        report: the audit's report; None: it could not be read.
        error: why it could not be read; empty where it could.
        deals: what it dealt, where that was wanted and nothing is wrong with it.
    """

    name: str
    report: AuditReport | None
    error: str = ""
    deals: tuple[Deal, ...] = ()


@dataclass(frozen=True, slots=True)
class Wanted:
    """How logs are audited.

    Attributes:
        key: the referee's public key, 32 bytes; None: none is expected.
        seen: heads that watchers saw.
        deals: whether what was dealt is wanted.
    """

    key: bytes | None = None
    seen: SeenHeads = field(default_factory=dict)
    deals: bool = False


def cores() -> int:
    """Give how many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # Not on this system.
        return os.cpu_count() or 1


def audit_all(
    logs: Iterable[Log],
    wanted: Wanted,
    jobs: int,
    on_progress: Callable[[Log, int], None] | None = None,
) -> Iterator[Audited]:
    """Audit logs and give what came of each, in the order in which they come.

    Args:
        logs: the logs; read as they are needed.
        wanted: how they are audited.
        jobs: how many processes at most; a few logs are audited in this one alone.
        on_progress: told now and then how many bytes of a log have been audited, where that
            happens in this process.

    Raises:
        BrokenProcessPool: the system has killed a process.
    """
    coming = iter(logs)
    first = list(islice(coming, _WORTH_A_PROCESS)) if jobs > 1 else []
    if len(first) == _WORTH_A_PROCESS:
        yield from _in_processes(chain(first, coming), wanted, jobs)
        return
    for log in chain(first, coming):
        told = None if on_progress is None else _told(on_progress, log)
        yield audit_one(log, wanted, told)


def audit_one(
    log: Log, wanted: Wanted, on_progress: Callable[[int], None] | None = None
) -> Audited:
    """Audit one log."""
    deals: list[Deal] | None = [] if wanted.deals else None
    try:
        match log.source:
            case OSError():
                raise log.source
            case bytes():
                stream = io.BytesIO(log.source)
                report = audit_stream(stream, wanted.key, on_progress, wanted.seen, deals)
            case _:
                report = audit_file(log.source, wanted.key, on_progress, wanted.seen, deals)
    except OSError as error:
        return Audited(log.name, None, error.strerror or str(error))
    return Audited(log.name, report, deals=tuple(deals or ()) if report.ok else ())


def _told(on_progress: Callable[[Log, int], None], log: Log) -> Callable[[int], None]:
    return lambda offset: on_progress(log, offset)


def _in_processes(logs: Iterable[Log], wanted: Wanted, jobs: int) -> Iterator[Audited]:
    # Never forked: this process may have threads, of gRPC for one, that a copy would lack.
    spawning = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, spawning, initializer=_begin, initargs=(wanted,))
    under_way: deque[Future[Audited]] = deque()
    try:
        for log in logs:
            under_way.append(pool.submit(_audit, log))
            if len(under_way) >= jobs * _AHEAD:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class _Process:
    """What a process of the pool was told when it began."""

    wanted = Wanted()


def _begin(wanted: Wanted) -> None:
    # An interrupt is for the process that hands out the logs, which then ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _Process.wanted = wanted


def _audit(log: Log) -> Audited:
    return audit_one(log, _Process.wanted)
