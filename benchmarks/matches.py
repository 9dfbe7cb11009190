"""Matches that do not end while they are measured."""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import grpc

from ronda.v1.log_pb2 import SharedShuffle
from ronda.v1.match_terms_pb2 import MatchTerms
from ronda.v1.referee_service_pb2 import CreateMatchRequest, JoinMatchRequest
from ronda.v1.referee_service_pb2_grpc import RefereeServiceStub
from ronda.v1.rule_set_pb2 import RuleSet
from ronda_conformance.rule_set_files import load_rule_sets

SEATS = 2

# The highest target that a rule set may have: some ten thousand deals.
_TARGET = 100_000

_A_WEEK_MS = 7 * 24 * 3600 * 1000
_CREATED_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Open:
    """A match that was created.

    Attributes:
        match_id: Its id.
        tokens: The seats' tokens, by seat.
    """

    match_id: str
    tokens: tuple[str, ...]


def endless(rule_set_id: str = "maghribi") -> RuleSet:
    """Return a rule set that is played as it is, but to a number of points that nobody reaches."""
    rules = RuleSet()
    rules.CopyFrom(load_rule_sets()[rule_set_id])
    rules.id = f"{rule_set_id}-endless"
    rules.target = _TARGET
    return rules


async def create(
    channel: grpc.aio.Channel,
    count: int,
    *,
    rule_set_id: str = "",
    shuffle: SharedShuffle | None = None,
) -> list[Open]:
    """Create matches.

    Args:
        channel: The connection to the referee.
        count: How many.
        rule_set_id: By which rules; empty: by those of `endless`, which are sent along.
        shuffle: Makes all have the same cards, if the same seats join; None: each has its own.
    """
    stub = RefereeServiceStub(channel)
    request = CreateMatchRequest(
        seats=SEATS,
        terms=MatchTerms(join_timeout_ms=_A_WEEK_MS),
        shared_shuffle=shuffle,
    )
    if rule_set_id:
        request.rule_set_id = rule_set_id
    else:
        request.rule_set.CopyFrom(endless())
    left = deque(range(count))
    made: list[Open] = []

    async def some() -> None:
        while left:
            left.popleft()
            answer = await stub.CreateMatch(request)
            made.append(Open(answer.match_id, tuple(answer.seat_tokens)))

    await asyncio.gather(*(some() for _ in range(min(_CREATED_AT_ONCE, count))))
    return made


def joining(seat: int) -> JoinMatchRequest:
    """Return what a seat joins with, in every match the same."""
    return JoinMatchRequest(name=f"bot {seat}", entropy=bytes([seat]) * 32)


async def join(channel: grpc.aio.Channel, matches: Sequence[Open]) -> None:
    """Join every seat."""
    stub = RefereeServiceStub(channel)
    left = deque(matches)

    async def some() -> None:
        while left:
            match = left.popleft()
            for seat, token in enumerate(match.tokens):
                request = joining(seat)
                request.match_id = match.match_id
                request.seat_token = token
                await stub.JoinMatch(request)

    await asyncio.gather(*(some() for _ in range(_CREATED_AT_ONCE)))
