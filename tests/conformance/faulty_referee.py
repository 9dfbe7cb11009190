"""The project's referee with one fault planted in what it takes in or gives out."""

import copy
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import status_pb2
from grpc_status import rpc_status

from ronda.v1 import referee_service_pb2 as pb
from ronda_referee import server
from ronda_referee.match_log import LogRow
from ronda_referee.service import RefereeService
from tests.referee.running import Running, running

UNARY = (
    "ListRuleSets",
    "GetRuleSet",
    "CreateMatch",
    "JoinMatch",
    "GetView",
    "SubmitMove",
    "Resign",
    "RotateSeatToken",
    "ListMatches",
    "GetServerInfo",
    "CancelMatch",
)
STREAMS = ("WatchMatch", "GetMatchLog")


class Memory:
    """What a faulty referee remembers of its calls.

    Attributes:
        tokens: the tokens of each match.
        answers: the answers to moves, by match, seat's token and request id.
        moved: the tokens of those that have moved, by match, in order.
        kept: whatever else a fault keeps.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.tokens: dict[str, list[str]] = {}
        self.answers: dict[tuple[str, str, str], int] = {}
        self.moved: dict[str, list[str]] = {}
        self.kept: dict[Any, Any] = {}

    def token_to_act(self, service: RefereeService, match_id: str) -> str | None:
        """Give the token of the first seat of a match that has a decision open."""
        decisions = service._referee.match(match_id).published.decisions
        return self.tokens[match_id][min(decisions)] if decisions else None


Sent = Callable[[RefereeService, Memory, Any], object]
Answered = Callable[[RefereeService, Memory, Any, Any], object]
Streamed = Callable[[RefereeService, Any, Any, dict[Any, Any]], list[Any]]
Refused = Callable[[str, Any, status_pb2.Status], object]


@dataclass(frozen=True)
class Fault:
    """What is wrong with a referee.

    Attributes:
        check: the check that must find it.
        sent: changes a request before the referee gets it, by call.
        answered: changes an answer, by call.
        streamed: changes a message of a stream to those that are sent instead, by call.
        refused: changes the status of a refusal.
        patches: what stands in for parts of the server, by name.
    """

    check: str
    sent: Mapping[str, Sent] = field(default_factory=dict)
    answered: Mapping[str, Answered] = field(default_factory=dict)
    streamed: Mapping[str, Streamed] = field(default_factory=dict)
    refused: Refused | None = None
    patches: Mapping[str, object] = field(default_factory=dict)


class _Refusing:
    """A call's context that changes what a refusal says."""

    def __init__(self, context: Any, change: Callable[[status_pb2.Status], object]) -> None:  # noqa: ANN401 - of any call
        self._context = context
        self._change = change

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the context has
        return getattr(self._context, name)

    async def abort_with_status(self, status: Any) -> None:  # noqa: ANN401 - gRPC's own
        said = status_pb2.Status.FromString(
            dict(status.trailing_metadata)["grpc-status-details-bin"]
        )
        self._change(said)
        await self._context.abort_with_status(rpc_status.to_status(said))


def _unary(name: str, fault: Fault) -> Callable[..., Any]:
    async def handler(service: Any, request: Any, context: Any) -> Any:  # noqa: ANN401 - any call
        memory: Memory = service.memory
        wanted = copy.deepcopy(request)
        if name in fault.sent:
            fault.sent[name](service, memory, request)
        if fault.refused is not None:
            change = fault.refused
            context = _Refusing(context, lambda status: change(name, request, status))
        answer = copy.deepcopy(await getattr(RefereeService, name)(service, request, context))
        if name in fault.answered:
            fault.answered[name](service, memory, wanted, answer)
        if isinstance(answer, pb.CreateMatchResponse):
            memory.tokens[answer.match_id] = list(answer.seat_tokens)
        if isinstance(answer, pb.SubmitMoveResponse):
            memory.answers.setdefault(
                (wanted.match_id, wanted.seat_token, wanted.request_id), answer.sequence
            )
            memory.moved.setdefault(wanted.match_id, []).append(wanted.seat_token)
        return answer

    return handler


def _streaming(name: str, fault: Fault) -> Callable[..., Any]:
    async def handler(service: Any, request: Any, context: Any) -> AsyncIterator[Any]:  # noqa: ANN401 - any call
        wanted = copy.deepcopy(request)
        if name in fault.sent:
            fault.sent[name](service, service.memory, request)
        if fault.refused is not None:
            change = fault.refused
            context = _Refusing(context, lambda status: change(name, request, status))
        state: dict[Any, Any] = {}
        async for message in getattr(RefereeService, name)(service, request, context):
            if name not in fault.streamed:
                yield message
                continue
            for one in fault.streamed[name](service, wanted, copy.deepcopy(message), state):
                yield one

    return handler


def faulty(fault: Fault) -> type[RefereeService]:
    """Give the referee's service with a fault."""
    methods: dict[str, Any] = {name: _unary(name, fault) for name in UNARY}
    methods |= {name: _streaming(name, fault) for name in STREAMS}
    if "Play" in fault.streamed:
        change = fault.streamed["Play"]

        async def play(service: Any, requests: Any, context: Any) -> AsyncIterator[Any]:  # noqa: ANN401 - any call
            state: dict[Any, Any] = {}
            async for message in RefereeService.Play(service, requests, context):
                for one in change(service, None, copy.deepcopy(message), state):
                    yield one

        methods["Play"] = play
    made = type("Faulty", (RefereeService,), methods)
    made.memory = Memory()  # type: ignore[attr-defined]  # one service a run
    return made


@asynccontextmanager
async def running_with(
    fault: Fault, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Running]:
    """Run the referee with a fault."""
    monkeypatch.setattr(server, "RefereeService", faulty(fault))
    for name, value in fault.patches.items():
        monkeypatch.setattr(server, name, value)
    async with running(folder) as run:
        yield run


def rows_of(service: RefereeService, match_id: str) -> list[LogRow]:
    """Give all rows of a match that are written, whoever may see them."""
    match = service._referee.match(match_id)
    return match.rows(0, match.published.sequence)


def status_of(number: grpc.StatusCode, reason: bytes) -> Refused:
    """Give a change of refusals: those for a reason get another status code."""

    def change(_: str, __: object, status: status_pb2.Status) -> None:
        if any(reason in detail.value for detail in status.details):
            status.code = number.value[0]

    return change
