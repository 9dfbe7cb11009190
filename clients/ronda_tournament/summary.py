"""Everything that a tournament's results say, as values for JSON: all reports are made from it."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from ronda_tournament.config import Config
from ronda_tournament.folder import TournamentFolder
from ronda_tournament.ratings import Rating, entrants_by_side, places_by_side, rate
from ronda_tournament.results import Game, Results, difference, team_points, team_share
from ronda_tournament.schedule import Meeting, stages
from ronda_tournament.seeds import group_seed
from ronda_tournament.statistics import Mean, mean_of

Summary: TypeAlias = dict[str, Any]

_HALF = 0.5


def meetings_of(config: Config, results: Results) -> list[Meeting]:
    """Return all meetings that have come up so far."""
    found = []
    for meetings in stages(config, results):
        found += meetings
        # Whom the next stage brings together depends on this one.
        if not all(_is_over(config, results, meeting) for meeting in meetings):
            break
    return found


def summarise(
    config: Config,
    folder: TournamentFolder,
    on_progress: Callable[[float], None] | None = None,
) -> Summary:
    """Return what the results say.

    Args:
        config: The tournament.
        folder: Its folder.
        on_progress: Told what share of the work is done.
    """
    results = folder.results
    meetings = meetings_of(config, results)
    groups = {meeting.name: results.valid_groups(meeting) for meeting in meetings}
    valid = {name: [games for _, games in found] for name, found in groups.items()}
    seed = int.from_bytes(group_seed(folder.seed, "bootstrap")[:8])
    ratings = rate(valid, entrants_by_side, seed, on_progress)
    places = rate(valid, places_by_side, seed) if results.finished else {}
    names = [entrant.name for entrant in config.entrants]
    counting = [game for found in valid.values() for games in found for game in games]
    return {
        "name": config.name,
        "finished": results.finished,
        "commitment": folder.commitment,
        "seed": folder.seed.hex() if results.finished else None,
        "tournament": config.as_json(),
        "matches": _matches(results, counting),
        "entrants": [
            {
                **_entrant(config, results, index, counting, ratings.get(index)),
                "written": _written(folder, names[index]),
            }
            for index in range(len(names))
        ],
        "meetings": [
            _meeting(config, results, meeting, names, groups[meeting.name]) for meeting in meetings
        ],
        "crosstable": _crosstable(names, meetings, valid) if config.two_teams else [],
        "seats": _seats(config, counting, places),
        "failures": [
            {
                "entrant": names[one.entrant],
                "kind": one.kind.value,
                "detail": one.detail,
                "incident": one.incident,
                "group": one.group,
                "match_id": one.match_id,
            }
            for one in results.failures
        ],
        "void": [{"group": group, "why": why} for group, why in results.void.items()],
        "groups": [
            _group(name, number, games, names)
            for name, found in groups.items()
            for number, games in found
        ],
    }


def _written(folder: TournamentFolder, entrant: str) -> str | None:
    """Return where an entrant's error output is, from the folder; None: it wrote nothing."""
    log = folder.bot_log(entrant)
    return log.relative_to(folder.path).as_posix() if log.exists() else None


def _is_over(config: Config, results: Results, meeting: Meeting) -> bool:
    """Tell whether nothing of a meeting is left to be played."""
    if any(results.is_out(entrant) for entrant in meeting.entrants):
        return True
    test = results.sprt(meeting)
    if test is not None and test.decision:
        return True
    counted = len(results.valid_groups(meeting))
    prefix = f"{meeting.name}-p"
    return counted + sum(name.startswith(prefix) for name in results.void) >= config.pairs


def _matches(results: Results, counting: Sequence[Game]) -> Summary:
    created = len(results.created)
    ended, abandoned = len(results.ended), len(results.abandoned)
    return {
        "created": created,
        "counted": len(counting),
        "ended_in_void_groups": ended - len(counting),
        "abandoned": abandoned,
        "open": len(results.open_matches()),
        "moves": sum(game.moves for game in counting),
    }


def _entrant(
    config: Config,
    results: Results,
    index: int,
    counting: Sequence[Game],
    rating: Rating | None,
) -> Summary:
    outcomes: Counter[str] = Counter()
    ahead: list[float] = []
    for game in counting:
        for side, entrants in enumerate(entrants_by_side(game)):
            if index in entrants:
                outcomes[_outcome(game, side)] += 1
                others = [score for one, score in enumerate(game.scores) if one != side]
                ahead.append(game.scores[side] - sum(others) / len(others))
    return {
        "name": config.entrants[index].name,
        "matches": sum(outcomes.values()),
        "won": outcomes["won"],
        "drawn": outcomes["drawn"],
        "lost": outcomes["lost"],
        "points_ahead": sum(ahead) / len(ahead) if ahead else None,
        "rating": None if rating is None else _rating(rating),
        "failures": dict(results.failure_counts(index)),
        "incidents": results.incidents(index),
        "stopped": results.stopped[index][0] if index in results.stopped else None,
    }


def _outcome(game: Game, side: int) -> str:
    if side not in game.winners:
        return "lost"
    return "won" if len(game.winners) == 1 else "drawn"


def _rating(rating: Rating) -> Summary:
    return {
        "mu": rating.mu,
        "sigma": rating.sigma,
        "low": rating.low,
        "high": rating.high,
        "matches": rating.matches,
    }


def _meeting(
    config: Config,
    results: Results,
    meeting: Meeting,
    names: Sequence[str],
    groups: Sequence[tuple[int, tuple[Game, ...]]],
) -> Summary:
    prefix = f"{meeting.name}-p"
    void = sum(name.startswith(prefix) for name in results.void)
    left_out = config.pairs - len(groups) - void
    said: Summary = {
        "name": meeting.name,
        "teams": [[names[one] for one in team] for team in meeting.teams],
        "groups": len(groups),
        "void": void,
        "left_out": left_out,
        "why_left_out": _why_left_out(config, results, meeting) if left_out else "",
    }
    found = [games for _, games in groups]
    if len(meeting.teams) == 2:  # noqa: PLR2004 - two that are compared
        said |= _paired(found)
        test = results.sprt(meeting)
        if test is not None:
            said["sprt"] = {
                "llr": test.llr,
                "lower": test.lower,
                "upper": test.upper,
                "decision": test.decision,
                "pairs": test.pairs,
            }
    return said | {
        "team_points": [
            sum(team_points(games, team) for games in found) for team in range(len(meeting.teams))
        ],
        "team_shares": [
            sum(team_share(games, team) for games in found) for team in range(len(meeting.teams))
        ],
    }


def _why_left_out(config: Config, results: Results, meeting: Meeting) -> str:
    """Return why groups of a meeting were not played, where some were not."""
    stopped = [config.entrants[one].name for one in meeting.entrants if results.is_out(one)]
    if stopped:
        return f"{' and '.join(stopped)} stopped"
    test = results.sprt(meeting)
    if test is not None and test.decision:
        return f"decided after {test.pairs} pairs"
    return "" if results.finished else "not finished"


def _paired(found: Sequence[tuple[Game, ...]]) -> Summary:
    """Return how the first of two teams did: pair by pair, and match by match."""
    ahead = [difference(games) for games in found]
    outcomes = Counter(_outcome(game, turn) for games in found for turn, game in enumerate(games))
    return {
        "pairs": {
            "won": sum(one > 0 for one in ahead),
            "drawn": sum(one == 0 for one in ahead),
            "lost": sum(one < 0 for one in ahead),
        },
        "matches": {name: outcomes[name] for name in ("won", "drawn", "lost")},
        "difference": _mean(mean_of([float(one) for one in ahead])),
        "differences": ahead,
    }


def _mean(mean: Mean | None) -> Summary | None:
    if mean is None:
        return None
    return {"mean": mean.mean, "low": mean.low, "high": mean.high, "count": mean.count}


def _crosstable(
    names: Sequence[str],
    meetings: Sequence[Meeting],
    valid: Mapping[str, Sequence[tuple[Game, ...]]],
) -> list[list[Summary | None]]:
    """Return for each entrant and each other how the first did against the second."""
    ahead: defaultdict[tuple[int, int], list[float]] = defaultdict(list)
    for meeting in meetings:
        first, second = meeting.entrants
        for games in valid[meeting.name]:
            one = float(difference(games))
            ahead[first, second].append(one)
            ahead[second, first].append(-one)
    return [
        [
            None
            if not ahead[row, column]
            else {
                "pairs": len(ahead[row, column]),
                "share": sum(
                    1.0 if one > 0 else _HALF if one == 0 else 0.0 for one in ahead[row, column]
                )
                / len(ahead[row, column]),
                "difference": sum(ahead[row, column]) / len(ahead[row, column]),
            }
            for column in range(len(names))
        ]
        for row in range(len(names))
    ]


def _seats(config: Config, counting: Sequence[Game], places: Mapping[int, Rating]) -> list[Summary]:
    """Return what it is worth to sit at a place: every team has every one as often."""
    sides = 2 if config.seats == 4 else config.seats  # noqa: PLR2004 - four seats are two sides
    found = []
    for side in range(sides):
        outcomes = Counter(_outcome(game, side) for game in counting)
        scores = [float(game.scores[side]) for game in counting]
        rating = places.get(side)
        found.append(
            {
                "seats": list(range(side, config.seats, sides)),
                "won": outcomes["won"],
                "drawn": outcomes["drawn"],
                "lost": outcomes["lost"],
                "points": sum(scores) / len(scores) if scores else None,
                "rating": None if rating is None else _rating(rating),
            }
        )
    return found


def _group(name: str, number: int, games: tuple[Game, ...], names: Sequence[str]) -> Summary:
    return {
        "meeting": name,
        "pair": number,
        "group": f"{name}-p{number}",
        "matches": [
            {
                "match_id": game.match_id,
                "seats": [names[one] for one in game.seats],
                "scores": list(game.scores),
                "winners": list(game.winners),
            }
            for game in games
        ],
    }
