"""The engine as a program under test over standard input and output.

Requests and answers are messages of ronda.conformance.v1, each after its length as a varint; there
is one answer to each request, in order.
"""

from io import BytesIO
from typing import BinaryIO

from google.protobuf.message import DecodeError
from google.protobuf.proto import serialize_length_prefixed

from ronda.conformance.v1 import testee_service_pb2 as pb
from ronda_referee.testee import run

LARGEST = 4 * 1024 * 1024
"""The most bytes that a request may have, as over gRPC."""

# A varint of 64 bits has at most ten bytes.
_LONGEST_VARINT = 10


class BadInputError(Exception):
    """The input is no series of requests; the message says what came instead."""


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until the input ends.

    Raises:
        BadInputError: the input ends in a request, holds what is none, or one that is too large.
    """
    while (length := _length(requests)) is not None:
        body = requests.read(length)
        if len(body) < length:
            message = f"the input ends after {len(body)} of {length} bytes of a request"
            raise BadInputError(message)
        try:
            request = pb.RunRequest.FromString(body)
        except DecodeError as error:
            message = f"a request of {length} bytes is no ronda.conformance.v1.RunRequest: {error}"
            raise BadInputError(message) from error
        framed = BytesIO()
        serialize_length_prefixed(answer(request), framed)
        answers.write(framed.getvalue())
        answers.flush()


def answer(request: pb.RunRequest) -> pb.RunResponse:
    """Return the answer to one request."""
    response = pb.RunResponse()
    for part in run(request):
        if part.HasField("refusal"):
            return part
        response.MergeFrom(part)
    return response


def _length(requests: BinaryIO) -> int | None:
    """Return the length of the next request; None: the input has ended before one."""
    length = 0
    for index in range(_LONGEST_VARINT):
        byte = requests.read(1)
        if not byte:
            if index == 0:
                return None
            message = f"the input ends after {index} bytes of a length"
            raise BadInputError(message)
        length |= (byte[0] & 0x7F) << (7 * index)
        if length > LARGEST:
            break
        if byte[0] < 0x80:  # noqa: PLR2004  # the top bit is clear in the last byte alone
            return length
    message = f"a request would have {length} bytes or more; at most {LARGEST} are read"
    raise BadInputError(message)
