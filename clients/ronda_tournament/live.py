"""How a tournament goes on: a table at a terminal, a line now and then elsewhere."""

import sys
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self, TextIO

from rich.console import Console, RenderableType
from rich.console import Group as Together
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ronda_tournament.config import Config
from ronda_tournament.report_text import shortened
from ronda_tournament.results import Failure, Results, first_share
from ronda_tournament.schedule import Group, Meeting

_SECONDS_BETWEEN_LINES = 10.0
_LATEST_FAILURES = 3


class Progress:
    """What has been played of the stages that were begun.

    Attributes:
        over: How many groups are over.
        total: How many there are, without those that are left out.
        share: The share of the pairs' points that each entrant has, added up.
        pairs: Of how many pairs.
    """

    def __init__(self, config: Config, results: Results) -> None:
        """Begin before the first stage."""
        self.over = 0
        self.total = 0
        self.share: dict[int, float] = dict.fromkeys(range(len(config.entrants)), 0.0)
        self.pairs: dict[int, int] = dict.fromkeys(self.share, 0)
        self._config = config
        self._results = results
        self._played: dict[Meeting, int] = {}

    def stage(self, meetings: Sequence[Meeting]) -> None:
        """Take a stage's meetings in, with what was played of them before."""
        for meeting in meetings:
            self._played[meeting] = 0
            for number in range(1, self._config.pairs + 1):
                group = Group(meeting, number, 0)
                if self._results.is_over(group):
                    self.group(group)
        self.recount()

    def recount(self) -> None:
        """Count what is left, since a bot was stopped or a meeting decided."""
        self.total = self.over + sum(
            self._config.pairs - played
            for meeting, played in self._played.items()
            if self._goes_on(meeting)
        )

    def _goes_on(self, meeting: Meeting) -> bool:
        test = self._results.sprt(meeting)
        return not (test and test.decision) and not any(map(self._results.is_out, meeting.entrants))

    def group(self, group: Group) -> None:
        """Count a group that is over."""
        self.over += 1
        self._played[group.meeting] += 1
        if not self._goes_on(group.meeting):
            self.recount()
        games = self._results.valid(group.meeting, group.number)
        if games is None or len(games) != 2:  # noqa: PLR2004 - where two meet
            return
        share = first_share(games)
        for team, got in zip(group.meeting.teams, (share, 1 - share), strict=True):
            for entrant in dict.fromkeys(team):
                self.share[entrant] += got
                self.pairs[entrant] += 1

    @property
    def text(self) -> str:
        """How far it is, in a line."""
        matches = len(self._results.ended)
        return f"{self.over} of {self.total} groups, {matches} matches ended"


class PlainObserver:
    """Tells it in lines: failures at once, the progress every ten seconds."""

    def __init__(
        self,
        config: Config,
        results: Results,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take the tournament and where to write; None: standard error."""
        self._config = config
        self._progress = Progress(config, results)
        self._stream = stream if stream is not None else sys.stderr
        self._clock = clock
        self._told = clock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._say(self._progress.text)

    def stage(self, meetings: Sequence[Meeting]) -> None:
        """Say that a stage begins."""
        self._progress.stage(meetings)
        self._say(f"{len(meetings)} meetings of {self._config.pairs} groups: {self._progress.text}")

    def group(self, group: Group) -> None:
        """Say how far it is, where that was not said lately."""
        self._progress.group(group)
        if self._clock() - self._told >= _SECONDS_BETWEEN_LINES:
            self._say(self._progress.text)

    def failure(self, failure: Failure) -> None:
        """Say that a bot has failed."""
        self._say(_failure_text(self._config, failure))

    def stopped(self, entrant: int, why: str) -> None:
        """Say that a bot was stopped."""
        self._progress.recount()
        self._say(f"{self._config.entrants[entrant].name} is stopped: {shortened(why)}")

    def _say(self, text: str) -> None:
        self._told = self._clock()
        print(f"ronda tournament: {text}", file=self._stream, flush=True)


class LiveObserver:
    """Shows a table that is kept up, on standard error."""

    def __init__(self, config: Config, results: Results, console: Console | None = None) -> None:
        """Take the tournament and the terminal; None: that of standard error."""
        self._config = config
        self._results = results
        self._progress = Progress(config, results)
        self._latest: list[str] = []
        self._live = Live(
            console=console or Console(stderr=True),
            get_renderable=self._table,
            refresh_per_second=4,
            redirect_stdout=sys.stdout.isatty(),
        )

    def __enter__(self) -> Self:
        self._live.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._live.__exit__(kind, error, traceback)

    def stage(self, meetings: Sequence[Meeting]) -> None:
        """Take in that a stage begins."""
        self._progress.stage(meetings)

    def group(self, group: Group) -> None:
        """Take in that a group is over."""
        self._progress.group(group)

    def failure(self, failure: Failure) -> None:
        """Keep the latest failures in sight."""
        self._latest = [*self._latest, _failure_text(self._config, failure)][-_LATEST_FAILURES:]

    def stopped(self, entrant: int, why: str) -> None:
        """Take in that a bot was stopped."""
        self._progress.recount()

    def _table(self) -> RenderableType:
        progress, results = self._progress, self._results
        table = Table(title=Text(self._config.name))
        for heading in ("entrant", "pairs", "share", "failures"):
            table.add_column(heading, justify="left" if heading == "entrant" else "right")
        order = sorted(
            progress.share, key=lambda one: -progress.share[one] / max(1, progress.pairs[one])
        )
        for one in order:
            pairs = progress.pairs[one]
            table.add_row(
                Text(self._config.entrants[one].name),
                str(pairs),
                f"{progress.share[one] / pairs:.1%}" if pairs else "-",
                f"{results.incidents(one)}{' stopped' if results.is_out(one) else ''}",
            )
        bar = ProgressBar(total=max(1, progress.total), completed=progress.over, width=40)
        return Together(table, bar, Text(progress.text), *map(Text, self._latest))


def _failure_text(config: Config, failure: Failure) -> str:
    name = config.entrants[failure.entrant].name
    where = f" in {failure.group}" if failure.group else ""
    return f"{name} failed{where}: {failure.kind.value}: {shortened(failure.detail)}"
