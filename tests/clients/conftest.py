"""What the tests of `ronda replay` share: a finished log, and the command run on it."""

from pathlib import Path

import pytest

from ronda_cli.main import main
from tests.clients.command import Ran
from tests.clients.replayed import Replay, played


@pytest.fixture
def replay(capsys: pytest.CaptureFixture[str]) -> Replay:
    """Give what runs the command, in this process, on a file with some options."""

    def run(*arguments: object) -> Ran:
        try:
            code = main(["replay", *map(str, arguments)])
        except SystemExit as ended:
            code = int(ended.code or 0)
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return run


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Give the path of a finished log."""
    path = tmp_path / "match.rlog"
    path.write_bytes(played().data)
    return path
