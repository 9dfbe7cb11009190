"""What holds compiled modules against the pure ones cannot compare those with themselves."""

import shutil
from pathlib import Path

import pytest

from tests.compiled.__main__ import LEFT_OUT, DifferenceError, compare, lines
from tests.compiled.playing import of_engine, of_referee
from tools.compile_modules import ROOT, CompilationError, compile_modules, copy_sources, sources


def test_pure_modules_are_not_taken_for_compiled_ones(tmp_path: Path) -> None:
    """A folder with the sources alone is refused before a match is played."""
    copy_sources(tmp_path)
    with pytest.raises(DifferenceError, match=r"compiled was imported from .*engine\.py"):
        compare(tmp_path, "engine", 1, 1)


@pytest.mark.parametrize(
    ("what", "module", "right", "wrong"),
    [
        ("engine", "ronda_rules/mesa.py", "else state.rules.mesa", "else 2 * state.rules.mesa"),
        ("referee", "ronda_referee/match_log.py", "sequence = self.sequence\n", "sequence = 0\n"),
    ],
)
def test_other_modules_give_another_line(
    what: str, module: str, right: str, wrong: str, tmp_path: Path
) -> None:
    """An engine that scores a mesa twice, a log whose rows are all the first."""
    copy_sources(tmp_path)
    source = (tmp_path / module).read_text(encoding="utf-8")
    assert right in source
    (tmp_path / module).write_text(source.replace(right, wrong), encoding="utf-8")
    _, own = lines(None, what, 2, 1)
    _, other = lines(tmp_path, what, 2, 1)
    assert own.startswith("2 ")
    assert other.startswith("2 ")
    assert own != other


def test_what_is_no_python_is_not_compiled(tmp_path: Path) -> None:
    """Nothing is written, and the message has what the compiler says."""
    copy_sources(tmp_path / "referee")
    shutil.copytree(ROOT / "proto" / "gen" / "ronda", tmp_path / "proto" / "gen" / "ronda")
    cards = tmp_path / "referee" / "ronda_rules" / "cards.py"
    cards.write_text("This is no Python.\n", encoding="utf-8")
    with pytest.raises(CompilationError, match=r"cards\.py:1: error: Simple statements must"):
        compile_modules(tmp_path / "to", tmp_path)
    assert not (tmp_path / "to").exists()


def test_what_is_compiled_is_there() -> None:
    """Every module that is named is a source, and none is named twice."""
    named = sources()
    assert [path for path in named if not (ROOT / "referee" / path).is_file()] == []
    assert len(set(named)) == len(named) > 30


def test_each_test_that_is_left_out_is_there() -> None:
    """One of another name would be run, and one that is gone has no reason any more."""
    for name in LEFT_OUT:
        path, _, test = name.partition("::")
        assert f"def {test}" in (ROOT / path).read_text(encoding="utf-8")


def test_a_match_is_given_by_its_seed() -> None:
    """Its moves or records, and two digests are the same."""
    assert of_engine(7) == of_engine(7)
    assert of_referee(8) == of_referee(8)
