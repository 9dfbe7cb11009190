"""A client of the Play stream that does what a test says, message by message."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import grpc

from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.referee_service_pb2_grpc import RefereeServiceStub
from tests.referee.running import Table


@dataclass
class News:
    """What a stream has said of one match.

    Attributes:
        seats: the seat, each time that it was said to be taken.
        entries: the records of the log.
        turns: the turns, in order.
        ended: the ends, in order; whether the log was complete.
        refusals: the refusals.
    """

    seats: list[int] = field(default_factory=list)
    entries: list[pb.LogEntry] = field(default_factory=list)
    turns: list[pb.Turn] = field(default_factory=list)
    ended: list[bool] = field(default_factory=list)
    refusals: list[pb.PlayRefusal] = field(default_factory=list)

    def take_in(self, update: pb.PlayUpdate) -> None:
        """Add what an update says."""
        if update.HasField("seat"):
            self.seats.append(update.seat)
        self.entries += update.news.entries
        if update.news.HasField("turn"):
            self.turns.append(update.news.turn)
        if update.news.HasField("ended"):
            self.ended.append(update.news.ended.log_complete)
        if update.HasField("refusal"):
            self.refusals.append(update.refusal)


class Streaming:
    """One Play stream and all that it has said.

    Attributes:
        call: the call itself.
        answers: the answers to moves, in order.
        news: the news, by match.
        beats: how many messages had nothing in them.
    """

    def __init__(self, stub: RefereeServiceStub) -> None:
        """Open a stream."""
        self.call = stub.Play()
        self.answers: list[pb.PlayAnswer] = []
        self.news: dict[str, News] = {}
        self.beats = 0

    async def send(
        self, seats: Sequence[pb.PlaySeat] = (), moves: Sequence[pb.PlayMove] = ()
    ) -> None:
        """Send one message."""
        await self.call.write(pb.PlayRequest(seats=seats, moves=moves))

    def of(self, match_id: str) -> News:
        """Give what was said of a match."""
        return self.news.setdefault(match_id, News())

    async def read(self) -> bool:
        """Take in the next message; False: the stream has ended."""
        message = await self.call.read()
        if not isinstance(message, pb.PlayResponse):
            return False
        self.answers += message.answers
        for update in message.updates:
            self.of(update.match_id).take_in(update)
        self.beats += message == pb.PlayResponse()
        return True

    async def until(self, reached: Callable[[], object]) -> None:
        """Take in messages until something is the case."""
        while not reached():
            assert await self.read(), (await self.call.code(), await self.call.details())

    async def taken(self, table: Table) -> int:
        """Wait until a seat of a match is taken, and give it."""
        await self.until(lambda: self.of(table.match_id).seats)
        return self.of(table.match_id).seats[0]

    async def turn(self, table: Table, count: int = 1) -> pb.Turn:
        """Wait until there were so many turns in a match, and give the last of them."""
        await self.until(lambda: len(self.of(table.match_id).turns) >= count)
        return self.of(table.match_id).turns[-1]

    async def ended(self, table: Table) -> None:
        """Wait until a match has ended."""
        await self.until(lambda: self.of(table.match_id).ended)

    async def records(self, table: Table, count: int) -> list[pb.LogEntry]:
        """Wait until so many records of a match's log have come, and give them."""
        await self.until(lambda: len(self.of(table.match_id).entries) == count)
        return self.of(table.match_id).entries

    async def rest(self) -> grpc.StatusCode:
        """Close this side, take in all that still comes, and give how the stream ends."""
        await self.call.done_writing()
        return await self.end()

    async def end(self) -> grpc.StatusCode:
        """Take in all that still comes and give how the stream ends."""
        try:
            while await self.read():
                pass
        except grpc.aio.AioRpcError as error:
            return error.code()
        return await self.call.code()

    async def answer(self, *moves: pb.PlayMove) -> list[pb.PlayAnswer]:
        """Send moves in one message and give their answers."""
        before = len(self.answers)
        await self.send(moves=moves)
        await self.until(lambda: len(self.answers) == before + len(moves))
        return self.answers[before:]


def seat_of(table: Table, seat: int, start: int | None = None) -> pb.PlaySeat:
    """Give the request for a seat that has joined; with its log from `start` on, unless None."""
    return pb.PlaySeat(match_id=table.match_id, seat_token=table.tokens[seat], from_sequence=start)


def move_of(request: pb.SubmitMoveRequest) -> pb.PlayMove:
    """Give the same move as the simple call's request, for a stream."""
    return pb.PlayMove(
        match_id=request.match_id,
        decision_id=request.decision_id,
        request_id=request.request_id,
        move=request.move,
    )


def last_legal(turn: pb.Turn, table: Table, request_id: str | None = None) -> pb.PlayMove:
    """Give the last legal move of a turn, with a request id of its own unless one is given."""
    decision = turn.decision
    request = table.request(
        decision.seat, decision.decision_id, decision.legal_moves[-1], request_id
    )
    return move_of(request)
