"""Reading one key from a terminal, without the Enter after it."""

import sys

_INTERRUPT, _END_OF_INPUT = "\x03", "\x04"

if sys.platform == "win32":
    import msvcrt

    def _pressed() -> str:
        key = msvcrt.getwch()
        # A key without a letter comes in two.
        return key + msvcrt.getwch() if key in "\0\xe0" else key

else:
    import os
    import termios
    import tty

    _MOST_BYTES = 32

    def _pressed() -> str:
        terminal = sys.stdin.fileno()
        before = termios.tcgetattr(terminal)
        try:
            tty.setcbreak(terminal)
            # A key without a letter comes as several bytes at once.
            return os.read(terminal, _MOST_BYTES).decode(errors="replace")
        finally:
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def read_key() -> str:
    """Wait for a key and return what it sends; `q` too where nothing more can come.

    Raises:
        KeyboardInterrupt: It is Ctrl-C.
    """
    pressed = _pressed()
    if pressed == _INTERRUPT:
        raise KeyboardInterrupt
    return "q" if pressed in {"", _END_OF_INPUT} else pressed
