"""Tournaments and results for tests, without a referee."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ronda.v1.rule_set_pb2 import RuleSet
from ronda_tournament.config import Config, Entrant, Limits, Sprt
from ronda_tournament.results import Results
from ronda_tournament.schedule import Meeting


def config(
    *,
    entrants: int = 4,
    form: str = "round-robin",
    seats: int = 2,
    partners: str = "same",
    pairs: int = 2,
    rounds: int = 0,
    sprt: Sprt | None = None,
    rule_sets: int = 1,
) -> Config:
    """Give a tournament of entrants that are called a, b, c and so on."""
    names = tuple(f"rules-{number}" for number in range(rule_sets))
    return Config(
        name="Cup",
        format=form,
        seats=seats,
        rule_sets=names,
        rules=tuple(RuleSet(id=name) for name in names),
        entrants=tuple(Entrant(chr(97 + one), builtin="greedy") for one in range(entrants)),
        pairs=pairs,
        partners=partners,
        rounds=rounds,
        champion=0,
        concurrency=4,
        move_seconds=10.0,
        seed=None,
        sprt=sprt,
        limits=Limits(),
        folder=Path(),
    )


def ended(meeting: Meeting, pair: int, game: int, scores: tuple[int, ...]) -> dict[str, Any]:
    """Give the journal's line of a match; who has most points has won, or they share a draw."""
    best = max(scores)
    return {
        "type": "ended",
        "group": f"{meeting.name}-p{pair}",
        "game": game,
        "match_id": f"{meeting.name}-p{pair}-{game}",
        "seats": list(meeting.games()[game]),
        "scores": list(scores),
        "winners": [side for side, score in enumerate(scores) if score == best],
        "moves": 36,
        "sha256": "",
    }


def play(
    results: Results, meeting: Meeting, pairs: Iterable[tuple[tuple[int, int], tuple[int, int]]]
) -> None:
    """Note pairs of two matches, each given by the points of its seats."""
    for pair, games in enumerate(pairs, 1):
        for game, scores in enumerate(games):
            line = ended(meeting, pair, game, scores)
            created = {key: line[key] for key in ("group", "game", "match_id", "seats")}
            results.apply({"type": "created", **created})
            results.apply(line)
