"""Playing many matches over one stream.

A bot that plays hundreds of matches at once does so with one connection, and what happens in many
matches at once travels together::

    async with RefereeClient.connect("127.0.0.1:7632") as client:
        results = await play_seats(client, seats, LastMoveBot())
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing
from types import TracebackType
from typing import Self

from ronda.v1.move_pb2 import Move
from ronda.v1.referee_service_pb2 import Turn
from ronda_client.bot import Bot, BotMaker, Observer, is_maker, made
from ronda_client.chain import Chain, SeenRecord
from ronda_client.client import RefereeClient
from ronda_client.errors import ClientError
from ronda_client.play_connection import Ended, PlayConnection, StreamedSeat
from ronda_client.seat import Brought, Player, SeatResult

BOT_CALLS_AT_ONCE = 64

# Where the log is not followed, its first record and its last are fetched by streams of their own.
_GLANCES_AT_ONCE = 8


async def play_seats(
    client: RefereeClient,
    seats: Iterable[tuple[str, str]],
    bot: Bot | BotMaker,
    *,
    name: str | None = None,
    verify: bool = True,
    bot_calls_at_once: int = BOT_CALLS_AT_ONCE,
) -> dict[str, SeatResult | ClientError]:
    """Play a seat each of many matches at once, with one bot over one stream.

    Each match is played as `play_seat` does, and one that fails ends no other.

    Args:
        client: The referee.
        seats: Match id and seat token of each seat; one seat of a match.
        bot: The player of all of them, or what makes one for each: a class or a function without
            arguments. A bot that is an `Observer` remembers one match, so it must be made for
            each.
        name: The name to go by; None: the name of the bot's class.
        verify: Whether the logs are followed and checked, as `SeatStream.play` says.
        bot_calls_at_once: How many calls of an async bot may be under way.

    Returns:
        By match id, how it ended for the seat, or the error that `play_seat` would have raised.

    Raises:
        ValueError: Two of the seats are of one match, or several matches would tell one bot what
            happens in them.
    """
    tokens: dict[str, str] = {}
    for match_id, token in seats:
        if match_id in tokens:
            raise ValueError(f"two of the seats are of match {match_id}")
        tokens[match_id] = token
    if len(tokens) > 1 and not is_maker(bot) and isinstance(bot, Observer):
        raise ValueError(
            f"{type(bot).__name__} sees the events of one match: give what makes a bot for each, "
            "as its class"
        )
    results: dict[str, SeatResult | ClientError] = {}

    async def play(stream: SeatStream, match_id: str, token: str) -> None:
        try:
            player = made(bot, match_id)
            results[match_id] = await stream.play(match_id, token, player, name=name, verify=verify)
        except ClientError as error:
            results[match_id] = error

    async with (
        SeatStream(client, bot_calls_at_once=bot_calls_at_once) as stream,
        asyncio.TaskGroup() as group,
    ):
        for match_id, token in tokens.items():
            group.create_task(play(stream, match_id, token), name=f"match {match_id}")
    return {match_id: results[match_id] for match_id in tokens}


class SeatStream:
    """One stream for many seats, as an async context.

    It is used as::

        async with SeatStream(client) as stream:
            first = asyncio.create_task(stream.play(match_id, seat_token, bot))
            ...

    Seats may be added at any time. A stream plays one seat of a match; for the others of the same
    match there are other streams.
    """

    def __init__(
        self, client: RefereeClient, *, bot_calls_at_once: int = BOT_CALLS_AT_ONCE
    ) -> None:
        """Take the referee; nothing is sent before the first seat.

        Args:
            client: The referee, open for at least as long as the stream.
            bot_calls_at_once: How many calls of async bots may be under way; the others wait, and
                no match waits for the bot of another that has its turn.
        """
        self._client = client
        self._asking = asyncio.Semaphore(bot_calls_at_once)
        self._glancing = asyncio.Semaphore(_GLANCES_AT_ONCE)
        self._connection = PlayConnection(client)
        self._running: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._running = asyncio.create_task(self._connection.run(), name="play stream")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await running

    async def play(
        self,
        match_id: str,
        seat_token: str,
        bot: Bot,
        *,
        name: str | None = None,
        entropy: bytes | None = None,
        verify: bool = True,
    ) -> SeatResult:
        """Play one seat to the end of its match, as `play_seat` does, over this stream.

        Args:
            match_id: The match.
            seat_token: The seat's token.
            bot: The player, for this match alone or for many.
            name: The name to go by, up to 64 characters; None: the name of the bot's class.
            entropy: Up to 64 bytes that enter the shuffle; None: 32 random ones.
            verify: Whether the log is followed as it grows and compared with what the seat did.
                Without it turns and the result are taken as they come, for half the traffic; the
                log file can be audited afterwards. Either way the seat joins after the log's
                header is there. For a bot that is an `Observer` the log is followed anyway.

        Raises:
            BotError: The bot raised, exited, or chose what is no move.
            RefereeError: The referee refused; for an illegal move with the rule's clause.
            ForkedLog: The referee's log does not continue what it sent before.
            FalseRecord: The log says something of this seat that it did not do.
            RefereeUnavailableError: The referee stayed away for longer than patience allows.
            ValueError: The stream plays a seat of the match at this moment.
        """
        if self._running is None or self._running.done():
            raise RuntimeError("the stream is not open: use it within `async with`")
        follow = verify or isinstance(bot, Observer)
        table = _StreamTable(
            self._client, self._connection, self._glancing, match_id, seat_token, verify=follow
        )
        return await Player(table, bot, Brought.of(bot, name, entropy), self._asking).play()


class _StreamTable:
    """A seat that is played over a stream."""

    def __init__(
        self,
        client: RefereeClient,
        connection: PlayConnection,
        glancing: asyncio.Semaphore,
        match_id: str,
        seat_token: str,
        *,
        verify: bool,
    ) -> None:
        self.match_id = match_id
        self._client = client
        self._connection = connection
        self._glancing = glancing
        self._token = seat_token
        chain = Chain(match_id, 0, client.heads) if verify else None
        self._streamed = StreamedSeat(match_id, seat_token, chain)

    @property
    def seat(self) -> int | None:
        return self._streamed.seat

    async def watch(self) -> AsyncGenerator[SeenRecord | Turn, None]:
        streamed = self._streamed
        if streamed.chain is None:
            yield await self._record(0, "header")
        self._connection.add(streamed)
        try:
            while not isinstance(item := await streamed.next(), Ended):
                yield item
        finally:
            self._connection.remove(streamed)
        if streamed.chain is None:
            yield await self._record(streamed.next_sequence, "match_result")

    async def join(self, name: str, entropy: bytes) -> int:
        # Not over the stream, which takes a seat once: it was taken to see the header.
        return await self._client.join(self.match_id, self._token, name=name, entropy=entropy)

    async def submit_move(self, decision_id: int, move: Move) -> int:
        return await self._connection.submit(self._streamed, decision_id, move)

    async def _record(self, start: int, kind: str) -> SeenRecord:
        """Return the first record of a kind from a sequence number on."""
        watching = self._client.watch(self.match_id, self._token, from_sequence=start)
        async with self._glancing, aclosing(watching) as items:
            async for item in items:
                if isinstance(item, SeenRecord) and item.record.WhichOneof("record") == kind:
                    return item
        raise RuntimeError(f"the log of match {self.match_id} has no {kind} from {start} on")
