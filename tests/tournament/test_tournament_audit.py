"""What an audit finds where a tournament's journal does not say what its logs do."""

import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from ronda_cli import tournament_audit
from ronda_cli.tournament_audit import audit_tournament
from ronda_client import read_records
from ronda_referee.audit import AuditReport
from ronda_referee.audit_many import Audited, Log, Wanted, audit_all
from ronda_tournament.folder import journal_of
from tests.clients.command import ronda

PLANTED = Path(__file__).parent / "bots" / "planted.py"
CONFIG = f"""
name = "Three of them"
rule_sets = ["single-deal"]
pairs = 2

[limits]
failures = 1
start_seconds = 60

[[entrants]]
name = "greedy"
builtin = "greedy"

[[entrants]]
name = "random"
builtin = "random"

[[entrants]]
name = "raise"
command = ["python", "{PLANTED}", "raise"]
"""


@dataclass(frozen=True)
class Played:
    """A tournament whose last entrant has failed, in its folder."""

    folder: Path

    def lines(self, kind: str) -> list[dict[str, Any]]:
        """Give the journal's lines of a type."""
        return [line for line in journal_of(self.folder) if line["type"] == kind]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Play it once for all tests; nothing is wrong with it."""
    folder = tmp_path_factory.mktemp("tournament")
    config = folder / "three.toml"
    config.write_text(CONFIG)
    arguments = ("--data", folder / "three", "--replays", "0", "--jobs", "1", "--json")
    ran = await ronda("tournament", "run", config, *arguments)
    assert ran.json["audit"]["findings"] == [], ran.err
    return Played(folder / "three")


pytestmark = pytest.mark.asyncio(loop_scope="module")


def changed(played: Played, folder: Path, change: Callable[[list[dict[str, Any]]], None]) -> Any:  # noqa: ANN401 - JSON
    """Give what an audit finds where the journal was changed, of a match that counts."""
    shutil.copytree(played.folder, folder)
    lines = journal_of(folder)
    change(lines)
    (folder / "journal.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return audit_tournament(folder, 1)["findings"]


def line_of(lines: list[dict[str, Any]], kind: str, match_id: str) -> dict[str, Any]:
    """Give the one line of a type of a match."""
    (found,) = [line for line in lines if (line["type"], line.get("match_id")) == (kind, match_id)]
    return found


async def test_the_audit_finds_who_did_not_sit_where_the_journal_says(
    played: Played, tmp_path: Path
) -> None:
    """Greedy, entrant 0, and random, entrant 1, have changed seats in the journal alone."""
    match_id, *_ = [line["match_id"] for line in played.lines("ended") if line["seats"] == [0, 1]]

    def swap(lines: list[dict[str, Any]]) -> None:
        for kind in ("created", "ended"):
            line_of(lines, kind, match_id)["seats"] = [1, 0]

    *_, first, second = changed(played, tmp_path / "swapped", swap)
    assert [first, second] == [
        f"match {match_id}: seat 0 is 'random' in the journal, 'greedy' in its log",
        f"match {match_id}: seat 1 is 'greedy' in the journal, 'random' in its log",
    ]

    def end_elsewhere(lines: list[dict[str, Any]]) -> None:
        line_of(lines, "ended", match_id).update(seats=[1, 0], game=7)

    game = line_of(played.lines("created"), "created", match_id)["game"]
    assert changed(played, tmp_path / "ended", end_elsewhere) == [
        f"match {match_id}: game {game} where the journal creates it, 7 where it ends it",
        f"match {match_id}: seats [0, 1] where the journal creates it, [1, 0] where it ends it",
    ]

    def third(lines: list[dict[str, Any]]) -> None:
        for kind in ("created", "ended"):
            line_of(lines, kind, match_id)["seats"] = [0, 1, 2]

    assert changed(played, tmp_path / "third", third)[-1] == (
        f"match {match_id}: it has 3 seats in the journal and 2 in its log"
    )

    def alone(lines: list[dict[str, Any]]) -> None:
        for kind in ("created", "ended"):
            line_of(lines, kind, match_id)["seats"] = [0]

    assert changed(played, tmp_path / "alone", alone)[-1] == (
        f"match {match_id}: it has 1 seats in the journal and 2 in its log"
    )


async def test_the_audit_finds_other_rules_than_the_journal_says(
    played: Played, tmp_path: Path
) -> None:
    """Another rule set, the same in another wording, and a second one that was in turn."""
    logs = sorted(log.stem for log in (played.folder / "logs").glob("*.rlog"))

    def rename(lines: list[dict[str, Any]]) -> None:
        lines[0]["config"]["rule_sets"] = ["sarii"]

    assert changed(played, tmp_path / "renamed", rename) == [
        f"match {match_id}: its rule set is 'sarii' in the journal, 'single-deal' in its log"
        for match_id in logs
    ]
    digest = played.lines("begun")[0]["config"]["rules_sha256"][0]

    def reword(lines: list[dict[str, Any]]) -> None:
        lines[0]["config"]["rules_sha256"] = ["ab\x1b"]

    assert changed(played, tmp_path / "reworded", reword) == [
        f"match {match_id}: its rule set 'single-deal' has the SHA-256 'ab\\x1b' in the journal, "
        f"{digest} in its log"
        for match_id in logs
    ]
    in_turn = {line["match_id"] for line in played.lines("created") if line["group"][-3:] == "-p2"}
    assert in_turn

    def alternate(lines: list[dict[str, Any]]) -> None:
        lines[0]["config"].update(rule_sets=["single-deal", "sarii"], rules_sha256=[digest, "00"])

    assert changed(played, tmp_path / "in turn", alternate) == [
        f"match {match_id}: its rule set is 'sarii' in the journal, 'single-deal' in its log"
        for match_id in logs
        if match_id in in_turn
    ]


async def test_the_audit_finds_logs_of_other_matches(played: Played, tmp_path: Path) -> None:
    """Under another match's name, or in no line of the journal; and lines that stand twice."""
    one, other, *_ = [line["match_id"] for line in played.lines("ended")]
    folder = tmp_path / "exchanged"

    def exchange(lines: list[dict[str, Any]]) -> None:
        log = (folder / "logs" / f"{one}.rlog").read_bytes()
        (folder / "logs" / f"{other}.rlog").write_bytes(log)
        ended = line_of(lines, "ended", other)
        ended["sha256"] = line_of(lines, "ended", one)["sha256"]
        lines.append(ended)

    assert changed(played, folder, exchange) == [
        f"match {other}: the journal says 2 times that it was ended",
        f"match {other}: its log says that it is of match {one}",
    ]
    folder = tmp_path / "unheard of"

    def unsay(lines: list[dict[str, Any]]) -> None:
        for kind in ("created", "ended"):
            lines.remove(line_of(lines, kind, one))

    assert changed(played, folder, unsay) == [
        f"match {one}: its log is of no match of the tournament"
    ]


async def test_the_audit_finds_matches_that_count_and_should_not(
    played: Played, tmp_path: Path
) -> None:
    """One that is in another group than its log, one that another has won, one that broke off."""
    one, other, *_ = [line["match_id"] for line in played.lines("ended")]

    def move(lines: list[dict[str, Any]]) -> None:
        for kind in ("created", "ended"):
            line_of(lines, kind, one)["group"] = "r9-m9-p9"

    assert changed(played, tmp_path / "moved", move) == [
        f"match {one}: it does not have the cards of group r9-m9-p9"
    ]

    def win(lines: list[dict[str, Any]]) -> None:
        winners = line_of(lines, "ended", other)["winners"]
        winners[:] = [1 - side for side in winners]

    assert changed(played, tmp_path / "won", win) == [
        f"match {other}: the journal says another result than its log"
    ]
    abandoned, *_ = [line for line in played.lines("abandoned") if line["sha256"]]

    def count(lines: list[dict[str, Any]]) -> None:
        match_id = abandoned["match_id"]
        log = (played.folder / "logs" / f"{match_id}.rlog").read_bytes()
        (result,) = [one.match_result for one in read_records(log) if one.HasField("match_result")]
        line = line_of(lines, "abandoned", match_id)
        place = {**line_of(lines, "created", match_id), "type": "ended"}
        line.update(place, scores=list(result.scores), winners=list(result.winners))

    assert changed(played, tmp_path / "broken off", count) == [
        f"match {abandoned['match_id']}: it counts and was not played to its end"
    ]


async def test_the_audit_holds_the_logs_against_each_other(
    played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Right in themselves they may be of different cards, seeds and keys, before the seed is shown.

    What the audit of one log says is changed, as nobody can make such a log with the same seed.
    """
    line = played.lines("ended")[0]
    match_id, group = line["match_id"], line["group"]

    def hide_seed(lines: list[dict[str, Any]]) -> None:
        del lines[next(n for n, one in enumerate(lines) if one["type"] == "finished") :]

    def other_cards(report: AuditReport) -> dict[str, Any]:
        first, *rest = report.dealt
        return {"dealt": [replace(first, order=first.order[::-1]), *rest]}

    def other_seed(report: AuditReport) -> dict[str, Any]:
        assert report.shared_shuffle is not None
        return {"shared_shuffle": replace(report.shared_shuffle, seed_commitment=bytes(32))}

    def other_key(_: AuditReport) -> dict[str, Any]:
        return {"public_key": bytes(32)}

    for number, (otherwise, finding) in enumerate(
        (
            (other_cards, f"group {group}: its logs differ in their cards"),
            (other_seed, f"group {group}: its logs are of 2 shuffles"),
            (other_key, "the logs are signed under 2 keys"),
        )
    ):

        def all_but_one(
            logs: Iterable[Log],
            wanted: Wanted,
            jobs: int,
            otherwise: Callable[[AuditReport], dict[str, Any]] = otherwise,
        ) -> Iterator[Audited]:
            for audited in audit_all(logs, wanted, jobs):
                if audited.name == match_id and audited.report is not None:
                    report = replace(audited.report, **otherwise(audited.report))
                    yield replace(audited, report=report)
                else:
                    yield audited

        monkeypatch.setattr(tournament_audit, "audit_all", all_but_one)
        assert changed(played, tmp_path / str(number), hide_seed) == [finding]
