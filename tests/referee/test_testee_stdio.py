"""The engine as a program under test over standard input and output."""

import subprocess
import sys
from io import BytesIO

import pytest

from ronda.conformance.v1 import testee_service_pb2 as pb
from ronda_referee.testee_stdio import BadInputError, serve

# Field 2, seats, is 2 and no rule set: the engine refuses the rule set. 2 bytes after their length.
REQUEST = b"\x02\x10\x02"


def answers(requests: bytes) -> bytes:
    """Return what is written for an input."""
    written = BytesIO()
    serve(BytesIO(requests), written)
    return written.getvalue()


def test_each_request_is_answered_in_order() -> None:
    """Two requests, two answers, each after its length; an empty input has none."""
    one = answers(REQUEST)
    assert one[0] < 0x80
    assert len(one) == 1 + one[0]
    refused = pb.RunResponse.FromString(one[1:])
    assert refused.refusal.reason == "RULE_SET_INVALID"
    assert answers(REQUEST + REQUEST) == one + one
    assert answers(b"") == b""


@pytest.mark.parametrize(
    ("requests", "problem"),
    [
        (b"\x82", "the input ends after 1 bytes of a length"),
        (b"\x05\x10", "the input ends after 1 of 5 bytes of a request"),
        (b"\x02\xff\xff", "a request of 2 bytes is no ronda.conformance.v1.RunRequest"),
        (b"\x81\x80\x80\x02", "a request would have 4194305 bytes or more; at most 4194304"),
        (b"\xff" * 10, "a request would have"),
        (b"\x80" * 10, "a request would have"),
    ],
)
def test_what_is_no_request_ends_it(requests: bytes, problem: str) -> None:
    """With a message, and nothing is set aside for what a length announces."""
    with pytest.raises(BadInputError, match=problem):
        answers(requests)


def test_the_command_serves_until_its_input_ends() -> None:
    """`ronda testee --stdio` answers, ends with 0, and says with 1 what is no request."""
    command = [sys.executable, "-m", "ronda_cli", "testee", "--stdio"]
    served = subprocess.run(command, input=REQUEST, capture_output=True, check=False)
    assert (served.returncode, served.stdout, served.stderr) == (0, answers(REQUEST), b"")
    broken = subprocess.run(command, input=REQUEST + b"\x05", capture_output=True, check=False)
    assert (broken.returncode, broken.stdout) == (1, answers(REQUEST))
    assert broken.stderr == b"ronda: testee: the input ends after 0 of 5 bytes of a request\n"
