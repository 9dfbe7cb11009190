"""A person's seat, or a spectator's place, at a referee."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing, nullcontext
from dataclasses import replace

import grpc

from ronda.v1.log_pb2 import LogRecord
from ronda.v1.move_pb2 import Move
from ronda.v1.referee_service_pb2 import Turn
from ronda_client import Backoff, RefereeClient, RefereeError, SeatResult, SeenRecord
from ronda_client.seat import Brought, Player
from ronda_terminal.feed import Feed
from ronda_terminal.person import Person

_NO_MORE: None = None

# What resigning may be refused with where there is nothing left to resign from.
_NOTHING_TO_RESIGN = frozenset({"MATCH_OVER", "MATCH_NOT_STARTED", "MATCH_CANCELLED"})


def noticed(backoff: Backoff, feed: Feed, target: str) -> Backoff:
    """Give the same waits, with the table told when the connection is lost and when it is back."""

    def notice(detail: str | None) -> None:
        feed.notice(None if detail is None else target)

    return replace(backoff, notice=notice)


async def play_person(
    client: RefereeClient, match_id: str, seat_token: str, person: Person, feed: Feed, name: str
) -> SeatResult:
    """Play a seat with a person, as `ronda_client.play_seat` does with a bot.

    What happens is shown as it comes, also while the person thinks. What the referee decides
    meanwhile closes the person's decision.

    Raises:
        ClientError: As `play_seat`.
    """
    table = _FollowedTable(client, match_id, seat_token, person, feed)
    return await Player(table, person, Brought.of(person, name, None), nullcontext()).play()


async def watch_match(client: RefereeClient, match_id: str, feed: Feed) -> None:
    """Show a match as everyone may see it, to its end.

    Raises:
        ClientError: As `RefereeClient.watch`.
    """
    async with aclosing(client.watch(match_id, clocks=feed.clocks)) as items:
        async for item in items:
            if isinstance(item, SeenRecord):
                feed.record(item.record, item.event)


async def show_log(records: Iterable[LogRecord], feed: Feed) -> None:
    """Show a log as everyone could see the match, as far as it goes.

    What its openings reveal is not shown.
    """
    ended = False
    for record in records:
        ended = ended or record.HasField("match_result")
        event = record.event_logged.event if record.HasField("event_logged") else None
        feed.record(record, event)
    await feed.shown()
    feed.sight.log_ended = not ended
    feed.changed()


async def resign_all(client: RefereeClient, match_id: str, seat_tokens: Iterable[str]) -> None:
    """Give up the seats of a match, in this order, as far as it is not over by then.

    Raises:
        ClientError: The referee cannot be reached, or refused for another reason.
    """
    for token in seat_tokens:
        try:
            await client.resign(match_id, token)
        except RefereeError as error:
            if error.reason not in _NOTHING_TO_RESIGN:
                raise


class _FollowedTable:
    """A seat whose stream is read on while its player thinks: `ronda_client.seat.Table`."""

    def __init__(
        self, client: RefereeClient, match_id: str, seat_token: str, person: Person, feed: Feed
    ) -> None:
        self.match_id = match_id
        self._client = client
        self._token = seat_token
        self._person = person
        self._feed = feed
        self._items: asyncio.Queue[SeenRecord | Turn | None] = asyncio.Queue()

    @property
    def seat(self) -> int | None:
        return self._feed.sight.seat

    async def watch(self) -> AsyncGenerator[SeenRecord | Turn, None]:
        reading = asyncio.create_task(self._read())
        try:
            while (item := await self._items.get()) is not _NO_MORE:
                yield item
            await reading
        finally:
            reading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await reading

    async def join(self, name: str, entropy: bytes) -> int:
        seat = await self._client.join(self.match_id, self._token, name=name, entropy=entropy)
        self._feed.sight.seat = seat
        return seat

    async def submit_move(self, decision_id: int, move: Move) -> int:
        if self._person.is_closed(decision_id):
            # Nobody has chosen this move.
            detail = f"decision {decision_id} was closed before it was answered"
            raise RefereeError(grpc.StatusCode.FAILED_PRECONDITION, "STALE_DECISION", detail, {})
        try:
            return await self._client.submit_move(self.match_id, self._token, decision_id, move)
        finally:
            self._person.done()

    async def _read(self) -> None:
        try:
            watched = self._client.watch(self.match_id, self._token, clocks=self._feed.clocks)
            async with aclosing(watched) as items:
                async for item in items:
                    if isinstance(item, SeenRecord):
                        self._show(item)
                    elif item.decision.HasField("milliseconds_left"):
                        decision = item.decision
                        self._feed.sight.set_clock(decision.seat, decision.milliseconds_left)
                    self._items.put_nowait(item)
        except BaseException:
            # The player does not learn of it from here while a person thinks.
            self._person.close()
            raise
        finally:
            self._items.put_nowait(_NO_MORE)

    def _show(self, seen: SeenRecord) -> None:
        record, event = seen.record, seen.event
        if seen.opened is not None and seen.opened.HasField("hand_dealt"):
            # Where the seat was joined in an earlier run its cards tell which it is.
            self._feed.sight.seat = seen.opened.hand_dealt.seat
        self._feed.record(record, event)
        match record.WhichOneof("record"):
            case "move_accepted" if record.move_accepted.seat == self.seat:
                self._person.close(record.move_accepted.decision_id)
            case "match_result":
                self._person.close()
        if event is not None and event.HasField("seat_forfeited"):
            if event.seat_forfeited.seat == self.seat:
                self._person.close()
        elif event is not None and event.HasField("match_ended"):
            self._person.close()
