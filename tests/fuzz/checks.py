"""What must hold of every answer, whatever was asked."""

import re
from collections.abc import Iterable

import grpc
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from ronda.conformance.v1 import testee_service_pb2
from ronda.v1 import referee_service_pb2 as pb
from tests.fuzz.documented import (
    ANY_CALL,
    ANY_STREAM,
    CODES,
    DOCUMENTED,
    MOVE_OF_STREAM,
    NOT_UNDER_TEST,
    REASONS,
    SEAT_OF_STREAM,
    TESTEE,
)
from tests.fuzz.sending import METHODS, REFEREE, Outcome
from tests.fuzz.sending import TESTEE as TESTEE_METHOD

_TOKEN = re.compile(rb"(?=([A-Za-z0-9_-]{43}))")
_SEED = re.compile(rb"(?=([0-9a-f]{64}))")

# The reflection service, which is not ours, says in each answer what it was asked: tokens too, and
# what is nested as deep as can be read it nests once more.
_ECHOING = "/grpc.reflection."

_BY_NUMBER = {code.value[0]: code for code in grpc.StatusCode}

TOO_LARGE = frozenset({grpc.StatusCode.RESOURCE_EXHAUSTED})
"""What gRPC itself answers, with no reason of ours, to what is larger than the limits."""
NO_SUCH_CALL = frozenset({grpc.StatusCode.UNIMPLEMENTED})
"""What gRPC itself answers to a call that there is not."""


class Broken(Exception):
    """Something that must hold does not."""


class Secrets:
    """Every token and seed that there is, to be found in what nobody may read."""

    def __init__(self) -> None:
        self._tokens: set[bytes] = set()

    def add(self, tokens: Iterable[str]) -> None:
        """Know some more tokens."""
        self._tokens.update(token.encode() for token in tokens)

    def check(self, said: bytes, where: str) -> None:
        """Look for a token.

        Raises:
            Broken: there is one.
        """
        for found in _TOKEN.finditer(said):
            if found[1] in self._tokens:
                raise Broken(f"{where} holds a token: {said!r}")


def check_seeds(said: bytes, seeds: set[bytes], where: str) -> None:
    """Look for a seed in hexadecimal digits.

    Raises:
        Broken: there is one.
    """
    for found in _SEED.finditer(said):
        if bytes.fromhex(found[1].decode()) in seeds:
            raise Broken(f"{where} holds a seed: {said!r}")


def check(
    outcome: Outcome, secrets: Secrets, by_grpc: frozenset[grpc.StatusCode] = frozenset()
) -> None:
    """Hold an outcome against what the schema documents, or what gRPC itself may answer here.

    Raises:
        Broken: it is something else.
    """
    secrets.check(outcome.raw, "the refusal")
    if outcome.left:
        return
    if outcome.ok or outcome.answers:
        _check_answers(outcome, secrets)
    if outcome.ok:
        return
    if not outcome.reason:
        if outcome.code not in by_grpc:
            _check_without_reason(outcome)
        return
    allowed = set(ANY_CALL)
    descriptor = METHODS[outcome.method]
    if descriptor.client_streaming or descriptor.server_streaming:
        allowed |= ANY_STREAM
    if outcome.method.startswith(REFEREE):
        allowed |= DOCUMENTED[outcome.name]
    _check_reason(outcome.reason, outcome.code, allowed - NOT_UNDER_TEST, str(outcome))


def _check_without_reason(outcome: Outcome) -> None:
    if outcome.name == "Check" and outcome.code == grpc.StatusCode.NOT_FOUND:
        return
    raise Broken(f"answered with a status that is not documented: {outcome}")


def _check_reason(
    reason: str, code: grpc.StatusCode | None, allowed: set[str] | frozenset[str], said: str
) -> None:
    if reason not in REASONS:
        raise Broken(f"answered with a reason that the schema does not list: {said}")
    if reason not in allowed:
        raise Broken(f"answered with a reason that is not documented for the call: {said}")
    if code is not None and CODES[reason] != code:
        raise Broken(f"the reason {reason} does not travel with its status: {said}")


def _check_answers(outcome: Outcome, secrets: Secrets) -> None:
    if outcome.method.startswith(_ECHOING):
        return
    descriptor = METHODS[outcome.method]
    for data in outcome.answers:
        message = GetMessageClass(descriptor.output_type)()
        try:
            message.ParseFromString(data)
        except DecodeError as error:
            raise Broken(f"the answer is no {descriptor.output_type.name}: {data!r}") from error
        if isinstance(message, pb.PlayResponse):
            check_stream(message, secrets)
        elif outcome.method != f"{REFEREE}CreateMatch":
            secrets.check(data, "the answer")
        if outcome.method == TESTEE_METHOD:
            _check_run(message)


def check_stream(message: pb.PlayResponse, secrets: Secrets) -> None:
    """Hold what a Play stream says against what the schema documents.

    The ids in it are those that the client sent, whatever they are, so that it knows its answers.

    Raises:
        Broken: it refuses something in another way, or a refusal holds a token.
    """
    for answer in message.answers:
        if answer.WhichOneof("result") is None:
            raise Broken(f"an answer says nothing: {answer}")
        if answer.HasField("refusal"):
            _check_refusal(answer.refusal, MOVE_OF_STREAM, secrets)
    for update in message.updates:
        if update.HasField("refusal"):
            _check_refusal(update.refusal, SEAT_OF_STREAM, secrets)


def _check_refusal(refusal: pb.PlayRefusal, allowed: frozenset[str], secrets: Secrets) -> None:
    secrets.check(refusal.SerializeToString(), "a refusal in a stream")
    _check_reason(refusal.reason, _BY_NUMBER[refusal.code], allowed - NOT_UNDER_TEST, str(refusal))


def _check_run(message: Message) -> None:
    if not isinstance(message, testee_service_pb2.RunResponse):
        raise Broken("the testee answers something else")
    for refusal in (message.refusal, *(step.refusal for step in message.steps)):
        if refusal.reason:
            _check_reason(refusal.reason, None, TESTEE, str(refusal))
