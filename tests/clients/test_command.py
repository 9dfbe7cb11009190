"""The `ronda` command itself: what it says, and what it says where it cannot do as it is told."""

import importlib.metadata
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ronda_cli import bot_choice
from ronda_cli.bot import TOKEN_VARIABLE, read_token
from ronda_cli.extras import MissingExtraError, require
from ronda_cli.failures import CommandError
from ronda_cli.main import main
from ronda_cli.play import bots_by_seat

COMMANDS = (
    *("demo", "serve", "play", "bot", "matches", "store"),
    *("audit", "replay", "rules", "glossary", "conform"),
)

RONDA = (sys.executable, "-m", "ronda_cli")
# Nothing listens on port 1.
NOWHERE = ("--target", "127.0.0.1:1", "--patience", "0")


def ronda(
    *arguments: str, cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the command as a process of its own."""
    return subprocess.run(
        [*RONDA, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env={**os.environ, **environment},
    )


def test_version_is_that_of_the_distribution() -> None:
    """`ronda --version` names the program and the version that is installed."""
    ran = ronda("--version")
    assert ran.stdout == f"ronda {importlib.metadata.version('ronda-referee')}\n"
    assert (ran.returncode, ran.stderr) == (0, "")


def test_help_lists_every_command() -> None:
    """Also those whose extras are not installed."""
    ran = ronda("--help")
    assert ran.returncode == 0
    for command in COMMANDS:
        assert f"\n    {command} " in ran.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_of_its_own(command: str) -> None:
    """Its module is found and its options are described."""
    ran = ronda(command, "--help")
    assert ran.stdout.startswith(f"usage: ronda {command} ")
    assert (ran.returncode, ran.stderr) == (0, "")


def test_help_loads_no_command() -> None:
    """A plain install can show it, and quickly."""
    code = (
        "import sys\n"
        "from ronda_cli.main import main\n"
        "try:\n"
        "    main(['--help'])\n"
        "except SystemExit:\n"
        "    heavy = {'grpc', 'apsw', 'ruamel', 'rich', 'ronda_referee'}\n"
        "    print(sorted(heavy & set(sys.modules)))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("arguments", [[], ["frobnicate"], ["play", "--seats", "5"]])
def test_wrong_use_is_explained(arguments: list[str]) -> None:
    """The exit code is 2, the usage goes to standard error, and there is no traceback."""
    ran = ronda(*arguments)
    assert ran.returncode == 2
    assert ran.stderr.startswith("usage: ronda ")
    assert "Traceback" not in ran.stderr


def test_missing_extra_is_named_with_the_way_to_install_it() -> None:
    """One command line, ready to be copied."""
    with pytest.raises(MissingExtraError) as caught:
        require("serve", ["server"], lambda module: module != "apsw")
    assert str(caught.value) == (
        "ronda serve needs the extra \"server\": pip install 'ronda-referee[server]'"
    )


def test_all_missing_extras_are_named_at_once() -> None:
    """Nobody has to try twice."""
    with pytest.raises(MissingExtraError) as caught:
        require("demo", ["server", "conformance"], lambda _module: False)
    assert str(caught.value) == (
        'ronda demo needs the extras "server" and "conformance": '
        "pip install 'ronda-referee[server,conformance]'"
    )
    require("demo", ["server", "conformance"], lambda _module: True)


def test_command_without_its_extra_ends_with_the_message(tmp_path: Path) -> None:
    """A module that cannot be found stands for an extra that is not installed."""
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util\n"
        "found = importlib.util.find_spec\n"
        "importlib.util.find_spec = (\n"
        "    lambda name, package=None: None if name == 'apsw' else found(name, package)\n"
        ")\n"
    )
    ran = ronda("serve", PYTHONPATH=str(tmp_path))
    assert ran.stderr == (
        "ronda: ronda serve needs the extra \"server\": pip install 'ronda-referee[server]'\n"
    )
    assert (ran.returncode, ran.stdout) == (2, "")


@pytest.mark.parametrize("arguments", [["--version"], ["conform", "--list"]])
def test_output_that_nobody_reads_is_no_traceback(arguments: list[str]) -> None:
    """As in `ronda --version | true`, whether there is little of it or much."""
    read, write = os.pipe()
    os.close(read)
    try:
        ran = subprocess.run(
            [sys.executable, "-m", "ronda_cli", *arguments],
            stdout=write,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            # Without a buffer argparse meets the closed pipe itself, and passes over it.
            env={key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"},
        )
    finally:
        os.close(write)
    assert ran.stderr == ""
    assert ran.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
@pytest.mark.parametrize("arguments", [["--version"], ["conform", "--list"], ["audit", "{log}"]])
def test_output_that_is_full_is_one_line(arguments: list[str], tmp_path: Path) -> None:
    """The exit code is 2, also for `ronda audit`, whose 1 speaks of the log."""
    log = tmp_path / "match.rlog"
    log.write_bytes(b"RONDALOG")
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            [*RONDA, *(argument.format(log=log) for argument in arguments)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            # Without a buffer argparse meets the full device itself, and passes over it.
            env={key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"},
        )
    assert ran.stderr == "ronda: the output cannot be written: No space left on device\n"
    assert ran.returncode == 2


@pytest.mark.parametrize("command", ["audit", "replay"])
def test_output_that_is_closed_is_one_line(command: str, tmp_path: Path) -> None:
    """Nothing is done: whatever file was opened next would take the output's place."""
    log = tmp_path / "match.rlog"
    log.write_bytes(b"RONDALOG")
    ran = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *RONDA, command, str(log)],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert ran.stderr == "ronda: standard output is closed\n"
    assert ran.returncode == 2


def test_message_that_has_nowhere_to_go_is_the_exit_code_alone() -> None:
    """Standard error is closed too: it must not land in the output, nor raise."""
    ran = subprocess.run(
        ["sh", "-c", 'exec "$@" 2>&-', "sh", *RONDA, "play", *NOWHERE, "--bot", "clever"],
        stdout=subprocess.PIPE,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (2, b"")


@pytest.mark.parametrize("arguments", [[b"audit", b"caf\xe9"], [b"caf\xe9"]])
def test_argument_that_is_not_utf8_is_one_line(arguments: list[bytes]) -> None:
    """It could be neither printed nor sent."""
    ran = subprocess.run(
        [*map(os.fsencode, RONDA), *arguments], capture_output=True, text=True, check=False
    )
    assert ran.stderr == "ronda: the argument 'caf\\udce9' is not UTF-8\n"
    assert (ran.returncode, ran.stdout) == (2, "")


@pytest.mark.parametrize("command", ["play", "bot"])
@pytest.mark.parametrize(
    "target",
    ["127.0.0.1", ":7632", ":99999", "127.0.0.1:0", "127.0.0.1:99999", "http://a:1", "::1:1", ""],
)
def test_target_is_a_host_and_a_port(
    command: str, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Anything else is refused at once, and no referee is waited for."""
    with pytest.raises(SystemExit) as caught:
        main([command, "--target", target])
    assert caught.value.code == 2
    assert (
        f"argument --target: {target!r} is no HOST:PORT, as 127.0.0.1:7632 or [::1]:7632"
        in capsys.readouterr().err
    )


def test_referee_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    """Nothing listens on port 1."""
    token = tmp_path / "token"
    token.write_text("secret\n")
    arguments = ["--target", "127.0.0.1:1", "--patience", "0"]
    for ran in (
        ronda("play", *arguments),
        ronda("bot", *arguments, "--match", "m", "--token-file", str(token)),
    ):
        assert ran.returncode == 1
        assert ran.stderr.startswith("ronda: no answer from 127.0.0.1:1 in 0.0 s: ")
        assert ran.stderr.count("\n") == 1
        assert "secret" not in ran.stderr


@pytest.mark.parametrize("patience", ["-1", "soon", "nan", "inf"])
def test_patience_is_a_number_of_seconds(patience: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Anything else is refused before anything is done."""
    with pytest.raises(SystemExit) as caught:
        main(["play", "--target", "127.0.0.1:1", f"--patience={patience}"])
    assert caught.value.code == 2
    assert f"'{patience}' is no number of seconds" in capsys.readouterr().err


def test_token_comes_from_the_file_or_else_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file goes first; line ends around the token do not count."""
    file = tmp_path / "token"
    file.write_text("  from-file\n")
    monkeypatch.setenv(TOKEN_VARIABLE, "from-environment\n")
    assert read_token(file) == "from-file"
    assert read_token(None) == "from-environment"


def test_missing_token_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says both ways to give it."""
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    with pytest.raises(CommandError) as caught:
        read_token(None)
    assert str(caught.value) == "give the seat's token with --token-file or RONDA_SEAT_TOKEN"
    assert caught.value.code == 2
    empty = tmp_path / "empty"
    empty.touch()
    with pytest.raises(CommandError, match="it is empty"):
        read_token(empty)
    with pytest.raises(CommandError, match="No such file"):
        read_token(tmp_path / "none")


@pytest.mark.parametrize(
    ("bots", "seats", "expected"),
    [
        (["a"], None, ["a", "a"]),
        (["a", "b", "c"], None, ["a", "b", "c"]),
        (["a", "b"], 3, ["a", "b", "a"]),
        (["a"], 4, ["a", "a", "a", "a"]),
    ],
)
def test_bots_go_round_the_seats(bots: list[str], seats: int | None, expected: list[str]) -> None:
    """Those named come in order, and then from the first again."""
    assert bots_by_seat(bots, seats) == expected


@pytest.mark.parametrize(("bots", "seats"), [(["a", "b", "c"], 2), (["a"] * 5, None)])
def test_more_bots_than_seats_are_refused(bots: list[str], seats: int | None) -> None:
    """None is left out without a word."""
    with pytest.raises(CommandError) as caught:
        bots_by_seat(bots, seats)
    assert caught.value.code == 2


def test_bot_of_ones_own_is_found_by_module_and_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The working folder counts, as with `python -m`."""
    (tmp_path / "my_own_bot.py").write_text(
        "class Mine:\n    def choose(self, view, decision):\n        return None\n"
        "class NoBot:\n    pass\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    assert type(bot_choice.make_bot("my_own_bot:Mine", 0)).__name__ == "Mine"
    assert bot_choice.display_name("my_own_bot:Mine") == "Mine"
    with pytest.raises(CommandError, match="no class 'Yours'"):
        bot_choice.make_bot("my_own_bot:Yours", 0)
    with pytest.raises(CommandError, match=r"no method choose\(view, decision\)"):
        bot_choice.make_bot("my_own_bot:NoBot", 0)
    with pytest.raises(CommandError, match="no module 'nowhere_at_all'"):
        bot_choice.make_bot("nowhere_at_all:Mine", 0)
    with pytest.raises(CommandError, match="searcher, or MODULE:CLASS"):
        bot_choice.make_bot("clever", 0)


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        (":X", "it is no MODULE:CLASS, as my_bot:MyBot for a class in my_bot.py"),
        (".x:Y", "it is no MODULE:CLASS, as my_bot:MyBot for a class in my_bot.py"),
        ("./whole:X", "it is no MODULE:CLASS, as my_bot:MyBot for a class in my_bot.py"),
        ("whole:", "it is no MODULE:CLASS, as my_bot:MyBot for a class in my_bot.py"),
        ("gone.for.good:X", "there is no module 'gone.for.good'"),
        (
            "unfinished:X",
            (
                "importing unfinished raised SyntaxError: '(' was never closed "
                "({folder}/unfinished.py:2)"
            ),
        ),
        (
            "needy:X",
            (
                "importing needy raised ModuleNotFoundError: No module named 'gone' "
                "({folder}/needy.py:3)"
            ),
        ),
        ("failing:X", "importing failing raised KeyError: 'nine' ({folder}/failing.py:2)"),
        ("leaving:X", "importing leaving raised SystemExit: 7 ({folder}/leaving.py:2)"),
        (
            "whole:Needy",
            (
                "making it without arguments raised TypeError: Needy.__init__() missing 1 required "
                "positional argument: 'depth'"
            ),
        ),
        (
            "whole:Failing",
            "making it without arguments raised ValueError ({folder}/whole.py:6)",
        ),
    ],
)
def test_bot_that_cannot_be_made_is_one_line(tmp_path: Path, bot: str, message: str) -> None:
    """It names what was raised, and the innermost line that raised it."""
    for name, text in {
        "unfinished": "x = 1\nprint(\n",
        "needy": "# needs\n# what is not there\nimport gone\n",
        "failing": "def fail():\n    raise KeyError('nine')\nfail()\n",
        "leaving": "import sys\nsys.exit(7)\n",
        "whole": (
            "class Needy:\n    def __init__(self, depth):\n        pass\n"
            "class Failing:\n    def __init__(self):\n        raise ValueError\n"
        ),
    }.items():
        (tmp_path / f"{name}.py").write_text(text)
    ran = ronda("play", *NOWHERE, "--bot", bot, cwd=tmp_path)
    assert ran.stderr == f"ronda: --bot {bot}: {message.format(folder=tmp_path)}\n"
    assert (ran.returncode, ran.stdout) == (2, "")
