"""How a seat talks to the referee: by simple calls, or over a stream that it shares with others."""

from collections import defaultdict
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Protocol

from ronda.v1.move_pb2 import Move
from ronda.v1.referee_service_pb2 import Turn
from ronda_client import RefereeClient, SeenRecord
from ronda_client.chain import Chain
from ronda_client.play_connection import Ended, PlayConnection, StreamedSeat


class Line(Protocol):
    """A seat's line to the referee."""

    token: str

    def items(self) -> AsyncGenerator[SeenRecord | Turn, None]:
        """Yield what comes next for the seat, to the end of its match; may be begun anew."""

    async def submit(self, decision_id: int, move: Move, request_id: str) -> int:
        """Submit a move; give the sequence number of its record."""


class CallLine:
    """WatchMatch and SubmitMove."""

    def __init__(self, client: RefereeClient, match_id: str, token: str) -> None:
        """Take the match and the seat's token."""
        self.token = token
        self._client = client
        self._match_id = match_id
        self._next = 0

    async def items(self) -> AsyncGenerator[SeenRecord | Turn, None]:
        """Watch from the record on that was not seen."""
        watching = self._client.watch(self._match_id, self.token, from_sequence=self._next)
        async with aclosing(watching) as items:
            async for item in items:
                if isinstance(item, SeenRecord):
                    self._next = item.sequence + 1
                yield item

    async def submit(self, decision_id: int, move: Move, request_id: str) -> int:
        """Call until the outcome is known."""
        return await self._client.submit_move(
            self._match_id, self.token, decision_id, move, request_id=request_id
        )


class StreamLine:
    """A place on a Play stream."""

    def __init__(self, connection: PlayConnection, match_id: str, token: str) -> None:
        """Take the stream, the match and the seat's token."""
        self.token = token
        self._connection = connection
        self._streamed = StreamedSeat(match_id, token, Chain(match_id, 0))

    async def items(self) -> AsyncGenerator[SeenRecord | Turn, None]:
        """Take the seat, from the record on that was not seen."""
        self._connection.add(self._streamed)
        try:
            while not isinstance(item := await self._streamed.next(), Ended):
                yield item
        finally:
            self._connection.remove(self._streamed)

    async def submit(self, decision_id: int, move: Move, request_id: str) -> int:
        """Send it until the outcome is known."""
        return await self._connection.submit(self._streamed, decision_id, move, request_id)


class Streams:
    """Play streams, each with so many seats and one seat of a match at most."""

    def __init__(self, client: RefereeClient) -> None:
        """Play at the referee of this client."""
        self.connections: list[PlayConnection] = []
        self._client = client
        self._filling: dict[tuple[int, bool], PlayConnection] = {}
        self._held: defaultdict[tuple[int, bool], int] = defaultdict(int)

    def line(self, match_id: str, token: str, seat: int, *, alone: bool) -> StreamLine:
        """Give a place on a stream; one that is begun anew again and again is shared by few."""
        key = seat, alone
        if self._held[key] % (_FEW if alone else _MANY) == 0:
            self._filling[key] = PlayConnection(self._client)
            self.connections.append(self._filling[key])
        self._held[key] += 1
        return StreamLine(self._filling[key], match_id, token)


_MANY = 100
_FEW = 8
