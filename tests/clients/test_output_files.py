"""Files that are written: whole or not at all, and nothing is replaced but a regular file."""

import argparse
import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ronda_cli.main import main
from ronda_cli.options import output_file
from ronda_client.whole_file import write_whole


@pytest.fixture
def umask() -> Iterator[None]:
    """Have new files readable by the group, whatever the umask of whoever runs the tests."""
    before = os.umask(0o027)
    try:
        yield
    finally:
        os.umask(before)


def mode(path: Path) -> int:
    """Return the permissions of a file."""
    return stat.S_IMODE(path.stat().st_mode)


def test_new_file_gets_the_mode_that_the_umask_leaves(umask: None, tmp_path: Path) -> None:
    """As every other file that a command makes; nothing else is left beside it."""
    file = tmp_path / "match.rlog"
    write_whole(file, b"whole")
    assert file.read_bytes() == b"whole"
    assert mode(file) == 0o640
    assert list(tmp_path.iterdir()) == [file]


def test_older_file_keeps_its_mode(umask: None, tmp_path: Path) -> None:
    """What its owner made of it is not undone."""
    file = tmp_path / "match.rlog"
    file.write_bytes(b"older and longer")
    file.chmod(0o604)
    write_whole(file, b"whole")
    assert file.read_bytes() == b"whole"
    assert mode(file) == 0o604


def test_symbolic_link_stays_and_its_file_is_written(tmp_path: Path) -> None:
    """Whether there is a file at its end or not yet."""
    (tmp_path / "elsewhere").mkdir()
    link, file = tmp_path / "link", tmp_path / "elsewhere" / "match.rlog"
    link.symlink_to(Path("elsewhere") / "match.rlog")
    for data in (b"first", b"second"):
        write_whole(link, data)
        assert link.is_symlink()
        assert not file.is_symlink()
        assert file.read_bytes() == data
    assert sorted(tmp_path.rglob("*")) == [tmp_path / "elsewhere", file, link]


@pytest.mark.parametrize("name", ["fifo", "link"])
def test_fifo_is_written_into(tmp_path: Path, name: str) -> None:
    """Its reader gets everything, and it is a FIFO afterwards; also behind a symbolic link."""
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    (tmp_path / "link").symlink_to(fifo)
    # Open for reading before anything is written: nobody can be left waiting for the other side.
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    try:
        writing = threading.Thread(target=write_whole, args=(tmp_path / name, b"whole"))
        writing.start()
        writing.join()
        assert os.read(reader, 100) == b"whole"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(fifo.lstat().st_mode)
    assert (tmp_path / "link").is_symlink()


def test_file_that_cannot_be_replaced_is_as_it_was(tmp_path: Path) -> None:
    """A folder stands for whatever the system refuses; nothing is left beside it."""
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(IsADirectoryError):
        write_whole(folder, b"whole")
    assert list(tmp_path.iterdir()) == [folder]


def test_output_file_may_be_new_old_linked_or_a_fifo(tmp_path: Path) -> None:
    """The check lets pass what `write_whole` can do, and writes nothing."""
    (tmp_path / "old").write_bytes(b"old")
    (tmp_path / "link").symlink_to("linked")
    os.mkfifo(tmp_path / "fifo")
    for name in ("new", "old", "link", "fifo"):
        assert output_file(str(tmp_path / name)) == tmp_path / name
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fifo", "link", "old"]
    assert (tmp_path / "old").read_bytes() == b"old"


def test_output_file_that_cannot_be_is_refused_by_what_is_wrong(tmp_path: Path) -> None:
    """Also where a symbolic link leads to a folder that is not there, or to itself."""
    (tmp_path / "file").touch()
    (tmp_path / "away").symlink_to(tmp_path / "gone" / "match.rlog")
    (tmp_path / "loop").symlink_to("loop")
    for name, wrong in {
        ".": "is a folder, not a file",
        "none/match.rlog": f"there is no folder '{tmp_path}/none'",
        "away": f"there is no folder '{tmp_path}/gone'",
        "file/match.rlog": "Not a directory",
        "loop": "Too many levels of symbolic links",
    }.items():
        with pytest.raises(argparse.ArgumentTypeError, match=wrong):
            output_file(str(tmp_path / name))
    with pytest.raises(argparse.ArgumentTypeError, match="needs the name of a file"):
        output_file("")


def test_output_file_in_a_folder_that_is_read_only_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log would be lost once the match is over; root may write anywhere, so it is played."""
    (tmp_path / "folder").mkdir()
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(argparse.ArgumentTypeError, match="is read-only"):
        output_file(str(tmp_path / "folder" / "match.rlog"))


@pytest.mark.parametrize("log", ["", ".", "no-such-folder/match.rlog"])
def test_log_that_cannot_be_written_is_refused_before_the_match(
    log: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing listens on port 1, and nothing is looked for there."""
    with pytest.raises(SystemExit) as caught:
        main(["match", "--target", "127.0.0.1:1", "--patience", "0", "--log", log])
    assert caught.value.code == 2
    assert "ronda match: error: argument --log: " in capsys.readouterr().err
