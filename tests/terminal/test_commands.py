"""`ronda play` and `ronda watch` as one types them, in a terminal and without one."""

import asyncio
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from ronda.v1.log_pb2 import FORFEIT_REASON_RESIGNED
from ronda_cli.main import main
from ronda_client import RefereeClient, read_records
from tests.terminal.test_referee_table import referee

NO_TERMINAL = "shows a table and waits for keys, and there is no terminal; "


def test_playing_needs_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2, and what does without one."""
    assert main(["play", "--seed", "1"]) == 2
    assert capsys.readouterr().err == (
        f"ronda: ronda play {NO_TERMINAL}`ronda match` has bots play, and `ronda replay` tells a "
        "log\n"
    )


def test_watching_needs_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything is asked of the referee."""
    assert main(["watch", "m1", "--target", "127.0.0.1:1"]) == 2
    assert f"ronda watch {NO_TERMINAL}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--match", "m1"], "--match needs --target, the referee that plays it"),
        (["--token-file", "t"], "--token-file is of use with --match alone"),
        (
            ["--target", "127.0.0.1:1", "--match", "m1", "--bot", "greedy"],
            "--bot does not go with --match: the match has its rules and seats already",
        ),
        (
            ["--target", "127.0.0.1:1", "--match", "m1", "--seed", "0"],
            "--seed does not go with --match: the match has its rules and seats already",
        ),
        (
            ["--target", "127.0.0.1:1", "--match", "m1"],
            "give the seat's token with --token-file or RONDA_SEAT_TOKEN",
        ),
        (["--bot", "greedy"] * 4, "--bot was given 4 times; beside you there is room for 3"),
        (["--seat", "2"], "--seat 2: the seats are 0 to 1"),
        (["--bot", "clever"], "--bot: there is no bot 'clever'"),
        (["--rule-set", "belote"], "there is no rule set 'belote'; there are: classic, "),
        (["--rule-set", "single-deal", "--bot", "greedy", "--bot", "random"], "seats"),
        (["--lang", "de"], "--lang: there is no glossary of 'de'; there are: ar, ary, en, "),
        (["--seed", "-1"], "seed"),
    ],
)
def test_options_that_cannot_be_followed_are_refused(
    arguments: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Exit code 2 and one line, before there is a table."""
    monkeypatch.delenv("RONDA_SEAT_TOKEN", raising=False)
    assert main(["play", *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_what_is_no_log_is_not_watched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is not there, one that is something else, and an empty one."""
    assert main(["watch", str(tmp_path / "none.rlog")]) == 2
    assert "none.rlog cannot be read: No such file" in capsys.readouterr().err
    other = tmp_path / "other"
    for content in (b"", b"not a log at all"):
        other.write_bytes(content)
        assert main(["watch", str(other)]) == 2
        assert f"watch: {other} is no log: " in capsys.readouterr().err
    other.write_bytes(b"RONDALOG")
    assert main(["watch", str(other)]) == 2
    assert f"watch: {other} has no record yet" in capsys.readouterr().err


class Screen:
    """A terminal with the command in it."""

    def __init__(self, process: "subprocess.Popen[bytes]", terminal: int) -> None:
        """Take the process and our side of its terminal."""
        self.process = process
        self._terminal = terminal
        self.shown = b""

    def until(self, text: str) -> None:
        """Read until a text has been shown since the last time."""
        before = len(self.shown)
        limit = time.monotonic() + 20
        while text.encode() not in self.shown[before:]:
            assert time.monotonic() < limit, self.shown[before:]
            if select.select([self._terminal], [], [], 1.0)[0]:
                self.shown += os.read(self._terminal, 65536)

    def press(self, keys: str) -> None:
        """Send what keys send."""
        os.write(self._terminal, keys.encode())

    def hang_up(self) -> int:
        """Take the terminal away; give the exit code of the command, which nobody has told."""
        os.close(self._terminal)
        return self.process.wait(timeout=20)

    def rest(self) -> str:
        """Read until the command has ended; give what came since."""
        before = len(self.shown)
        # A terminal that nobody writes to any more is an error to read from.
        with suppress(OSError):
            while select.select([self._terminal], [], [], 20.0)[0]:
                self.shown += os.read(self._terminal, 65536)
        self.process.wait(timeout=20)
        # What was read before may end within a character.
        return self.shown[before:].decode(errors="replace")


@contextmanager
def screen(*arguments: object) -> Iterator[Screen]:
    """Run the command in a terminal of its own, 80 x 24."""
    ours, theirs = pty.openpty()
    environment = {
        key: value for key, value in os.environ.items() if key not in {"NO_COLOR", "TERM_PROGRAM"}
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "ronda_cli", *map(str, arguments)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**environment, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"},
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield Screen(process, ours)
    finally:
        with suppress(OSError):
            os.close(ours)
        process.kill()
        process.wait()


def test_a_person_plays_here_and_leaves() -> None:
    """Without a referee; what is said at the end deals the same cards again."""
    with screen("play", "--seed", "3", "--pace", "0") as shown:
        shown.until("play a card")
        shown.press("1")
        shown.until("greedy (1) plays ")
        shown.press("q")
        shown.until("leave the match?")
        shown.press("l")
        rest = shown.rest()
    assert shown.process.returncode == 0
    assert "left before the end (--seed 3 deals the same cards)\r\n" in rest


async def test_a_person_creates_a_match_on_a_referee_and_resigns(tmp_path: Path) -> None:
    """The bot plays at the other seat under its name; the log has the card and the end."""

    def play(target: str) -> None:
        options = ("--rule-set", "single-deal", "--bot", "greedy", "--name", "Amina", "--seat", "1")
        with screen("play", "--target", target, "--pace", "0", *options) as shown:
            shown.until("play a card")
            shown.press("1")
            shown.until("Amina (1) plays ")
            shown.press("q")
            shown.until("leave the match?")
            shown.press("r")
            shown.rest()
        assert shown.process.returncode == 0

    async with referee(tmp_path) as target:
        await asyncio.to_thread(play, target)
        async with RefereeClient.connect(target) as client:
            (match,) = [one async for one in client.list_matches()]
            log = list(read_records(await client.get_match_log(match.match_id)))
    assert (match.rule_set_id, list(match.names)) == ("single-deal", ["greedy", "Amina"])
    (forfeit,) = [one.forfeit_declared for one in log if one.HasField("forfeit_declared")]
    assert (forfeit.seat, forfeit.reason) == (1, FORFEIT_REASON_RESIGNED)
    own = [one for one in log if one.HasField("move_accepted") and one.move_accepted.seat == 1]
    assert len(own) == 1
    (result,) = [one.match_result for one in log if one.HasField("match_result")]
    assert list(result.winners) == [0]


async def test_a_match_that_the_referee_does_not_create_is_said(tmp_path: Path) -> None:
    """At the table, and with exit code 1 when it is gone."""

    def play(target: str) -> None:
        with screen("play", "--target", target, "--rule-set", "belote") as shown:
            shown.until("it cannot go on: ")
            shown.press("q")
            rest = shown.rest()
        assert shown.process.returncode == 1
        assert "RULE_SET_NOT_FOUND" in rest

    async with referee(tmp_path) as target:
        await asyncio.to_thread(play, target)


def test_a_terminal_is_left_as_it_was_where_the_command_is_ended() -> None:
    """SIGTERM: the other screen is gone, and the exit code says so."""
    with screen("play", "--pace", "0") as shown:
        shown.until("play a card")
        shown.process.terminate()
        rest = shown.rest()
    assert shown.process.returncode == 143
    assert "\x1b[?1049l" in rest
    assert "ronda: terminated" in rest


def test_a_command_whose_terminal_is_gone_ends() -> None:
    """It does not go on reading keys that nobody can press."""
    with screen("play", "--pace", "0") as shown:
        shown.until("play a card")
        assert shown.hang_up() == 129


def test_a_log_is_watched_in_french() -> None:
    """One of the finished logs; q leaves it before it is through."""
    log = Path(__file__).parents[1] / "golden" / "single-deal-2.rlog"
    with screen("watch", log, "--lang", "fr") as watched:
        watched.until("quitter")
        watched.press("q")
        watched.rest()
    assert watched.process.returncode == 0


def test_a_referee_that_is_not_there_is_said_when_the_table_is_gone() -> None:
    """The table shows it, and the command's exit code is 1."""
    with screen("watch", "m1", "--target", "127.0.0.1:1", "--patience", "0") as shown:
        shown.until("it cannot go on: no answer from 127.0.0.1:1")
        shown.press("q")
        rest = shown.rest()
    assert shown.process.returncode == 1
    assert "ronda: no answer from 127.0.0.1:1 in 0.0 s" in rest
