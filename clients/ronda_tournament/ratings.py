"""Ratings by the Plackett-Luce model of openskill, with intervals by bootstrap.

Every match that counts is one event between teams: an entrant alone, or partners. Teams are ranked
by their share of the match's point and then, where three play, by points. The resampling draws
whole groups with replacement, within each meeting, because the matches of a group are not
independent: they have the same cards.
"""

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self, TypeAlias

from openskill.models import PlackettLuce, PlackettLuceRating

from ronda_tournament.results import Game

_NORMAL = 1.959963984540054
_MOST_RESAMPLES = 200
_FEWEST_RESAMPLES = 10
# A resampling rates every match once more: with many matches there are fewer of them.
_MATCHES_IN_ALL = 100_000

TeamsOf: TypeAlias = Callable[[Game], Sequence[Sequence[int]]]
"""Gives whom a match is between: players by side."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating.

    Attributes:
        mu: The rating; 25 is that of someone of whom nothing is known.
        sigma: The model's own uncertainty.
        low: The lower end of the 95 % interval; None: no meeting has two groups.
        high: The upper end; None likewise.
        matches: How many matches it rests on.
    """

    mu: float
    sigma: float
    low: float | None
    high: float | None
    matches: int


@dataclass(frozen=True, slots=True)
class _Event:
    """A match as the model takes it; a resampling takes it again and again.

    Attributes:
        teams: Who played, each once in a team.
        ranks: The teams' ranks.
    """

    teams: tuple[tuple[int, ...], ...]
    ranks: list[float]

    @classmethod
    def of(cls, game: Game, teams_of: TeamsOf) -> Self:
        return cls(tuple(tuple(dict.fromkeys(team)) for team in teams_of(game)), ranks_of(game))


def entrants_by_side(game: Game) -> list[list[int]]:
    """Return the entrants of each side, partners together; one that plays both is named twice."""
    sides = len(game.scores)
    return [[*game.seats[side::sides]] for side in range(sides)]


def places_by_side(game: Game) -> list[list[int]]:
    """Return the places of each side, as players of their own: what is rated is where one sits."""
    return [[side] for side in range(len(game.scores))]


def rate(
    meetings: Mapping[str, Sequence[tuple[Game, ...]]],
    teams_of: TeamsOf,
    seed: int,
    on_progress: Callable[[float], None] | None = None,
) -> dict[int, Rating]:
    """Return the ratings of all who played.

    Args:
        meetings: The groups of each meeting that count.
        teams_of: Whom a match is between.
        seed: Fixes the resampling.
        on_progress: Told what share of the work is done.
    """
    groups = [
        [[_Event.of(game, teams_of) for game in group] for group in found]
        for found in meetings.values()
    ]
    events = [event for found in groups for group in found for event in group]
    if not events:
        return {}
    rated = _rated(events)
    draws: dict[int, list[float]] = {player: [] for player in rated}
    # A single group is drawn again and again: it would look certain.
    if any(len(found) > 1 for found in groups):
        chance = random.Random(seed)
        resamples = min(_MOST_RESAMPLES, max(_FEWEST_RESAMPLES, _MATCHES_IN_ALL // len(events)))
        for done in range(resamples):
            drawn = [
                event
                for found in groups
                for group in chance.choices(found, k=len(found))
                for event in group
            ]
            for player, rating in _rated(drawn).items():
                draws[player].append(rating.mu)
            if on_progress is not None:
                on_progress((done + 1) / resamples)
    counts = dict.fromkeys(rated, 0)
    for event in events:
        for player in {one for team in event.teams for one in team}:
            counts[player] += 1
    return {
        player: Rating(
            rating.mu, rating.sigma, *_interval(rating.mu, draws[player]), counts[player]
        )
        for player, rating in sorted(rated.items())
    }


def _rated(events: Iterable[_Event]) -> dict[int, PlackettLuceRating]:
    model = PlackettLuce()
    known: dict[int, PlackettLuceRating] = {}
    for event in events:
        before = [[known.get(player) or model.rating() for player in team] for team in event.teams]
        after = model.rate(before, ranks=event.ranks)
        for team, ratings in zip(event.teams, after, strict=True):
            known.update(zip(team, ratings, strict=True))
    return known


def ranks_of(game: Game) -> list[float]:
    """Return each side's rank in a match, 1 the best; those that are equal share one."""
    keys = list(zip(game.shares(), game.scores, strict=True))
    if len(keys) == 2:  # noqa: PLR2004 - between two the point says it all
        keys = [(share, 0) for share in game.shares()]
    return [float(1 + sum(other > key for other in keys)) for key in keys]


def _interval(mu: float, drawn: Sequence[float]) -> tuple[float | None, float | None]:
    if len(drawn) < 2:  # noqa: PLR2004 - no spread
        return None, None
    mean = math.fsum(drawn) / len(drawn)
    spread = math.sqrt(math.fsum((one - mean) ** 2 for one in drawn) / (len(drawn) - 1))
    return mu - _NORMAL * spread, mu + _NORMAL * spread
