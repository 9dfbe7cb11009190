"""What was played: folded from the lines of the journal, and from nothing else."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ronda_tournament.config import Config
from ronda_tournament.schedule import Group, Meeting
from ronda_tournament.sprt import SprtState, SprtTest
from ronda_tournament.statistics import shares_of


class FailureKind(StrEnum):
    """In which way a bot failed. The values are part of the results and never change."""

    NOT_STARTED = "NOT_STARTED"
    EXITED = "EXITED"
    OUTPUT_LIMIT = "OUTPUT_LIMIT"
    RUBBISH = "RUBBISH"
    EXCEPTION = "EXCEPTION"
    MOVE_REFUSED = "MOVE_REFUSED"
    TIME_OUT = "TIME_OUT"
    RESIGNED = "RESIGNED"
    FORFEITED = "FORFEITED"
    NOT_JOINED = "NOT_JOINED"
    CONNECTION = "CONNECTION"


# What tells that a program hangs: it would be too late in every other match as well.
HANGING = frozenset({FailureKind.TIME_OUT, FailureKind.NOT_JOINED})


@dataclass(frozen=True, slots=True)
class Game:
    """A match that was played to its end.

    Attributes:
        group: The name of its group.
        number: Its number in the group, from 0.
        match_id: The match.
        seats: Who sat where: entrants by seat.
        scores: Points by side.
        winners: The side that won, or those that share a draw.
        moves: How many moves were made.
        sha256: Of its log file, as hexadecimal digits.
    """

    group: str
    number: int
    match_id: str
    seats: tuple[int, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    moves: int
    sha256: str

    def shares(self) -> tuple[float, ...]:
        """Return each side's share of the match's point."""
        return shares_of(self.winners, len(self.scores))


@dataclass(frozen=True, slots=True)
class Failure:
    """That a bot failed, and for which group.

    Attributes:
        entrant: Who.
        kind: How.
        detail: What happened, for people.
        incident: Failures with the same one are one event, as when a process ends that plays many
            matches.
        group: The group that is void by it; empty: it played none.
        match_id: The match; empty likewise.
    """

    entrant: int
    kind: FailureKind
    detail: str
    incident: str
    group: str = ""
    match_id: str = ""


@dataclass(frozen=True, slots=True)
class Abandoned:
    """A match that counts for nothing: why, and its log's SHA-256 where there is one."""

    why: str
    sha256: str


class Results:
    """All that the journal says.

    Attributes:
        begun: The first line: what the tournament is.
        runs: How often it was begun or gone on with.
        created: The group, number and entrants by seat of every match that was created, by match
            id.
        games: Every match that was played to its end, by group and number.
        ended: The same by match id.
        abandoned: The matches that do not count, by match id.
        failures: The bots' failures, in order.
        void: Why a group counts for nothing, by its name.
        stopped: Why a bot was stopped, by entrant, and in which stage.
        finished: Whether all was played.
    """

    def __init__(self, config: Config) -> None:
        """Begin before the first line."""
        self.begun: Mapping[str, Any] | None = None
        self.runs = 0
        self.created: dict[str, tuple[str, int, tuple[int, ...]]] = {}
        self.games: dict[tuple[str, int], Game] = {}
        self.abandoned: dict[str, Abandoned] = {}
        self.failures: list[Failure] = []
        self.void: dict[str, str] = {}
        self.stopped: dict[int, tuple[str, int]] = {}
        self.finished = False
        self._config = config
        self.ended: dict[str, Game] = {}
        self._by_group: defaultdict[str, dict[int, Game]] = defaultdict(dict)
        self._sprt: dict[str, tuple[SprtTest, int]] = {}

    def apply(self, line: Mapping[str, Any]) -> None:
        """Take a line of the journal in."""
        match line["type"]:
            case "begun":
                self.begun = line
                self.runs += 1
            case "resumed":
                self.runs += 1
            case "created":
                self.created[line["match_id"]] = (
                    line["group"],
                    line["game"],
                    tuple(line["seats"]),
                )
            case "ended":
                self._end(line)
            case "abandoned":
                self.abandoned[line["match_id"]] = Abandoned(line["why"], line["sha256"])
            case "void":
                self.void[line["group"]] = line["why"]
                self.failures += [
                    Failure(**{**failure, "kind": FailureKind(failure["kind"])})
                    for failure in line["failures"]
                ]
            case "stopped":
                self.stopped[line["entrant"]] = (line["why"], line["stage"])
            case "finished":
                self.finished = True
            case other:
                raise ValueError(f"the journal has a line of the unknown type {other!r}")

    def _end(self, line: Mapping[str, Any]) -> None:
        game = Game(
            line["group"],
            line["game"],
            line["match_id"],
            tuple(line["seats"]),
            tuple(line["scores"]),
            tuple(line["winners"]),
            line["moves"],
            line["sha256"],
        )
        self.games[game.group, game.number] = game
        self._by_group[game.group][game.number] = game
        self.ended[game.match_id] = game

    def open_matches(self) -> list[str]:
        """Return the matches of which it is not said what became of them."""
        return [
            match_id
            for match_id in self.created
            if match_id not in self.ended and match_id not in self.abandoned
        ]

    def incidents(self, entrant: int) -> int:
        """Return how often a bot has failed, each event once."""
        return len({one.incident for one in self.failures if one.entrant == entrant})

    def failure_counts(self, entrant: int) -> Counter[FailureKind]:
        """Return how many groups, or starts, a bot has failed in, by kind."""
        return Counter(one.kind for one in self.failures if one.entrant == entrant)

    def is_out(self, entrant: int) -> bool:
        """Tell whether an entrant was stopped."""
        return entrant in self.stopped

    def stopped_in(self, entrant: int) -> int | None:
        """Return in which stage, from 1, an entrant was stopped; None: it was not."""
        return self.stopped[entrant][1] if entrant in self.stopped else None

    def is_over(self, group: Group) -> bool:
        """Tell whether a group is played, or void."""
        return group.name in self.void or len(self._by_group[group.name]) == len(
            group.meeting.teams
        )

    def valid(self, meeting: Meeting, number: int) -> tuple[Game, ...] | None:
        """Return the matches of a group that is played and counts, or None."""
        name = Group(meeting, number, 0).name
        games = self._by_group.get(name, {})
        if name in self.void or len(games) < len(meeting.teams):
            return None
        return tuple(games[turn] for turn in range(len(meeting.teams)))

    def valid_groups(self, meeting: Meeting) -> list[tuple[int, tuple[Game, ...]]]:
        """Return the numbers and matches of a meeting's groups that count."""
        found = []
        for number in range(1, self._config.pairs + 1):
            games = self.valid(meeting, number)
            if games is not None:
                found.append((number, games))
        return found

    def standing(self, meeting: Meeting) -> tuple[float, float]:
        """Return by how many pairs and points the first team is ahead in a meeting of two."""
        pairs = points = 0
        for _, games in self.valid_groups(meeting):
            ahead = difference(games)
            points += ahead
            pairs += (ahead > 0) - (ahead < 0)
        return float(pairs), float(points)

    def sprt(self, meeting: Meeting) -> SprtState | None:
        """Return how the test of a meeting stands; None: there is none.

        Pairs count in their order, each when all before it are over, so that it is the same
        whichever match ends first. Void ones are left out.
        """
        if self._config.sprt is None:
            return None
        test, number = self._sprt.get(meeting.name, (SprtTest(self._config.sprt), 1))
        while number <= self._config.pairs and self.is_over(Group(meeting, number, 0)):
            games = self.valid(meeting, number)
            if games is not None:
                test.add(first_share(games))
            number += 1
        self._sprt[meeting.name] = (test, number)
        return test.state


def team_points(games: tuple[Game, ...], team: int) -> int:
    """Return a team's points over the matches of a group: it sits one place on in each."""
    teams = len(games)
    return sum(game.scores[(team - turn) % teams] for turn, game in enumerate(games))


def team_share(games: tuple[Game, ...], team: int) -> float:
    """Return a team's share of the points of a group's matches, from 0 to 1."""
    teams = len(games)
    shares = (game.shares()[(team - turn) % teams] for turn, game in enumerate(games))
    return sum(shares) / teams


def difference(games: tuple[Game, ...]) -> int:
    """Return by how many points the first of two teams is ahead in a pair."""
    return team_points(games, 0) - team_points(games, 1)


def first_share(games: tuple[Game, ...]) -> float:
    """Return the first of two teams' share of the points of a pair's matches."""
    return team_share(games, 0)
