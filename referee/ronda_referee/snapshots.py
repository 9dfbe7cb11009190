"""What may be shown of a match, and to those without a seat some turns later."""

from collections import deque
from dataclasses import dataclass

from ronda_referee.clocks import Clock
from ronda_rules.state import MatchState


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What may be shown of a match at one time.

    Attributes:
        sequence: how many records of its log.
        state: the state, or None before it has started.
        clocks: the seats' clocks, by seat; empty where no clock runs.
        turns: how many cards had been played.
    """

    sequence: int
    state: MatchState | None
    clocks: tuple[Clock, ...] = ()
    turns: int = 0


class Delay:
    """The snapshots that those without a seat may not be shown yet."""

    def __init__(self, turns: int) -> None:
        """Show what was so many turns ago."""
        self._turns = turns
        self._past: deque[Snapshot] = deque()

    def after(self, now: Snapshot) -> Snapshot | None:
        """Give what may be shown once a match stands so; None: what was shown before."""
        self._past.append(now)
        shown = None
        while self._past and self._past[0].turns <= now.turns - self._turns:
            shown = self._past.popleft()
        return shown
