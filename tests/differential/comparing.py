"""One match through both engines, compared step by step: refusals, events, scores and views."""

import difflib
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
    """Play a match with both engines; give the deals that both played alike and where they part.

    A refusal of the whole run is compared too, and ends no deal.
    """
    by_engine = pb.RunResponse()
    for part in testee.run(request):
        by_engine.MergeFrom(part)
    by_oracle = respond(request)
    if by_engine.refusal.reason != by_oracle.refusal.reason:
        found = ("start", by_engine.refusal, by_oracle.refusal)
        return 0, _disagreement(0, found, request)
    if by_engine.HasField("refusal"):
        return 0, None
    deals = 0
    one = [by_engine.start, *by_engine.steps]
    other = [by_oracle.start, *by_oracle.steps]
    assert len(one) == len(other) == len(request.moves) + 1
    for number, (expected, got) in enumerate(zip(one, other, strict=True)):
        if parted := _parted(expected, got):
            return deals, _disagreement(number, parted, request)
        deals += sum(event.HasField("deal_ended") for event in expected.events)
    return deals, None


def report(seed: int, number: int, job: tuple[str, int], found: Disagreement) -> str:
    """Tell people where the engines part, and how to play that match again."""
    rule_set, seats = job
    lines = [
        f"seed {seed}, match {number}: {rule_set}, {seats} seats",
        f"the engines part at move {found.step}, in its {found.what}",
        str(found.request.moves[-1]) if found.step else "",
        *difflib.unified_diff(
            found.engine.splitlines(), found.oracle.splitlines(), "engine", "oracle", lineterm=""
        ),
    ]
    return "\n".join(lines)


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
