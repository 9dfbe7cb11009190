"""What the clients of a soak keep: every acknowledgement and refusal, and what went wrong."""

import asyncio
import contextlib
import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from ronda.v1.move_pb2 import Move


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """A move that the referee has acknowledged.

    Attributes:
        seat: whose it is.
        request_id: what it was sent under.
        decision_id: the decision that it answers.
        sequence: the record that it is said to be.
        content: the move, serialised.
    """

    seat: int
    request_id: str
    decision_id: int
    sequence: int
    content: bytes


@dataclass(slots=True)
class Ledger:
    """Everything that the clients know.

    Attributes:
        acknowledged: the acknowledged moves, by match.
        refused: seat and request id of the moves that were refused, by match.
        sent: seat and request id of everything that was sent, by match.
        reasons: how often each reason was given for a refusal.
        acknowledgements: how many came in; a move sent twice has two.
        ended: the matches of which some seat has seen the end.
        counts: how often else something happened, by what.
        faults: what went wrong.
    """

    acknowledged: dict[str, list[Acknowledged]] = field(default_factory=lambda: defaultdict(list))
    refused: dict[str, set[tuple[int, str]]] = field(default_factory=lambda: defaultdict(set))
    sent: dict[str, set[tuple[int, str]]] = field(default_factory=lambda: defaultdict(set))
    reasons: Counter[str] = field(default_factory=Counter)
    acknowledgements: int = 0
    ended: set[str] = field(default_factory=set)
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    _wanted: float = math.inf
    _reached: asyncio.Event = field(default_factory=asyncio.Event)

    def sends(self, match_id: str, seat: int, request_id: str) -> None:
        """Note what is about to be sent."""
        self.sent[match_id].add((seat, request_id))

    def acknowledges(
        self,
        match_id: str,
        seat: int,
        request_id: str,
        decision_id: int,
        sequence: int,
        move: Move,
    ) -> None:
        """Note an acknowledgement."""
        self.acknowledgements += 1
        if self.acknowledgements >= self._wanted:
            self._reached.set()
        content = move.SerializeToString(deterministic=True)
        self.acknowledged[match_id].append(
            Acknowledged(seat, request_id, decision_id, sequence, content)
        )

    def refuses(self, match_id: str, seat: int, request_id: str, reason: str) -> None:
        """Note a refusal."""
        self.reasons[reason] += 1
        self.refused[match_id].add((seat, request_id))

    def fault(self, where: str, what: str) -> None:
        """Note something that must not be."""
        self.faults.append(f"{where}: {what}")

    async def reach(self, acknowledgements: float, seconds: float) -> None:
        """Wait until so many moves were acknowledged, but for no more than so many seconds."""
        self._wanted = acknowledgements
        self._reached.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._reached.wait(), seconds)

    @property
    def progress(self) -> int:
        """A number that grows whenever something gets on."""
        return self.acknowledgements + len(self.ended) + sum(self.reasons.values())
