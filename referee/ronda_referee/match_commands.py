"""Commands that wait in a match's line, and what each has made of the match."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from ronda_referee.clocks import Stamp
from ronda_referee.match_log import LogRow
from ronda_referee.observing import observer
from ronda_referee.play import MatchPlay
from ronda_rules.errors import RulesError


@dataclass(frozen=True, slots=True)
class Done:
    """What a command has made of the match.

    Attributes:
        answer: what the caller is told once all of it is on disk.
        rows: the rows that are new.
        refusal: what the caller is told instead of the answer.
        names: names of seats that have joined.
        refusals: how many of a seat's moves have been refused by now.
        token_hashes: the hash of a seat's new token.
    """

    answer: int
    rows: list[LogRow] = field(default_factory=list)
    refusal: RulesError | None = None
    names: Mapping[int, str] = field(default_factory=dict)
    refusals: Mapping[int, int] = field(default_factory=dict)
    token_hashes: Mapping[int, bytes] = field(default_factory=dict)

    @property
    def changes(self) -> bool:
        """Whether there is anything to write."""
        return bool(self.rows or self.names or self.refusals or self.token_hashes)


Work: TypeAlias = Callable[[MatchPlay, Stamp], Done]


Told: TypeAlias = Callable[[int, Exception | None], None]
"""Is told what became of a command, the answer or an error; it must not raise."""


def nobody(_answer: int, _error: Exception | None) -> None:
    """Be told in the place of a caller, where nobody has asked."""


class Command:
    """Work to be done on a match; its caller is told once what it made is on disk."""

    __slots__ = ("came_in", "is_move", "told", "work")

    def __init__(self, work: Work, told: Told, *, is_move: bool = False) -> None:
        """Take in work that came just now; `is_move`: it is a seat's move, which is measured."""
        self.work = work
        self.told = told
        self.is_move = is_move
        self.came_in = observer().now()
