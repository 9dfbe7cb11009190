"""Playing one seat of a match from joining it to the end."""

import asyncio
import enum
import secrets
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, aclosing, nullcontext
from dataclasses import dataclass
from typing import Protocol, Self

from ronda.v1.log_pb2 import EndReason, LogRecord, MatchResult
from ronda.v1.move_pb2 import Move
from ronda.v1.referee_service_pb2 import Turn
from ronda_client.backoff import Backoff
from ronda_client.bot import Bot, ask, begin, tell
from ronda_client.chain import SeenRecord
from ronda_client.client import RefereeClient
from ronda_client.errors import FalseRecord, RefereeError
from ronda_client.logger import log

ENTROPY_SIZE = 32
_NAME_LENGTH = 64
_SAME_TOKEN = ", unless another process plays with the same token"


# A decision that was closed before the answer came: by somebody else with the token, or by the
# referee when the time had run out, the seat had forfeited or the match had ended.
_CLOSED = frozenset({"STALE_DECISION", "MATCH_OVER", "SEAT_FORFEITED", "MATCH_CANCELLED"})


class Outcome(enum.Enum):
    """How a match ended for one side."""

    WON = "won"
    LOST = "lost"
    DRAWN = "drawn"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How a match ended for one seat.

    Attributes:
        match_id: The match.
        seat: The seat.
        side: Its side: with four seats 0 for seats 0 and 2, 1 for seats 1 and 3; else the seat.
        outcome: Whether its side won, lost, or shares a draw, or nobody won: it was cancelled.
        winners: The side that won, or the sides that share a draw; empty: it was cancelled.
        scores: Total points, by side.
        reason: How the match ended.
        moves: How many moves the seat made.
    """

    match_id: str
    seat: int
    side: int
    outcome: Outcome
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    reason: EndReason.ValueType
    moves: int


def side_of(seat: int, seats: int) -> int:
    """Return the side that a seat plays for in a match of so many seats."""
    return seat % 2 if seats == 4 else seat  # noqa: PLR2004 - four seats make two sides


async def play_seat(
    client: RefereeClient,
    match_id: str,
    seat_token: str,
    bot: Bot,
    *,
    name: str | None = None,
    entropy: bytes | None = None,
) -> SeatResult:
    """Play one seat with a bot: join, answer every turn, and return the result at the end.

    The seat joins once it has seen the log's header, so that the referee is bound to its seed
    before it knows what the seat brings to the shuffle, and the log goes on from that header. What
    the log says that this seat brought and moved is compared with what it did.

    Lost connections and a referee that stops and comes back are waited out. A decision is put
    to the bot once; what it chose is sent until the referee has answered, and never changed.
    Where the seat was joined before, by this bot in an earlier run, it is played on. A bot that is
    an `Observer` sees every event of the match once, from the first on, before the decision that
    follows it.

    Args:
        client: The referee.
        match_id: The match.
        seat_token: The seat's token.
        bot: The player.
        name: The name to go by, up to 64 characters; None: the name of the bot's class.
        entropy: Up to 64 bytes that enter the shuffle; None: 32 random ones.

    Raises:
        BotError: The bot raised, exited, or chose what is no move.
        RefereeError: The referee refused; for an illegal move with the rule's clause.
        ForkedLog: The referee's log does not continue what it sent before.
        FalseRecord: The log says something of this seat that it did not do.
        RefereeUnavailableError: The referee stayed away for longer than patience allows.
    """
    brought = Brought.of(bot, name, entropy)
    table = _OwnCalls(client, match_id, seat_token)
    return await Player(table, bot, brought, nullcontext()).play()


def run(
    bot: Bot,
    target: str,
    match_id: str,
    seat_token: str,
    *,
    name: str | None = None,
    backoff: Backoff | None = None,
) -> SeatResult:
    """Play one seat from a script that is not async; otherwise as `play_seat`.

    Args:
        bot: The player.
        target: Where the referee listens, as `host:port`.
        match_id: The match.
        seat_token: The seat's token.
        name: The name to go by; None: the name of the bot's class.
        backoff: How to wait where the referee does not answer; None: the usual waits.

    Raises:
        ClientError: As `play_seat`.
    """

    async def session() -> SeatResult:
        async with RefereeClient.connect(target, backoff=backoff) as client:
            return await play_seat(client, match_id, seat_token, bot, name=name)

    return asyncio.run(session())


@dataclass(frozen=True, slots=True)
class Brought:
    """What a seat joins with: its name, and bytes of its own for the shuffle."""

    name: str
    entropy: bytes

    @classmethod
    def of(cls, bot: Bot, name: str | None, entropy: bytes | None) -> Self:
        """Return what is given, and else the name of the bot's class and 32 random bytes."""
        return cls(
            type(bot).__name__[:_NAME_LENGTH] if name is None else name,
            secrets.token_bytes(ENTROPY_SIZE) if entropy is None else entropy,
        )


class Table(Protocol):
    """How a seat is played: what comes of its match, and what it says, by whatever calls.

    Attributes:
        match_id: The match.
    """

    match_id: str

    @property
    def seat(self) -> int | None:
        """The seat, where the referee has said which it is before any turn."""
        ...

    def watch(self) -> AsyncGenerator[SeenRecord | Turn, None]:
        """Yield the log's header, what else is followed of the log, and the turns, to the end."""
        ...

    async def join(self, name: str, entropy: bytes) -> int:
        """Take the seat and return its number."""
        ...

    async def submit_move(self, decision_id: int, move: Move) -> int:
        """Submit a move and return the sequence number of its record."""
        ...


class _OwnCalls:
    """A seat that is played with the simple calls."""

    def __init__(self, client: RefereeClient, match_id: str, seat_token: str) -> None:
        self.match_id = match_id
        self._client = client
        self._token = seat_token

    @property
    def seat(self) -> int | None:
        return None

    def watch(self) -> AsyncGenerator[SeenRecord | Turn, None]:
        return self._client.watch(self.match_id, self._token)

    async def join(self, name: str, entropy: bytes) -> int:
        return await self._client.join(self.match_id, self._token, name=name, entropy=entropy)

    async def submit_move(self, decision_id: int, move: Move) -> int:
        return await self._client.submit_move(self.match_id, self._token, decision_id, move)


class Player:
    """One seat's session."""

    def __init__(
        self,
        table: Table,
        bot: Bot,
        brought: Brought,
        asking: AbstractAsyncContextManager[object],
    ) -> None:
        """Play a seat with a bot, which is asked while `asking` is held."""
        self._table = table
        self._match_id = table.match_id
        self._bot = bot
        self._asking = asking
        self._seat: int | None = None
        self._seats = 0
        self._brought: Brought | None = brought
        self._sent: dict[int, Move] = {}
        self._moves = 0
        self._result: MatchResult | None = None

    async def _join(self, brought: Brought) -> None:
        try:
            self._seat = await self._table.join(brought.name, brought.entropy)
        except RefereeError as error:
            if error.reason != "ALREADY_JOINED":
                raise
            # Whoever joined had the token, so the seat is ours; which one, its cards will tell,
            # and what it brought only whoever joined knows.
            self._brought = None
            log().info("seat_joined_before", match_id=self._match_id)

    async def play(self) -> SeatResult:
        """Play to the end; raises as `play_seat`."""
        async with aclosing(self._table.watch()) as items:
            async for item in items:
                if isinstance(item, Turn):
                    await self._answer(item)
                else:
                    await self._note(item)
        seat = self._table.seat if self._seat is None else self._seat
        if self._result is None or seat is None:
            raise RuntimeError(f"the log of match {self._match_id} ended without a result")
        return self._seat_result(self._result, seat)

    async def _note(self, seen: SeenRecord) -> None:
        match seen.record.WhichOneof("record"):
            case "header":
                header = seen.record.header
                self._seats = header.seats
                begin(self._bot, self._match_id, None, header.rule_set, header.seats)
                if self._brought is not None:
                    await self._join(self._brought)
            case "seat_joined":
                self._check_joined(seen.record)
            case "move_accepted":
                self._check_move(seen)
            case "match_result":
                self._result = seen.record.match_result
            case _:
                if self._seat is None and seen.opened and seen.opened.HasField("hand_dealt"):
                    self._seat = seen.opened.hand_dealt.seat
                if seen.event is not None:
                    tell(self._bot, self._match_id, self._seat, seen.event)

    async def _answer(self, turn: Turn) -> None:
        decision_id = turn.decision.decision_id
        if decision_id in self._sent:
            return
        async with self._asking:
            move = await ask(self._bot, self._match_id, turn)
        # Before it is sent: once an attempt was made the answer stands.
        self._sent[decision_id] = move
        self._seat = turn.decision.seat
        try:
            await self._table.submit_move(decision_id, move)
        except RefereeError as error:
            if error.reason not in _CLOSED:
                seat = turn.decision.seat
                asked = f"seat {seat} of match {self._match_id}, decision {decision_id}"
                raise RefereeError(
                    error.code, error.reason, f"{error.detail} ({asked})", error.metadata
                ) from error
            # Somebody else with the token was faster, or the referee decided for the seat. What
            # is asked now, if anything, comes as a turn of its own.
            log().warning(
                "decision_closed_before",
                match_id=self._match_id,
                seat=turn.decision.seat,
                decision_id=decision_id,
            )
        else:
            self._moves += 1

    def _check_joined(self, record: LogRecord) -> None:
        joined = record.seat_joined
        if self._brought is None or joined.seat != self._seat:
            return
        if Brought(joined.name, joined.entropy) != self._brought:
            detail = f"seat {joined.seat} joined with another name or other bytes{_SAME_TOKEN}"
            raise FalseRecord(self._match_id, record.sequence, detail)

    def _check_move(self, seen: SeenRecord) -> None:
        accepted = seen.record.move_accepted
        if accepted.automatic:
            self._check_automatic(seen.record)
            return
        # A seat's own answer is opened to it where it is hidden from the others.
        recorded = accepted.move if seen.opened_move is None else seen.opened_move
        sent = self._sent.get(accepted.decision_id)
        if sent is not None and accepted.seat == self._seat and recorded != sent:
            detail = f"seat {accepted.seat} answered decision {accepted.decision_id} otherwise"
            raise FalseRecord(self._match_id, seen.record.sequence, detail + _SAME_TOKEN)

    def _check_automatic(self, record: LogRecord) -> None:
        """Check that the referee moved in a seat's stead only when the seat was too late."""
        accepted = record.move_accepted
        if accepted.HasField("deadline_ms") and record.clock_ms < accepted.deadline_ms:
            detail = f"the referee moved for seat {accepted.seat} before its time had run out"
            raise FalseRecord(self._match_id, record.sequence, detail)

    def _seat_result(self, result: MatchResult, seat: int) -> SeatResult:
        side = side_of(seat, self._seats)
        outcome = Outcome.LOST if result.winners else Outcome.CANCELLED
        if side in result.winners:
            outcome = Outcome.WON if len(result.winners) == 1 else Outcome.DRAWN
        return SeatResult(
            self._match_id,
            seat,
            side,
            outcome,
            tuple(result.winners),
            tuple(result.scores),
            result.reason,
            self._moves,
        )
