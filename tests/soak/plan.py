"""What the matches of a soak are: rules, seats, terms, how each seat behaves, how each must end."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from ronda.v1.match_terms_pb2 import TIME_OUT_AUTOMATIC, TIME_OUT_FORFEIT, MatchTerms, TimeControl

# No seat that sends a move of its own comes near it; see `Pace.most_refusals`.
POLITE_GARBAGE = 3


class Manner(StrEnum):
    """How a seat behaves. Those from CRASHES on never end their match by play alone."""

    WELL = "plays well"
    RETURNS = "leaves, and returns with its token"
    TWICE = "answers twice"
    GARBLES = "sends garbage before its moves"
    CRASHES = "crashes and never comes back"
    HANGS = "watches and stops answering"
    LATE = "answers when its time is over"
    GARBAGE_ONLY = "sends nothing but garbage"
    ABSENT = "never joins"


class Clock(StrEnum):
    """What clock runs."""

    NONE = "no clock"
    FORFEIT = "clock, forfeit"
    AUTOMATIC = "clock, automatic play"


class Way(StrEnum):
    """How the seats of a match talk to the referee."""

    CALLS = "simple calls"
    STREAM = "Play stream"


class Organiser(StrEnum):
    """What the organiser does about a match that would never end."""

    NOTHING = "nothing"
    RESIGNS = "resigns for the seat"
    CANCELS = "cancels"


@dataclass(frozen=True, slots=True)
class Expected:
    """How a match must end.

    Attributes:
        reason: the name of a ronda.v1.EndReason without its prefix.
        forfeits: the name of a ronda.v1.ForfeitReason without its prefix, by seat.
    """

    reason: str
    forfeits: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pace:
    """The times that go with a soak's size.

    Attributes:
        forfeit_ms: for each decision, where a seat that is late forfeits: so much that no seat
            that behaves well ever needs it.
        automatic_ms: for each decision, where the referee moves for a seat that is late.
        join_ms: to join, where a seat never does.
        sleep_seconds: after how long without a call the referee lets a match leave memory.
        stop_seconds: between two stops of the referee, where so few moves are made, at most.
        stall_seconds: with nothing getting on for so long the soak is over, and what is open is a
            fault; longer than any clock.
        memory_kib: by how much the referee's resident memory may have grown when every match has
            ended and slept, over what it was after the harmless matches had.
    """

    forfeit_ms: int
    automatic_ms: int
    join_ms: int
    sleep_seconds: int
    stop_seconds: float
    stall_seconds: float
    memory_kib: int


SMALL = Pace(
    forfeit_ms=5_000,
    automatic_ms=100,
    join_ms=1_000,
    sleep_seconds=1,
    stop_seconds=3.0,
    stall_seconds=60.0,
    memory_kib=16 * 1024,
)
LARGE = Pace(
    forfeit_ms=60_000,
    automatic_ms=1_000,
    join_ms=20_000,
    sleep_seconds=10,
    stop_seconds=12.0,
    stall_seconds=300.0,
    memory_kib=32 * 1024,
)


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """One match of a soak.

    Attributes:
        number: its number in the soak.
        rule_set: the id of the rule set that it is played by.
        target: the points to play to, where they are fewer than the rule set's own; or None.
        seats: how many.
        clock: what clock runs.
        terms: the terms.
        way: how its seats talk to the referee.
        manners: how each seat behaves, by seat.
        patience: how many decisions a seat answers before it crashes, hangs or is late.
        organiser: what is done about it where it would never end.
        spectator: whether somebody watches it without a seat.
    """

    number: int
    rule_set: str
    target: int | None
    seats: int
    clock: Clock
    terms: MatchTerms
    way: Way
    manners: Sequence[Manner]
    patience: int
    organiser: Organiser
    spectator: bool

    @property
    def expected(self) -> Expected:
        """How it must end."""
        if Manner.ABSENT in self.manners:
            cancelled = self.organiser is Organiser.CANCELS
            return Expected("CANCELLED" if cancelled else "NOT_JOINED")
        if self.organiser is Organiser.CANCELS:
            return Expected("CANCELLED")
        forfeits = dict(self._forfeits())
        if forfeits and self.seats != 3:
            return Expected("FORFEITED", forfeits)
        return Expected("PLAYED", forfeits)

    def _forfeits(self) -> Iterator[tuple[int, str]]:
        for seat, manner in enumerate(self.manners):
            if manner is Manner.GARBAGE_ONLY:
                yield seat, "REFUSALS"
            elif manner not in _STOPPING:
                continue
            elif self.organiser is Organiser.RESIGNS:
                yield seat, "RESIGNED"
            elif self.clock is Clock.FORFEIT:
                yield seat, "TIME_OUT"


_STOPPING = {Manner.CRASHES, Manner.HANGS, Manner.LATE}
_FINE = (Manner.WELL, Manner.RETURNS, Manner.TWICE, Manner.GARBLES)

# Rule set, seat counts and points to play to: short matches, so that many are played at once.
_GAMES: Sequence[tuple[str, Sequence[int], int | None]] = (
    ("single-deal", (2,), None),
    ("sarii", (2, 4), 8),
    ("classic", (2, 3, 4), 8),
    ("khlaso", (2, 4), 8),
    ("qahwa", (2, 3, 4), 8),
    ("maghribi", (2, 3, 4), 8),
)

# Where a seat must come to its second turn before the match is won: points that cards alone do not
# bring so soon, and no bluffs, which cost so much that others have won.
_NOT_AT_ONCE = 20
_NO_BLUFFS = [game for game in _GAMES if game[0] != "classic"]

# The stories, each with its clock, the seat that is at fault and what the organiser does; they
# take turns, so that a small soak has all of them.
_Story: TypeAlias = tuple[Clock, Manner | None, Organiser]
_STORIES: Sequence[_Story] = (
    (Clock.NONE, None, Organiser.NOTHING),
    (Clock.FORFEIT, Manner.CRASHES, Organiser.NOTHING),
    (Clock.AUTOMATIC, Manner.LATE, Organiser.NOTHING),
    (Clock.NONE, Manner.HANGS, Organiser.RESIGNS),
    (Clock.FORFEIT, None, Organiser.NOTHING),
    (Clock.NONE, Manner.ABSENT, Organiser.NOTHING),
    (Clock.AUTOMATIC, Manner.HANGS, Organiser.NOTHING),
    (Clock.NONE, Manner.GARBAGE_ONLY, Organiser.NOTHING),
    (Clock.NONE, None, Organiser.NOTHING),
    (Clock.FORFEIT, Manner.HANGS, Organiser.NOTHING),
    (Clock.NONE, Manner.CRASHES, Organiser.CANCELS),
    (Clock.AUTOMATIC, Manner.CRASHES, Organiser.NOTHING),
    (Clock.NONE, None, Organiser.NOTHING),
    (Clock.FORFEIT, Manner.LATE, Organiser.NOTHING),
    (Clock.NONE, Manner.CRASHES, Organiser.RESIGNS),
    (Clock.NONE, None, Organiser.NOTHING),
    (Clock.AUTOMATIC, None, Organiser.NOTHING),
    (Clock.NONE, Manner.ABSENT, Organiser.CANCELS),
    (Clock.FORFEIT, None, Organiser.NOTHING),
    (Clock.NONE, Manner.HANGS, Organiser.CANCELS),
)


def plans(matches: int, seed: int, pace: Pace) -> list[MatchPlan]:
    """Give so many matches; the same for the same seed."""
    chance = random.Random(f"plans {seed}")
    return [
        _plan(number, chance, pace, _STORIES[number % len(_STORIES)]) for number in range(matches)
    ]


def harmless_plans(matches: int, seed: int, pace: Pace) -> list[MatchPlan]:
    """Give so many matches without a clock in which no seat is at fault."""
    chance = random.Random(f"harmless plans {seed}")
    story = Clock.NONE, None, Organiser.NOTHING
    return [_plan(number, chance, pace, story) for number in range(matches)]


def _plan(number: int, chance: random.Random, pace: Pace, story: _Story) -> MatchPlan:
    clock, at_fault, organiser = story
    stops = at_fault is not None and clock is not Clock.AUTOMATIC
    rule_set, counts, target = chance.choice(_NO_BLUFFS if stops else _GAMES)
    seats = chance.choice(counts)
    if stops and target is not None:
        target = _NOT_AT_ONCE
    # Whose refusals are counted closely gets no company that is refused.
    fine = _FINE[:3] if at_fault is Manner.GARBAGE_ONLY else _FINE
    manners = [chance.choice(fine) for _ in range(seats)]
    if at_fault is not None:
        manners[chance.randrange(seats)] = at_fault
    terms = MatchTerms(spectator_delay=chance.choice((0, 0, 1, 4)))
    if clock is Clock.FORFEIT:
        terms.time_control.CopyFrom(TimeControl(per_move_ms=pace.forfeit_ms))
        terms.time_out = TIME_OUT_FORFEIT
    elif clock is Clock.AUTOMATIC:
        terms.time_control.CopyFrom(TimeControl(per_move_ms=pace.automatic_ms))
        terms.time_out = TIME_OUT_AUTOMATIC
    if at_fault is Manner.ABSENT and organiser is Organiser.NOTHING:
        terms.join_timeout_ms = pace.join_ms
    if at_fault is Manner.GARBAGE_ONLY:
        terms.most_refusals = chance.choice((0, 3))
    return MatchPlan(
        number=number,
        rule_set=rule_set,
        target=target,
        seats=seats,
        clock=clock,
        terms=terms,
        way=Way.CALLS if (number // len(_STORIES) + number) % 2 else Way.STREAM,
        manners=manners,
        patience=chance.randrange(2),
        organiser=organiser,
        spectator=chance.random() < 0.15,
    )
