"""What an audit finds in a tournament's journal alone, whoever has written it."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from ronda.v1.rule_set_pb2 import RuleSet
from ronda_cli.failures import CommandError
from ronda_cli.tournament_audit import audit_tournament
from ronda_cli.tournament_promises import Promises
from ronda_referee.audit import AuditReport
from ronda_tournament import seeds
from tests.clients.command import ronda

ENTRANTS = [{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"}]
CONFIG: dict[str, Any] = {
    "entrants": ENTRANTS,
    "rule_sets": ["sarii"],
    "rules_sha256": ["00"],
}
PLACE: dict[str, Any] = {"match_id": "m", "group": "r1-m1-p1", "game": 0, "seats": [0, 1]}
LINES: dict[str, dict[str, Any]] = {
    "begun": {"type": "begun", "commitment": "00", "config": CONFIG},
    "created": {"type": "created", **PLACE},
    # A match without a log, of which nothing is looked at but its lines.
    "ended": {"type": "ended", **PLACE, "sha256": "", "scores": [3, 0], "winners": [0]},
    "abandoned": {"type": "abandoned", "match_id": "m", "sha256": ""},
    "finished": {"type": "finished", "seed": "00"},
}


def line(kind: str, /, **changes: object) -> dict[str, Any]:
    """Give a line as the runner writes it, but for these changes."""
    return {**LINES[kind], **changes}


def written(folder: Path, *lines: dict[str, Any], commitment: bytes = b"00\n") -> Path:
    """Write a journal of these lines after the first, with the commitment beside it."""
    all_lines = [LINES["begun"], *lines]
    text = "".join(f"{json.dumps(one)}\n" for one in all_lines)
    (folder / "journal.jsonl").write_text(text)
    (folder / "commitment.txt").write_bytes(commitment)
    return folder


def found(folder: Path, *lines: dict[str, Any], commitment: bytes = b"00\n") -> Any:  # noqa: ANN401 - JSON
    """Give what is found in such a journal."""
    return audit_tournament(written(folder, *lines, commitment=commitment), 1)["findings"]


@pytest.mark.parametrize(
    "config",
    [
        7,
        {**CONFIG, "entrants": {"name": "a"}},
        {**CONFIG, "entrants": 7},
        {**CONFIG, "entrants": []},
        {**CONFIG, "entrants": ["a"]},
        {**CONFIG, "entrants": [{"name": 7}]},
        {**CONFIG, "rule_sets": [], "rules_sha256": []},
        {**CONFIG, "rule_sets": "s", "rules_sha256": "0"},
        {**CONFIG, "rule_sets": [7]},
        {**CONFIG, "rules_sha256": []},
    ],
)
def test_a_first_line_that_does_not_say_what_is_played_is_refused(
    tmp_path: Path, config: object
) -> None:
    """Who plays, and by which rules with which digests."""
    (tmp_path / "journal.jsonl").write_text(json.dumps(line("begun", config=config)) + "\n")
    with pytest.raises(CommandError) as raised:
        audit_tournament(tmp_path, 1)
    assert raised.value.code == 2
    assert str(raised.value) == (
        f"{tmp_path}/journal.jsonl, line 1: 'begun' has no 'config' as the runner writes it"
    )


@pytest.mark.parametrize(
    ("kind", "key", "value"),
    [
        ("begun", "commitment", 0),
        ("created", "match_id", None),
        ("created", "match_id", "../m"),
        ("created", "match_id", ".m"),
        ("created", "match_id", "m" * 101),
        ("created", "match_id", "m\x1b"),
        ("created", "match_id", ""),
        ("created", "group", 1),
        ("created", "group", "r1-m1-p1 "),
        ("created", "group", "r1-m1-p0"),
        ("created", "group", "r1-m1-p1000000000"),
        ("created", "group", "r1-m1-p\u0661"),
        ("created", "game", True),
        ("created", "seats", {}),
        ("created", "seats", [0, 4]),
        ("created", "seats", [-1, 0]),
        ("created", "seats", [0, True]),
        ("created", "seats", [0, "1"]),
        ("ended", "match_id", "\ud800"),
        ("ended", "group", "r1"),
        ("ended", "game", "0"),
        ("ended", "seats", 1),
        ("ended", "sha256", 7),
        ("ended", "scores", 3),
        ("ended", "winners", None),
        ("abandoned", "match_id", "/dev/zero"),
        ("abandoned", "sha256", None),
        ("finished", "seed", 0),
    ],
)
def test_a_line_without_what_an_audit_needs_is_refused(
    tmp_path: Path, kind: str, key: str, value: object
) -> None:
    """The message names the line and the key; ids that are no file names are looked for nowhere."""
    written(tmp_path, line(kind, **{key: value}))
    with pytest.raises(CommandError) as raised:
        audit_tournament(tmp_path, 1)
    assert raised.value.code == 2
    assert str(raised.value) == (
        f"{tmp_path}/journal.jsonl, line 2: '{kind}' has no '{key}' as the runner writes it"
    )


def test_a_journal_that_is_as_it_should_be_has_no_findings(tmp_path: Path) -> None:
    """Games 0 and 1 of a pair, of which the second was begun twice; and of four and of three."""
    pair = line("created", match_id="m2", game=1, seats=[1, 0])
    again = {**pair, "match_id": "m3"}
    lines = [line("created"), pair, line("abandoned", match_id="m2"), line("ended"), again]
    lines.append(line("ended", match_id="m3", game=1, seats=[1, 0]))
    three, four = "r1-m2-p1", "r1-m3-p2"
    for group, game, seats in (
        (three, 0, [0, 1, 2]),
        (three, 1, [1, 2, 0]),
        (three, 2, [2, 0, 1]),
        (four, 0, [0, 2, 1, 3]),
        (four, 1, [2, 0, 3, 1]),
    ):
        place = {"match_id": f"{group}-{game}", "group": group, "game": game, "seats": seats}
        lines += [line("created", **place), line("ended", **place)]
    assert found(tmp_path, *lines) == []


@pytest.mark.parametrize(
    ("lines", "finding"),
    [
        ([LINES["begun"]], "the journal says 2 times what the tournament is"),
        ([LINES["ended"]], "match m: the journal does not say that it was created"),
        (
            [LINES["created"], LINES["created"], LINES["ended"]],
            "match m: the journal says 2 times that it was created",
        ),
        (
            [LINES["created"], LINES["ended"], LINES["ended"]],
            "match m: the journal says 2 times that it was ended",
        ),
        (
            [LINES["created"], LINES["abandoned"], LINES["ended"]],
            "match m: the journal says that it was ended, and abandoned",
        ),
        (
            [LINES["created"], line("ended", group="r1-m1-p2")],
            "match m: group r1-m1-p1 where the journal creates it, r1-m1-p2 where it ends it",
        ),
        (
            [LINES["created"], line("ended", game=1)],
            "match m: game 0 where the journal creates it, 1 where it ends it",
        ),
        (
            [LINES["created"], line("ended", seats=["\x1b[2J"])],
            "match m: seats [0, 1] where the journal creates it, ['\\x1b[2J'] where it ends it",
        ),
        (
            [LINES["created"], line("ended", seats=[0] * 60)],
            (
                f"match m: seats [0, 1] where the journal creates it, [{'0, ' * 32}0,… where it "
                "ends it"
            ),
        ),
        (
            [
                *(LINES["created"], LINES["ended"]),
                *(line("created", match_id="n"), line("ended", match_id="n")),
            ],
            "match n: it ends game 0 of group r1-m1-p1, which match m has ended",
        ),
        (
            [line("created", game=2), line("ended", game=2)],
            "match m: game 2, and a group has 2, from 0",
        ),
        (
            [line("created", game=-1), line("ended", game=-1)],
            "match m: game -1, and a group has 2, from 0",
        ),
        (
            [LINES["created"], LINES["ended"], line("finished", seed="no hex")],
            "the seed that is shown is not the one that was committed to",
        ),
    ],
)
def test_what_a_journal_cannot_say_is_found(
    tmp_path: Path, lines: list[dict[str, Any]], finding: str
) -> None:
    """It is the one finding."""
    assert found(tmp_path, *lines) == [finding]


def test_in_each_game_of_a_meeting_the_teams_sit_one_place_on(tmp_path: Path) -> None:
    """The second game of a pair has the seats of the first, and that of the next pair others."""
    lines = []
    for match_id, group, game, seats in (
        ("m1", "r1-m1-p1", 0, [0, 1]),
        ("m2", "r1-m1-p1", 1, [0, 1]),
        ("m3", "r1-m1-p2", 0, [1, 0]),
        ("m4", "r1-m1-p2", 1, [1, 0]),
        ("m5", "r1-m2-p1", 0, [1, 0]),
        ("m6", "r1-m3-p1", 0, [0, 1, 2, 3]),
        ("m7", "r1-m3-p1", 1, [1, 2, 3, 0]),
    ):
        place = {"match_id": match_id, "group": group, "game": game, "seats": seats}
        lines += [line("created", **place), line("ended", **place)]
    others = "are of other teams than those of match"
    assert found(tmp_path, *lines) == [
        f"match m2: seats [0, 1] in game 1 of meeting r1-m1 {others} m1",
        f"match m3: seats [1, 0] in game 0 of meeting r1-m1 {others} m1",
        f"match m7: seats [1, 2, 3, 0] in game 1 of meeting r1-m3 {others} m6",
    ]


@pytest.mark.parametrize(
    ("counts", "found"),
    [(True, ["seat 1 is 'b' in the journal, 'x\\x1b' in its log"]), (False, [])],
)
def test_a_false_name_is_found_where_the_match_counts(counts: bool, found: list[str]) -> None:
    """Where it does not count the bot has failed by it, and the journal may be right."""
    rules = RuleSet(id="sarii")
    # The id's field and its length, and it.
    digest = hashlib.sha256(b"\x0a\x05sarii").hexdigest()
    promises = Promises.of({**CONFIG, "rules_sha256": [digest]})
    assert promises is not None
    report = AuditReport(seats=2, names={1: "x\x1b", 0: "a"})
    broken = promises.broken_by(LINES["created"], report, rules, counts=counts)
    assert list(broken) == found


def test_a_log_that_is_gone_or_another_is_found(tmp_path: Path) -> None:
    """Also where the match does not count; its name may be of letters, digits and -_. alone."""
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "m.2.rlog").write_bytes(b"no log")
    (logs / "m\x1b.rlog").write_bytes(b"no log")
    lines = []
    for match_id, game, seats in (("m-1", 0, [0, 1]), ("m.2", 1, [1, 0])):
        place = {"match_id": match_id, "game": game, "seats": seats}
        lines += [line("created", **place), line("abandoned", match_id=match_id, sha256="00")]
    none = (
        "NOT_A_LOG in record 0 at byte 0: the file does not begin with RONDALOG: it is no match log"
    )
    assert found(tmp_path, *lines) == [
        "match m-1: its log is missing",
        "match m.2: its log is not the one that was kept",
        f"match m\\x1b: {none}",
        f"match m.2: {none}",
    ]


@pytest.mark.parametrize(
    ("commitment", "shown"),
    [(b"11\n", "11"), (b"\x1b[2J", "\\x1b[2J"), (b"\xff", "\ufffd")],
)
def test_another_commitment_than_the_journals_is_found(
    tmp_path: Path, commitment: bytes, shown: str
) -> None:
    """Whatever bytes are in its file."""
    assert found(tmp_path, commitment=commitment) == [
        f"commitment.txt is {shown}, and the journal begins with 00"
    ]


def test_a_commitment_that_is_missing_or_cannot_be_read_is_told(tmp_path: Path) -> None:
    """A file that is not there is a finding; what is no file is an error."""
    written(tmp_path)
    (tmp_path / "commitment.txt").unlink()
    assert audit_tournament(tmp_path, 1)["findings"] == [
        "commitment.txt is missing, and the journal begins with 00"
    ]
    (tmp_path / "commitment.txt").mkdir()
    with pytest.raises(CommandError, match=r"commitment\.txt: Is a directory$"):
        audit_tournament(tmp_path, 1)


async def test_a_line_that_goes_too_deep_is_named(tmp_path: Path) -> None:
    """A million brackets are more than a reader of JSON takes."""
    written(tmp_path)
    with (tmp_path / "journal.jsonl").open("a") as journal:
        journal.write("[" * 1_000_000 + "\n")
    ran = await ronda("tournament", "audit", tmp_path)
    assert ran.code == 2
    assert ran.err.startswith(f"ronda: {tmp_path}/journal.jsonl, line 2: ")


def test_where_all_is_played_no_match_is_left_open(tmp_path: Path) -> None:
    """The seed is shown, and of one match the journal does not say what became of it."""
    promised = seeds.commitment(bytes(32)).hex()
    lines = [
        line("begun", commitment=promised),
        LINES["created"],
        line("finished", seed=bytes(32).hex()),
    ]
    (tmp_path / "journal.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in lines))
    (tmp_path / "commitment.txt").write_text(f"{promised}\n")
    assert audit_tournament(tmp_path, 1)["findings"] == [
        "match m: the journal does not say what became of it"
    ]


async def test_a_tournament_that_is_not_finished_is_no_forgery(tmp_path: Path) -> None:
    """A match is open; the exit code says that it is not finished."""
    ran = await ronda("tournament", "audit", written(tmp_path, LINES["created"]))
    assert ran.code == 3
    assert ran.out == (
        "audit: 0 logs, 0 groups with the same cards, 0 seeds derived from the tournament's: "
        "nothing is wrong\n"
    )
    assert ran.err == (
        "audit: the tournament is not finished: 1 match open, and the seed is not revealed yet\n"
    )


async def test_one_finding_is_one(tmp_path: Path) -> None:
    """And a seed that is not shown yet is told, too."""
    ran = await ronda("tournament", "audit", written(tmp_path, LINES["ended"]))
    assert ran.code == 1
    assert ran.out.splitlines() == [
        "match m: the journal does not say that it was created",
        (
            "audit: 0 logs, 0 groups with the same cards, 0 seeds derived from the tournament's: "
            "1 finding: match m: the journal does not say that it was created"
        ),
    ]
    assert ran.err == (
        "audit: the tournament is not finished: 0 matches open, and the seed is not revealed yet\n"
    )
