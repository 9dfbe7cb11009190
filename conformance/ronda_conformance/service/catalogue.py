"""All checks, in the order of their subjects."""

from ronda_conformance.service import (
    calls_refused,
    clocks,
    creating,
    ends,
    hidden,
    joining,
    lists,
    logs,
    moves,
    other_tokens,
    play_streams,
    restarts,
    resuming,
    sealed,
    spectators,
    tokens,
    views,
    watching,
    windows,
)
from ronda_conformance.service.checks import CHECKS, Check

# Importing them registers their checks.
SUBJECTS = (
    calls_refused,
    clocks,
    creating,
    ends,
    hidden,
    joining,
    lists,
    logs,
    moves,
    other_tokens,
    play_streams,
    resuming,
    restarts,
    sealed,
    spectators,
    tokens,
    views,
    watching,
    windows,
)


def all_checks() -> list[Check]:
    """Give every check, by id."""
    return sorted(CHECKS, key=lambda one: one.id)
