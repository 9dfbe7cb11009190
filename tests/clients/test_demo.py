"""`ronda demo`: the whole of it, and that it leaves nothing behind however it ends."""

import asyncio
import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from ronda.v1.rule_set_pb2 import RuleSet, SeatCount
from ronda_cli.demo_matches import FinishedMatch, UnfinishedMatch, plan, play_all
from ronda_cli.demo_report import DemoResult, Scenarios, as_json, as_text
from ronda_client import RefereeClient
from tests.clients.fake_referee import Fail, FakeReferee, Hold, serving
from tests.clients.scripted_log import Book

LOG = Path("/logs/a.rlog")
FINISHED = FinishedMatch("a", 2, deals=8, moves=320, points=61, log=LOG)
UNFINISHED = UnfinishedMatch(7, 3, "no answer")
ALL_PASSED = Scenarios(106, 106, ())


def result(
    matches: list[FinishedMatch | UnfinishedMatch],
    faults: dict[Path, str | None],
    scenarios: Scenarios = ALL_PASSED,
) -> DemoResult:
    """Return a result of these parts that took four seconds."""
    return DemoResult("maghribi", Path("/demo"), matches, faults, scenarios, 4.0)


def test_matches_go_round_the_seat_counts_with_mixed_bots() -> None:
    """Forty matches: 14, 13 and 13 of them with two, three and four seats."""
    rule_set = RuleSet(id="x", seats=[SeatCount(count=count) for count in (4, 2, 3)])
    matches = plan(rule_set, 40, 0)
    assert [match.seats for match in matches[:4]] == [2, 3, 4, 2]
    assert [sum(match.seats == seats for match in matches) for seats in (2, 3, 4)] == [14, 13, 13]
    assert matches[0].bots == ("greedy", "random")
    assert matches[3].bots == ("random", "greedy")
    assert all(set(match.bots) == {"greedy", "random"} for match in matches)
    seeds = [seed for match in matches for seed in match.seeds]
    assert len(set(seeds)) == len(seeds)
    assert plan(rule_set, 40, 1) != matches
    assert plan(rule_set, 40, 0) == matches


def test_good_result_is_a_table_and_json() -> None:
    """320 moves in four seconds are 80 a second."""
    good = result([FINISHED], {LOG: None})
    assert good.failures == []
    assert as_text(good) == (
        "seats  matches  ended  deals  moves  points  audits passed\n"
        "    2        1      1      8    320      61         1 of 1\n"
        "\n"
        "scenarios  106 of 106 passed\n"
        "speed      80 moves a second (4.0 s)\n"
        "logs       /demo/logs"
    )
    said = as_json(good)
    assert said["ok"] is True
    assert said["moves_per_second"] == 80.0
    assert said["logs"] == "/demo/logs"


@pytest.mark.parametrize(
    ("bad", "failure"),
    [
        (
            result([FINISHED, UNFINISHED], {LOG: None}),
            "match 7 with 3 seats did not end: no answer",
        ),
        (result([FINISHED], {LOG: "CHAIN_BROKEN"}), "audit of /logs/a.rlog: CHAIN_BROKEN"),
        (result([FINISHED], {}), "no audit of /logs/a.rlog"),
        (result([FINISHED], {LOG: None}, Scenarios(2, 1, ("x: failed",))), "scenario x: failed"),
        (
            result([FINISHED], {LOG: None}, Scenarios(0, 0, ())),
            "the conformance suite holds no scenario",
        ),
        (result([], {}), "no match was played"),
    ],
)
def test_whatever_is_not_as_it_should_be_is_a_failure(bad: DemoResult, failure: str) -> None:
    """A single one makes the whole demo fail, and is named."""
    assert bad.failures == [failure]
    assert as_json(bad)["ok"] is False
    assert failure in as_text(bad)


def test_many_failures_are_cut_short_at_the_terminal_only() -> None:
    """JSON has them all."""
    failures = tuple(f"s{number}: failed" for number in range(58))
    bad = result([FINISHED], {LOG: None}, Scenarios(58, 0, failures))
    assert as_text(bad).endswith("  scenario s9: failed\n  and 48 more; --json lists them all")
    assert len(bad.failures) == 58


def start(*arguments: str) -> subprocess.Popen[str]:
    """Start the demo as a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "ronda_cli", "demo", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_demo_plays_audits_and_checks(tmp_path: Path) -> None:
    """Three matches, one of each seat count; every log audited, every scenario passed."""
    demo = start("--matches", "3", "--rule-set", "sarii", "--data", str(tmp_path), "--json")
    out, err = demo.communicate()
    said = json.loads(out)
    assert said["failures"] == [], err
    assert demo.returncode == 0
    assert [row["seats"] for row in said["seat_counts"]] == [2, 3, 4]
    for row in said["seat_counts"]:
        assert (row["matches"], row["ended"], row["audits_passed"]) == (1, 1, 1)
        # A point is scored by 40 cards at most, and by none without.
        assert row["moves"] >= 40
        assert row["points"] >= 25
    assert said["scenarios"]["passed"] == said["scenarios"]["total"] > 0
    assert len(list((tmp_path / "logs").glob("*.rlog"))) == 3
    assert said["logs"] == str(tmp_path / "logs")
    assert not is_running(referee_of(err))


def test_unknown_rule_set_is_refused_in_a_line(tmp_path: Path) -> None:
    """The referee says which there are, and is stopped."""
    demo = start("--rule-set", "belote", "--data", str(tmp_path))
    out, err = demo.communicate()
    assert (demo.returncode, out) == (1, "")
    last = err.splitlines()[-1]
    assert last.startswith("ronda: RULE_SET_NOT_FOUND: there is no rule set 'belote'")
    assert not is_running(referee_of(err))


@pytest.mark.parametrize("name", ["logs", "referee.log"])
def test_folder_that_cannot_be_used_is_refused_in_a_line(tmp_path: Path, name: str) -> None:
    """The logs would go to a folder, the referee's output to a file; here each is the other."""
    if name == "logs":
        (tmp_path / name).touch()
    else:
        (tmp_path / name).mkdir()
    demo = start("--data", str(tmp_path))
    out, err = demo.communicate()
    word = {"logs": "File exists", "referee.log": "Is a directory"}[name]
    assert err == f"ronda: {tmp_path / name}: {word}\n"
    assert (out, demo.returncode) == ("", 2)


class Notes:
    """Progress that is written down."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def update(self, done: float, note: str = "") -> None:
        """Keep the note."""
        self.notes.append(note)


async def test_matches_that_are_cancelled_have_not_ended(tmp_path: Path) -> None:
    """The bar stays where it was at Ctrl-C; a match that fails has ended, for what it is worth."""
    fake, notes = FakeReferee(), Notes()
    rule_set = RuleSet(id="x", target=41, seats=[SeatCount(count=2)])
    fake.watches.extend([Book().header(), Hold()] for _ in range(4))
    async with serving(fake) as target, RefereeClient.connect(target) as client:
        matches = plan(rule_set, 2, 0)
        playing = asyncio.create_task(play_all(client, rule_set, matches, tmp_path, notes))
        await fake.holding.wait()
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing
        assert notes.notes == []
        fake.joins.append(Fail(grpc.StatusCode.PERMISSION_DENIED, "WRONG_TOKEN"))
        fake.watches.clear()
        fake.watches.extend([Book().header(), Hold()] for _ in range(2))
        await play_all(client, rule_set, plan(rule_set, 1, 0), tmp_path, notes)
    assert notes.notes == ["1 of 1 matches ended, 0 moves"]


class Interrupted:
    """A demo that is in the midst of its matches."""

    def __init__(self, folder: Path) -> None:
        """Start it, and wait until its referee plays."""
        self.demo = start("--matches", "40", "--data", str(folder))
        assert self.demo.stderr is not None
        self.first_line = self.demo.stderr.readline()
        self.referee = referee_of(self.first_line)
        self.exit = os.pidfd_open(self.referee)

    def wait_for_referee(self) -> None:
        """Wait until the referee's process has ended."""
        poll = select.poll()
        poll.register(self.exit, select.POLLIN)
        assert poll.poll(60_000), "the referee is still there after a minute"


@pytest.fixture
def interrupted(tmp_path: Path) -> Iterator[Interrupted]:
    """Give a demo that is under way."""
    held = Interrupted(tmp_path)
    try:
        yield held
    finally:
        held.demo.kill()
        held.demo.communicate()
        os.close(held.exit)


def referee_of(said: str) -> int:
    """Return the process id of the referee that the demo speaks of."""
    return int(said.partition("(process ")[2].partition(")")[0])


def is_running(pid: int) -> bool:
    """Tell whether there is a process of this id."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(sys.platform != "linux", reason="waits for another's process by pidfd")
@pytest.mark.parametrize(
    ("number", "word", "code"),
    [(signal.SIGINT, "interrupted", 130), (signal.SIGTERM, "terminated", 143)],
)
def test_interrupted_demo_stops_its_referee(
    interrupted: Interrupted, tmp_path: Path, number: signal.Signals, word: str, code: int
) -> None:
    """One clear line, the exit code of such an end, and no process left."""
    interrupted.demo.send_signal(number)
    out, err = interrupted.demo.communicate()
    assert err == (
        f"ronda: {word}; the referee is stopped, and what there is so far lies in {tmp_path}\n"
    )
    assert (out, interrupted.demo.returncode) == ("", code)
    interrupted.wait_for_referee()
    assert not is_running(interrupted.referee)


@pytest.mark.skipif(sys.platform != "linux", reason="waits for another's process by pidfd")
def test_referee_does_not_outlive_a_demo_that_was_killed(interrupted: Interrupted) -> None:
    """Nobody can clean up after SIGKILL; the referee notices by itself."""
    interrupted.demo.kill()
    interrupted.wait_for_referee()
