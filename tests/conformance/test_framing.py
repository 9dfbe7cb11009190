"""Delimited framing: lengths as varints, as the schema's libraries write them."""

import pytest

from ronda.conformance.v1 import testee_service_pb2 as pb
from ronda_conformance.framing import Frames, FramingError, framed


def test_a_message_stands_after_its_length() -> None:
    """300 bytes of detail are field 2 with 3 bytes before it, in field 1: 306 in all, 0xb2 0x02."""
    short = pb.RunResponse(refusal=pb.Refusal(reason="X"))
    assert framed(short) == b"\x05\x0a\x03\x0a\x01X"
    long = pb.RunResponse(refusal=pb.Refusal(detail="d" * 300))
    assert framed(long)[:7] == b"\xb2\x02\x0a\xaf\x02\x12\xac"


def test_messages_are_taken_as_they_become_whole() -> None:
    """Byte by byte, two at once, and empty ones."""
    frames = Frames()
    assert frames.take() is None
    for byte in b"\x03ab":
        frames.feed(bytes([byte]))
        assert frames.take() is None
    assert frames.begun().startswith("2 of 3 bytes")
    frames.feed(b"c\x00\x01d\x80")
    assert [frames.take(), frames.take(), frames.take(), frames.take()] == [b"abc", b"", b"d", None]
    assert frames.begun().startswith("1 bytes of a length")
    assert len(frames) == 1


@pytest.mark.parametrize(
    ("received", "problem"),
    [
        (b"\x0b", "a message of 11 bytes; at most 10 are read"),
        (b"\xff" * 9 + b"\x01", "at most 10 are read"),
        (b"\xff" * 10, "a length that does not end within 10 bytes"),
        (b"Error: x", "a message of 69 bytes.*look like the text 'Error: x'"),
    ],
)
def test_lengths_that_cannot_be_are_refused(received: bytes, problem: str) -> None:
    """Before anything is set aside for what they announce."""
    frames = Frames(largest=10)
    frames.feed(received)
    with pytest.raises(FramingError, match=problem):
        frames.take()
