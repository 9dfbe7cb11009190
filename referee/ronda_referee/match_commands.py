"""Commands that wait in a match's line, and what each has made of the match."""

import asyncio
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


class Command:
    """Work to be done on a match; its answer is given once what it made is on disk."""

    def __init__(self, work: Work, *, is_move: bool) -> None:
        """Take in work that came just now; `is_move`: it is a seat's move, which is measured."""
        self.work = work
        self.is_move = is_move
        self.came_in = observer().now()
        self.answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        # Whoever asked may be gone; the answer is then nobody's.
        self.answer.add_done_callback(lambda done: done.cancelled() or done.exception())
