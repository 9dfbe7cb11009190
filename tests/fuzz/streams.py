"""Play streams that do what they should not: garbage, many seats, no reading, an early end."""

import asyncio
import random
from contextlib import suppress
from typing import TYPE_CHECKING

import grpc

from ronda.v1 import referee_service_pb2 as pb
from tests.fuzz.checks import TOO_LARGE, Broken, check
from tests.fuzz.messages import made_up
from tests.fuzz.sending import LARGEST_REQUEST, REFEREE, Outcome, converse, read
from tests.fuzz.wire import damaged

if TYPE_CHECKING:
    from tests.fuzz.episode import Episode

_METHOD = f"{REFEREE}Play"
_MANY_SEATS = 60
_MANY_MOVES = 300


async def play_session(rng: random.Random, episode: "Episode") -> Outcome:
    """Have one stream from its beginning to its end."""
    whole = True
    messages: list[bytes] = []
    moves = 0
    for _ in range(rng.randint(1, 6)):
        draw = rng.random()
        message = await _sensible(rng, episode) if draw < 0.6 else _any(rng, episode)
        data = message.SerializeToString()
        if rng.random() < 0.1:
            data = damaged(rng, data, _any(rng, episode).SerializeToString())
            whole = False
        moves += len(message.moves)
        messages.append(data)
    episode.last = f"{_METHOD} {[data.hex() for data in messages]}"
    way = rng.choice(("close", "close", "close", "leave", "never read", "flood"))
    if way == "flood":
        return await _flood(rng, episode)
    if way == "never read":
        return await _never_read(episode, messages)
    leaving = way == "leave"
    outcome = await converse(
        episode.around.channel,
        _METHOD,
        messages,
        take=1 if leaving else None,
        patience=0.2 if leaving else None,
    )
    episode.steady = episode.steady and not outcome.left
    too_large = any(len(data) > LARGEST_REQUEST for data in messages)
    check(outcome, episode.around.secrets, TOO_LARGE if too_large else frozenset())
    if whole and outcome.ok and not outcome.left:
        _check_answered(outcome, moves)
    return outcome


def _check_answered(outcome: Outcome, moves: int) -> None:
    """Every move has one answer."""
    answers = sum(len(pb.PlayResponse.FromString(data).answers) for data in outcome.answers)
    if answers != moves:
        raise Broken(f"{moves} moves got {answers} answers on a stream")


async def _sensible(rng: random.Random, episode: "Episode") -> pb.PlayRequest:
    """Take a seat, or make a move that is legal when the stream begins."""
    seat = rng.randrange(len(episode.tokens))
    message = pb.PlayRequest()
    if rng.random() < 0.7:
        wanted = message.seats.add(match_id=episode.match_id, seat_token=episode.tokens[seat])
        if rng.random() < 0.5:
            wanted.join.name = rng.choice(("", "bot", "x" * 65))
        if rng.random() < 0.5:
            wanted.from_sequence = rng.choice((0, 1, 20, 1 << 63))
    for _ in range(rng.choice((0, 1, 1, 3))):
        move, _ = await episode.turn(rng, seat)
        message.moves.add(
            match_id=move.match_id,
            decision_id=move.decision_id,
            request_id=move.request_id,
            move=move.move,
        )
    return message


def _any(rng: random.Random, episode: "Episode") -> pb.PlayRequest:
    message = made_up(rng, pb.PlayRequest.DESCRIPTOR, episode.known(rng))
    if not isinstance(message, pb.PlayRequest):
        raise Broken("a message of another type was made up")
    return message


async def _never_read(episode: "Episode", messages: list[bytes]) -> Outcome:
    """Send as much as goes out, read nothing, and go away."""
    episode.steady = False
    stream = _opened(episode)
    with suppress(TimeoutError, grpc.aio.AioRpcError, asyncio.InvalidStateError):
        async with asyncio.timeout(0.2):
            for data in messages * 10:
                await stream.write(data)
    stream.cancel()
    return Outcome(_METHOD, grpc.StatusCode.CANCELLED, left=True)


def _opened(episode: "Episode") -> "grpc.aio.StreamStreamCall[bytes, bytes]":
    both: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = episode.around.channel.stream_stream(
        _METHOD
    )
    return both()


async def _flood(rng: random.Random, episode: "Episode") -> Outcome:
    """Many seats and many more moves than may be unanswered; each gets its answer."""
    seats = pb.PlayRequest()
    for _ in range(_MANY_SEATS):
        seats.seats.add(match_id=episode.match_id, seat_token=rng.choice(episode.tokens))
    moves = pb.PlayRequest()
    for number in range(_MANY_MOVES // 10):
        moves.moves.add(match_id=episode.match_id, decision_id=1, request_id=f"f{number}")
    messages = [seats.SerializeToString(), *[moves.SerializeToString()] * 10]

    stream = _opened(episode)

    async def write() -> None:
        for data in messages:
            await stream.write(data)
        await stream.done_writing()

    writing = asyncio.create_task(write())
    try:
        outcome = await asyncio.wait_for(read(_METHOD, stream), 60)
        await writing
    finally:
        writing.cancel()
    check(outcome, episode.around.secrets)
    if outcome.ok:
        _check_answered(outcome, len(moves.moves) * 10)
    return outcome
