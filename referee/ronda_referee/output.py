"""Lines of text on a stream that may not be able to show all of it."""

from typing import TextIO


def write_line(stream: TextIO, text: str) -> None:
    """Write a line; what the stream's encoding lacks is written as a backslash and its number."""
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
