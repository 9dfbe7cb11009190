"""The page for authors of testees is true, walked against the JavaScript example."""

import re
import shutil
from pathlib import Path

import pytest

from ronda_conformance.__main__ import main
from tests.test_documents import ROOT, blocks, finished

PAGE = (ROOT / "docs" / "testee.md").read_text(encoding="utf-8")
EXAMPLE = ROOT / "examples" / "testee-js"
NODE = "ronda conform --command 'node examples/testee-js/testee.mjs'"
LISTS = (
    "--unsupported examples/testee-js/unsupported.txt "
    "--known-failing examples/testee-js/known-failing.txt"
)


def commands() -> list[str]:
    """Give every command that the page shows."""
    return [line for block in blocks(PAGE, "sh") for line in block.splitlines()]


def test_the_page_shows_no_command_that_is_not_tested() -> None:
    """They are run below, one after the other."""
    assert commands() == [
        f"{NODE} --id 'example-cap-*'",
        f"{NODE} --clause CAP-2 --rule-set maghribi --list",
        f"{NODE} --id 'example-mesa-[123]' --id 'deal-4-draws-in-order'",
        f"{NODE} {LISTS}",
        f"{NODE} {LISTS} --junit conform.xml --html conform.html",
        "ronda conform --command 'ronda testee --stdio' --id 'example-*'",
    ]


@pytest.fixture
def ronda(tmp_path: Path) -> Path:
    """A folder like the project's, where the reader stands."""
    for folder in ("examples", "conformance"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    return tmp_path


async def test_the_pages_commands_work(ronda: Path) -> None:
    """All end with 0 and say what the page says; the fourth is a part of the fifth."""
    said = {}
    for command in commands()[:3] + commands()[4:]:
        code, said[command] = await finished(command, ronda, ronda)
        assert code == 0, (command, said[command])
    first = said[commands()[0]]
    (shown,) = [text for text in blocks(PAGE, "text") if text.startswith("A selection")]
    # How large the whole suite is may differ from the day when the page was written.
    size = re.compile(r" of [0-9]+ scenarios ")
    assert size.sub(" of N scenarios ", first) == size.sub(" of N scenarios ", shown)
    assert "cap-2-equal-rank-is-captured" in said[commands()[1]]
    whole = said[commands()[4]]
    assert re.fullmatch(
        r"\d+ scenarios against node .*: \d+ passed, \d+ known failing, \d+ unsupported\.\n", whole
    )
    assert (ronda / "conform.xml").read_bytes().startswith(b"<?xml")
    assert (ronda / "conform.html").read_bytes().startswith(b"<!DOCTYPE html>")


def test_a_list_without_one_of_its_entries_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The scenario that the entry was there for is a failure, with what the program said."""
    listed = (EXAMPLE / "known-failing.txt").read_text(encoding="utf-8")
    shorter = tmp_path / "known.txt"
    shorter.write_text(listed.replace("example-deal-8\n", ""), encoding="utf-8")
    command = f"node {EXAMPLE / 'testee.mjs'}"
    lists = ["--unsupported", str(EXAMPLE / "unsupported.txt"), "--known-failing"]
    arguments = ["--command", command, *lists, str(shorter), "--clause", "DEAL-8"]
    assert main(arguments) == 1
    out = capsys.readouterr().out
    assert "FAILED example-deal-8 (DEAL-8)" in out
    assert "got:      refused UNSUPPORTED: this table is forbidden" in out
    assert re.search(r": 1 passed, 1 failed, \d+ known failing, \d+ unsupported\.\n$", out)


def test_the_mismatch_on_the_page_is_what_a_reader_sees(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The example without the run above the captured card, told as the page tells it."""
    wrong = tmp_path / "testee-js"
    shutil.copytree(EXAMPLE, wrong)
    engine = (wrong / "engine.mjs").read_text(encoding="utf-8")
    run = "RANKS.slice(RANKS.indexOf(card.rank))"
    assert engine.count(run) == 1
    (wrong / "engine.mjs").write_text(engine.replace(run, "[card.rank]"), encoding="utf-8")
    arguments = ["--command", f"node {wrong / 'testee.mjs'}", "--id", "example-cap-3"]
    assert main(arguments) == 1
    out = capsys.readouterr().out.replace(f"{ROOT}/", "")
    (shown,) = [text for text in blocks(PAGE, "text") if text.startswith("FAILED")]
    assert shown in out


def test_the_example_is_small_and_needs_nothing() -> None:
    """Under 400 lines, and its modules import each other alone."""
    files = sorted(EXAMPLE.glob("*.mjs"))
    texts = [file.read_text(encoding="utf-8") for file in files]
    assert sum(len(text.splitlines()) for text in texts) < 400
    imported = {name for text in texts for name in re.findall(r' from "([^"]*)"', text)}
    assert imported == {f"./{file.name}" for file in files} - {"./testee.mjs"}
