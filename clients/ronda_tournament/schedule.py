"""What is played: meetings, and in each groups of matches with the same cards.

Everything has a name that is the same in every run, so that a tournament which is gone on with
plays what is left, with the same cards.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from ronda_tournament import config as formats
from ronda_tournament.config import Config
from ronda_tournament.pairing import (
    Standing,
    Teams,
    bracket,
    gauntlet,
    partnerships,
    round_robin,
    swiss_round,
    tables_of_three,
)


@dataclass(frozen=True, slots=True)
class Meeting:
    """Some entrants that play groups of matches against each other.

    Attributes:
        round: The round, from 1.
        number: Its number in the round, from 1.
        teams: Who meets.
    """

    round: int
    number: int
    teams: Teams

    @property
    def name(self) -> str:
        """Its name, as `r1-m2`."""
        return f"r{self.round}-m{self.number}"

    @property
    def entrants(self) -> tuple[int, ...]:
        """All who play, each once."""
        return tuple(dict.fromkeys(one for team in self.teams for one in team))

    def games(self) -> tuple[tuple[int, ...], ...]:
        """Return who sits where in each match of a group: every team has every place once."""
        turns = len(self.teams)
        return tuple(
            tuple(
                self.teams[(seat + turn) % turns][seat // turns]
                for seat in range(turns * len(self.teams[0]))
            )
            for turn in range(turns)
        )


@dataclass(frozen=True, slots=True)
class Group:
    """Matches with the same cards, in which the teams change seats.

    Attributes:
        meeting: Whose.
        number: Its number in the meeting, from 1.
        rule_set: The index of its rule set.
    """

    meeting: Meeting
    number: int
    rule_set: int

    @property
    def name(self) -> str:
        """Its name, as `r1-m2-p3`, which is also the id of its shared shuffle."""
        return f"{self.meeting.name}-p{self.number}"


class Played(Protocol):
    """What a schedule needs to know of what was played."""

    def standing(self, meeting: Meeting) -> tuple[float, float]:
        """Return by how many pairs and points the first team is ahead in a meeting of two."""
        ...

    def stopped_in(self, entrant: int) -> int | None:
        """Return in which stage, from 1, an entrant was stopped; None: it was not."""
        ...


def stages(config: Config, played: Played) -> Iterator[list[Meeting]]:
    """Yield the meetings that can be played at once, as soon as those before are over.

    Args:
        config: The tournament.
        played: What was played; it is asked when the next stage is asked for, and only about the
            stages before, so that the same stages come up whenever this is called.
    """
    match config.format:
        case formats.SWISS:
            yield from _swiss(config, played)
        case formats.KNOCKOUT:
            yield from _knockout(config, played)
        case _:
            yield _all_at_once(config)


def groups(config: Config, meetings: Sequence[Meeting]) -> Iterator[Group]:
    """Yield the groups of a stage: the first of each meeting, then the second of each, and so on.

    Each is told apart from all others by its name.
    """
    for number in range(1, config.pairs + 1):
        for meeting in meetings:
            yield Group(meeting, number, (number - 1) % len(config.rules))


def _all_at_once(config: Config) -> list[Meeting]:
    count = len(config.entrants)
    champion = config.champion if config.format == formats.GAUNTLET else None
    if not config.two_teams:
        tables = tables_of_three if config.seats == 3 else partnerships  # noqa: PLR2004 - seats
        teams = tables(count, champion)
        return [Meeting(1, number, one) for number, one in enumerate(teams, 1)]
    rounds = [gauntlet(count, champion)] if champion is not None else round_robin(count)
    return [
        Meeting(round_number, number, _teams(config, pair))
        for round_number, pairs in enumerate(rounds, 1)
        for number, pair in enumerate(pairs, 1)
    ]


def _teams(config: Config, pair: tuple[int, int]) -> Teams:
    size = config.seats // 2
    return tuple((entrant,) * size for entrant in pair)


def _swiss(config: Config, played: Played) -> Iterator[list[Meeting]]:
    points = dict.fromkeys(range(len(config.entrants)), 0.0)
    difference = dict.fromkeys(points, 0.0)
    met: set[frozenset[int]] = set()
    byes: set[int] = set()
    for round_number in range(1, config.rounds + 1):
        taking_part = [one for one in points if not _was_out(one, round_number, played)]
        if len(taking_part) < 2:  # noqa: PLR2004 - nobody is left to meet
            return
        standings = [Standing(one, points[one], difference[one]) for one in taking_part]
        pairs, bye = swiss_round(standings, met, byes)
        if bye is not None:
            byes.add(bye)
            points[bye] += 1
        meetings = [
            Meeting(round_number, number, _teams(config, pair))
            for number, pair in enumerate(pairs, 1)
        ]
        yield meetings
        for meeting in meetings:
            first, second = meeting.entrants
            met.add(frozenset((first, second)))
            share = _share(meeting, played)
            points[first] += share
            points[second] += 1 - share
            _, ahead = played.standing(meeting)
            difference[first] += ahead
            difference[second] -= ahead


def _share(meeting: Meeting, played: Played) -> float:
    """Return what the first entrant gets of the point of a meeting: 1, a half or 0."""
    first, second = (_was_out(one, meeting.round + 1, played) for one in meeting.entrants)
    if first != second:
        return float(second)
    ahead = played.standing(meeting)
    return float(ahead > (0, 0)) if any(ahead) else 0.5


def _was_out(entrant: int, stage: int, played: Played) -> bool:
    """Tell whether an entrant had been stopped when a stage began."""
    stopped_in = played.stopped_in(entrant)
    return stopped_in is not None and stopped_in < stage


def _knockout(config: Config, played: Played) -> Iterator[list[Meeting]]:
    slots = bracket(len(config.entrants))
    round_number = 0
    while len(slots) > 1:
        round_number += 1
        following: list[int | None] = []
        waiting: list[tuple[int, Meeting]] = []
        for a, b in zip(slots[::2], slots[1::2], strict=True):
            if a is None or b is None:
                following.append(b if a is None else a)
                continue
            left = [one for one in (a, b) if not _was_out(one, round_number, played)]
            if len(left) < 2:  # noqa: PLR2004 - there is nobody to meet
                following.append(left[0] if left else None)
                continue
            meeting = Meeting(round_number, len(waiting) + 1, _teams(config, (a, b)))
            waiting.append((len(following), meeting))
            following.append(None)
        if waiting:
            yield [meeting for _, meeting in waiting]
        for place, meeting in waiting:
            following[place] = _winner(meeting, played)
        slots = following


def _winner(meeting: Meeting, played: Played) -> int:
    """Return who goes on: by pairs, then by points, then the one of the better seed."""
    first, second = meeting.entrants
    share = _share(meeting, played)
    if share == 0.5:  # noqa: PLR2004 - a half is a draw
        return min(first, second)
    return first if share else second
