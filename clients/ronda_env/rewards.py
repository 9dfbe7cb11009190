"""Rewards: what each seat gets for what happened, always zero in the sum over all seats."""

from enum import StrEnum

from ronda_table import LocalMatch


class Rewards(StrEnum):
    """What seats are rewarded for.

    Partners get the same, and the rewards of all seats sum to zero in every step.
    """

    POINTS = "points"
    """As they are scored: by how many points the lead of the seat's side has grown, where a lead
    is the side's points less the mean of the other sides'. An episode's rewards sum to the final
    lead. A challenge that ends the match scores no points, and has no reward then."""

    WIN = "win"
    """At the end alone: 1 for the side that has won, and for the others -1, or -1/2 each where
    there are two of them; a draw 0, or between two of three sides 1/4 each and -1/2 for the third.
    A match that was cut off has none."""


def leads(match: LocalMatch) -> tuple[float, ...]:
    """Return by how many points each side is ahead of the mean of the others, by side."""
    total, others = sum(match.scores), len(match.scores) - 1
    return tuple(points - (total - points) / others for points in match.scores)


def shares(match: LocalMatch) -> tuple[float, ...]:
    """Return what each side has won, by side, as `Rewards.WIN` says; zeros before the end."""
    sides = len(match.scores)
    if not match.over:
        return (0.0,) * sides
    won = [1 / len(match.winners) if side in match.winners else 0.0 for side in range(sides)]
    return tuple((share * sides - 1) / (sides - 1) for share in won)


def standing(match: LocalMatch, rewards: Rewards) -> tuple[float, ...]:
    """Return what each side was rewarded with so far, by side."""
    return leads(match) if rewards is Rewards.POINTS else shares(match)
