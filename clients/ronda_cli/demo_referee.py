"""A referee as a process of its own, for as long as a context lasts."""

import contextlib
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from ronda_cli.failures import CommandError

START_SECONDS = 60.0
STOP_SECONDS = 10.0
_LISTENING = "listening on "


def serve_arguments(
    data: Path, listen: str = "127.0.0.1:0", rule_sets: Sequence[Path] = ()
) -> list[str]:
    """Return the command that runs a referee with this data folder and these house rules.

    It listens on a free loopback port unless another is named, and stops by itself when its
    standard input ends, so that it does not outlive whoever holds the other end, however that
    one dies.
    """
    return [
        *(sys.executable, "-m", "ronda_cli", "serve", "--data", str(data)),
        *("--listen", listen, "--until-input-ends"),
        *(argument for folder in rule_sets for argument in ("--rule-sets", str(folder))),
    ]


def first_useful_line(said: str) -> str:
    """Return the line of a program's output that says why it failed; empty where there is none.

    That is the first that is neither an event of the log nor the way to an error in a traceback.
    """
    lines = [line for line in said.splitlines() if line.strip()]
    useful = [line for line in lines if not line.startswith(("{", " ", "Traceback "))]
    return next(iter(useful or lines), "").strip()


class RefereeProcess:
    """A referee that is started on entering and gone after leaving.

    Attributes:
        target: Where it listens, as `host:port`; empty before it does.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        output: Path,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Take the command to run, the file that gets all that it prints, and its environment.

        Without one it has this process's.
        """
        self.target = ""
        self._arguments = list(arguments)
        self._output = output
        self._environment = environment
        self._process: subprocess.Popen[str] | None = None
        self._started = threading.Event()
        self._reader: threading.Thread | None = None

    @property
    def pid(self) -> int:
        """The process's id; 0 before it is started."""
        return self._process.pid if self._process else 0

    @property
    def exit_code(self) -> int | None:
        """The process's exit code; None while it runs, or before."""
        return self._process.poll() if self._process else None

    def __enter__(self) -> Self:
        try:
            self._output.write_bytes(b"")
            # Two write to it, each at its end.
            with self._output.open("a", encoding="utf-8") as output:
                # A session of its own: Ctrl-C at the terminal reaches us alone, and we stop it.
                self._process = subprocess.Popen(  # noqa: S603 - our own command
                    self._arguments,
                    env=self._environment,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=output,
                    text=True,
                    start_new_session=True,
                )
            if self._process.stdout is None:
                raise RuntimeError("the referee has no standard output")
            self._reader = threading.Thread(
                target=self._read, args=(self._process.stdout,), daemon=True
            )
            self._reader.start()
            self._started.wait(START_SECONDS)
            if not self.target:
                raise self._failed_to_start()
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

    def _read(self, stdout: IO[str]) -> None:
        """Keep what the process prints, and learn from it where it listens."""
        with self._output.open("a", encoding="utf-8") as output:
            for line in stdout:
                output.write(line)
                output.flush()
                if line.startswith(_LISTENING) and not self.target:
                    self.target = line.removeprefix(_LISTENING).strip()
                    self._started.set()
        self._started.set()

    def _failed_to_start(self) -> CommandError:
        if self._process is not None and self._started.is_set():
            # Its output has ended, and it is about to do so.
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(STOP_SECONDS)
        code = self.exit_code
        what = (
            f"the referee did not listen within {START_SECONDS:.0f} s"
            if code is None
            else f"the referee stopped with exit code {code} before it listened"
        )
        line = first_useful_line(self._output.read_text(encoding="utf-8", errors="replace"))
        said = f"; it said: {line}" if line else ""
        return CommandError(f"{what}{said} (all of it: {self._output})")

    def _stop(self) -> None:
        process = self._process
        if process is None:
            return
        try:
            if process.poll() is None:
                process.terminate()
                process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            print("ronda: the referee did not stop when asked and is killed", file=sys.stderr)
        finally:
            # Also where the wait was interrupted by another Ctrl-C.
            if process.poll() is None:
                process.kill()
                process.wait()
            if process.stdin is not None:
                process.stdin.close()
            if self._reader is not None:
                self._reader.join()
            if process.stdout is not None:
                process.stdout.close()
