"""`ronda serve` with as little as possible: it works, and says where it is and keeps its data."""

import asyncio
import gc
import json
import os
import re
import signal
import sys
from pathlib import Path

import pytest

from ronda_cli.main import main
from ronda_referee.options import default_data_folder
from ronda_referee.serve_command import collect_rarely

A_LIBRARY_LOGS = """
import logging
from ronda_referee.serve_command import configure_logging
configure_logging("json")
logging.getLogger("grpc._cython.cygrpc").error("not handled in [%s]", "/Health/Watch")
try:
    raise LookupError("no such thing")
except LookupError:
    logging.getLogger("asyncio").exception("task failed")
logging.getLogger("grpc").info("chatter")
"""

LINES_ARE_WRITTEN = """
import sys
import structlog
from ronda_referee.serve_command import configure_logging
class Written:
    writes = []
    def write(self, text):
        self.writes.append(text)
    def flush(self):
        pass
    def isatty(self):
        return False
sys.stderr = Written()
configure_logging("json")
structlog.get_logger().info("first")
structlog.get_logger().info("second")
print([text[-1] for text in Written.writes])
"""


async def test_without_a_folder_it_keeps_its_data_in_the_users_own(tmp_path: Path) -> None:
    """Both things are said on standard output before anything else."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "ronda_cli", "serve", "--listen", "127.0.0.1:0"),
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdout is not None
    listening = (await process.stdout.readline()).decode()
    keeping = (await process.stdout.readline()).decode()
    signing = (await process.stdout.readline()).decode()
    process.send_signal(signal.SIGINT)
    assert await process.wait() == 0
    assert listening.startswith("listening on 127.0.0.1:")
    assert keeping == f"keeping data in {tmp_path / 'ronda'}\n"
    assert re.fullmatch(r"signing with the key [0-9a-f]{64}\n", signing)
    assert (tmp_path / "ronda" / "matches.sqlite").exists()
    assert (tmp_path / "ronda").stat().st_mode & 0o077 == 0


HOUSE = 'base = "qahwa"\nid = "{id}"\ntitle = "House"\nsummary = "Ours."\nsource = "house"\n'


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("house", HOUSE + "mesa = -1\n", "mesa: -1 is no whole number from 0 to 4294967295"),
        ("house", HOUSE + 'settle = "AT_ONCE"\n', "settle: AT_ONCE needs announcements before"),
        ("sarii", HOUSE, "id: 'sarii' is taken by "),
        ("house", HOUSE.replace("{id}", "hose"), "id: 'hose' differs from the file's name"),
        ("house", "mesa =\n", "it is no TOML: "),
    ],
)
def test_a_faulty_house_rule_set_keeps_it_from_starting(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, problem: str
) -> None:
    """One line with file and field, exit code 2, and nothing is written."""
    folder = tmp_path / "house"
    folder.mkdir()
    (folder / f"{name}.toml").write_text(text.replace("{id}", name))
    arguments = ["serve", "--data", str(tmp_path / "data"), "--rule-sets", str(folder)]
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"ronda: {folder / name}.toml: {problem}")
    assert error.count("\n") == 1
    assert not (tmp_path / "data").exists()


def test_a_folder_without_rule_sets_keeps_it_from_starting(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whether it is missing or empty: a referee would silently lack what it was given."""
    for folder, problem in (("no", "there is no such folder"), (".", "it holds no rule-set file")):
        place = tmp_path / folder
        assert main(["serve", "--data", str(tmp_path / "data"), "--rule-sets", str(place)]) == 2
        assert capsys.readouterr().err.startswith(f"ronda: {place}: {problem}")


def test_the_users_own_folder_is_where_xdg_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the variable it is below the home folder."""
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", "/home/zineb")
    assert default_data_folder() == Path("/home/zineb/.local/share/ronda")


async def test_what_a_library_logs_is_a_line_like_every_other() -> None:
    """One JSON document a line, with the event, the logger and what it says; no chatter."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", A_LIBRARY_LOGS), stderr=asyncio.subprocess.PIPE
    )
    _, errors = await process.communicate()
    lines = [json.loads(line) for line in errors.decode().splitlines()]
    said = [(one["event"], one["level"], one["logger"], one["message"]) for one in lines]
    assert said == [
        ("library", "error", "grpc._cython.cygrpc", "not handled in [/Health/Watch]"),
        ("library", "error", "asyncio", "task failed"),
    ]
    assert lines[1]["exception"].endswith("LookupError: no such thing")


async def test_a_log_line_is_written_with_its_end_at_once() -> None:
    """Otherwise a kill between the two leaves a line open, and the next run's first joins it."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", LINES_ARE_WRITTEN), stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    assert out == b"['\\n', '\\n']\n"


def test_a_referee_collects_garbage_rarely_and_never_what_it_started_with() -> None:
    """Python's own 700 allocations are 5,000."""
    before = gc.get_threshold()
    try:
        collect_rarely()
        assert gc.get_threshold() == (5_000, 10, 10)
        assert gc.get_freeze_count() > 10_000
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
