"""The demo's referee: a process that ends in good order, and says why where it cannot begin."""

import subprocess
import sys
from pathlib import Path

import pytest

from ronda_cli.demo_referee import RefereeProcess, first_useful_line, serve_arguments
from ronda_cli.failures import CommandError


def test_referee_ends_with_code_0_while_its_input_is_open(tmp_path: Path) -> None:
    """It is told by SIGTERM; a thread of its still waits for the end of its input then."""
    with RefereeProcess(serve_arguments(tmp_path / "data"), tmp_path / "output") as referee:
        assert referee.exit_code is None
    assert referee.exit_code == 0, (tmp_path / "output").read_text()


def test_referee_without_an_input_is_refused(tmp_path: Path) -> None:
    """Whatever file it opened next would take the input's place."""
    ran = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *serve_arguments(tmp_path / "data")],
        capture_output=True,
        text=True,
        check=False,
        # Where it is not refused it would run on.
        timeout=60,
    )
    assert ran.stderr == "ronda: --until-input-ends: standard input is closed\n"
    assert (ran.returncode, ran.stdout) == (2, "")


def test_referee_that_stops_at_once_is_told_with_its_exit_code(tmp_path: Path) -> None:
    """Its output ends before it does; the code is waited for, and what it said first is shown."""
    code = (
        "import os, sys\n"
        "print('the disk is full\\nand so on', file=sys.stderr, flush=True)\n"
        "os.close(1)\n"
        "sum(range(10_000_000))\n"
        "os._exit(3)\n"
    )
    output = tmp_path / "output"
    with (
        pytest.raises(CommandError) as caught,
        RefereeProcess([sys.executable, "-c", code], output),
    ):
        pass
    assert str(caught.value) == (
        "the referee stopped with exit code 3 before it listened; it said: the disk is full "
        f"(all of it: {output})"
    )


def test_output_keeps_what_both_streams_say(tmp_path: Path) -> None:
    """Neither writes over the other, and what an earlier referee said is gone."""
    code = (
        "import sys\n"
        "print('listening on 127.0.0.1:1', flush=True)\n"
        "sys.stdin.read(1)\n"
        "print('a complaint', file=sys.stderr, flush=True)\n"
    )
    output = tmp_path / "output"
    output.write_text("of an earlier referee\n")
    with RefereeProcess([sys.executable, "-c", code], output) as referee:
        assert referee.target == "127.0.0.1:1"
        assert referee._process is not None
        assert referee._process.stdin is not None
        referee._process.stdin.close()
        referee._process.wait()
    assert output.read_text() == "listening on 127.0.0.1:1\na complaint\n"


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("", ""),
        ("\nronda serve: the port is taken\n", "ronda serve: the port is taken"),
        ('{"event": "serving"}\nronda serve: no\nmore\n', "ronda serve: no"),
        (
            (
                "Traceback (most recent call last):\n"
                '  File "a.py", line 1, in <module>\n'
                "    import b\n"
                "ModuleNotFoundError: No module named 'b'\n"
            ),
            "ModuleNotFoundError: No module named 'b'",
        ),
        (
            (
                "Fatal Python error: _enter_buffered_busy: could not acquire lock\n\n"
                "Extension modules: one, two (total: 2)\n"
            ),
            "Fatal Python error: _enter_buffered_busy: could not acquire lock",
        ),
        ('{"event": "serving"}\n', '{"event": "serving"}'),
    ],
)
def test_line_that_is_shown_says_why(said: str, line: str) -> None:
    """Neither an event of the log nor the way to an error, unless there is nothing else."""
    assert first_useful_line(said) == line
