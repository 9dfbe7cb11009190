"""Reading keys from a terminal, one at a time and without the Enter after them."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_INTERRUPT, _END_OF_INPUT = "\x03", "\x04"

if sys.platform == "win32":
    import msvcrt

    @contextmanager
    def _keys_at_once() -> Iterator[None]:
        yield

    def _pressed() -> str:
        key = msvcrt.getwch()
        # A key without a letter comes in two.
        return key + msvcrt.getwch() if key in "\0\xe0" else key

else:
    import os
    import select
    import termios
    import tty

    _ESCAPE = b"\x1b"
    # How long the rest of what one key sends may take, in seconds.
    _TOGETHER = 0.05

    @contextmanager
    def _keys_at_once() -> Iterator[None]:
        terminal = sys.stdin.fileno()
        before = termios.tcgetattr(terminal)
        # Now, so that what has been typed already is not thrown away.
        tty.setcbreak(terminal, termios.TCSANOW)
        try:
            yield
        finally:
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)

    def _pressed() -> str:
        terminal = sys.stdin.fileno()
        key = os.read(terminal, 1)
        if key == _ESCAPE:
            # A key without a letter sends several bytes: ESC [ C.
            while select.select([terminal], [], [], _TOGETHER)[0]:
                byte = os.read(terminal, 1)
                key += byte
                if byte not in b"[O;0123456789":
                    break
        return key.decode(errors="replace")


@contextmanager
def keys_at_once() -> Iterator[None]:
    """Have the terminal give each key when it is pressed, and show none, while this lasts."""
    with _keys_at_once():
        yield


def read_key() -> str:
    """Wait for a key and return what it sends; `q` too where nothing more can come.

    Raises:
        KeyboardInterrupt: It is Ctrl-C.
    """
    pressed = _pressed()
    if pressed == _INTERRUPT:
        raise KeyboardInterrupt
    return "q" if pressed in {"", _END_OF_INPUT} else pressed
