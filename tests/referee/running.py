"""A real referee on a loopback port, driven call by call."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar, cast

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from ronda.v1 import card_pb2, decision_pb2, move_pb2, view_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.match_terms_pb2 import MatchTerms
from ronda.v1.referee_service_pb2_grpc import RefereeServiceStub
from ronda_conformance.rule_set_files import load_listed_rule_sets
from ronda_referee.chain import NonceSealer
from ronda_referee.server import Serving, serving
from ronda_referee.settings import Limits, Settings
from ronda_referee.surroundings import Surroundings

_Answer = TypeVar("_Answer")


@dataclass
class CountedEntropy:
    """Bytes that are the same in every run: the calls' numbers."""

    calls: int = 0

    def __call__(self, size: int) -> bytes:
        """Give the next call's number, in as many bytes as wanted."""
        self.calls += 1
        return self.calls.to_bytes(size)


def steady_surroundings() -> Surroundings:
    """Give surroundings without chance and without time."""
    entropy = CountedEntropy()
    return Surroundings(lambda: 1_700_000_000_000, lambda: 7, entropy, NonceSealer(entropy))


@dataclass
class Running:
    """A referee that answers, and a stub for it."""

    serving: Serving
    stub: RefereeServiceStub
    data: Path

    async def table(
        self,
        seats: int,
        rule_set: str = "maghribi",
        *,
        joined: bool = True,
        terms: MatchTerms | None = None,
    ) -> "Table":
        """Create a match, and take every seat."""
        request = pb.CreateMatchRequest(rule_set_id=rule_set, seats=seats, terms=terms)
        created = await self.stub.CreateMatch(request)
        table = Table(self.stub, created.match_id, list(created.seat_tokens))
        if joined:
            for seat in range(seats):
                await table.join(seat)
        return table


@dataclass
class Table:
    """One match, seen from outside."""

    stub: RefereeServiceStub
    match_id: str
    tokens: list[str]
    requests: int = field(default=0)

    async def join(self, seat: int, name: str = "", entropy: bytes = b"") -> None:
        """Take a seat."""
        await self.stub.JoinMatch(
            pb.JoinMatchRequest(
                match_id=self.match_id, seat_token=self.tokens[seat], name=name, entropy=entropy
            )
        )

    async def view(self, seat: int | None) -> pb.GetViewResponse:
        """Give a seat's view, or the public one."""
        token = "" if seat is None else self.tokens[seat]
        return await self.stub.GetView(pb.GetViewRequest(match_id=self.match_id, seat_token=token))

    async def seat_to_act(self) -> int:
        """Give the seat that must act."""
        return (await self.view(None)).public_view.to_act[0]

    async def turn(self) -> tuple[int, view_pb2.SeatView, decision_pb2.Decision]:
        """Give the seat that must act, what it sees and what it is asked."""
        seat = await self.seat_to_act()
        view = await self.view(seat)
        return seat, view.seat_view, view.decision

    def request(
        self, seat: int, decision_id: int, move: move_pb2.Move, request_id: str | None = None
    ) -> pb.SubmitMoveRequest:
        """Give the request for a move, with a request id of its own unless one is given."""
        self.requests += 1
        return pb.SubmitMoveRequest(
            match_id=self.match_id,
            seat_token=self.tokens[seat],
            decision_id=decision_id,
            request_id=request_id or f"request-{self.requests}",
            move=move,
        )

    async def play_lowest(self) -> int:
        """Have the seat that must act play the first card of its hand; give the seat."""
        seat, view, decision = await self.turn()
        await self.stub.SubmitMove(self.request(seat, decision.decision_id, play(view.hand[0])))
        return seat

    async def play_to_the_end(self) -> None:
        """Have every seat play the first card of its hand until the match is over."""
        while not (await self.view(None)).public_view.over:
            await self.play_lowest()

    async def records(self, seat: int | None = None) -> list[pb.LogEntry]:
        """Give the records that are in the log now, as a seat or the public sees them."""
        length = (await self.view(None)).next_sequence
        token = "" if seat is None else self.tokens[seat]
        watching = self.stub.WatchMatch(
            pb.WatchMatchRequest(match_id=self.match_id, seat_token=token)
        )
        entries: list[pb.LogEntry] = []
        async for message in watching:
            entries += message.entries
            if len(entries) >= length:
                break
        watching.cancel()
        return entries


def play(card: card_pb2.Card) -> move_pb2.Move:
    """Give the move that plays a card."""
    return move_pb2.Move(play=move_pb2.Play(card=card))


@asynccontextmanager
async def running(
    data: Path,
    *,
    surroundings: Surroundings | None = None,
    allow_fixed_draws: bool = False,
    allow_shared_shuffles: bool = False,
    heartbeat_seconds: float = 15.0,
    slow_watcher_seconds: float = 30.0,
    limits: Limits | None = None,
    metrics_listen: str | None = None,
    organiser_tokens: Path | None = None,
    create_needs_token: bool = False,
) -> AsyncIterator[Running]:
    """Run a referee on a free loopback port, with the rule sets that are shipped."""
    settings = Settings(
        data,
        "127.0.0.1:0",
        allow_fixed_draws=allow_fixed_draws,
        allow_shared_shuffles=allow_shared_shuffles,
        heartbeat_seconds=heartbeat_seconds,
        slow_watcher_seconds=slow_watcher_seconds,
        drain_seconds=1.0,
        limits=limits or Limits(),
        metrics_listen=metrics_listen,
        organiser_tokens=organiser_tokens,
        create_needs_token=create_needs_token,
    )
    async with (
        serving(settings, load_listed_rule_sets(), surroundings) as served,
        grpc.aio.insecure_channel(served.address) as channel,
    ):
        yield Running(served, RefereeServiceStub(channel), data)


@dataclass(frozen=True)
class Refused:
    """What a refused call says."""

    status: str
    reason: str
    clause: str
    fields: tuple[str, ...]
    detail: str
    metadata: dict[str, str] = field(default_factory=dict, compare=False)


async def refused(call: Callable[[], Awaitable[_Answer]]) -> Refused:
    """Make a call that must be refused, and give what the refusal says."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call()
    return refusal(caught.value)


def refusal(error: grpc.aio.AioRpcError) -> Refused:
    """Give what a refusal says."""
    status = rpc_status.from_call(cast("grpc.Call", error))
    assert status is not None, error
    info = error_details_pb2.ErrorInfo()
    fields: list[str] = []
    for detail in status.details:
        if detail.Is(error_details_pb2.BadRequest.DESCRIPTOR):
            bad = error_details_pb2.BadRequest()
            detail.Unpack(bad)
            fields += [violation.field for violation in bad.field_violations]
        else:
            assert detail.Unpack(info)
    assert info.domain == "ronda.v1"
    return Refused(
        error.code().name,
        info.reason,
        info.metadata.get("clause", ""),
        tuple(fields),
        error.details() or "",
        dict(info.metadata),
    )
