"""Runs a bot's program and ends it, with all that it has started, when the runner is gone.

It is started as a file of its own, by an interpreter that loads nothing else. Its first argument
is the number of a pipe's end from which nothing ever comes: it ends when the runner closes its own
end or dies, however that happens.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

NOT_FOUND = 127

# What makes a process the parent of its descendants whose own parents have ended (prctl(2)).
_SET_CHILD_SUBREAPER = 36


def main(arguments: list[str]) -> int:
    """Run the program; return its exit code, that of a signal as a shell does."""
    pipe = int(arguments[0])
    _adopt_descendants()
    try:
        # A session of its own, so that all of it can be ended together.
        process = subprocess.Popen(arguments[1:], start_new_session=True)  # noqa: S603 - as told
    except OSError as error:
        sys.stderr.write(f"{arguments[1]}: {error.strerror}\n")
        return NOT_FOUND

    def end() -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)

    def watch() -> None:
        while os.read(pipe, 1):
            pass
        end()

    threading.Thread(target=watch, daemon=True).start()
    code = process.wait()
    # What the program itself has started goes with it, also what has left its session.
    end()
    while left := _children():
        for child in left:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
    return code if code >= 0 else 128 - code


def _adopt_descendants() -> None:
    # Elsewhere than on Linux there is no such call, and what leaves the session gets away.
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _children() -> list[int]:
    """Return the processes whose parent this one is, as Linux tells it."""
    own, found = str(os.getpid()), []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            # After the name, which may hold anything, come the state and the parent.
            fields = stat.read_text(errors="replace").rpartition(")")[2].split()
            if fields[1] == own:
                found.append(int(stat.parent.name))
    return found


if __name__ == "__main__":
    # Ctrl-C at the terminal is for the runner, which closes the pipe.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(main(sys.argv[1:]))
