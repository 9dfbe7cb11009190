"""Moves by the simple call SubmitMove, so prepared that making them costs what an echo costs.

All matches have the same cards. One is played beforehand, at random; the others then make the
same moves, whose requests are serialized before the clock runs.
"""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass

import grpc

from benchmarks.channels import in_flight, open_channel
from benchmarks.matches import SEATS, Open, create, join
from ronda.v1.log_pb2 import SharedShuffle
from ronda.v1.move_pb2 import Move
from ronda.v1.referee_service_pb2 import GetViewRequest, SubmitMoveRequest
from ronda.v1.referee_service_pb2_grpc import RefereeServiceStub

_METHOD = "/ronda.v1.RefereeService/SubmitMove"
_SHUFFLE = SharedShuffle(seed=bytes(32), shuffle_id="benchmarks")


@dataclass(frozen=True, slots=True)
class _Made:
    """A move of the match that was played beforehand."""

    seat: int
    decision_id: int
    move: Move


class Submits:
    """Matches whose moves are prepared."""

    def __init__(self, target: str) -> None:
        """Connect, in the event loop that runs."""
        self._channel = open_channel(target)
        self._call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = self._channel.unary_unary(
            _METHOD
        )
        self._requests: list[list[bytes]] = []
        self._turn = -1

    async def open(self, matches: int, moves: int) -> None:
        """Open so many matches, each with so many moves to make."""
        first, *others = await create(self._channel, matches + 1, shuffle=_SHUFFLE)
        await join(self._channel, [first, *others])
        script = await self._played(first, moves)
        self._requests = [_requests(match, script) for match in others]

    async def per_second(self, moves: int) -> float:
        """Have every match make so many more moves; return how many a second all made together.

        Raises:
            ValueError: So many are not left.
        """

        async def play(number: int) -> int:
            for request in self._taken(number, moves):
                await self._call(request)
            return moves

        done, seconds = await in_flight(play, len(self._requests))
        return done / seconds

    async def latencies(self, moves: int) -> list[float]:
        """Make moves one after the other, each in the next match; return the seconds of each.

        Raises:
            ValueError: So many are not left.
        """
        loop = asyncio.get_running_loop()
        took = []
        for _ in range(moves):
            self._turn = (self._turn + 1) % len(self._requests)
            (request,) = self._taken(self._turn, 1)
            begun = loop.time()
            await self._call(request)
            took.append(loop.time() - begun)
        return took

    def _taken(self, number: int, moves: int) -> list[bytes]:
        """Take the next requests of a match."""
        left = self._requests[number]
        if len(left) < moves:
            raise ValueError(f"{moves} moves of a match are wanted, and {len(left)} are left")
        taken = left[:moves]
        del left[:moves]
        return taken

    async def _played(self, match: Open, moves: int) -> list[_Made]:
        stub = RefereeServiceStub(self._channel)
        chance = random.Random(0)
        made: list[_Made] = []
        seat = 0
        while len(made) < moves:
            token = match.tokens[seat]
            shown = await stub.GetView(GetViewRequest(match_id=match.match_id, seat_token=token))
            if shown.HasField("decision"):
                move = chance.choice(shown.decision.legal_moves)
                made.append(_Made(seat, shown.decision.decision_id, move))
                await stub.SubmitMove(_request(match, made[-1], len(made)))
            seat = (seat + 1) % SEATS
        return made


def _request(match: Open, made: _Made, number: int) -> SubmitMoveRequest:
    return SubmitMoveRequest(
        match_id=match.match_id,
        seat_token=match.tokens[made.seat],
        decision_id=made.decision_id,
        request_id=f"{number:016}",
        move=made.move,
    )


def _requests(match: Open, script: Sequence[_Made]) -> list[bytes]:
    return [
        _request(match, made, number).SerializeToString()
        for number, made in enumerate(script, start=1)
    ]
