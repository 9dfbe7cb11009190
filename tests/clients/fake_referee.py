"""A referee that does what a test's script says, on a real server."""

# ruff: noqa: D102 - the calls are described in the protocol

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import grpc
from google.protobuf import any_pb2
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from ronda.v1.decision_pb2 import Decision
from ronda.v1.listed_rule_set_pb2 import ListedRuleSet
from ronda.v1.referee_service_pb2 import (
    BackupStoreRequest,
    BackupStoreResponse,
    CancelMatchRequest,
    CancelMatchResponse,
    CreateMatchRequest,
    CreateMatchResponse,
    GetMatchLogRequest,
    GetMatchLogResponse,
    GetRuleSetRequest,
    GetRuleSetResponse,
    GetServerInfoRequest,
    GetServerInfoResponse,
    GetViewRequest,
    GetViewResponse,
    JoinMatchRequest,
    JoinMatchResponse,
    ListMatchesRequest,
    ListMatchesResponse,
    ListRuleSetsRequest,
    ListRuleSetsResponse,
    PlayMove,
    PlayRequest,
    PlayResponse,
    PlaySeat,
    ResignRequest,
    ResignResponse,
    RotateSeatTokenRequest,
    RotateSeatTokenResponse,
    SubmitMoveRequest,
    SubmitMoveResponse,
    WatchMatchRequest,
    WatchMatchResponse,
)
from ronda.v1.referee_service_pb2_grpc import (
    RefereeServiceServicer,
    add_RefereeServiceServicer_to_server,
)
from ronda.v1.view_pb2 import PublicView, SeatView


@dataclass(frozen=True)
class Fail:
    """A step of a script: the call ends with this status."""

    code: grpc.StatusCode
    reason: str = ""
    metadata: dict[str, str] = field(default_factory=dict)
    detail: str = "as the script says"
    domain: str = "ronda.v1"


@dataclass(frozen=True)
class Hold:
    """A step of a script: nothing more comes, until the client goes."""


@dataclass(frozen=True)
class Close:
    """A step of a script: the stream ends without a word."""


@dataclass(frozen=True)
class Until:
    """A step of a stream's script: goes on when so many seats and moves have come over it."""

    seats: int = 0
    moves: int = 0


WatchStep: TypeAlias = WatchMatchResponse | Fail | Hold | Close


# A function makes its message from the moves that have come.
PlayStep: TypeAlias = (
    PlayResponse | Callable[[Sequence[PlayMove]], PlayResponse] | Until | Fail | Hold | Close
)


def status_of(fail: Fail) -> grpc.Status:
    """Return the status, with an ErrorInfo where there is a reason."""
    status = status_pb2.Status(code=fail.code.value[0], message=fail.detail)
    if fail.reason:
        detail = any_pb2.Any()
        detail.Pack(
            error_details_pb2.ErrorInfo(
                reason=fail.reason, domain=fail.domain, metadata=fail.metadata
            )
        )
        status.details.append(detail)
    made = rpc_status.to_status(status)
    assert isinstance(made, grpc.Status)
    return made


class FakeReferee(RefereeServiceServicer):
    """Plays its scripts, a call each, and keeps what it was asked."""

    def __init__(self) -> None:
        self.watches: deque[list[WatchStep]] = deque()
        self.plays: deque[list[PlayStep]] = deque()
        self.submits: deque[Fail | int] = deque()
        self.joins: deque[Fail | int] = deque()
        self.logs: deque[list[bytes | Fail]] = deque()
        self.rule_sets: list[ListedRuleSet] = []
        self.watched: list[WatchMatchRequest] = []
        # What came over each stream.
        self.seats_taken: list[list[PlaySeat]] = []
        self.moves_sent: list[list[PlayMove]] = []
        self.submitted: list[SubmitMoveRequest] = []
        self.joined: list[JoinMatchRequest] = []
        self.created: list[CreateMatchRequest] = []
        self.cancelled: list[str] = []
        self.rotations: deque[Fail | None] = deque()
        self.rotated: list[RotateSeatTokenRequest] = []
        self.authorizations: list[tuple[str, list[str]]] = []
        self.holding = asyncio.Event()
        self.let_go = asyncio.Event()

    def _note(self, name: str, context: "grpc.aio.ServicerContext[Any, Any]") -> None:
        sent = context.invocation_metadata() or ()
        self.authorizations.append(
            (name, [str(value) for key, value in sent if key == "authorization"])
        )

    async def CancelMatch(
        self,
        request: CancelMatchRequest,
        context: grpc.aio.ServicerContext[CancelMatchRequest, CancelMatchResponse],
    ) -> CancelMatchResponse:
        self._note("CancelMatch", context)
        self.cancelled.append(request.match_id)
        return CancelMatchResponse()

    async def Resign(
        self,
        request: ResignRequest,
        context: grpc.aio.ServicerContext[ResignRequest, ResignResponse],
    ) -> ResignResponse:
        return ResignResponse(sequence=9)

    async def RotateSeatToken(
        self,
        request: RotateSeatTokenRequest,
        context: grpc.aio.ServicerContext[RotateSeatTokenRequest, RotateSeatTokenResponse],
    ) -> RotateSeatTokenResponse:
        self.rotated.append(request)
        answer = self.rotations.popleft()
        if answer is not None:
            await context.abort_with_status(status_of(answer))
        return RotateSeatTokenResponse()

    async def GetServerInfo(
        self,
        request: GetServerInfoRequest,
        context: grpc.aio.ServicerContext[GetServerInfoRequest, GetServerInfoResponse],
    ) -> GetServerInfoResponse:
        return GetServerInfoResponse(version="0.0.0")

    async def ListMatches(
        self,
        request: ListMatchesRequest,
        context: grpc.aio.ServicerContext[ListMatchesRequest, ListMatchesResponse],
    ) -> ListMatchesResponse:
        return ListMatchesResponse()

    async def BackupStore(
        self,
        request: BackupStoreRequest,
        context: grpc.aio.ServicerContext[BackupStoreRequest, BackupStoreResponse],
    ) -> BackupStoreResponse:
        self._note("BackupStore", context)
        return BackupStoreResponse(file="copy.sqlite")

    async def ListRuleSets(
        self,
        request: ListRuleSetsRequest,
        context: grpc.aio.ServicerContext[ListRuleSetsRequest, ListRuleSetsResponse],
    ) -> ListRuleSetsResponse:
        self._note("ListRuleSets", context)
        return ListRuleSetsResponse(rule_sets=self.rule_sets)

    async def GetRuleSet(
        self,
        request: GetRuleSetRequest,
        context: grpc.aio.ServicerContext[GetRuleSetRequest, GetRuleSetResponse],
    ) -> GetRuleSetResponse:
        for listed in self.rule_sets:
            if listed.rule_set.id == request.id:
                return GetRuleSetResponse(rule_set=listed)
        await context.abort_with_status(
            status_of(Fail(grpc.StatusCode.NOT_FOUND, "RULE_SET_NOT_FOUND"))
        )
        raise AssertionError

    async def CreateMatch(
        self,
        request: CreateMatchRequest,
        context: grpc.aio.ServicerContext[CreateMatchRequest, CreateMatchResponse],
    ) -> CreateMatchResponse:
        self._note("CreateMatch", context)
        self.created.append(request)
        return CreateMatchResponse(
            match_id="m1", seat_tokens=[f"token {seat}" for seat in range(request.seats)]
        )

    async def JoinMatch(
        self,
        request: JoinMatchRequest,
        context: grpc.aio.ServicerContext[JoinMatchRequest, JoinMatchResponse],
    ) -> JoinMatchResponse:
        self._note("JoinMatch", context)
        self.joined.append(request)
        answer = self.joins.popleft() if self.joins else 0
        if isinstance(answer, Fail):
            await context.abort_with_status(status_of(answer))
        return JoinMatchResponse(seat=answer)

    async def WatchMatch(
        self,
        request: WatchMatchRequest,
        context: grpc.aio.ServicerContext[WatchMatchRequest, WatchMatchResponse],
    ) -> AsyncIterator[WatchMatchResponse]:
        self.watched.append(request)
        for step in self.watches.popleft():
            match step:
                case WatchMatchResponse():
                    yield step
                case Fail():
                    await context.abort_with_status(status_of(step))
                case Hold():
                    self.holding.set()
                    try:
                        await asyncio.Event().wait()
                    finally:
                        self.let_go.set()
                case Close():
                    return

    async def Play(
        self,
        request_iterator: AsyncIterator[PlayRequest],
        context: grpc.aio.ServicerContext[PlayRequest, PlayResponse],
    ) -> AsyncIterator[PlayResponse]:
        seats: list[PlaySeat] = []
        moves: list[PlayMove] = []
        self.seats_taken.append(seats)
        self.moves_sent.append(moves)
        for step in self.plays.popleft():
            match step:
                case PlayResponse():
                    yield step
                case Until():
                    while len(seats) < step.seats or len(moves) < step.moves:
                        request = await anext(request_iterator)
                        seats += request.seats
                        moves += request.moves
                case Fail():
                    await context.abort_with_status(status_of(step))
                case Hold():
                    self.holding.set()
                    await asyncio.Event().wait()
                case Close():
                    return
                case _:
                    yield step(moves)

    async def GetView(
        self,
        request: GetViewRequest,
        context: grpc.aio.ServicerContext[GetViewRequest, GetViewResponse],
    ) -> GetViewResponse:
        if request.seat_token:
            return GetViewResponse(
                next_sequence=7,
                seat_view=SeatView(seat=1),
                decision=Decision(decision_id=6, seat=1),
            )
        return GetViewResponse(next_sequence=7, public_view=PublicView(deal=3))

    async def SubmitMove(
        self,
        request: SubmitMoveRequest,
        context: grpc.aio.ServicerContext[SubmitMoveRequest, SubmitMoveResponse],
    ) -> SubmitMoveResponse:
        self.submitted.append(request)
        answer = self.submits.popleft()
        if isinstance(answer, Fail):
            await context.abort_with_status(status_of(answer))
        return SubmitMoveResponse(sequence=answer)

    async def GetMatchLog(
        self,
        request: GetMatchLogRequest,
        context: grpc.aio.ServicerContext[GetMatchLogRequest, GetMatchLogResponse],
    ) -> AsyncIterator[GetMatchLogResponse]:
        for part in self.logs.popleft():
            if isinstance(part, Fail):
                await context.abort_with_status(status_of(part))
            yield GetMatchLogResponse(data=part)


@asynccontextmanager
async def serving(
    fake: RefereeServiceServicer, port: int = 0, options: Sequence[tuple[str, int]] = ()
) -> AsyncIterator[str]:
    """Serve a referee on a loopback port, and give where it listens."""
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0), *options])
    add_RefereeServiceServicer_to_server(fake, server)
    bound = server.add_insecure_port(f"127.0.0.1:{port}")
    await server.start()
    try:
        yield f"127.0.0.1:{bound}"
    finally:
        await server.stop(None)
