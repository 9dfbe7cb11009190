"""Messages in a stream of bytes, each after its length: the delimited framing of Protocol Buffers.

The length is a varint: seven bits a byte, the lowest first, the top bit set in all but the last.
"""

from google.protobuf.message import Message

LARGEST = 64 * 1024 * 1024
"""The most bytes that an answer may have."""

# A varint of 64 bits has at most ten bytes.
_LONGEST_VARINT = 10
_SHOWN = 60


class FramingError(Exception):
    """The bytes are no length and message; the message says what they are."""


def framed(message: Message) -> bytes:
    """Return a message after its length."""
    body = message.SerializeToString()
    return _varint(len(body)) + body


def _varint(number: int) -> bytes:
    written = bytearray()
    while number > 0x7F:  # noqa: PLR2004  # seven bits
        written.append(0x80 | number & 0x7F)
        number >>= 7
    written.append(number)
    return bytes(written)


class Frames:
    """Bytes as they come in, and the messages that can be taken out of them."""

    def __init__(self, largest: int = LARGEST) -> None:
        """Begin with nothing; `largest` is the most bytes that a message may have."""
        self._bytes = bytearray()
        self._largest = largest

    def __len__(self) -> int:
        return len(self._bytes)

    def feed(self, received: bytes) -> None:
        """Add bytes at the end."""
        self._bytes += received

    def take(self) -> bytes | None:
        """Take the first message out; None: it is not whole yet.

        Raises:
            FramingError: what comes next can be no message, or one that is too large.
        """
        start, length = self._length()
        if start == 0 or len(self._bytes) < start + length:
            return None
        body = bytes(self._bytes[start : start + length])
        del self._bytes[: start + length]
        return body

    def begun(self) -> str:
        """Tell what is there of a message that is not whole; empty where nothing is."""
        if not self._bytes:
            return ""
        try:
            start, length = self._length()
        except FramingError as error:
            return str(error)
        if start == 0:
            return f"{len(self._bytes)} bytes of a length{self._as_text()}"
        return f"{len(self._bytes) - start} of {length} bytes{self._as_text()}"

    def _length(self) -> tuple[int, int]:
        """Return where the first message begins and its length; 0 and 0: unknown yet."""
        length = 0
        for index, byte in enumerate(self._bytes[:_LONGEST_VARINT]):
            length |= (byte & 0x7F) << (7 * index)
            if byte < 0x80:  # noqa: PLR2004  # the top bit is clear in the last byte alone
                if length > self._largest:
                    problem = f"a message of {length} bytes; at most {self._largest} are read"
                    raise FramingError(problem + self._as_text())
                return index + 1, length
        if len(self._bytes) >= _LONGEST_VARINT:
            raise FramingError(f"a length that does not end within 10 bytes{self._as_text()}")
        return 0, 0

    def _as_text(self) -> str:
        """Return a hint where the bytes look like text, which has no place among messages."""
        start = bytes(self._bytes[:_SHOWN])
        text = start.decode("utf-8", errors="ignore")
        if not text or not all(char.isprintable() or char in "\r\n\t" for char in text):
            return ""
        return f", which look like the text {text!r}: nothing but answers may be written there"
