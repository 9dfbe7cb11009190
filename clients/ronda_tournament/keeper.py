"""Runs a bot's program and ends it, with all that it has started, when the runner is gone.

It is started as a file of its own, by an interpreter that loads nothing else. Its first argument
is the number of a pipe's end from which nothing ever comes: it ends when the runner closes its own
end or dies, however that happens.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading

NOT_FOUND = 127


def main(arguments: list[str]) -> int:
    """Run the program; return its exit code, that of a signal as a shell does."""
    pipe = int(arguments[0])
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
    # What the program itself has started goes with it.
    end()
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    # Ctrl-C at the terminal is for the runner, which closes the pipe.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(main(sys.argv[1:]))
