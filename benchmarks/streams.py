"""Moves by the call Play: any number of matches over two streams, one for each seat.

Nothing of the SDK is between: a turn is read, one of its legal moves chosen and sent, and the
answer, which comes when the move is on disk, counts.
"""

import asyncio
import random
import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import grpc

from benchmarks.channels import open_channel
from benchmarks.matches import SEATS, Open, create, joining
from ronda.v1.referee_service_pb2 import PlayMove, PlayRequest, PlayResponse, PlaySeat, PlayUpdate
from ronda.v1.referee_service_pb2_grpc import RefereeServiceStub

# Well within the 64 KiB of one message.
_SEATS_IN_A_MESSAGE = 200
_MOVES_IN_A_MESSAGE = 400

# A referee takes in 1024 moves of a stream before it answers.
MOST_IN_FLIGHT = 1000


@dataclass(frozen=True, slots=True)
class Load:
    """What came of some moves.

    Attributes:
        moves: How many were answered.
        seconds: In how many seconds.
        latencies: How many seconds each took from being chosen to its answer.
    """

    moves: int
    seconds: float
    latencies: Sequence[float]

    @property
    def per_second(self) -> float:
        """How many moves were made a second."""
        return self.moves / self.seconds


class Streams:
    """Two streams, and what is to be done in their matches."""

    def __init__(self, target: str, seed: int = 0) -> None:
        """Connect, in the event loop that runs.

        Args:
            target: Where the referee listens.
            seed: Fixes what is chosen, as far as what comes when does.
        """
        self._channels = [open_channel(target) for _ in range(SEATS)]
        self._calls = [RefereeServiceStub(channel).Play() for channel in self._channels]
        self._chance = random.Random(seed)
        self._reading = [
            asyncio.create_task(self._read(seat, call)) for seat, call in enumerate(self._calls)
        ]
        self._waiting: deque[tuple[int, PlayMove]] = deque()
        self._sent: dict[str, float] = {}
        self._open = 0
        self._moving = False
        self._seats_to_come = 0
        self._may_send = 0
        self._to_answer = 0
        self._at_once = 0
        self._number = 0
        self._latencies: list[float] = []
        self._done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._to_write: list[deque[PlayMove]] = [deque() for _ in range(SEATS)]
        self._wanted = [asyncio.Event() for _ in range(SEATS)]
        self._writing = [
            asyncio.create_task(self._write(seat, call)) for seat, call in enumerate(self._calls)
        ]

    async def close(self) -> None:
        """Leave every seat; the matches stay open."""
        for task in (*self._reading, *self._writing):
            task.cancel()
        await asyncio.gather(*self._reading, *self._writing, return_exceptions=True)
        for channel in self._channels:
            await channel.close()

    async def open(self, count: int, rule_set_id: str = "") -> None:
        """Create matches, take all their seats, and wait until each match asks for a move.

        Args:
            count: How many.
            rule_set_id: By which rules; empty: by rules under which they do not end.
        """
        matches = await create(self._channels[0], count, rule_set_id=rule_set_id)
        self._open += count
        self._moving = False
        self._seats_to_come = SEATS * count
        self._done = asyncio.get_running_loop().create_future()
        for seat, call in enumerate(self._calls):
            for some in _batches(matches):
                await call.write(PlayRequest(seats=[_seat(match, seat) for match in some]))
        await self._done

    async def play(self, moves: int, at_once: int = MOST_IN_FLIGHT) -> Load:
        """Make so many moves, never more than so many at once, the longest waiting match first."""
        self._latencies = []
        self._moving = True
        self._done = asyncio.get_running_loop().create_future()
        self._may_send = self._to_answer = moves
        self._at_once = at_once
        begun = time.perf_counter()
        self._send()
        await self._done
        return Load(moves, time.perf_counter() - begun, self._latencies)

    def _send(self) -> None:
        """Send what may be sent."""
        while self._waiting and self._may_send and len(self._sent) < self._at_once:
            seat, move = self._waiting.popleft()
            self._may_send -= 1
            self._sent[move.request_id] = time.perf_counter()
            self._to_write[seat].append(move)
            self._wanted[seat].set()

    async def _write(
        self, seat: int, call: "grpc.aio.StreamStreamCall[PlayRequest, PlayResponse]"
    ) -> None:
        to_write, wanted = self._to_write[seat], self._wanted[seat]
        while True:
            await wanted.wait()
            wanted.clear()
            while to_write:
                count = min(len(to_write), _MOVES_IN_A_MESSAGE)
                await call.write(PlayRequest(moves=[to_write.popleft() for _ in range(count)]))

    async def _read(
        self, seat: int, call: "grpc.aio.StreamStreamCall[PlayRequest, PlayResponse]"
    ) -> None:
        try:
            async for message in call:
                self._take_in(seat, message)
            raise RuntimeError("the referee has ended the stream")
        except Exception as error:
            if not self._done.done():
                self._done.set_exception(error)
            raise

    def _take_in(self, seat: int, message: PlayResponse) -> None:
        for answer in message.answers:
            if answer.HasField("refusal"):
                raise RuntimeError(f"a move was refused: {answer.refusal}")
            self._latencies.append(time.perf_counter() - self._sent.pop(answer.request_id))
            self._to_answer -= 1
        for update in message.updates:
            self._update(seat, update)
        if self._to_answer:
            self._send()
        elif not self._done.done() and self._has_come():
            self._done.set_result(None)

    def _has_come(self) -> bool:
        """Tell whether all that was waited for is there: answers, or every match's turn."""
        return not self._seats_to_come and (self._moving or len(self._waiting) == self._open)

    def _update(self, seat: int, update: PlayUpdate) -> None:
        if update.HasField("refusal"):
            raise RuntimeError(f"a seat was refused: {update.refusal}")
        if update.HasField("seat"):
            self._seats_to_come -= 1
        if update.news.HasField("turn"):
            decision = update.news.turn.decision
            moves = decision.legal_moves
            self._number += 1
            chosen = PlayMove(
                match_id=update.match_id,
                decision_id=decision.decision_id,
                request_id=f"{self._number:016}",
                move=moves[self._chance.randrange(len(moves))],
            )
            self._waiting.append((seat, chosen))


def _batches(matches: Sequence[Open]) -> Iterable[Sequence[Open]]:
    for start in range(0, len(matches), _SEATS_IN_A_MESSAGE):
        yield matches[start : start + _SEATS_IN_A_MESSAGE]


def _seat(match: Open, seat: int) -> PlaySeat:
    return PlaySeat(match_id=match.match_id, seat_token=match.tokens[seat], join=joining(seat))
