"""A program under test that misbehaves as its first argument says.

It answers every request with the bytes of the file that its second argument names, except where it
misbehaves: from its third request on, so that what comes before and after can be looked at too. It
uses the standard library alone and so starts fast; its third argument is a file that each process
adds its id to.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

THIRD = 3


def varint(number: int) -> bytes:
    """Return a number as a varint."""
    written = bytearray()
    while number > 0x7F:
        written.append(0x80 | number & 0x7F)
        number >>= 7
    return bytes([*written, number])


def request() -> bytes | None:
    """Read one request; None: there are no more."""
    length = shift = 0
    while byte := sys.stdin.buffer.read(1):
        length |= (byte[0] & 0x7F) << shift
        shift += 7
        if byte[0] < 0x80:
            return sys.stdin.buffer.read(length)
    return None


def say(data: bytes) -> None:
    """Write bytes to standard output."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def hang() -> None:
    """Do nothing until killed."""
    while True:
        time.sleep(60)


def crash(_answer: bytes) -> None:
    """End with a message."""
    print("what went wrong", file=sys.stderr, flush=True)
    os._exit(3)


def stubborn(_answer: bytes) -> None:
    """Hang, and take no notice of SIGTERM."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hang()


def child(_answer: bytes) -> None:
    """Start a process of one's own, and hang."""
    started = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    note(started.pid)
    hang()


def half(answer: bytes) -> None:
    """Write a part of the answer and end."""
    say(answer[: len(answer) // 2])
    os._exit(0)


def closes(_answer: bytes) -> None:
    """Close standard output and go on."""
    os.close(1)
    hang()


def note(pid: int) -> None:
    """Add a process to the file."""
    with Path(sys.argv[3]).open("a", encoding="utf-8") as file:
        file.write(f"{pid}\n")


ENDING: dict[str, Callable[[bytes], None]] = {
    "crash": crash,
    "signal": lambda _answer: os.kill(os.getpid(), signal.SIGKILL),
    "hang": lambda _answer: hang(),
    "stubborn": stubborn,
    "child": child,
    "half": half,
    "closes": closes,
}
"""What does not come back."""

WRITING: dict[str, Callable[[bytes], bytes]] = {
    "text": lambda answer: b"hello, world\n" + answer,
    "bomb": lambda _answer: varint(1 << 40),
    "endless": lambda _answer: b"\xff" * 20,
    "malformed": lambda _answer: varint(3) + b"\xff\xff\xff",
    "twice": lambda answer: answer + answer,
    "trailing": lambda answer: answer + b"\x05ab",
}
"""What is written in the place of an answer."""


def main() -> None:
    """Answer, and misbehave."""
    mode = sys.argv[1]
    answer = Path(sys.argv[2]).read_bytes()
    note(os.getpid())
    if mode == "ends":
        sys.exit("no such thing")
    seen = 0
    while request() is not None:
        seen += 1
        if mode == "deaf":
            print("asked", file=sys.stderr, flush=True)
            hang()
        if seen == THIRD and mode in ENDING:
            ENDING[mode](answer)
        say(WRITING[mode](answer) if seen == THIRD and mode in WRITING else answer)
    if mode == "late":
        say(answer)


if __name__ == "__main__":
    main()
