"""What holds the compiled engine against the pure one cannot compare the pure one with itself."""

import shutil
from pathlib import Path

import pytest

from tests.compiled.__main__ import DifferenceError, compare, lines
from tests.compiled.playing import outcome
from tools.compile_engine import PACKAGE, SOURCE, CompilationError, compile_engine


def test_the_pure_engine_is_not_taken_for_the_compiled_one(tmp_path: Path) -> None:
    """A folder with the sources alone is refused before a match is played."""
    shutil.copytree(SOURCE, tmp_path / PACKAGE)
    with pytest.raises(DifferenceError, match=r"compiled engine was imported from .*engine\.py"):
        compare(tmp_path, 1, 1)


def test_another_engine_gives_another_line(tmp_path: Path) -> None:
    """An engine that scores a mesa twice is told from this one by a match of a preset."""
    shutil.copytree(SOURCE, tmp_path / PACKAGE)
    mesa = tmp_path / PACKAGE / "mesa.py"
    source = mesa.read_text(encoding="utf-8")
    mesa.write_text(source.replace("else state.rules.mesa", "else 2 * state.rules.mesa"))
    _, own = lines(None, 2, 1)
    _, other = lines(tmp_path, 2, 1)
    assert own.startswith("2 ")
    assert other.startswith("2 ")
    assert own != other


def test_what_is_no_engine_is_not_compiled(tmp_path: Path) -> None:
    """Nothing is written, and the message has what the compiler says."""
    source = tmp_path / PACKAGE
    source.mkdir()
    (source / "cards.py").write_text("This is no Python.\n")
    with pytest.raises(CompilationError, match=r"cards\.py:1: error: Simple statements must"):
        compile_engine(tmp_path / "to", source)
    assert not (tmp_path / "to").exists()


def test_a_match_is_given_by_its_seed() -> None:
    """Its moves, and two digests are the same."""
    assert outcome(7) == outcome(7)
