"""The bot's side: what `serve` answers, and which lines it refuses."""

import asyncio
import json
import os
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from ronda_client import RefereeClient
from ronda_client.tournament import serve
from ronda_tournament import builtin
from ronda_tournament.folder import TournamentFolder
from ronda_tournament.live import PlainObserver
from ronda_tournament.runner import Runner
from tests.tournament.made import config

SERVE = "from ronda_client.tournament import serve\nimport ronda_bots\n{before}\nserve({bot})"
GREEDY = "lambda: ronda_bots.by_name('greedy', 1)"


async def said(lines: list[str], bot: str = GREEDY, before: str = "") -> tuple[list[Any], str]:
    """Give what a bot's program answers to lines and an end, and what it writes beside."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", SERVE.format(bot=bot, before=before)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "GRPC_VERBOSITY": "NONE"},
    )
    out, err = await process.communicate("".join(f"{line}\n" for line in lines).encode())
    return [json.loads(line) for line in out.splitlines()], err.decode()


async def test_a_bot_is_ready_when_it_knows_the_referee_and_ends_with_its_input() -> None:
    """What it prints itself goes to standard error."""
    answers, beside = await said(
        ['{"type":"referee","target":"127.0.0.1:1","version":1}'],
        before="import atexit; atexit.register(print, 'good night')",
        bot="type('Mine', (), {'choose': lambda self, view, decision: print('never')})",
    )
    assert answers == [{"type": "ready", "version": 1, "name": "Mine"}]
    assert beside == "good night\n"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"type":"referee","target":"127.0.0.1:1","version":2}', "speaks version 1 of the lines"),
        ("hello", "a line from the runner is no JSON: Expecting value at character 0"),
        ("[" * 5000, "a line from the runner is no JSON: it is too deep"),
        ("[1]", "a line from the runner is no object, but list"),
        ('{"version":1}', "has no text 'target'"),
        ('{"target":"nowhere","version":1}', "the runner names no referee: 'nowhere' is no HOST"),
        ("x" * 70_000, "a line from the runner is longer than 65536 bytes"),
    ],
)
async def test_a_line_that_no_runner_says_ends_the_bot(line: str, why: str) -> None:
    """The message says what is wrong with it."""
    answers, beside = await said([line])
    assert answers == []
    assert why in beside


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"match_id":"m","seat_token":"a-secret"', "Expecting ',' delimiter at character 40"),
        ('["m","a-secret"]', "a line from the runner is no object, but list"),
        ('{"match_id":"m","token":"a-secret"}', "has no text 'seat_token': ['match_id', 'token']"),
    ],
)
async def test_a_seat_that_cannot_be_read_ends_the_bot_and_shows_no_token(
    line: str, why: str
) -> None:
    """What a bot writes is kept in a file that others read."""
    greeting = '{"type":"referee","target":"127.0.0.1:1","version":1}'
    answers, beside = await said([greeting, line])
    assert [one["type"] for one in answers] == ["ready"]
    assert why in beside
    assert "a-secret" not in beside


def test_a_bot_listens_on_this_machine_alone() -> None:
    """Seat tokens come in the clear."""
    with pytest.raises(ValueError, match="listen on loopback"):
        serve(lambda: pytest.fail("it was made"), listen="192.0.2.1:9000")


@pytest.mark.parametrize(("arguments", "verify"), [(["7"], True), (["7", "--trusting"], False)])
def test_a_built_in_bot_checks_the_logs_unless_it_is_told_not_to(
    arguments: list[str], verify: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its second argument is the seed; what it is started with decides."""
    served: list[dict[str, object]] = []
    monkeypatch.setattr(sys, "argv", ["builtin", "greedy", *arguments])
    monkeypatch.setattr("ronda_client.tournament.serve", lambda _, **how: served.append(how))
    runpy.run_path(builtin.__file__, run_name="__main__")
    assert served == [{"name": "greedy", "verify": verify}]


@pytest.mark.parametrize("own", [True, False])
def test_built_in_bots_trust_the_runners_own_referee_alone(
    own: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What they are started with says so, after the seed; their logs are audited in the end."""
    started: list[list[str]] = []

    def player(*_: object, builtin_arguments: list[str], **__: object) -> None:
        started.append(builtin_arguments)

    monkeypatch.setattr("ronda_tournament.runner.Player", player)
    with TournamentFolder(tmp_path / "cup", config(entrants=2)) as folder:
        client = cast("RefereeClient", SimpleNamespace(target="127.0.0.1:1"))
        observer = PlainObserver(config(entrants=2), folder.results)
        Runner(config(entrants=2), folder, client, observer, own_referee=own)
    # Each of the two is started twice, once for every match of a group.
    assert [arguments[1:] for arguments in started] == [["--trusting"] if own else []] * 4
