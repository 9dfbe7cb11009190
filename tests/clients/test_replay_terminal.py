"""At a terminal a replay is in colour, and with --step it waits for keys."""

import codecs
import io
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from ronda_cli import replay_output
from ronda_replay.lines import Part, Style
from tests.clients.command import ronda
from tests.referee.played_logs import FIXED, PlayedMatch, first_card, maghribi

RESET = "\x1b[0m"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Give the path of a finished log."""
    path = tmp_path / "match.rlog"
    path.write_bytes(PlayedMatch(maghribi(1), fixed=FIXED, policy=first_card).data)
    return path


class Screen:
    """A terminal with the command in it."""

    def __init__(self, process: "subprocess.Popen[bytes]", terminal: int) -> None:
        self.process = process
        self._terminal = terminal
        # What is read at a time may end within a character.
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def until(self, text: str) -> str:
        """Read until a text is shown; give all that came since the last time."""
        shown = ""
        while text not in shown:
            shown += self._decoder.decode(os.read(self._terminal, 65536))
        return shown

    def rest(self) -> str:
        """Read until the command has ended."""
        shown = ""
        # A terminal that nobody writes to any more is an error to read from.
        with suppress(OSError):
            while piece := os.read(self._terminal, 65536):
                shown += self._decoder.decode(piece)
        self.process.wait()
        return shown

    def press(self, key: str) -> None:
        """Send what a key sends."""
        os.write(self._terminal, key.encode())


@contextmanager
def screen(*arguments: object, **environment: str) -> Iterator[Screen]:
    """Run the command in a terminal of its own."""
    ours, theirs = pty.openpty()
    plain = {key: value for key, value in os.environ.items() if key not in {"NO_COLOR", "COLUMNS"}}
    process = subprocess.Popen(
        [sys.executable, "-m", "ronda_cli", "replay", *map(str, arguments)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**plain, "TERM": "xterm-256color", **environment},
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield Screen(process, ours)
    finally:
        os.close(ours)
        process.kill()
        process.wait()


def test_a_terminal_shows_colours(log: Path) -> None:
    """Suits have one each, captures and points theirs; no line is broken by us."""
    with screen(log) as shown:
        lines = shown.rest().splitlines()
    assert shown.process.returncode == 0
    assert f"\x1b[1;36m    Amina (0) plays 7 of coins{RESET}" in lines
    assert f"\x1b[32m      Brahim (1) captures 7 of coins, jack of coins{RESET}" in lines
    assert f"\x1b[1;32m      Brahim (1): caida 1 (Brahim (1) +1){RESET}" in lines
    table = next(line for line in lines if " 7o" in line and "table" in line)
    assert f"\x1b[31m7c{RESET}" in table
    assert f"\x1b[33m 7o{RESET}" in table
    leftovers = next(line for line in lines if "leftovers" in line)
    assert "jack of clubs, king of clubs" in leftovers


def test_no_color_is_obeyed(log: Path) -> None:
    """Nothing but text comes to the terminal."""
    with screen(log, NO_COLOR="1") as shown:
        text = shown.rest()
    assert "\x1b" not in text
    assert "    Amina (0) plays 7 of coins\r\n" in text


async def test_a_pipe_has_no_colours(log: Path) -> None:
    """Whatever TERM says."""
    ran = await ronda("replay", log, TERM="xterm-256color")
    assert "\x1b" not in ran.out


def test_a_terminal_without_rich_shows_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra `terminal` brings the colours; nobody has to have it."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(replay_output, "is_installed", lambda _module: False)
    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    replay_output.show([[(Part("7o", Style.OROS), Part(" 1c", Style.COPAS))]])
    assert terminal.getvalue() == "7o 1c\n"


def test_each_key_shows_the_next_turn_until_q(log: Path) -> None:
    """An arrow, whose three bytes are one key, and a letter; q ends it in order."""
    with screen(log, "--step", NO_COLOR="1") as shown:
        assert "[any key: on; q: quit]" in shown.until("o coins, c cups, e swords, b clubs\r\n")
        for text in (
            "seat 1 is taken by Brahim\r\n",
            "given to the shuffle: 6669727374\r\n",
            "the match begins with 2 seats\r\n",
            "deal 1, dealer: Brahim (1)\r\n",
            "  batch 1, 3 cards each\r\n",
        ):
            shown.press("\x1b[C")
            assert shown.until(text).strip().count("\r\n") == 0
        shown.press("q")
        assert "receives" not in shown.rest()
    assert shown.process.returncode == 0


def test_ctrl_c_interrupts_a_step(log: Path) -> None:
    """With the exit code of an interrupt and no traceback."""
    with screen(log, "--step", NO_COLOR="1") as shown:
        shown.until("b clubs\r\n")
        shown.process.send_signal(2)
        text = shown.rest()
    assert "Traceback" not in text
    assert shown.process.returncode == 130


async def test_steps_need_a_terminal(log: Path) -> None:
    """Where there is none the message says what to do instead."""
    ran = await ronda("replay", log, "--step")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "ronda: --step waits for keys, and there is no terminal; without it everything is printed, "
        "and --html makes a page to step through\n"
    )
