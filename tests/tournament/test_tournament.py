"""A whole tournament against a real referee: killed, gone on with, and every log audited.

Two bots are good, one of them waiting at an address; of the others one crashes, one hangs, one
makes an illegal move and one raises an exception.
"""

import asyncio
import csv
import json
import re
import shutil
import sys
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from ronda_client import read_records
from ronda_tournament.folder import journal_of
from ronda_tournament.seeds import commitment, group_seed
from tests.clients.command import Ran, ronda

PLANTED = Path(__file__).parent / "bots" / "planted.py"
LISTENING = (
    "from ronda_client.tournament import serve\nimport ronda_bots\n"
    "serve(lambda: ronda_bots.by_name('random', 5), name='waiting', listen='127.0.0.1:0')"
)
CONFIG = """
name = "Six of them"
rule_sets = ["single-deal"]
pairs = 3
concurrency = 6
move_seconds = 4

[limits]
restarts = 1
failures = 2
start_seconds = 60

[[entrants]]
name = "greedy"
builtin = "greedy"

[[entrants]]
name = "waiting"
address = "{address}"

[[entrants]]
name = "crash"
command = ["python", "{planted}", "crash"]

[[entrants]]
name = "hang"
command = ["python", "{planted}", "hang"]

[[entrants]]
name = "illegal"
command = ["python", "{planted}", "illegal"]

[[entrants]]
name = "raise"
command = ["python", "{planted}", "raise"]
"""


@dataclass
class Played:
    """A tournament that was killed once and then played to its end."""

    folder: Path
    before: list[dict[str, Any]]
    ran: Ran

    @property
    def results(self) -> Any:  # noqa: ANN401 - JSON
        """What it printed."""
        return self.ran.json

    def lines(self, kind: str) -> list[dict[str, Any]]:
        """Give the journal's lines of a type."""
        return [line for line in journal_of(self.folder) if line["type"] == kind]


async def killed(config: Path, folder: Path) -> None:
    """Start the tournament and kill the runner when the first bot has failed."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "ronda_cli", "tournament", "run", str(config)),
        *("--data", str(folder)),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr is not None
    said = b""
    while line := await process.stderr.readline():
        said += line
        if b" failed in " in line:
            process.kill()
            break
    await process.wait()
    assert process.returncode == -9, said.decode()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def played(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Played, None]:
    """Play it once for all tests."""
    tmp_path = tmp_path_factory.mktemp("tournament")
    waiting = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", LISTENING), stdout=asyncio.subprocess.PIPE
    )
    assert waiting.stdout is not None
    address = (await waiting.stdout.readline()).decode().removeprefix("listening on ").strip()
    config = tmp_path / "four.toml"
    config.write_text(CONFIG.format(address=address, planted=PLANTED))
    folder = tmp_path / "four"
    try:
        await killed(config, folder)
        before = journal_of(folder)
        arguments = ("--data", folder, "--replays", "2", "--jobs", "1", "--json")
        ran = await ronda("tournament", "run", config, *arguments)
        yield Played(folder, before, ran)
    finally:
        waiting.kill()
        await waiting.wait()


pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_it_is_finished_with_failures(played: Played) -> None:
    """The exit code says so, and the kill has left something to go on with."""
    assert played.ran.code == 1, played.ran.err
    assert played.results["finished"] is True
    assert [line["type"] for line in played.before].count("finished") == 0
    assert len(played.lines("resumed")) == 1
    assert len(played.lines("finished")) == 1


async def test_the_good_ones_have_played_all_their_pairs(played: Played) -> None:
    """Each match of theirs counts, in which each sat at each seat with the same cards."""
    (meeting,) = [
        one for one in played.results["meetings"] if one["teams"] == [["greedy"], ["waiting"]]
    ]
    assert (meeting["groups"], meeting["void"], meeting["left_out"]) == (3, 0, 0)
    groups = [one for one in played.results["groups"] if one["meeting"] == meeting["name"]]
    assert [[match["seats"] for match in one["matches"]] for one in groups] == [
        [["greedy", "waiting"], ["waiting", "greedy"]]
    ] * 3
    points = [
        [match["scores"][match["seats"].index("greedy")] for match in one["matches"]]
        for one in groups
    ]
    others = [
        [match["scores"][match["seats"].index("waiting")] for match in one["matches"]]
        for one in groups
    ]
    assert meeting["differences"] == [
        sum(mine) - sum(theirs) for mine, theirs in zip(points, others, strict=True)
    ]


async def test_failures_are_failures_and_nothing_else(played: Played) -> None:
    """The bad ones have reasons and no matches; the good ones have no failures."""
    by_name = {one["name"]: one for one in played.results["entrants"]}
    for name in ("greedy", "waiting"):
        assert by_name[name]["failures"] == {}
        assert by_name[name]["stopped"] is None
        assert by_name[name]["matches"] == 6
    for name in ("crash", "hang", "illegal", "raise"):
        assert by_name[name]["matches"] == 0
        assert by_name[name]["rating"] is None
        assert by_name[name]["incidents"] >= 2
        assert re.match(r"it failed \d times, the last time: ", by_name[name]["stopped"])
    assert set(by_name["crash"]["failures"]) == {"EXITED"}
    assert "exit code 3; its last words: out of cards" in by_name["crash"]["stopped"]
    assert set(by_name["hang"]["failures"]) <= {"TIME_OUT", "NOT_JOINED"}
    assert set(by_name["illegal"]["failures"]) == {"MOVE_REFUSED"}
    assert "CARD_NOT_IN_HAND" in by_name["illegal"]["stopped"]
    assert set(by_name["raise"]["failures"]) == {"EXCEPTION"}
    assert "choose() raised KeyError: 'nine of swords'" in by_name["raise"]["stopped"]
    assert played.results["matches"]["counted"] == 6


async def test_every_match_and_every_pair_is_accounted_for(played: Played) -> None:
    """What was created has ended or was abandoned, with a log; each pair counts or is said why."""
    matches = played.results["matches"]
    created = {line["match_id"] for line in played.lines("created")}
    ended = {line["match_id"] for line in played.lines("ended")}
    abandoned = {line["match_id"] for line in played.lines("abandoned")}
    assert ended | abandoned == created
    assert not ended & abandoned
    assert (matches["created"], matches["open"]) == (len(created), 0)
    assert matches["counted"] + matches["ended_in_void_groups"] == len(ended)
    assert {log.stem for log in (played.folder / "logs").glob("*.rlog")} == created
    for meeting in played.results["meetings"]:
        assert meeting["groups"] + meeting["void"] + meeting["left_out"] == 3
        assert bool(meeting["why_left_out"]) == bool(meeting["left_out"])


async def test_the_seed_is_the_one_that_was_committed_to(played: Played) -> None:
    """The commitment stood there before the first match, and every log's seed derives from it."""
    assert played.before[0]["type"] == "begun"
    promised = played.before[0]["commitment"]
    assert (played.folder / "commitment.txt").read_text().strip() == promised
    seed = bytes.fromhex(played.results["seed"])
    assert commitment(seed).hex() == promised
    for line in played.lines("ended"):
        data = (played.folder / "logs" / f"{line['match_id']}.rlog").read_bytes()
        (result,) = [one.match_result for one in read_records(data) if one.HasField("match_result")]
        assert result.seed == group_seed(seed, line["group"])


async def test_nobody_looks_on_at_a_match_with_the_same_cards(played: Played) -> None:
    """Who has no seat in a match is a thousand turns behind, and these last for 36."""
    logs = list((played.folder / "logs").glob("*.rlog"))
    assert logs
    for log in logs:
        header = next(iter(read_records(log.read_bytes()))).header
        assert header.terms.spectator_delay == 1000


async def test_every_log_is_audited(played: Played) -> None:
    """`run` has done it, and `audit` does it again."""
    logs = len(list((played.folder / "logs").glob("*.rlog")))
    audit = played.results["audit"]
    assert (audit["logs"], audit["findings"]) == (logs, [])
    assert audit["seeds"] == audit["groups"] > 3
    again = await ronda("tournament", "audit", played.folder, "--jobs", "1")
    assert again.code == 0, again.err
    assert again.out == (
        f"audit: {logs} logs, {audit['groups']} groups with the same cards, {audit['seeds']} seeds "
        "derived from the tournament's: nothing is wrong\n"
    )


async def test_the_audit_finds_what_was_changed(played: Played, tmp_path: Path) -> None:
    """A result in the journal, a log that is missing, a seed that is not the one promised."""
    folder = tmp_path / "changed"
    shutil.copytree(played.folder, folder)
    lines = journal_of(folder)
    ended = [line for line in lines if line["type"] == "ended"]
    ended[0]["scores"][0] += 1
    (folder / "logs" / f"{ended[1]['match_id']}.rlog").unlink()
    lines[-1]["seed"] = "11" * 32
    (folder / "journal.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    ran = await ronda("tournament", "audit", folder, "--json", "--jobs", "1")
    assert ran.code == 1
    findings = ran.json["findings"]
    assert "the seed that is shown is not the one that was committed to" in findings
    assert f"match {ended[1]['match_id']}: its log is missing" in findings
    changed = f"match {ended[0]['match_id']}"
    assert f"{changed}: the journal says another result than its log" in findings
    assert f"{changed}: its seed does not come from the tournament's" in findings


async def test_nothing_is_left_running(played: Played) -> None:
    """Neither of the killed run nor of the other: no process has the planted bot's file open."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                command = (process / "cmdline").read_bytes()
            except OSError:
                continue
            if str(played.folder).encode() in command or str(PLANTED).encode() in command:
                found.append(command)
    assert found == []


class Page(HTMLParser):
    """Keeps what a page refers to, and which elements it has."""

    def __init__(self) -> None:
        """Begin before the first element."""
        super().__init__()
        self.references: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an element."""
        self.tags.append(tag)
        self.references += [value or "" for key, value in attrs if key in {"href", "src"}]


async def test_the_report_needs_nothing_from_elsewhere(played: Played) -> None:
    """Its charts stand in it, and its links lead to the replays beside it."""
    text = (played.folder / "report.html").read_text(encoding="utf-8")
    page = Page()
    page.feed(text)
    assert page.tags.count("svg") >= 4
    assert not {"script", "img", "link", "iframe"} & set(page.tags)
    assert re.findall(r"https?:|url\(|@import", text) == []
    assert len(page.references) == 2
    for reference in page.references:
        assert reference.startswith("replays/")
        replay = (played.folder / reference).read_text(encoding="utf-8")
        assert "Content-Security-Policy" in replay


async def test_the_other_files_say_the_same(played: Played) -> None:
    """JSON, CSV and text have the same matches and the same commitment."""
    assert json.loads((played.folder / "results.json").read_text()) == played.results
    rows = list(csv.DictReader((played.folder / "results.csv").read_text().splitlines()))
    counting = [row for row in rows if row["counts"] == "yes"]
    assert {row["match_id"] for row in counting} == {
        match["match_id"] for one in played.results["groups"] for match in one["matches"]
    }
    assert len(rows) - len(counting) == len(played.results["failures"])
    text = (played.folder / "report.txt").read_text()
    assert text.startswith("Six of them: finished, 6 matches count, 216 moves\n")
    assert played.results["commitment"] in text


async def test_a_finished_tournament_is_told_again(played: Played) -> None:
    """The same command plays nothing more and says the same."""
    config = played.folder.parent / "four.toml"
    again = await ronda("tournament", "run", config, "--data", played.folder, "--no-audit")
    assert again.code == 1
    assert again.out.startswith("Six of them: finished, 6 matches count, 216 moves\n")
    assert (
        "ronda tournament: it is finished, and nothing is played again; to play it anew, with "
        "other cards or after a change to a bot, take another folder with --data\n"
    ) in again.err
    assert f"ronda tournament: the report: {played.folder / 'report.html'}\n" in again.err
    assert len(played.lines("created")) == played.results["matches"]["created"]
