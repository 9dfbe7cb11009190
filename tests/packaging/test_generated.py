"""The generated code is what the .proto files generate, and the check says where it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import generate_protos


def test_every_difference_is_named() -> None:
    """A file that is missing, left over or different is named as such; an equal one is not."""
    expected = {"a": b"1", "b": b"2", "same": b"0"}
    actual = {"b": b"3", "c": b"4", "same": b"0"}
    assert generate_protos.differences(expected, actual) == [
        "missing: a",
        "different: b",
        "left over: c",
    ]


def test_an_update_mends_every_difference(tmp_path: Path) -> None:
    """After an update the folder holds the expected files, and no folder is left empty."""
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "left_over.py").write_bytes(b"x")
    (tmp_path / "stale.py").write_bytes(b"x")
    expected = {"stale.py": b"y", "new/package/__init__.py": b""}
    generate_protos.update(expected, tmp_path)
    assert generate_protos.contents(tmp_path) == expected
    assert not (tmp_path / "old").exists()


def test_the_check_names_the_file_and_the_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A generated file that was edited by hand fails the check, which says what to do."""
    assert generate_protos.main([str(tmp_path)]) == 0
    assert generate_protos.main([str(tmp_path), "--check"]) == 0
    edited = tmp_path / "ronda" / "v1" / "__init__.py"
    edited.write_text("", encoding="utf-8")
    capsys.readouterr()
    assert generate_protos.main([str(tmp_path), "--check"]) == 1
    message = capsys.readouterr().err
    assert "different: ronda/v1/__init__.py" in message
    assert "`make proto` mends it" in message


def test_a_folder_without_protos_is_refused(tmp_path: Path) -> None:
    """Nothing is generated from nothing."""
    with pytest.raises(generate_protos.GenerationError, match=r"no \.proto file"):
        generate_protos.generate(tmp_path, tmp_path / "out")
