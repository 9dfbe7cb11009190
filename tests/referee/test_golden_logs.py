"""Every version audits the logs of `tests/golden` as the one that made them, to the last word."""

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ronda.v1 import event_pb2, log_pb2, match_terms_pb2, move_pb2, rule_set_pb2
from ronda_conformance.rule_set_files import load_rule_sets
from ronda_referee.audit import audit_file
from ronda_referee.audit_text import report_json
from ronda_referee.log_file import read_records
from tests.referee.second_verifier import node
from tools.golden_plans import plans
from tools.make_golden_logs import GOLDEN, GoldenError, add, chosen, digest, main, read_index

# How many logs there were each time that some had been added, and the digest of their entries.
# Nothing above the last line ever changes.
ADDED = (
    (87, "9ce1954e227dcc9aab399fdd66ae57b941e9e11973725ff4d1a901f8bad4f935"),
    (89, "b9dd2c7d20ae0fb87191517e911f32b417f7b621d72b51ab326fae62cc59de04"),
)

# A log of each way in which a match can end, by what its last records say.
ENDINGS = {
    "at the target, at a deal's end": "maghribi-2",
    "at the target, in the middle of a deal": "qahwa-3",
    "by a challenge": "won-by-a-challenge-3",
    "a single deal": "single-deal-2",
    "drawn at the target": "draw-at-target-2",
    "a single deal, drawn": "draw-single-deal-2",
    "forfeited": "forfeited-resigned-2",
    "not joined": "not-joined-3",
    "cancelled before the start": "cancelled-before-the-start-4",
    "cancelled in play": "cancelled-under-way-2",
}

# Of seats that forfeited: in which log, which seat, why, and how the match ended.
FORFEITS = [
    ("forfeited-resigned-2", {"1": "RESIGNED"}, "FORFEITED"),
    ("forfeited-refusals-2", {"1": "REFUSALS"}, "FORFEITED"),
    ("forfeited-time-out-2", {"1": "TIME_OUT"}, "FORFEITED"),
    ("forfeited-resigned-3", {"1": "RESIGNED"}, "PLAYED"),
    ("forfeited-refusals-3", {"1": "REFUSALS"}, "PLAYED"),
    ("forfeited-time-out-3", {"1": "TIME_OUT"}, "PLAYED"),
    ("forfeited-resigned-4", {"1": "RESIGNED"}, "FORFEITED"),
    ("forfeited-both-3", {"0": "RESIGNED", "2": "REFUSALS"}, "FORFEITED"),
    ("maghribi-2", {}, "PLAYED"),
]

MOST_BYTES = 4_000_000


@cache
def index() -> dict[str, Any]:
    """Give the index."""
    return read_index(GOLDEN)


@cache
def records(name: str) -> tuple[log_pb2.LogRecord, ...]:
    """Give the records of a log."""
    with (GOLDEN / f"{name}.rlog").open("rb") as stream:
        return tuple(one.record for one in read_records(stream))


def events(name: str) -> list[event_pb2.Event]:
    """Give the events of a log as everyone may see them."""
    return [
        record.event_logged.event for record in records(name) if record.HasField("event_logged")
    ]


def moves(name: str) -> list[log_pb2.MoveAccepted]:
    """Give the moves of a log."""
    return [record.move_accepted for record in records(name) if record.HasField("move_accepted")]


def result(name: str) -> log_pb2.MatchResult:
    """Give the result that a log records."""
    (found,) = (one.match_result for one in records(name) if one.HasField("match_result"))
    return found


def ending(name: str) -> str:
    """Tell from the last records of a log how its match ended."""
    last = [event.WhichOneof("event") for event in events(name)]
    match result(name).reason:
        case log_pb2.END_REASON_NOT_JOINED:
            return "not joined"
        case log_pb2.END_REASON_CANCELLED:
            return "cancelled in play" if last else "cancelled before the start"
        case log_pb2.END_REASON_FORFEITED:
            return "forfeited"
    assert last[-1] == "match_ended"
    drawn = len(result(name).winners) > 1
    if records(name)[0].header.rule_set.target == 0:
        return "a single deal, drawn" if drawn else "a single deal"
    if last[-2] == "announcement_challenged":
        return "by a challenge"
    if last[-2] == "deal_ended":
        return "drawn at the target" if drawn else "at the target, at a deal's end"
    return "at the target, in the middle of a deal"


def names_of(values: Iterable[str], prefix: str) -> set[str]:
    """Give the names of an enum's values without their prefix, but for the unset one."""
    return {name.removeprefix(prefix) for name in values} - {"UNSPECIFIED"}


def test_no_golden_log_has_changed() -> None:
    """Files and index are those that were added, each with its size and SHA-256."""
    files = {path.stem: path.read_bytes() for path in GOLDEN.glob("*.rlog")}
    assert files.keys() == index().keys()
    assert {name: hashlib.sha256(data).hexdigest() for name, data in files.items()} == {
        name: said["sha256"] for name, said in index().items()
    }
    assert {name: len(data) for name, data in files.items()} == {
        name: said["bytes"] for name, said in index().items()
    }
    assert ADDED[-1][0] == len(index())
    assert [(count, digest(index(), count)) for count, _ in ADDED] == list(ADDED)
    assert sum(map(len, files.values())) < MOST_BYTES


def test_every_golden_log_is_audited_as_ever() -> None:
    """Each word of the report is the one that stands in the index; all of them are right."""
    said = {name: one["audit"] for name, one in index().items()}
    found = {}
    for name, one in said.items():
        report = audit_file(GOLDEN / f"{name}.rlog", bytes.fromhex(one["public_key"]))
        # As JSON has it: a tuple is a list.
        found[name] = json.loads(json.dumps(report_json(report)))
    assert found == said
    assert {(one["ok"], one["finding"], one["key_expected"]) for one in said.values()} == {
        (True, None, True)
    }


def test_the_second_verifier_agrees_on_every_golden_log() -> None:
    """It shares no code with the referee; one process reads all logs that one key signed."""
    keys = {one["audit"]["public_key"] for one in index().values()}
    read = []
    for key in keys:
        signed = [name for name, one in index().items() if one["audit"]["public_key"] == key]
        files = [GOLDEN / f"{name}.rlog" for name in signed]
        ran = node("verify.mjs", "--key", key, *files)
        assert ran.returncode == 0
        read += [json.loads(line) for line in ran.stdout.splitlines()]
    assert {Path(one["file"]).stem: _verified(one) for one in read} == {
        name: _audited(one) for name, one in index().items()
    }


def _verified(said: dict[str, Any]) -> list[object]:
    reason = log_pb2.EndReason.Name(said["reason"]).removeprefix("END_REASON_")
    facts = ("finding", "match_id", "seats", "records", "deals", "moves", "winners", "scores")
    return [*(said[fact] for fact in facts), said["head"], reason, sorted(said["forfeited"])]


def _audited(said: dict[str, Any]) -> list[object]:
    audit = said["audit"]
    facts = ("finding", "match_id", "seats", "records", "deals", "moves", "winners", "scores")
    forfeited = sorted(map(int, audit["forfeits"]))
    return [*(audit[fact] for fact in facts), said["head"], audit["ended"], forfeited]


def test_every_rule_set_has_a_golden_log_at_every_number_of_seats() -> None:
    """A preset or variant that is added fails here until it has its own."""
    wanted = {
        (rule_set, count.count): f"{rule_set}-{count.count}"
        for rule_set, rules in load_rule_sets().items()
        for count in rules.seats
    }
    assert len(wanted) >= 48
    assert {
        of: (index()[name]["audit"]["rule_set_id"], index()[name]["audit"]["seats"])
        for of, name in wanted.items()
        if name in index()
    } == {of: of for of in wanted}


def test_every_ending_has_a_golden_log() -> None:
    """All that the schema names, and those that it does not tell apart."""
    ended = {one["audit"]["ended"] for one in index().values()}
    assert ended == names_of(log_pb2.EndReason.keys(), "END_REASON_")
    assert {how: ending(name) for how, name in ENDINGS.items()} == {how: how for how in ENDINGS}
    assert {ending(name) for name in index()} == set(ENDINGS)


def test_every_reason_to_forfeit_has_a_golden_log() -> None:
    """With two, three and four seats, so that the match ends with it and goes on without."""
    reasons = {why for one in index().values() for why in one["audit"]["forfeits"].values()}
    assert reasons == names_of(log_pb2.ForfeitReason.keys(), "FORFEIT_REASON_")
    audits = [(name, index()[name]["audit"]) for name, _, _ in FORFEITS]
    assert [(name, one["forfeits"], one["ended"]) for name, one in audits] == FORFEITS


def test_every_kind_of_record_event_and_move_stands_in_a_golden_log() -> None:
    """What the schema is given in addition fails here until a golden log has it."""
    kinds = {one.WhichOneof("record") for name in index() for one in records(name)}
    assert kinds == {field.name for field in log_pb2.LogRecord.DESCRIPTOR.oneofs[0].fields}
    happened = {event.WhichOneof("event") for name in index() for event in events(name)}
    assert happened == {field.name for field in event_pb2.Event.DESCRIPTOR.fields}
    made = {one.move.WhichOneof("move") for name in index() for one in moves(name)}
    assert made - {None} == {field.name for field in move_pb2.Move.DESCRIPTOR.fields}


def test_every_sort_of_terms_and_timing_has_a_golden_log() -> None:
    """Clocks of each kind, draws of each kind, announcements at each time."""
    headers = [records(name)[0].header for name in index()]
    timed = {one.terms.time_out for one in headers if one.terms.HasField("time_control")}
    assert timed == set(match_terms_pb2.TimeOut.values()) - {match_terms_pb2.TIME_OUT_UNSPECIFIED}
    timings = {one.rule_set.timing for one in headers}
    assert timings == set(rule_set_pb2.Timing.values()) - {rule_set_pb2.TIMING_UNSPECIFIED}
    assert {one["audit"]["draws"] for one in index().values()} == {
        "SHUFFLED",
        "FIXED",
        "SHARED",
    }
    house = {one.rule_set.id for one in headers} - load_rule_sets().keys()
    assert {"mixed-openings", "phone-table", "kept-links"} <= house
    assert {one.terms.spectator_delay for one in headers} == {0, 3}


def test_clocks_and_moves_of_the_referee_are_in_golden_logs() -> None:
    """Deadlines, moves for a late seat, and answers that stay sealed whoever gave them."""
    timed = moves("clock-and-bank-2")
    assert all(one.HasField("deadline_ms") and not one.automatic for one in timed)
    assert {one.seat for one in moves("clock-automatic-2") if one.automatic} == {0}
    late = [one for one in moves("clock-automatic-sealed-4") if one.automatic and one.commitment]
    assert late
    assert {one.seat for one in late} == {2}
    sealed = [one for one in moves("khlaso-4") if one.commitment]
    assert sealed
    assert not any(one.automatic or one.HasField("move") for one in sealed)
    # While the referee was down the match's own clock stood still.
    times = [one.time_ms - one.clock_ms for one in records("restarted-2")]
    assert max(times) - min(times) >= 300


def test_a_pair_of_golden_logs_shares_its_shuffle() -> None:
    """The same cards to players at other seats; the seed is that of the tournament's group."""
    pair = "shared-shuffle-first-3", "shared-shuffle-second-3"
    headers = [records(name)[0].header for name in pair]
    assert [one.shared_shuffle_id for one in headers] == ["round 1, table 2"] * 2
    # The seed of the group in test_shuffle.py, of the tournament's seed 00 01 02 to 1f.
    seed = "f67342bff894b81c29a03be05acd73d3d6a6db6e5fe4a5032c8945bcb76e9c2f"
    assert [result(name).seed.hex() for name in pair] == [seed, seed]
    names = [index()[name]["audit"]["names"] for name in pair]
    assert names == [["Amina", "إبراهيم", "Chloé"], ["إبراهيم", "Chloé", "Amina"]]
    first, second = (audit_file(GOLDEN / f"{name}.rlog") for name in pair)
    assert first.shared_shuffle == second.shared_shuffle
    assert [one.order for one in first.dealt[:2]] == [one.order for one in second.dealt[:2]]
    assert [len(one.order) >= 40 for one in first.dealt[:2]] == [True, True]
    assert [one.dealer for one in first.dealt[:2]] == [one.dealer for one in second.dealt[:2]]
    assert moves(pair[0])[0].request_id != moves(pair[1])[0].request_id
    assert [one.move for one in moves(pair[0])] != [one.move for one in moves(pair[1])]


def test_every_plan_has_its_golden_log() -> None:
    """What was planned was made."""
    assert plans().keys() - index().keys() == set()


async def test_a_golden_log_is_made_once(tmp_path: Path) -> None:
    """It is entered in the index, and neither it nor a file of its name is ever written again."""
    name = "cancelled-before-anyone-joined-2"
    log = tmp_path / f"{name}.rlog"
    log.write_bytes(b"somebody's")
    with pytest.raises(FileExistsError, match=f"{name}.rlog"):
        await add(tmp_path, [name], {})
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [
        (log.name, b"somebody's")
    ]
    log.unlink()
    await add(tmp_path, [name], {})
    entered = read_index(tmp_path)
    assert entered[name]["sha256"] == hashlib.sha256(log.read_bytes()).hexdigest()
    assert entered[name]["audit"]["ended"] == "CANCELLED"
    with pytest.raises(GoldenError, match=f"{name}: it is there, and a golden log never changes"):
        chosen([name], entered)
    assert name not in chosen([], entered)
    assert "not-joined-3" in chosen([], entered)


def test_an_archive_that_was_touched_is_not_added_to(tmp_path: Path) -> None:
    """Nothing is entered beside a log that is no longer as it was."""
    name = "cancelled-before-anyone-joined-2"
    data = (GOLDEN / f"{name}.rlog").read_bytes()
    (tmp_path / "index.json").write_text(json.dumps({name: index()[name]}), encoding="utf-8")
    with pytest.raises(GoldenError, match="it is in the index and not there; bring it back"):
        read_index(tmp_path)
    (tmp_path / f"{name}.rlog").write_bytes(data[:-1])
    with pytest.raises(GoldenError, match="it is not as the index says; bring the old one back"):
        read_index(tmp_path)
    (tmp_path / f"{name}.rlog").write_bytes(data)
    assert read_index(tmp_path).keys() == {name}


def test_the_command_says_what_it_will_not_do(capsys: pytest.CaptureFixture[str]) -> None:
    """A log that is there, and one that is not planned."""
    assert main(["maghribi-2"]) == 1
    said = "golden logs: maghribi-2: it is there, and a golden log never changes\n"
    assert capsys.readouterr().err == said
    assert main(["maghribi-1"]) == 1
    said = "golden logs: maghribi-1: tools/golden_plans.py has no such plan\n"
    assert capsys.readouterr().err == said
    assert main(["--list"]) == 0
    assert "there    maghribi-2: maghribi with 2 seats\n" in capsys.readouterr().out
