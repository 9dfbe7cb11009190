"""The profile service: the project's referee passes it, and what is not run is never a pass."""

import asyncio
import json
import os
import re
import socket
import sys
from pathlib import Path

import pytest

from ronda_conformance import data_folders
from ronda_conformance.__main__ import main
from ronda_conformance.clauses import read_clauses
from ronda_conformance.comparing import Mismatch
from ronda_conformance.junit_report import junit_report
from ronda_conformance.reports import text_report
from ronda_conformance.results import Result, Run, Status
from ronda_conformance.rule_set_files import load_listed_rule_sets
from ronda_conformance.running import Limits
from ronda_conformance.service import log_files
from ronda_conformance.service.catalogue import all_checks
from ronda_conformance.service.pacing import Pace
from ronda_conformance.service.running import Referee, run_service_checks
from ronda_referee.server import serving
from ronda_referee.settings import Limits as ServerLimits
from ronda_referee.settings import Settings, Tls
from tests.conformance.clauses import spec_clauses
from tests.conformance.free_addresses import free_address
from tests.referee.certificates import Authority
from tests.referee.organising import organiser_token
from tests.referee.referee_process import RefereeProcess
from tests.referee.running import running

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "conformance" / "service.md").read_text(encoding="utf-8")
LISTEN = "127.0.0.1:7632"
SERVICE = ["--profile", "service"]
CALLS = {
    name: text
    for name, text in spec_clauses(data_folders.spec() / "protocol").items()
    if name.startswith("CALL-")
}


def commands() -> list[str]:
    """Give the commands that the page shows."""
    found = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return [line for block in found for line in block.splitlines()]


async def finished(command: str, folder: Path) -> tuple[int | None, str]:
    """Run a command as a reader would; give its exit code and what it said."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    process = await asyncio.create_subprocess_shell(
        command,
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    return process.returncode, output.decode()


async def test_the_referee_passes_every_check_also_killed_and_stopped(tmp_path: Path) -> None:
    """The page's first command: it starts the referee, and nothing is left out or running."""
    address = free_address()
    code, output = await finished(commands()[0].replace(LISTEN, address), tmp_path)
    count = len(all_checks())
    assert (code, output) == (0, f"{count} checks against {address}: {count} passed.\n")
    assert not (tmp_path / "games" / "listening").exists()


async def test_a_part_is_a_selection_and_what_cannot_be_run_is_named(tmp_path: Path) -> None:
    """The page's other commands, against a referee that runs already and is left running.

    Where checks need more than there is, the run is partial, unless they are left out by word.
    """
    ids = "--id 'service-restart-*' --id service-cancel --id service-token-shape"
    async with RefereeProcess(tmp_path / "games") as referee:
        for command in commands()[1:3]:
            code, output = await finished(command.replace(LISTEN, referee.address), tmp_path)
            assert code == 0, (command, output)
            assert re.match(r"A selection of (\d+) of \d+ checks against .*: \1 passed\.", output)
        ask = f"ronda conform --profile service --target {referee.address} {ids}"
        code, output = await finished(ask, tmp_path)
        assert code == 3
        for name, lacking in (
            ("service-cancel", "it needs an organiser's token"),
            ("service-restart-drain", "it kills and stops the referee"),
            ("service-restart-kill", "it kills and stops the referee"),
        ):
            assert f"NOT RUN {name}: {lacking}" in output
        assert "1 passed, 3 not run." in output
        assert "not every check was answered. It is no pass." in output
        code, output = await finished(
            f"{ask} --without-restarts --without-organiser --json", tmp_path
        )
        assert code == 0
        report = json.loads(output)
        assert report["left_out"] == ("service-cancel, service-restart-drain, service-restart-kill")
        assert report["complete"] is True
        assert [one["id"] for one in report["results"]] == ["service-token-shape"]


async def checked(address: str, referee: Referee, name: str = "service-token-shape") -> Result:
    """Run one check."""
    run = Run(address, judged="check")
    checks = [one for one in all_checks() if one.id == name]
    await run_service_checks(run, checks, Limits(), lambda _result: None, referee)
    (result,) = run.results
    return result


async def test_where_organisers_alone_create_matches_their_token_goes_along(tmp_path: Path) -> None:
    """Without one nothing can be said of the referee, neither that it passes nor that it fails."""
    async with running(tmp_path, create_needs_token=True) as run:
        without = await checked(run.serving.address, Referee())
        assert without.status is Status.NOT_RUN
        assert "--organiser-token-file" in without.reason
        token = organiser_token(tmp_path)
        result = await checked(run.serving.address, Referee(organiser_token=token))
    assert result.status is Status.PASSED


@pytest.mark.parametrize("name", ["service-watch-live", "service-play-turns-only"])
async def test_a_referee_that_allows_few_calls_is_held_against_them(
    tmp_path: Path, name: str
) -> None:
    """Calls and streams of every kind wait for their turn; none comes too soon."""
    async with running(tmp_path, limits=ServerLimits(calls_per_second=5)) as served:
        result = await checked(served.serving.address, Referee(), name)
    assert (result.reason, result.mismatches) == ("", ())
    assert result.status is Status.PASSED


async def test_waiting_for_a_turn_is_none_of_the_time_that_is_allowed() -> None:
    """A second of waiting passes within half a second; without a call the time runs."""
    pace = Pace(50)
    async with pace.timeout(0.5):
        for _ in range(61):
            await pace.turn()
    with pytest.raises(TimeoutError):
        async with pace.timeout(0.01):
            await asyncio.Event().wait()


async def test_a_referee_that_speaks_tls_is_held_against_them_too(tmp_path: Path) -> None:
    """Its certificate must lead to the roots that are named."""
    authority = Authority(tmp_path)
    pair = authority.pair("server")
    settings = Settings(
        tmp_path / "data", "127.0.0.1:0", tls=Tls(pair.certificate, pair.key), drain_seconds=0.5
    )
    async with serving(settings, load_listed_rule_sets()) as served:
        result = await checked(served.address, Referee(authority.root.read_bytes()))
    assert result.status is Status.PASSED, result


def test_the_checks_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """The page's last command: each with its clauses and what must hold."""
    ronda, conform, *arguments = commands()[3].split()
    assert (ronda, conform) == ("ronda", "conform")
    assert main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [one.id for one in all_checks()]
    assert "service-token-match-id  CALL-4  The match's id opens no seat, by any call" in lines
    assert len(commands()) == 4


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ([*SERVICE], "--target HOST:PORT is missing"),
        ([*SERVICE, "--suites", "x"], "--suites does not go with --profile service"),
        ([*SERVICE, "--rule-set", "sarii"], "--rule-set does not go with --profile service"),
        ([*SERVICE, "--id", "service-nothing"], "no check fits --id service-nothing"),
        (
            [*SERVICE, "--without-restarts", "--server-command", "x"],
            "--server-command does not go with --without-restarts",
        ),
        (
            [*SERVICE, "--target", "127.0.0.1:1", "--organiser-token-file", "no-such-file"],
            "--organiser-token-file no-such-file cannot be read",
        ),
        (
            [*SERVICE, "--target", "127.0.0.1:1", "--server-command", "no-such-program"],
            "--server-command cannot be run",
        ),
        (
            [*SERVICE, "--target", "127.0.0.1:1", "--server-command", "'"],
            "--server-command cannot be run: No closing quotation",
        ),
        (
            [
                *SERVICE,
                "--target",
                "127.0.0.1:1",
                "--server-command",
                f"{sys.executable} -c \"print('no port'); raise SystemExit(7)\"",
            ],
            "ended with exit code 7 before it listened at 127.0.0.1:1; it said:\nno port",
        ),
        (["--without-restarts"], "--without-restarts goes with --profile service alone"),
        (
            ["--organiser-token-file", "x"],
            "--organiser-token-file goes with --profile service alone",
        ),
    ],
)
def test_wrong_arguments_are_a_usage_error(
    arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2 and one message; nothing is run."""
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert problem in captured.err
    assert captured.out == ""


def test_a_command_for_an_address_that_is_taken_is_a_usage_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Otherwise the checks would run against whatever listens there, and could not stop it."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        arguments = [*SERVICE, "--target", address, "--server-command", "sleep 9"]
        assert main(arguments) == 2
    assert f"something answers at {address} already" in capsys.readouterr().err


def test_a_referee_that_is_not_there_is_a_partial_run(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 3: nobody has passed."""
    arguments = [*SERVICE, "--target", "127.0.0.1:1", "--timeout", "0.3"]
    assert main([*arguments, "--id", "service-token-*"]) == 3
    assert "127.0.0.1:1 could not be reached within 0.3 seconds" in capsys.readouterr().out


def test_reports_quote_the_clauses_of_the_calls() -> None:
    """A failed check has no steps and no file; its clause says what would be right."""
    (check,) = (one for one in all_checks() if one.id == "service-watch-beyond")
    mismatch = Mismatch(0, "records before anything happens", "[]", "one")
    run = Run("127.0.0.1:1", [Result(check, Status.FAILED, "", (mismatch,))], judged="check")
    clauses = read_clauses(data_folders.spec() / "protocol")
    text = text_report(run, clauses)
    for line in (
        "FAILED service-watch-beyond (CALL-8)\n",
        "  records before anything happens\n        expected: []\n        got:      one\n",
        "CALL-8 The stream of a match: `WatchMatch` gives the records from `from_sequence` on,",
        "1 check against 127.0.0.1:1: 1 failed.",
    ):
        assert line in text
    written = junit_report(run, clauses).decode()
    assert 'classname="ronda.calls" name="service-watch-beyond"' in written
    assert 'message="records before anything happens: expected [], got one"' in written


def test_every_check_has_an_id_of_its_own_a_reason_and_clauses_that_there_are() -> None:
    """Reports and lists of known failures rest on them."""
    checks = all_checks()
    assert len({check.id for check in checks}) == len(checks) > 90
    for check in checks:
        assert re.fullmatch(r"service(-[a-z]+)+", check.id)
        assert check.title, check.id
        assert check.why.endswith("."), check.id
        assert check.clauses, check.id
        assert set(check.clauses) <= CALLS.keys(), check.id


def test_clauses_of_the_calls_are_numbered_without_gaps_and_each_is_checked() -> None:
    """A clause that no check rests on would be a promise that nobody keeps."""
    assert list(CALLS) == [f"CALL-{number}" for number in range(1, 30)]
    assert all(len(text) > 100 for text in CALLS.values())
    checked = {clause for check in all_checks() for clause in check.clauses}
    assert CALLS.keys() - checked == set()


def test_the_page_names_a_group_for_every_check() -> None:
    """Its table leads from an id to what it is about."""
    patterns = re.findall(r"`(service-[a-z-]+\*?)`", PAGE)
    for check in all_checks():
        assert any(
            check.id == one or (one.endswith("*") and check.id.startswith(one[:-1]))
            for one in patterns
        ), check.id


def test_the_runners_own_hashes_are_those_of_the_vectors() -> None:
    """It verifies chains without the referee's code."""
    vectors = json.loads((data_folders.vectors() / "chain.json").read_text(encoding="utf-8"))
    assert len(vectors["records"]) > 3
    for one in vectors["records"]:
        assert log_files.record_hash(bytes.fromhex(one["record"])).hex() == one["hash"]
    assert len(vectors["commitments"]) > 1
    for one in vectors["commitments"]:
        made = log_files.commitment(bytes.fromhex(one["nonce"]), bytes.fromhex(one["payload"]))
        assert made.hex() == one["commitment"]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"RONDALOGS", "record 0 is not as long as is said"),
        (b"SOMETHING", "it does not begin with RONDALOG"),
        (b"RONDALOG\x80", "it ends inside the length of record 0"),
        (b"RONDALOG\x00", "record 0 is not as long as is said"),
    ],
)
def test_a_file_that_is_no_log_is_no_log(data: bytes, problem: str) -> None:
    """What cannot be read is told, not guessed."""
    with pytest.raises(log_files.MalformedLog, match=problem):
        log_files.records_of(data)
