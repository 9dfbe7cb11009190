"""The demo's matches: which are played, by whom, and playing them all at once."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from ronda.v1.decision_pb2 import Decision
from ronda.v1.move_pb2 import Move
from ronda.v1.rule_set_pb2 import RuleSet
from ronda.v1.view_pb2 import SeatView
from ronda_bots import AnyBot, by_name
from ronda_cli.progress import Progress
from ronda_client import ClientError, RefereeClient, play_match, read_records
from ronda_client.whole_file import write_whole

# Far from every other match's and run's, whatever the seeds.
_SEEDS_PER_RUN = 1_000_003


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """A match to be played.

    Attributes:
        number: Its number among the demo's matches, from 0.
        bots: The bots' names, by seat.
        seeds: The bots' seeds, by seat.
    """

    number: int
    bots: tuple[str, ...]
    seeds: tuple[int, ...]

    @property
    def seats(self) -> int:
        """How many seats it has."""
        return len(self.bots)


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match that was played to its end and whose log was saved.

    Attributes:
        match_id: The match.
        seats: How many seats it had.
        deals: Deals that were begun.
        moves: Moves that were accepted.
        points: Points scored by all sides.
        log: The log file.
    """

    match_id: str
    seats: int
    deals: int
    moves: int
    points: int
    log: Path


@dataclass(frozen=True, slots=True)
class UnfinishedMatch:
    """A match that did not come to its end.

    Attributes:
        number: Its number among the demo's matches, from 0.
        seats: How many seats it had.
        error: Why.
    """

    number: int
    seats: int
    error: str


def plan(rule_set: RuleSet, matches: int, seed: int) -> list[PlannedMatch]:
    """Return so many matches that go round the rule set's seat counts, with mixed bots."""
    counts = sorted(seats.count for seats in rule_set.seats)
    names = ("greedy", "random")
    return [
        PlannedMatch(
            number,
            tuple(names[(seat + number // len(counts)) % len(names)] for seat in range(seats)),
            tuple(seed * _SEEDS_PER_RUN + 4 * number + seat for seat in range(seats)),
        )
        for number in range(matches)
        for seats in [counts[number % len(counts)]]
    ]


class _Tracker:
    """How far all matches are together, as the bots see it."""

    def __init__(self, matches: int, target: int, progress: Progress) -> None:
        self._best = [0] * matches
        self._target = target
        self._progress = progress
        self._moves = 0
        self._ended = 0

    def turn(self, number: int, view: SeatView) -> None:
        self._moves += 1
        self._best[number] = min(max(view.public.scores, default=0), self._target)
        self._show()

    def ended(self, number: int) -> None:
        self._ended += 1
        self._best[number] = self._target
        self._show()

    def _show(self) -> None:
        self._progress.update(
            sum(self._best),
            f"{self._ended} of {len(self._best)} matches ended, {self._moves:,} moves",
        )


@dataclass(frozen=True, slots=True)
class _TrackedBot:
    bot: AnyBot
    number: int
    tracker: _Tracker

    def choose(self, view: SeatView, decision: Decision) -> Move:
        self.tracker.turn(self.number, view)
        return self.bot.choose(view, decision)


def progress_total(rule_set: RuleSet, matches: int) -> int:
    """Return what `play_all` counts up to: every match's points to the target."""
    return matches * max(rule_set.target, 1)


async def play_all(
    client: RefereeClient,
    rule_set: RuleSet,
    matches: list[PlannedMatch],
    logs: Path,
    progress: Progress,
) -> list[FinishedMatch | UnfinishedMatch]:
    """Play all matches at once and save the log of each as `<match id>.rlog`.

    A match that fails does not disturb the others.

    Args:
        client: The referee.
        rule_set: The rules, which the referee has by their id.
        matches: The matches.
        logs: The folder for the logs.
        progress: Gets how many points of `progress_total` are scored by now.
    """
    tracker = _Tracker(len(matches), max(rule_set.target, 1), progress)

    async def play(match: PlannedMatch) -> FinishedMatch | UnfinishedMatch:
        result: FinishedMatch | UnfinishedMatch
        bots = [
            _TrackedBot(by_name(name, seed), match.number, tracker)
            for name, seed in zip(match.bots, match.seeds, strict=True)
        ]
        try:
            played = await play_match(client, rule_set.id, bots, names=match.bots)
            path = logs / f"{played.match_id}.rlog"
            write_whole(path, played.log)
            result = finished_match(played.match_id, match.seats, sum(played.scores), path)
        except (ClientError, OSError) as error:
            result = UnfinishedMatch(match.number, match.seats, str(error))
        # Not where it was cancelled: then it has not ended.
        tracker.ended(match.number)
        return result

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(play(match)) for match in matches]
    return [task.result() for task in tasks]


def finished_match(match_id: str, seats: int, points: int, log: Path) -> FinishedMatch:
    """Count a match's deals and moves in its log file.

    Raises:
        LogFileError: The file is no log.
        OSError: It cannot be read.
    """
    deals = moves = 0
    for record in read_records(log.read_bytes()):
        moves += record.HasField("move_accepted")
        deals += record.event_logged.event.HasField("deal_started")
    return FinishedMatch(match_id, seats, deals, moves, points, log)
