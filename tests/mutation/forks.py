"""Running something in processes of their own, with a limit of processor time and memory."""

import os
import resource
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TypeVar

_MEMORY = 4 << 30

Task = TypeVar("Task")


def in_forks(
    tasks: Iterable[Task], work: Callable[[Task], str], *, processes: int, seconds: int
) -> Iterator[tuple[Task, str | None]]:
    """Run some work for each task, in a fork of this process, and give the answers as they come.

    What the work prints is lost. A task is taken when its fork can begin.

    Args:
        tasks: what there is to do.
        work: what is run for a task; it gives a short text.
        processes: how many forks run at once.
        seconds: how much processor time each may take.

    Yields:
        A task and its answer; None where the fork did not come to its end: it failed, or took too
        much time or memory.
    """
    running: dict[int, tuple[Task, int]] = {}
    for task in tasks:
        child, pipe = _start(work, task, seconds)
        running[child] = task, pipe
        while len(running) >= processes:
            yield _next_answer(running)
    while running:
        yield _next_answer(running)


def _start(work: Callable[[Task], str], task: Task, seconds: int) -> tuple[int, int]:
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        # Whatever a mutant raises, even what is meant to end a program, ends this process alone.
        with suppress(BaseException):
            _limit(seconds)
            os.write(write, work(task).encode())
            status = 0
        os._exit(status)
    os.close(write)
    return child, read


def _next_answer(running: dict[int, tuple[Task, int]]) -> tuple[Task, str | None]:
    # An answer fits into its pipe, so that no fork waits for it to be read.
    child, status = os.wait()
    task, pipe = running.pop(child)
    with os.fdopen(pipe, "rb") as file:
        answer = file.read().decode()
    return task, answer if status == 0 else None


def _limit(seconds: int) -> None:
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    used = int(sum(resource.getrusage(resource.RUSAGE_SELF)[:2]))
    resource.setrlimit(resource.RLIMIT_CPU, (used + seconds, used + seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
