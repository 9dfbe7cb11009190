"""People are told that a referee does not answer."""

import io

import pytest

from ronda_cli.main import main
from ronda_cli.waiting import notice_of


def test_it_is_said_once_and_then_that_it_is_over() -> None:
    """After the third attempt, so that nobody hears of a referee that is only started again."""
    stream = io.StringIO()
    notice = notice_of("127.0.0.1:7632", 60.0, stream)
    for detail in ("away", "away", None):
        notice(detail)
    assert stream.getvalue() == ""
    for detail in ("away", "away", "gone", "gone", "gone", None):
        notice(detail)
    assert stream.getvalue().splitlines() == [
        "ronda: 127.0.0.1:7632 does not answer; tried again for 60 s (gone)",
        "ronda: 127.0.0.1:7632 answers",
    ]


def test_a_command_says_what_it_waits_for(capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody listens at port 1."""
    assert main(["matches", "list", "--target", "127.0.0.1:1", "--patience", "1"]) == 1
    first, last = capsys.readouterr().err.splitlines()
    assert first.startswith("ronda: 127.0.0.1:1 does not answer; tried again for 1 s (UNAVAILABLE")
    assert last.startswith("ronda: no answer from 127.0.0.1:1 in 1.")
