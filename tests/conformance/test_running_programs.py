"""Whatever a program on standard input and output does is a result, and no process is left."""

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ronda_conformance.__main__ import main
from ronda_conformance.framing import framed
from ronda_conformance.programs import ProgramStartError
from ronda_conformance.results import ExitCode, Result, Run, Status
from ronda_conformance.running import Limits
from ronda_conformance.running_programs import run_programs
from ronda_conformance.scenarios import Case
from tests.conformance import planted_testee
from tests.conformance.small_case import SCENARIO, read, right_answer

PROGRAM = planted_testee.__file__
FIVE = ("a", "b", "c", "d", "e")
PASSED, FAILED, NO_ANSWER, NOT_RUN = Status.PASSED, Status.FAILED, Status.NO_ANSWER, Status.NOT_RUN


def words(folder: Path, mode: str) -> list[str]:
    """Return the command of the planted program."""
    (folder / "answer").write_bytes(framed(right_answer()))
    (folder / "pids").touch()
    files = [str(folder / "answer"), str(folder / "pids")]
    return [sys.executable, "-I", str(PROGRAM), mode, *files]


def cases(folder: Path) -> list[Case]:
    """Return the small case under five ids."""
    return [read(SCENARIO.replace("id: small-case", f"id: {name}"), folder, name) for name in FIVE]


def left(folder: Path) -> list[int]:
    """Return the processes of the planted program that are still there."""
    pids = [int(pid) for pid in (folder / "pids").read_text(encoding="utf-8").split()]
    assert pids
    return [pid for pid in pids if is_running(pid)]


def is_running(pid: int) -> bool:
    """Return whether a process is there and no zombie that waits for its parent."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


async def play(folder: Path, mode: str, limits: Limits | None = None) -> Run:
    """Play five scenarios against the planted program, one process at a time."""
    seen: list[Result] = []
    run = Run(mode)
    limits = limits or Limits(parallel=1)
    await run_programs(run, cases(folder), limits, seen.append, words(folder, mode))
    assert left(folder) == []
    return run


async def test_right_answers_pass(tmp_path: Path) -> None:
    """Five scenarios, one process, and nothing was started again."""
    run = await play(tmp_path, "right")
    assert [result.status for result in run.results] == [PASSED] * 5
    assert run.exit_code == ExitCode.PASSED
    assert len((tmp_path / "pids").read_text(encoding="utf-8").split()) == 1


async def test_each_job_is_a_process(tmp_path: Path) -> None:
    """Three at once, and never more than there are scenarios."""
    run = await play(tmp_path, "right", Limits(parallel=3))
    assert [result.status for result in run.results] == [PASSED] * 5
    assert len((tmp_path / "pids").read_text(encoding="utf-8").split()) == 3
    (tmp_path / "pids").write_text("", encoding="utf-8")
    await play(tmp_path, "right", Limits(parallel=30))
    assert len((tmp_path / "pids").read_text(encoding="utf-8").split()) == 5


@pytest.mark.parametrize(
    ("mode", "status", "reasons"),
    [
        (
            "crash",
            NO_ANSWER,
            [
                "the program ended with exit code 3; the last it wrote to standard error:\n",
                "  what went wrong",
            ],
        ),
        ("signal", NO_ANSWER, ["the program ended with signal SIGKILL"]),
        ("half", NO_ANSWER, ["the program ended with exit code 0 after ", " bytes"]),
        ("text", FAILED, []),
        (
            "bomb",
            FAILED,
            ["a message of 1099511627776 bytes; at most 67108864 are read"],
        ),
        ("endless", FAILED, ["a length that does not end within 10 bytes"]),
        ("malformed", FAILED, ["malformed answer: "]),
        ("twice", FAILED, ["the program answered more than once"]),
        ("trailing", FAILED, ["after the answer the program wrote 2 of 5 bytes"]),
    ],
)
async def test_what_goes_wrong_is_a_result_of_its_scenario(
    tmp_path: Path, mode: str, status: Status, reasons: list[str]
) -> None:
    """The third scenario bears it, and a new process plays the others."""
    run = await play(tmp_path, mode)
    statuses = [PASSED, PASSED, status, PASSED, PASSED]
    assert [result.status for result in run.results] == statuses
    for reason in reasons:
        assert reason in run.results[2].reason
    assert run.exit_code == (ExitCode.PARTIAL if status is NO_ANSWER else ExitCode.FAILURES)
    assert len((tmp_path / "pids").read_text(encoding="utf-8").split()) == 2


@pytest.mark.parametrize("mode", ["hang", "stubborn", "child"])
async def test_a_program_that_hangs_is_ended_with_all_it_has_started(
    tmp_path: Path, mode: str
) -> None:
    """After its time, also where it is deaf to SIGTERM; the rest is played by a new process."""
    run = await play(tmp_path, mode, Limits(seconds=0.7, parallel=1))
    assert [result.status for result in run.results] == [PASSED, PASSED, NO_ANSWER, PASSED, PASSED]
    assert run.results[2].reason == "no answer within 0.7 seconds"
    assert run.exit_code == ExitCode.PARTIAL


async def test_a_program_that_closes_its_output_is_told_from_one_that_hangs(tmp_path: Path) -> None:
    """It could never answer again, so its time is not waited for."""
    run = await play(tmp_path, "closes", Limits(seconds=60, parallel=1))
    assert [result.status for result in run.results] == [PASSED, PASSED, NO_ANSWER, PASSED, PASSED]
    assert run.results[2].reason == "the program closed its standard output and did not end"


async def test_text_among_the_answers_is_told_as_such(tmp_path: Path) -> None:
    """`h` is a length of 104: what has come is shown where the rest does not come."""
    (tmp_path / "answer").write_bytes(b"hello, world\n")
    run = Run("text")
    command = words(tmp_path, "right")
    (tmp_path / "answer").write_bytes(b"hello, world\n")
    limits = Limits(seconds=0.7, parallel=1, restarts=0)
    await run_programs(run, cases(tmp_path), limits, lambda _result: None, command)
    assert run.results[0].status is NO_ANSWER
    assert "12 of 104 bytes, which look like the text 'hello, world\\n'" in run.results[0].reason
    assert "nothing but answers may be written there" in run.results[0].reason


async def test_an_answer_after_the_last_is_found_too(tmp_path: Path) -> None:
    """What comes when the input has ended belongs to the last scenario."""
    run = await play(tmp_path, "late")
    assert [result.status for result in run.results] == [PASSED] * 4 + [FAILED]
    assert run.results[4].reason == "the program answered more than once"


async def test_a_program_is_not_started_again_for_ever(tmp_path: Path) -> None:
    """With one restart allowed two scenarios have no answer and three are not run."""
    run = await play(tmp_path, "ends", Limits(parallel=1, restarts=1))
    assert [result.status for result in run.results] == [NO_ANSWER] * 2 + [NOT_RUN] * 3
    assert "exit code 1" in run.results[0].reason
    assert "no such thing" in run.results[0].reason
    assert "the program was not started again: it would be more than the 1" in run.interrupted
    assert run.exit_code == ExitCode.PARTIAL


async def test_a_program_that_is_not_there_cannot_be_started(tmp_path: Path) -> None:
    """The system's reason and the word at fault are told, and nothing is played."""
    run = Run("x")
    with pytest.raises(ProgramStartError, match="'/no/such' cannot be started: No such file"):
        await run_programs(run, cases(tmp_path), Limits(), lambda _result: None, ["/no/such", "x"])
    assert [result.status for result in run.results] == [NOT_RUN] * 5


async def test_a_cancelled_run_ends_its_processes(tmp_path: Path) -> None:
    """What was answered stays, the rest is not run, and nobody is left."""
    answered = asyncio.Event()
    run = Run("hang")
    playing = asyncio.create_task(
        run_programs(
            run,
            cases(tmp_path),
            Limits(seconds=60, parallel=1),
            lambda _result: answered.set(),
            words(tmp_path, "child"),
        )
    )
    await answered.wait()
    playing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await playing
    assert run.results[0].status is PASSED
    assert run.results[4].status is NOT_RUN
    assert left(tmp_path) == []


@pytest.mark.parametrize(
    ("number", "why"), [(signal.SIGINT, "interrupted"), (signal.SIGTERM, "terminated")]
)
async def test_a_signal_ends_the_run_and_the_processes(
    tmp_path: Path, number: signal.Signals, why: str
) -> None:
    """The command reports what there is, with the exit code of a partial run."""
    (tmp_path / "suites").mkdir()
    cases(tmp_path / "suites")
    command = subprocess.list2cmdline(words(tmp_path, "deaf"))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "ronda_conformance", "--suites", str(tmp_path / "suites")),
        *("--command", command, "--jobs", "1", "--timeout", "600"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr is not None
    assert await process.stderr.readline() == b"asked\n"
    process.send_signal(number)
    out, _ = await process.communicate()
    assert process.returncode == 3
    assert "5 not run" in out.decode()
    assert f"The run is partial: it was {why}." in out.decode()
    assert left(tmp_path) == []


def test_the_command_plays_against_a_program(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """It is split as a shell would, and what it writes to standard error is passed on."""
    suites = tmp_path / "the suites"
    suites.mkdir()
    cases(suites)
    command = " ".join(f"'{word}'" for word in words(tmp_path, "crash"))
    arguments = ["--suites", str(suites), "--command", command, "--jobs", "1"]
    assert main(arguments) == 3
    captured = capfd.readouterr()
    assert captured.err == "what went wrong\n"
    assert "NO ANSWER c (CAP-3, MESA-1)" in captured.out
    assert "4 passed, 1 no answer.\nThe run is partial: " in captured.out


def test_a_program_that_cannot_be_started_is_a_usage_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is played, and the message says which word is at fault."""
    cases(tmp_path)
    assert main(["--suites", str(tmp_path), "--command", "no-such-program --x"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (
        "conform: --command: 'no-such-program' cannot be started: No such file or directory\n"
    )
