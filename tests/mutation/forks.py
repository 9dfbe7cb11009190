"""Running something in a process of its own, with a limit of processor time and memory."""

import os
import resource
import signal
from collections.abc import Callable
from contextlib import suppress

_MEMORY = 2 << 30


def in_fork(work: Callable[[], str], seconds: int) -> str | None:
    """Run some work in a fork of this process and give its answer.

    Args:
        work: what is run; it gives a short text. What it prints is lost.
        seconds: how much processor time it may take.

    Returns:
        The answer, or None where the process did not come to its end: it failed, or took too
        much time or memory.
    """
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        # Whatever a mutant raises, even what is meant to end a program, ends this process alone.
        with suppress(BaseException):
            os.close(read)
            _limit(seconds)
            os.write(write, work().encode())
            status = 0
        os._exit(status)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        answer = pipe.read().decode()
    _, status = os.waitpid(child, 0)
    return answer if status == 0 else None


def _limit(seconds: int) -> None:
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    used = int(sum(resource.getrusage(resource.RUSAGE_SELF)[:2]))
    resource.setrlimit(resource.RLIMIT_CPU, (used + seconds, used + seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
