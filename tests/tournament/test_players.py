"""How a bot's program is started and watched: what each kind of failure is called."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from ronda_tournament.config import Entrant, Limits
from ronda_tournament.players import Player, PlayerFailed, PlayerStopped, Report
from ronda_tournament.results import FailureKind

READY = """
import json, sys
greeting = json.loads(sys.stdin.readline())
print(json.dumps({"type": "ready", "version": greeting["version"], "name": "x"}), flush=True)
seat = json.loads(sys.stdin.readline())
"""
WAIT = "\nsys.stdin.read()\n"
PLAYED = 'print(json.dumps({"type": "played", "match_id": "m", "seat": 1}), flush=True)'

Make = Callable[..., Player]


@pytest_asyncio.fixture
async def make(tmp_path: Path) -> AsyncGenerator[Make, None]:
    """Give what makes an entrant of a Python program, or of an address; all are stopped after."""
    made: list[Player] = []

    def player(program: str = "", *, address: str = "", limits: Limits | None = None) -> Player:
        command = () if address else ("python", "-c", program)
        made.append(
            Player(
                3,
                Entrant("x", command=command, address=address),
                limits or Limits(),
                "127.0.0.1:1",
                tmp_path,
                tmp_path / "x.log",
                builtin_arguments=["1"],
                run="run 1",
            )
        )
        return made[-1]

    yield player
    for one in made:
        await one.stop()


async def failure(player: Player) -> PlayerFailed:
    """Give how a bot fails that is ready and has one seat."""
    await player.ready()
    with pytest.raises(PlayerFailed) as failed:
        await player.play("m", 1, "token")
    return failed.value


async def failure_to_start(player: Player) -> PlayerFailed:
    """Give how a bot fails before it is ready."""
    with pytest.raises(PlayerFailed) as failed:
        await player.ready()
    return failed.value


async def test_a_bot_gets_its_seat_and_says_what_became_of_it(make: Make) -> None:
    """The seat comes with its match, token and the entrant's name."""
    echo = 'print(json.dumps({"type": "failed", "match_id": seat["match_id"], "seat": 1,'
    echo += ' "kind": "bot", "detail": json.dumps(seat, sort_keys=True)}), flush=True)'
    player = make(READY + echo + WAIT)
    await player.ready()
    report = await player.play("m", 1, "token")
    assert (report.played, report.kind) == (False, "bot")
    assert json.loads(report.detail) == {
        "type": "play",
        "match_id": "m",
        "seat": 1,
        "seat_token": "token",
        "name": "x",
    }


async def test_an_end_is_told_with_the_exit_code_and_the_last_words(make: Make) -> None:
    """All seats that it plays share the incident."""
    player = make(READY + "sys.exit('no more cards')")
    await player.ready()
    seats = [player.play("m", 1, "token"), player.play("n", 0, "token")]
    ends = await asyncio.gather(*seats, return_exceptions=True)
    assert [type(end) for end in ends] == [PlayerFailed] * 2
    first, second = ends
    assert isinstance(first, PlayerFailed)
    assert isinstance(second, PlayerFailed)
    assert first.kind is FailureKind.EXITED
    assert first.detail == "its program ended with exit code 1; its last words: no more cards"
    assert (
        (first.entrant, first.incident)
        == (second.entrant, second.incident)
        == (
            3,
            "run 1 bot 3 start 1",
        )
    )


async def test_a_bot_that_failed_is_started_again_as_often_as_it_may(make: Make) -> None:
    """With one restart the third start is refused."""
    player = make(READY + "sys.exit(5)", limits=Limits(restarts=1))
    assert (await failure(player)).kind is FailureKind.EXITED
    assert player.starts_left == 1
    assert (await failure(player)).kind is FailureKind.EXITED
    assert player.starts_left == 0
    with pytest.raises(PlayerStopped):
        await player.ready()


@pytest.mark.parametrize(
    ("program", "kind", "detail"),
    [
        ("print('hello')", FailureKind.RUBBISH, "it wrote what is no JSON object: hello"),
        ("print('[1, 2]')", FailureKind.RUBBISH, "it wrote what is no JSON object: [1, 2]"),
        (
            PLAYED.replace('"seat": 1', '"seat": 0'),
            FailureKind.RUBBISH,
            ("it said what nobody asked: {'type': 'played', 'match_id': 'm', 'seat': 0}"),
        ),
        (
            "print('[' * 2000)",
            FailureKind.RUBBISH,
            f"it wrote what is no JSON object: {'[' * 200}…",
        ),
        (
            PLAYED.replace('"played"', "[]"),
            FailureKind.RUBBISH,
            "it said what nobody asked: {'type': [], 'match_id': 'm', 'seat': 1}",
        ),
        (
            "print('x' * 5000)",
            FailureKind.OUTPUT_LIMIT,
            "a line of its output is longer than 4096 bytes",
        ),
        (
            "sys.stderr.write('x' * 5000)",
            FailureKind.OUTPUT_LIMIT,
            "it wrote more than 1000 bytes beside what it says of seats",
        ),
    ],
)
async def test_what_no_bot_may_write_ends_it(
    make: Make, program: str, kind: FailureKind, detail: str
) -> None:
    """The detail quotes it; the file of its words does not grow beyond the limit."""
    program = f"{READY}{program}\nsys.stdout.flush()\nsys.stderr.flush(){WAIT}"
    player = make(program, limits=Limits(output_bytes=1000))
    failed = await failure(player)
    assert (failed.kind, failed.detail) == (kind, detail)
    assert not player.is_running
    log = player._log
    assert not log.exists() or log.stat().st_size <= 1000 + 2 * 1024


async def test_a_bot_that_ends_before_it_is_ready_was_not_started(make: Make) -> None:
    """Its last words say why."""
    failed = await failure_to_start(make("import sys; sys.exit('no licence')"))
    assert (failed.kind, failed.detail) == (
        FailureKind.NOT_STARTED,
        "it ended before it was ready with exit code 1; its last words: no licence",
    )


async def test_a_bot_that_serves_nothing_is_told_what_to_call(make: Make) -> None:
    """It ends as if all were well: the commonest slip of somebody's first bot."""
    failed = await failure_to_start(make("pass"))
    assert failed.kind is FailureKind.NOT_STARTED
    assert failed.detail == (
        "it ended before it was ready with exit code 0; a bot's program has to call "
        "ronda_client.tournament.serve"
    )


async def test_the_last_words_of_a_python_program_have_their_place(
    make: Make, tmp_path: Path
) -> None:
    """The innermost line of the traceback, or the line that is no Python."""
    program = tmp_path / "bad_bot.py"
    run = f"import runpy; runpy.run_path({str(program)!r})"
    program.write_text("def start():\n    raise KeyError('nine of swords')\n\nstart()\n")
    raised = await failure_to_start(make(run))
    assert raised.detail.endswith(f"; its last words: KeyError: 'nine of swords' ({program}:2)")
    program.write_text("\ndef start()\n    pass\n")
    wrong = await failure_to_start(make(run))
    assert wrong.detail.endswith(f"; its last words: SyntaxError: expected ':' ({program}:2)")


async def test_a_bot_that_never_is_ready_was_not_started(make: Make) -> None:
    """It may take as long as the limit says."""
    mute = make("import sys; sys.stdin.read()", limits=Limits(start_seconds=0.5))
    failed = await failure_to_start(mute)
    assert (failed.kind, failed.detail) == (
        FailureKind.NOT_STARTED,
        "it was not ready within 0.5 s",
    )


async def test_a_program_that_is_not_there_is_named(make: Make, tmp_path: Path) -> None:
    """As a shell does, with 127."""
    player = make()
    player.entrant = Entrant("x", command=("no-such-bot",))
    failed = await failure_to_start(player)
    assert failed.kind is FailureKind.NOT_STARTED
    assert failed.detail == (
        "it ended before it was ready with exit code 127; its last words: no-such-bot: "
        "No such file or directory"
    )


async def test_an_address_that_does_not_answer_is_named(make: Make) -> None:
    """Nobody listens at port 1."""
    failed = await failure_to_start(make(address="127.0.0.1:1"))
    assert failed.kind is FailureKind.NOT_STARTED
    assert failed.detail.startswith("127.0.0.1:1: ")


async def test_a_process_that_the_bot_has_started_ends_with_it(make: Make) -> None:
    """Also one that has left the bot's session and keeps its output open."""
    away = "import subprocess\n"
    away += "child = subprocess.Popen(['sleep', '1000'], start_new_session=True)\n"
    failed = await failure(make(READY + away + "sys.exit(f'{child.pid}')"))
    child = failed.detail.rpartition(" ")[2]
    assert failed.detail == f"its program ended with exit code 1; its last words: {child}"
    assert not Path("/proc", child).exists()


async def test_who_is_stopped_ends_what_it_plays(make: Make) -> None:
    """Whoever waits for it learns so, and it is not started again."""
    player = make(READY + WAIT)
    await player.ready()
    seat = player.play("m", 1, "token")
    await player.stop()
    with pytest.raises(PlayerStopped):
        await seat
    with pytest.raises(PlayerStopped):
        await player.ready()


async def test_a_program_that_hangs_is_ended_with_all_that_it_plays(make: Make) -> None:
    """Once for each start, whichever of its matches tells it."""
    player = make(READY + WAIT)
    await player.ready()
    hung = PlayerFailed(3, FailureKind.TIME_OUT, "its time ran out", player.life)
    seat = player.play("m", 1, "token")
    await player.end(hung)
    with pytest.raises(PlayerFailed, match="its time ran out"):
        await seat
    await player.ready()
    await player.end(hung)
    assert player.is_running


async def test_what_is_said_of_a_match_that_was_given_up_is_no_rubbish(make: Make) -> None:
    """It was asked once."""
    second = "\nseat = json.loads(sys.stdin.readline())\n" + PLAYED.replace('"m"', '"n"')
    player = make(READY + PLAYED + second + WAIT)
    await player.ready()
    given_up = player.play("m", 1, "token")
    player.forget("m")
    assert await player.play("n", 1, "token") == Report(played=True)
    assert not given_up.done()
