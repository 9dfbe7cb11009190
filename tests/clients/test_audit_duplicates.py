"""`ronda audit` holds logs that share a shuffle against each other."""

import argparse
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

from ronda_cli import audit as audit_command
from ronda_cli.audit_duplicates import Groups
from ronda_referee.audit import AuditReport, Deal, Finding, FindingKind, SharedShuffle
from ronda_referee.audit_many import Audited, Log, Wanted, audit_one
from tests.clients.command import Ran
from tests.referee.played_logs import PlayedMatch, first_card, maghribi, rewrite, some_policy

COMMITMENT = "6f0dffc4e847daf60065ef772bf0d9c4910a73ec57ff973149b376b1583d25ff"
# Its first deal draws forty cards, and four more for a table that had two of a rank.
GROUP = "round 1, table 2"
SHARED = SharedShuffle(GROUP, bytes(32), "maghribi", 2, b"r" * 32)


def match(number: int, shuffle_id: str = GROUP, *, target: int = 1) -> PlayedMatch:
    """Play a match of a group; each of them is played otherwise."""
    policy = first_card if number == 0 else some_policy(number)
    rules = maghribi(target)
    return PlayedMatch(rules, policy=policy, match_id=f"m-{number}", shuffle_id=shuffle_id)


def audit(capsys: pytest.CaptureFixture[str], *arguments: object) -> Ran:
    """Run `ronda audit` in this process."""
    parser = argparse.ArgumentParser(prog="ronda")
    audit_command.add_parser(parser.add_subparsers(required=True))
    code = audit_command.run(parser.parse_args(["audit", *map(str, arguments)]))
    captured = capsys.readouterr()
    return Ran(code, captured.out, captured.err)


def audited(name: str, *orders: str, shared: SharedShuffle | None = SHARED) -> Audited:
    """Say that a log was audited in whose deals these cards were drawn."""
    deals = [Deal(2, number, order=order.encode()) for number, order in enumerate(orders, 1)]
    return Audited(name, AuditReport(shared_shuffle=shared, dealt=deals))


def test_logs_of_a_group_are_told_with_what_was_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line a group, before the summary; logs that share nothing are in none."""
    for number in (0, 3):
        (tmp_path / f"{number}.rlog").write_bytes(match(number).data)
    (tmp_path / "alone.rlog").write_bytes(match(1, "round 2").data)
    (tmp_path / "own.rlog").write_bytes(match(2, "").data)
    ran = audit(capsys, tmp_path)
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert "; shared shuffle round 1, table 2, decided by whoever created the group; " in lines[0]
    assert lines[4:6] == [
        (
            f"shared shuffle round 1, table 2, commitment {COMMITMENT}, maghribi, 2 seats: 2 logs, "
            "2 compared over 1 deal and 44 draws; the same cards to all"
        ),
        (
            f"shared shuffle round 2, commitment {COMMITMENT}, maghribi, 2 seats: 1 log, "
            "1 compared over 1 deal and 44 draws; nothing to compare"
        ),
    ]
    assert len(lines) == 7
    quiet = audit(capsys, "--quiet", tmp_path)
    assert len(quiet.out.splitlines()) == 1
    objects = (audit(capsys, "--json", tmp_path)).json_lines
    assert objects[0]["draws"] == "SHARED"
    assert objects[0]["shared_shuffle"] == {"shuffle_id": GROUP, "seed_commitment": COMMITMENT}
    assert "shared_shuffle" not in objects[3]
    assert objects[4]["summary"]["shared_shuffles"][0] == {
        "shuffle_id": GROUP,
        "seed_commitment": COMMITMENT,
        "rule_set_id": "maghribi",
        "seats": 2,
        "logs": [str(tmp_path / "0.rlog"), str(tmp_path / "3.rlog")],
        "compared": 2,
        "deals": 1,
        "draws": 44,
        "same": True,
        "differences": [],
    }


def test_a_log_of_a_group_with_a_finding_is_told_and_not_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its cards were changed, which the audit finds by itself."""
    (tmp_path / "0.rlog").write_bytes(match(0).data)
    records = match(3).records
    turned = next(one for one in records if one.event_logged.event.HasField("table_turned"))
    cards = turned.event_logged.event.table_turned.cards
    cards.reverse()
    (tmp_path / "3.rlog").write_bytes(rewrite(records))
    ran = audit(capsys, tmp_path)
    assert ran.code == 1
    lines = ran.out.splitlines()
    assert "DRAW_WRONG (DEAL-4) in record 8 " in lines[1]
    assert ": 2 logs, 1 compared over 1 deal and 44 draws; nothing to compare" in lines[2]


def test_other_rules_make_another_group(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Under them other cards may be drawn at a place."""
    (tmp_path / "0.rlog").write_bytes(match(0).data)
    (tmp_path / "3.rlog").write_bytes(match(3, target=2).data)
    lines = (audit(capsys, "--json", tmp_path)).json_lines
    groups = lines[2]["summary"]["shared_shuffles"]
    assert [len(one["logs"]) for one in groups] == [1, 1]


def test_draws_that_differ_are_told_with_their_place() -> None:
    """The first of each log, against the log that was dealt most so far."""
    groups = Groups()
    groups.add(audited("one", "abcd", "ab"))
    groups.add(audited("two", "abcd", "abcd", "x"))
    assert groups.differ is False
    groups.add(audited("three", "ab", "abxd", "y"))
    assert groups.as_json()[0]["same"] is False
    (group,) = groups.as_json()
    assert (group["compared"], group["deals"], group["draws"]) == (3, 3, 9)
    assert group["differences"] == [{"file": "three", "other": "two", "deal": 2, "draw": 3}]
    assert groups.as_text(differing_alone=True) == groups.as_text()
    first, second = groups.as_text()
    assert first.endswith(": 3 logs, 3 compared over 3 deals and 9 draws; NOT the same cards")
    assert second == "  three: deal 2, card 3 is not as in two"


def test_logs_that_differ_are_a_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 1, also with --quiet; each log is right by itself, which no honest pair can be."""
    for number in (0, 3):
        (tmp_path / f"{number}.rlog").write_bytes(match(number).data)
    assert audit(capsys, tmp_path).code == 0

    def audit_all(*_: object) -> Iterator[Audited]:
        yield audited("one", "ab")
        yield audited("two", "ax")

    monkeypatch.setattr(audit_command, "audit_all", audit_all)
    ran = audit(capsys, "--quiet", tmp_path)
    assert ran.code == 1
    assert "; NOT the same cards\n  two: deal 1, card 2 is not as in one\n2 logs: " in ran.out


def test_another_dealer_is_a_difference() -> None:
    """Of cards alone one would not see who got them."""
    groups = Groups()
    one, other = audited("one", "ab"), audited("other", "ab")
    assert other.report is not None
    other.report.dealt[0].dealer = 1
    groups.add(one)
    groups.add(other)
    assert groups.as_text()[1] == "  other: deal 1, the dealer is not as in one"


def test_another_commitment_with_the_same_id_is_another_group() -> None:
    """So that nobody can spoil a group by naming it."""
    groups = Groups()
    groups.add(audited("one", "ab"))
    groups.add(
        audited("two", "xy", shared=SharedShuffle(GROUP, b"c" * 32, "maghribi", 2, b"r" * 32))
    )
    groups.add(audited("own", "pq", shared=None))
    assert [one["logs"] for one in groups.as_json()] == [["one"], ["two"]]
    assert not groups.differ


def test_what_is_dealt_in_a_log_with_a_finding_is_worth_nothing() -> None:
    """It is counted and not compared."""
    groups = Groups()
    groups.add(audited("one", "ab"))
    bad = audited("bad", "xy")
    assert bad.report is not None
    bad.report.finding = Finding(FindingKind.DRAW_WRONG, 8, 0, "")
    groups.add(bad)
    groups.add(Audited("unread", None, "no such file"))
    (group,) = groups.as_json()
    assert (group["logs"], group["compared"], group["same"]) == (["one", "bad"], 1, True)


def test_what_was_dealt_comes_back_from_other_processes() -> None:
    """Many logs are audited by several, and groups are compared all the same."""
    audited_log = audit_one(Log("one", match(0).data), Wanted())
    assert audited_log.report is not None
    assert [len(deal.order) for deal in audited_log.report.dealt] == [44]
    assert pickle.loads(pickle.dumps(audited_log)) == audited_log  # noqa: S301 - our own
    own = audit_one(Log("own", match(2, "").data), Wanted())
    assert own.report is not None
    assert own.report.dealt == []
