"""What is said of rows: a line, a table in its place, JSON; and the command around it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import __main__ as command
from benchmarks import report
from benchmarks.bench import Bench
from benchmarks.machine import file_system, warning
from benchmarks.measure import Aim, Pair, Row
from benchmarks.peers import PeerMissingError

ROW = Row(
    "play",
    "Play: durable moves",
    "echo",
    "per second",
    Aim.AT_LEAST,
    10.0,
    (Pair(12_345, 1_000), Pair(9_000, 1_000), Pair(11_000, 1_000)),
    "on disk",
    1.26,
)
FACTS = {
    "cores": 2,
    "system": "Linux x86_64",
    "python": "CPython 3.11.7",
    "file_system": "ext4",
    "versions": {"grpcio": "1.76.0"},
}


def test_a_line_and_a_table() -> None:
    """With the target, the median, the interval, both figures and the verdict."""
    assert " ".join(report.line_of(ROW).split()) == (
        "play 11.0 (9.00 – 12.3) ≥ 10 unclear 11,000 per second, echo 1,000; on disk"  # noqa: RUF001
    )
    assert report.table_of([ROW]).splitlines()[2] == (
        "| Play: durable moves; on disk | echo | ≥ 10 | 11.0 (9.00 – 12.3) "  # noqa: RUF001
        "| 11,000 per second | 1,000 per second | unclear | 1.3 |"
    )
    assert report.machine_of(FACTS) == (
        "Measured on 2 cores, Linux x86_64, CPython 3.11.7, with the store on ext4; grpcio 1.76.0."
    )


def test_the_table_goes_between_its_marks() -> None:
    """And nothing else of the page changes."""
    page = "a\n<!-- benchmarks: begin -->\nold\n<!-- benchmarks: end -->\nb\n"
    assert report.written(page, "new") == page.replace("old", "new")
    with pytest.raises(ValueError, match="has no place for the table"):
        report.written("a", "new")


@pytest.mark.parametrize(
    ("folder", "kind"), [("/x/tmp/a", "tmpfs"), ("/x", "ext4"), ("/x y/z", "xfs")]
)
def test_the_file_system_is_that_of_the_nearest_mount(folder: str, kind: str) -> None:
    """Of the table of mounts, in which a space is written as an octal number."""
    mounts = (
        "disk / ext4 rw 0 0\nmemory /x/tmp tmpfs rw 0 0\nother /x\\040y xfs rw 0 0\n"
        "none /xyz proc rw 0 0\n"
    )
    assert file_system(Path(folder), mounts) == kind


def test_a_machine_that_others_use_is_said_to_be_so() -> None:
    """Where more than half of its processors are wanted before anything is measured."""
    assert warning(1.0, 2) == ""
    assert warning(1.26, 2) == (
        "others are at work on this machine (load 1.3): intervals will be wide"
    )


@pytest.fixture(autouse=True)
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the machine idle, whatever it does."""
    monkeypatch.setattr("benchmarks.machine.load", lambda: 0.0)


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a page with a place for the table, with play alone to be measured."""

    def measure(_: Bench) -> Iterator[Row]:
        yield ROW

    monkeypatch.setattr("benchmarks.__main__.MEASURES", {"play": measure})
    monkeypatch.setattr("benchmarks.rows.MEASURES", {"play": measure})
    path = tmp_path / "page.md"
    path.write_text("<!-- benchmarks: begin -->\n<!-- benchmarks: end -->\n", encoding="utf-8")
    return path


def test_the_command_writes_the_table_and_json(
    page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is not clearly met makes the exit code 1; no name or path of the machine is said."""
    file = tmp_path / "figures.json"
    assert command.main(["--write", str(page), "--json", str(file)]) == 1
    assert "unclear" in capsys.readouterr().out
    text = page.read_text(encoding="utf-8")
    assert "| Play: durable moves; on disk | echo |" in text
    assert "Measured on " in text
    said = json.loads(file.read_text(encoding="utf-8"))
    assert [one["row"] for one in said["rows"]] == ["play"]
    assert set(said["machine"]) == {"cores", "system", "python", "file_system", "versions"}
    assert report.read_rows(file)[0].ratio == 11.0


def test_the_command_says_what_is_wrong(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A page without a place, a file that is none, a peer that is missing: a line, code 2."""
    nothing = tmp_path / "nothing.md"
    nothing.write_text("nothing", encoding="utf-8")
    for arguments, said in (
        (["--write", str(nothing)], "has no place for the table"),
        (["--with", str(page)], "is not what an earlier run wrote"),
        (["--with", str(tmp_path / "lacking")], "No such file"),
    ):
        assert command.main(arguments) == 2
        assert said in capsys.readouterr().err

    def missing(_: Bench) -> Iterator[Row]:
        raise PeerMissingError("the peers are not installed: `make bench` installs them")

    monkeypatch.setattr("benchmarks.rows.MEASURES", {"play": missing})
    assert command.main([]) == 2
    assert capsys.readouterr().err == (
        "benchmarks: the peers are not installed: `make bench` installs them\n"
    )

    def failing(_: Bench) -> Iterator[Row]:
        raise ValueError("nothing was measured")

    monkeypatch.setattr("benchmarks.rows.MEASURES", {"play": failing})
    assert command.main([]) == 3
    assert "not measured: ValueError('nothing was measured')" in capsys.readouterr().err
    for misused in (["--rounds", "0"], ["--only", "chess"], ["--quick", "--json", "x"]):
        with pytest.raises(SystemExit) as ended:
            command.main(misused)
        assert ended.value.code == 2
