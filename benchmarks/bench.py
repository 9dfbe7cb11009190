"""Where a measurement takes place: its size, a folder on a disk, an event loop, the servers."""

import asyncio
import sys
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self, TypeVar

from benchmarks.builds import PURE, Build, compiled
from benchmarks.machine import disk_folder
from benchmarks.measure import Pair, Size, alternately
from ronda_cli.demo_referee import RefereeProcess, serve_arguments
from ronda_cli.progress import progress

_Value = TypeVar("_Value")

# No match leaves memory by itself, and there may be any number of them.
AWAKE = ("--sleep-after-seconds", "86400", "--limits-open-matches", "1000000")


class Bench:
    """The surroundings of a run, as a context.

    Attributes:
        size: How much is measured.
        folder: A folder of its own, on a disk.
    """

    def __init__(
        self, size: Size, rounds: int | None = None, builds: Sequence[Build] | None = None
    ) -> None:
        """Take how much is measured, how often, and which builds.

        Without `rounds` each row is measured as often as it thinks fit. Without `builds` the
        sources are measured as they are and, at full size, the compiled build too.
        """
        self.size = size
        self._builds = builds
        self.folder = Path()
        self._rounds = rounds
        self._stack = ExitStack()
        self._runner = asyncio.Runner()
        self._echo: RefereeProcess | None = None
        self._referees: dict[Build, RefereeProcess] = {}
        self._started = 0

    def __enter__(self) -> Self:
        name = self._stack.enter_context(
            TemporaryDirectory(prefix="ronda-benchmarks-", dir=disk_folder())
        )
        self.folder = Path(name)
        self._stack.enter_context(self._runner)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stack.close()

    def rounds(self, usual: int) -> int:
        """Return how many rounds a row is measured that usually has so many."""
        return usual if self._rounds is None else self._rounds

    def run(self, work: Coroutine[Any, Any, _Value]) -> _Value:
        """Do something in the event loop, in which connections stay from one call to the next."""
        return self._runner.run(work)

    def alternately(
        self,
        name: str,
        ours: Callable[[], float],
        theirs: Callable[[], float],
        rounds: int,
        *,
        slices: int = 1,
        warm_up: bool = True,
    ) -> tuple[Pair, ...]:
        """Measure both by turns, with a bar at a terminal; as `measure.alternately`."""
        with progress(name, rounds) as bar:
            return alternately(ours, theirs, rounds, bar.update, slices=slices, warm_up=warm_up)

    @property
    def echo(self) -> RefereeProcess:
        """The server that answers with what it was sent, in a process of its own."""
        if self._echo is None:
            self._echo = self._stack.enter_context(self._process(_ECHO))
        return self._echo

    @property
    def builds(self) -> Sequence[Build]:
        """The builds that are measured; when first asked for they are made, in a minute."""
        if self._builds is None:
            also = compiled(self.new_folder()) if self.size is Size.FULL else None
            self._builds = (PURE,) if also is None else (PURE, also)
        return self._builds

    @property
    def referee(self) -> RefereeProcess:
        """A referee that the rows share, in a process of its own; its matches stay in memory."""
        return self.referee_of(PURE)

    def referee_of(self, build: Build) -> RefereeProcess:
        """Return the referee of a build, as `referee`.

        Raises:
            RuntimeError: It runs by another.
        """
        if build not in self._referees:
            referee = self._stack.enter_context(self.own_referee(*AWAKE, build=build))
            build.check(referee.pid)
            self._referees[build] = referee
        return self._referees[build]

    @contextmanager
    def own_referee(self, *flags: str, build: Build = PURE) -> Iterator[RefereeProcess]:
        """Run a referee with a store of its own and flags of `ronda serve`."""
        arguments = serve_arguments(self.new_folder() / "data")
        with self._process([*arguments, "--allow-shared-shuffles", *flags], build) as process:
            yield process

    def new_folder(self) -> Path:
        """Make another folder."""
        self._started += 1
        folder = self.folder / str(self._started)
        folder.mkdir()
        return folder

    def _process(self, arguments: list[str], build: Build = PURE) -> RefereeProcess:
        return RefereeProcess(arguments, self.new_folder() / "output", build.environment())


_ECHO = [sys.executable, "-m", "benchmarks.echo"]
