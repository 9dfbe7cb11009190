"""The README and its fellows are true: commands work, code is the code, links lead somewhere."""

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ronda_conformance.examples import load_whole_suite
from ronda_conformance.rule_set_files import load_rule_sets
from tests.referee.referee_process import RefereeProcess

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
LISTEN = "127.0.0.1:7632"
DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "clients/typescript/README.md",
    "conformance/spec/README.md",
    "conformance/service.md",
    "conformance/spec/protocol/calls.md",
    "conformance/spec/protocol/log.md",
    "conformance/spec/protocol/shuffle.md",
    "conformance/suites/README.md",
    "conformance/vectors/README.md",
    "docs/benchmarks.md",
    "docs/bots.md",
    "docs/coverage.md",
    "docs/faults.md",
    "docs/mutation.md",
    "docs/operating.md",
    "docs/performance.md",
    "docs/protocol.md",
    "docs/testee.md",
    "docs/tournaments.md",
    "docs/training.md",
)


def blocks(text: str, language: str) -> list[str]:
    """Give the fenced blocks of a language, as they stand."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def commands() -> list[str]:
    """Give every command that the README shows, without what is said of it."""
    lines = [line for block in blocks(README, "sh") for line in block.splitlines()]
    return [line.partition("#")[0].strip() for line in lines]


async def finished(command: str, folder: Path, temporary: Path) -> tuple[int | None, str]:
    """Run a shell command as a reader would, in a folder, and give its exit code and output."""
    bin_folder = str(Path(sys.executable).parent)
    process = await asyncio.create_subprocess_shell(
        command,
        cwd=folder,
        env={
            **os.environ,
            "TMPDIR": str(temporary),
            "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
        },
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    return process.returncode, output.decode()


def test_the_readme_shows_no_command_that_is_not_tested() -> None:
    """`make test` runs this test; the others are run below."""
    assert commands() == [
        "make demo",
        "make test",
        "ronda serve --data games --listen 127.0.0.1:7632",
        "python examples/lowest_bot.py 127.0.0.1:7632",
        (
            "ronda match --target 127.0.0.1:7632 --rule-set maghribi "
            "--bot greedy --bot random --log match.rlog"
        ),
        "ronda play --rule-set maghribi --bot searcher --bot greedy --hints",
        "ronda watch match.rlog",
        "ronda tournament run examples/tournament.toml --data cup",
        "ronda audit match.rlog",
        "ronda replay match.rlog",
        "ronda replay match.rlog --seat 0 --lang ary --latin",
        "ronda replay match.rlog --html match.html",
        "ronda conform --target 127.0.0.1:7632",
        "ronda rules check conformance/house_rules/phone-table.toml",
        "ronda rules show conformance/house_rules/phone-table.toml",
        "ronda demo --rule-sets conformance/house_rules --rule-set phone-table --matches 4",
        ("ronda match --target 127.0.0.1:7632 --rule-set conformance/house_rules/phone-table.toml"),
    ]


def by_start(said: dict[str, str], start: str) -> str:
    """Give what the first command that begins so has said."""
    return next(output for command, output in said.items() if command.startswith(start))


async def test_the_readmes_commands_work_one_after_the_other(tmp_path: Path) -> None:
    """Each ends with exit code 0 and says what it should; only the port is another one."""
    for folder in ("examples", "conformance"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    said: dict[str, str] = {}
    async with RefereeProcess(tmp_path / "games") as referee:
        for command in commands()[3:]:
            code, output = await finished(
                command.replace(LISTEN, referee.address), tmp_path, tmp_path
            )
            # A person's commands say here that there is no terminal; tests/terminal plays them.
            needs_terminal = command.startswith(("ronda play", "ronda watch"))
            assert code == (2 if needs_terminal else 0), (command, output)
            assert ("there is no terminal" in output) == needs_terminal
            said[command] = output
    assert re.search(r"^\d+ : \d+, winner: \(", by_start(said, "python examples/lowest_bot.py"))
    assert by_start(said, "ronda match").startswith("match ")
    assert "Evening cup: finished, 60 matches count" in by_start(said, "ronda tournament run")
    assert (tmp_path / "cup" / "report.html").read_text().count("<svg") > 3
    assert "maghribi" in by_start(said, "ronda audit")
    assert "deal 1, dealer: " in by_start(said, "ronda replay")
    assert "l-jawla 1, l-muwezze': " in by_start(said, "ronda replay match.rlog --seat 0")
    page = (tmp_path / "match.html").read_text(encoding="utf-8")
    assert "Content-Security-Policy" in page
    phones = "conformance/house_rules/phone-table.toml"
    assert by_start(said, f"ronda rules check {phones}") == (
        f"{phones}: phone-table can be played with 2, 4 seats\n"
    )
    assert by_start(said, f"ronda rules show {phones}").startswith("Phone table (phone-table)")
    demo = by_start(said, "ronda demo")
    assert re.search(r"^scenarios +(\d+) of \1 passed$", demo, re.MULTILINE)
    sent_along = f"ronda match --target {LISTEN} --rule-set {phones}"
    assert by_start(said, sent_along).startswith("match ")
    assert re.search(r"^(\d+) scenarios against .*: \1 passed\.$", by_start(said, "ronda conform"))


async def test_the_demo_plays_audits_and_checks(tmp_path: Path) -> None:
    """`make demo` ends with exit code 0: 40 matches, 40 audits, every scenario."""
    code, output = await finished("make demo", ROOT, tmp_path)
    assert code == 0, output
    lines = output.splitlines()
    for seats, matches in ((2, 14), (3, 13), (4, 13)):
        row = re.compile(rf" +{seats} +{matches} +{matches} .* {matches} of {matches}")
        assert any(map(row.fullmatch, lines)), output
    assert any(re.fullmatch(r"scenarios +(\d+) of \1 passed", line) for line in lines), output
    (logs,) = (line.removeprefix("logs").strip() for line in lines if line.startswith("logs "))
    assert sum(name.endswith(".rlog") for name in os.listdir(logs)) == 40  # noqa: PTH208 - not in a loop that waits


def test_the_pages_say_how_many_scenarios_there_are() -> None:
    """Where a page shows what the runner says, it is the number that there is now."""
    scenarios = len(load_whole_suite(load_rule_sets()).cases)
    page = (ROOT / "docs" / "testee.md").read_text(encoding="utf-8")
    assert re.findall(r"A selection of \d+ of (\d+) scenarios", page) == [str(scenarios)]


def test_the_readmes_bot_is_the_example() -> None:
    """The code shown is the code in examples/, to the letter."""
    example = (ROOT / "examples" / "lowest_bot.py").read_text(encoding="utf-8")
    (shown,) = blocks(README, "python")
    assert shown in example


def test_the_readmes_tournament_is_the_example() -> None:
    """The configuration shown is the one in examples/, without what is said of it there."""
    example = (ROOT / "examples" / "tournament.toml").read_text(encoding="utf-8")
    (shown,) = blocks(README, "toml")
    assert example.endswith(f"\n{shown}")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(document: str) -> None:
    """Every relative link in a document names a file or folder of the project."""
    path = ROOT / document
    links = re.findall(r"\]\((?!https?://)([^)#]+)", path.read_text(encoding="utf-8"))
    missing = [link for link in links if not (path.parent / link).exists()]
    assert missing == []


def test_no_file_holds_a_merge_that_was_not_finished() -> None:
    """Both sides of a conflict would stand in a page, and no other check reads prose."""
    marks = re.compile(rb"^(<{7} |>{7} |={7}$)", re.MULTILINE)
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    files = [ROOT / name for name in tracked.stdout.decode().split("\0") if name]
    assert len(files) > 100
    assert [file for file in files if file.is_file() and marks.search(file.read_bytes())] == []
