"""The seats of a soak, each behaving as its plan says."""

import asyncio
import random
from collections.abc import Sequence
from contextlib import aclosing

from ronda.v1 import log_pb2
from ronda.v1.card_pb2 import Card, Rank, Suit
from ronda.v1.move_pb2 import Move, Play
from ronda.v1.referee_service_pb2 import Turn
from ronda_client import RefereeClient, RefereeError, SeenRecord
from tests.soak.ledger import Acknowledged, Ledger
from tests.soak.lines import Line
from tests.soak.plan import POLITE_GARBAGE, Clock, Manner, MatchPlan, Way

# Why a sound move may come to nothing: the match went on or ended without it.
_OVERTAKEN = {"STALE_DECISION", "MATCH_OVER", "MATCH_CANCELLED", "SEAT_FORFEITED"}
# Why a move is refused that answers when its time is over.
_TOO_LATE = {"STALE_DECISION", "MATCH_OVER", "SEAT_FORFEITED"}

_PACK = [
    Card(rank=rank, suit=suit)
    for rank in Rank.values()
    for suit in Suit.values()
    if rank != Rank.RANK_UNSPECIFIED and suit != Suit.SUIT_UNSPECIFIED
]


class _Leaves(Exception):
    """The seat gives its line up: for good, or to come back."""

    def __init__(self, *, comes_back: bool) -> None:
        self.comes_back = comes_back


class Seat:
    """One seat of one match, from joining to the end or to where it gives up.

    Attributes:
        stopped: set when it answers no more.
    """

    def __init__(
        self,
        plan: MatchPlan,
        match_id: str,
        number: int,
        line: Line,
        client: RefereeClient,
        ledger: Ledger,
        chance: random.Random,
    ) -> None:
        """Take the seat's line, and a client for what goes beside it."""
        self.stopped = asyncio.Event()
        self._plan = plan
        self._match_id = match_id
        self._number = number
        self._line = line
        self._client = client
        self._ledger = ledger
        self._chance = chance
        self._manner = plan.manners[number]
        self._requests = 0
        self._garbage = 0
        self._refused = 0
        self._answered: set[int] = set()
        self._left_open: Turn | None = None
        self._last: tuple[Acknowledged, Move] | None = None
        self._next = 0
        self._head = bytes(32)

    @property
    def name(self) -> str:
        """The name that it goes by."""
        return f"seat {self._number} {self._manner.name.lower()}"

    @property
    def where(self) -> str:
        """What says in a report which seat it is."""
        plan = self._plan
        return (
            f"match {self._match_id} ({plan.rule_set}, {plan.seats} seats, {plan.clock}, "
            f"{plan.way}) seat {self._number} ({self._manner})"
        )

    async def run(self) -> None:
        """Play; whatever goes wrong is noted, and ends this seat alone."""
        try:
            await self._run()
        except Exception as error:  # noqa: BLE001 - a fault is what the soak looks for
            self._ledger.fault(self.where, f"{type(error).__name__}: {error}")
        finally:
            self.stopped.set()

    async def _run(self) -> None:
        if self._manner is Manner.ABSENT:
            return
        try:
            entropy = self._chance.randbytes(8)
            args = self._match_id, self._line.token
            seat = await self._client.join(*args, name=self.name, entropy=entropy)
        except RefereeError as error:
            if error.reason != "MATCH_CANCELLED" or Manner.ABSENT not in self._plan.manners:
                raise
            self._ledger.reasons[error.reason] += 1
        else:
            if seat != self._number:
                self._ledger.fault(self.where, f"the referee took it for seat {seat}")
        while await self._sits():
            self._ledger.counts["returns"] += 1
            if self._plan.way is Way.CALLS and self._chance.random() < 0.5:
                self._line.token = await self._client.rotate_seat_token(
                    self._match_id, self._line.token
                )
                self._ledger.counts["tokens rotated"] += 1

    async def _sits(self) -> bool:
        """Follow the match from where the seat has come; tell whether it comes back again."""
        try:
            async with aclosing(self._line.items()) as items:
                async for item in items:
                    if isinstance(item, SeenRecord):
                        await self._sees(item)
                    else:
                        await self._is_asked(item)
        except _Leaves as leaves:
            return leaves.comes_back
        self._ledger.ended.add(self._match_id)
        if self._manner is Manner.TWICE and self._last is not None:
            await self._repeats(*self._last)
        return False

    async def _sees(self, seen: SeenRecord) -> None:
        record = seen.record
        if record.sequence != self._next or record.previous_hash != self._head:
            self._ledger.fault(self.where, f"record {record.sequence} does not follow")
        self._next, self._head = record.sequence + 1, seen.hash
        if self._manner is Manner.LATE and self._left_open is not None and self._passed_by(record):
            turn, self._left_open = self._left_open, None
            await self._refused_with(_TOO_LATE, turn, self._chance.choice(_legal(turn)))
            self._ledger.counts["late answers"] += 1

    def _passed_by(self, record: log_pb2.LogRecord) -> bool:
        if record.HasField("forfeit_declared"):
            return record.forfeit_declared.seat == self._number
        return record.move_accepted.automatic and record.move_accepted.seat == self._number

    async def _is_asked(self, turn: Turn) -> None:
        decision = turn.decision.decision_id
        if decision in self._answered:
            return
        if self._manner is Manner.GARBAGE_ONLY:
            await self._sends_garbage_only(turn)
        elif self._is_through():
            await self._stops(turn)
        else:
            await self._answers(turn)

    def _is_through(self) -> bool:
        stops = self._manner in {Manner.CRASHES, Manner.HANGS, Manner.LATE}
        return stops and len(self._answered) >= self._plan.patience

    async def _stops(self, turn: Turn) -> None:
        self.stopped.set()
        self._left_open = turn
        if self._manner is not Manner.CRASHES:
            return
        if self._chance.random() < 0.5:
            # It dies with a move on its way: that one may count or not.
            move = self._chance.choice(_legal(turn))
            sending = asyncio.create_task(self._sends(turn, move, self._request_id()))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
        raise _Leaves(comes_back=False)

    async def _answers(self, turn: Turn) -> None:
        decision = turn.decision.decision_id
        if self._manner is Manner.GARBLES and self._chance.random() < 0.3:
            await self._sends_garbage(turn)
        if self._plan.clock is Clock.AUTOMATIC and self._chance.random() < 0.1:
            # At the deadline, a little before or after: whatever it is told must be so.
            left = turn.decision.milliseconds_left / 1000
            await asyncio.sleep(max(0.0, left + self._chance.uniform(-0.02, 0.02)))
            self._ledger.counts["answers at the deadline"] += 1
        move, request_id = self._chance.choice(_legal(turn)), self._request_id()
        try:
            sequence = await self._sends(turn, move, request_id)
        except RefereeError as error:
            self._ledger.refuses(self._match_id, self._number, request_id, error.reason)
            if error.reason not in _OVERTAKEN or not self._may_be_overtaken():
                self._ledger.fault(self.where, f"a legal move was refused: {error}")
            return
        self._answered.add(decision)
        acknowledged = Acknowledged(
            self._number, request_id, decision, sequence, move.SerializeToString()
        )
        self._last = acknowledged, move
        if self._manner is Manner.TWICE:
            await self._repeats(acknowledged, move)
        if self._manner is Manner.RETURNS and self._chance.random() < 0.1:
            raise _Leaves(comes_back=True)

    def _may_be_overtaken(self) -> bool:
        """Whether anything but the seat's own move can close its decision."""
        plan = self._plan
        return plan.clock is Clock.AUTOMATIC or plan.expected.reason != "PLAYED"

    async def _sends(self, turn: Turn, move: Move, request_id: str) -> int:
        decision = turn.decision.decision_id
        self._ledger.sends(self._match_id, self._number, request_id)
        sequence = await self._line.submit(decision, move, request_id)
        self._ledger.acknowledges(
            self._match_id, self._number, request_id, decision, sequence, move
        )
        return sequence

    async def _repeats(self, acknowledged: Acknowledged, move: Move) -> None:
        """Send a move again, and its request id with another move."""
        decision, request_id = acknowledged.decision_id, acknowledged.request_id
        # After the match nobody is on the stream any more; a call is as good.
        calls = self._match_id in self._ledger.ended
        sequence = await self._again(decision, move, request_id, by_call=calls)
        if sequence != acknowledged.sequence:
            first = acknowledged.sequence
            self._ledger.fault(self.where, f"a move was {first} and, sent again, {sequence}")
        other = Move(play=Play(card=self._chance.choice(_PACK)))
        if other == move:
            return
        try:
            sequence = await self._again(decision, other, request_id, by_call=calls)
        except RefereeError as error:
            self._ledger.reasons[error.reason] += 1
            if error.reason != "REQUEST_ID_REUSED":
                self._ledger.fault(self.where, f"a request id was used twice: {error}")
        else:
            self._ledger.fault(self.where, f"a request id was taken twice, as {sequence}")
        self._ledger.counts["answers repeated"] += 1

    async def _again(self, decision: int, move: Move, request_id: str, *, by_call: bool) -> int:
        if not by_call:
            return await self._line.submit(decision, move, request_id)
        return await self._client.submit_move(
            self._match_id, self._line.token, decision, move, request_id=request_id
        )

    async def _sends_garbage(self, turn: Turn) -> None:
        """Send one thing that must be refused, whatever it is."""
        if self._garbage >= POLITE_GARBAGE:
            return
        self._garbage += 1
        decision = turn.decision.decision_id
        kind = self._chance.randrange(5)
        legal = self._chance.choice(_legal(turn))
        move = (self._foreign(turn), Move(), legal, legal, Move(play=Play()))[kind]
        if kind == 2:
            decision += 1_000_000
        request_id = self._request_id()
        if kind == 3 and self._plan.way is Way.CALLS:
            request_id += " much too long" * 5
        elif kind == 3:
            # On a stream the answer could not be told from others: it repeats 64 characters.
            request_id += " in\ntwo lines"
        await self._must_be_refused(decision, move, request_id)

    async def _sends_garbage_only(self, turn: Turn) -> None:
        """Send what the rules refuse, until the seat has forfeited or its turn is over."""
        decision = turn.decision.decision_id
        most = self._plan.terms.most_refusals or 10
        while self._refused <= most:
            move = self._foreign(turn)
            if self._refused < most and self._chance.random() < 0.5:
                # What cannot be read is refused as such, also when the match is over.
                move = Move()
            reason = await self._must_be_refused(decision, move, self._request_id())
            if reason in _TOO_LATE:
                return
            self._refused += 1
        self._ledger.fault(self.where, f"{self._refused} moves were refused, {most} may be")
        raise _Leaves(comes_back=False)

    async def _refused_with(self, reasons: set[str], turn: Turn, move: Move) -> None:
        decision = turn.decision.decision_id
        reason = await self._must_be_refused(decision, move, self._request_id())
        if reason not in reasons:
            self._ledger.fault(self.where, f"a late answer was refused as {reason}")

    async def _must_be_refused(self, decision: int, move: Move, request_id: str) -> str:
        self._ledger.sends(self._match_id, self._number, request_id)
        try:
            sequence = await self._line.submit(decision, move, request_id)
        except RefereeError as error:
            self._ledger.refuses(self._match_id, self._number, request_id, error.reason)
            return error.reason
        self._ledger.fault(self.where, f"what must be refused was accepted as {sequence}: {move}")
        return ""

    def _foreign(self, turn: Turn) -> Move:
        """Give the move that plays a card which the seat does not hold."""
        hand = list(turn.view.hand)
        return Move(play=Play(card=self._chance.choice([c for c in _PACK if c not in hand])))

    def _request_id(self) -> str:
        self._requests += 1
        return f"{self._number}-{self._requests}"


def _legal(turn: Turn) -> Sequence[Move]:
    return turn.decision.legal_moves
