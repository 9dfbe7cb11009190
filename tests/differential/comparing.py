"""One match through both engines, compared step by step: refusals, events, scores and views."""

from dataclasses import dataclass

from google.protobuf import json_format
from google.protobuf.message import Message

from ronda.conformance.v1 import testee_service_pb2 as pb
from ronda_referee import testee
from tests.oracle import respond


@dataclass(frozen=True)
class Disagreement:
    """Where the two engines part for the first time in a match.

    Attributes:
        step: the number of the move from 1 on; 0: the dealing before the first move.
        what: `start`, `refusal`, `events` or what of the sight differs.
        engine: what the engine says, as text.
        oracle: what the second engine says.
        request: the match up to that move.
    """

    step: int
    what: str
    engine: str
    oracle: str
    request: pb.RunRequest


def compare(request: pb.RunRequest) -> tuple[int, Disagreement | None]:
    """Play a match with both engines; give the deals that ended in it and where they part."""
    by_engine = pb.RunResponse()
    for part in testee.run(request):
        by_engine.MergeFrom(part)
    by_oracle = respond(request)
    deals = sum(
        event.WhichOneof("event") == "deal_ended"
        for step in by_engine.steps
        for event in step.events
    )
    if by_engine.refusal.reason != by_oracle.refusal.reason:
        found = ("start", by_engine.refusal, by_oracle.refusal)
        return deals, _disagreement(0, found, request)
    one = [by_engine.start, *by_engine.steps]
    other = [by_oracle.start, *by_oracle.steps]
    assert len(one) == len(other) == len(request.moves) + 1
    for number, (expected, got) in enumerate(zip(one, other, strict=True)):
        if parted := _parted(expected, got):
            return deals, _disagreement(number, parted, request)
    return deals, None


def _parted(one: pb.StepResult, other: pb.StepResult) -> tuple[str, Message, Message] | None:
    if one.refusal.reason != other.refusal.reason:
        return "refusal", one, other
    if list(one.events) != list(other.events):
        return "events", pb.StepResult(events=one.events), pb.StepResult(events=other.events)
    if one.sight.public != other.sight.public:
        return "public view", one.sight.public, other.sight.public
    if len(one.sight.seats) != len(other.sight.seats):
        return "seat views", one.sight, other.sight
    for seat, (view, its) in enumerate(zip(one.sight.seats, other.sight.seats, strict=True)):
        if view != its:
            return f"view of seat {seat}", view, its
    return None


def _disagreement(
    step: int, found: tuple[str, Message, Message], request: pb.RunRequest
) -> Disagreement:
    what, one, other = found
    until = pb.RunRequest()
    until.CopyFrom(request)
    del until.moves[step:]
    return Disagreement(step, what, _text(one), _text(other), until)


def _text(message: Message) -> str:
    """Give a message as JSON for people, a field a line."""
    return json_format.MessageToJson(message, preserving_proto_field_name=True, indent=1)
