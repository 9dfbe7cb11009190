"""The lines of a replay in colour, with rich, which the extra `terminal` brings."""

import sys
from collections.abc import Callable

from rich.console import Console
from rich.text import Text

from ronda_replay.lines import Line, Style

STYLES = {
    Style.PLAIN: "",
    Style.QUIET: "dim",
    Style.HEADING: "bold",
    Style.PLAY: "bold cyan",
    Style.CAPTURE: "green",
    Style.CALL: "magenta",
    Style.GAIN: "bold green",
    Style.LOSS: "bold red",
    Style.SCORE: "bold yellow",
    Style.OROS: "yellow",
    Style.COPAS: "red",
    Style.ESPADAS: "blue",
    Style.BASTOS: "green",
}


def writer() -> Callable[[Line], None]:
    """Give what writes a line to the terminal; the terminal breaks long ones."""
    console = Console(file=sys.stdout, highlight=False)
    encoding = sys.stdout.encoding or "utf-8"

    def write(line: Line) -> None:
        text = Text()
        for part in line:
            shown = part.text.encode(encoding, "backslashreplace").decode(encoding)
            text.append(shown, style=STYLES[part.style])
        console.print(text, soft_wrap=True)

    return write
