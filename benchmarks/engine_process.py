"""The engine of a build in a process of its own, which measures when it is asked to.

    python -m benchmarks.engine_process maghribi 2

says `ready`, and then answers each line, a number of seconds, with the moves a second that it has
made for so long.
"""

import random
import subprocess
import sys
from types import TracebackType
from typing import Self

from benchmarks.builds import Build
from benchmarks.playouts import moves_per_second, play_out, rules_of

_READY = "ready"


class EngineProcess:
    """An engine that is started on entering and gone after leaving."""

    def __init__(self, build: Build, rule_set: str, seats: int) -> None:
        """Take what is to be played, and by which build."""
        self._build = build
        self._arguments = [rule_set, str(seats)]
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.engine_process", *self._arguments],
            env=self._build.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            if self._line() != _READY:
                raise RuntimeError("the engine's process does not begin")
            self._build.check(self._process.pid)
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stop()

    def moves_per_second(self, seconds: float) -> float:
        """Have matches played for so many seconds of the processor; return the speed.

        Raises:
            RuntimeError: The process is gone.
        """
        if self._process is None or self._process.stdin is None:
            raise RuntimeError("the engine's process has not been started")
        self._process.stdin.write(f"{seconds}\n")
        self._process.stdin.flush()
        return float(self._line())

    def _line(self) -> str:
        line = self._process.stdout.readline() if self._process and self._process.stdout else ""
        if not line:
            raise RuntimeError("the engine's process has ended")
        return line.strip()

    def _stop(self) -> None:
        if self._process is not None:
            # It ends with its input.
            self._process.communicate()


def main() -> None:
    """Measure whenever a line comes, until there are no more."""
    rule_set, seats = sys.argv[1], int(sys.argv[2])
    rules = rules_of(rule_set)
    chance = random.Random(1)
    print(_READY, flush=True)
    for line in sys.stdin:
        speed = moves_per_second(lambda with_: play_out(rules, seats, with_), float(line), chance)
        print(speed, flush=True)


if __name__ == "__main__":
    main()
