"""`ronda audit` says of each log whether it is all right, in a line, for people and machines."""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ronda_cli import audit as audit_command
from ronda_cli.failures import CommandError
from ronda_referee.audit import AuditReport
from ronda_referee.audit_text import report_text
from ronda_referee.chain import record_hash
from tests.referee.played_logs import (
    FIXED,
    KEY,
    PlayedMatch,
    first_card,
    maghribi,
    rewrite,
    some_policy,
)

PUBLIC_KEY = "8320a51977d8c38ca8a4927c670df5821e449761945e15e9efb26a1509d230ea"
GOOD_LINE = (
    "ok: match m-7; rule set maghribi; 2 seats; 1 deal; 36 moves; won by Brahim (seat 1); "
    "points Amina (seat 0) 0, Brahim (seat 1) 4; draws fixed by the organiser, not shuffled; "
    f"signed under the unchecked key {PUBLIC_KEY}"
)


def parser() -> argparse.ArgumentParser:
    """Give a program's parser with the command mounted."""
    top = argparse.ArgumentParser(prog="ronda")
    audit_command.add_parser(top.add_subparsers(required=True))
    return top


def run(*arguments: str | Path) -> int:
    """Run the command with arguments as they are typed."""
    args = parser().parse_args(["audit", *map(str, arguments)])
    return audit_command.run(args)


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """Give the path of a log that is all right."""
    path = tmp_path / "good.rlog"
    path.write_bytes(PlayedMatch(maghribi(1), fixed=FIXED, policy=first_card).data)
    return path


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    """Give the path of a log whose first award is too high."""
    records = PlayedMatch(maghribi(1), fixed=FIXED, policy=first_card).records
    records[15].event_logged.event.play_awarded.caida = 2
    path = tmp_path / "bad.rlog"
    path.write_bytes(rewrite(records))
    return path


def test_a_good_log_has_one_line_with_what_was_played(
    good: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Match, rule set, seats, deals, moves, result, where the cards came from, and the key."""
    assert run(good) == 0
    captured = capsys.readouterr()
    assert captured.out == f"{good}: {GOOD_LINE}\n"
    assert captured.err == ""


def test_a_log_from_the_shuffle_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Shuffled cards and fixed draws are told apart."""
    path = tmp_path / "shuffled.rlog"
    path.write_bytes(PlayedMatch(maghribi(41), 4).data)
    assert run(path) == 0
    line = capsys.readouterr().out
    assert "; cards from the shuffle with bytes of 3 of 4 seats; " in line
    assert "; won by seats 0 and 2; " in line or "; won by seats 1 and 3; " in line


def test_a_shuffle_that_the_referee_decided_alone_is_told() -> None:
    """Where no seat brought bytes, nobody but the referee had a part in the cards."""
    assert "; cards from the shuffle, decided by the referee alone; " in report_text(
        AuditReport(match_id="m", rule_set_id="maghribi", seats=2)
    )


def test_a_bad_log_has_one_line_with_the_finding(
    bad: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Code, clause, record, place, what stands there and what should."""
    assert run(bad) == 1
    line = capsys.readouterr().out
    assert line.startswith(f"{bad}: EVENT_WRONG (CHAIN-1) in record 15 at byte ")
    assert line.endswith(
        ": this is not what happened by the rules; "
        "recorded: seat 1 makes caida 2 points: seat 1 +1; "
        "should be: seat 1 makes caida 1 point: seat 1 +1\n"
    )


def test_every_log_is_audited_whatever_the_others_are(
    good: Path, bad: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A finding and an unreadable file stop nothing; the worst decides the exit code."""
    empty = tmp_path / "empty"
    empty.mkdir()
    assert run(bad, good) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert lines[-1] == (
        "2 logs: 1 all right, 1 with a finding (EVENT_WRONG 1); 2 deals, 38 moves, 117 views"
    )
    assert run(bad, tmp_path / "none.rlog", empty, good) == 2
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 3
    assert captured.err.splitlines() == [
        f"audit: {tmp_path / 'none.rlog'} cannot be read: No such file or directory",
        f"audit: {empty} cannot be read: there is neither a *.rlog in it nor a store",
    ]


def test_a_name_steers_no_terminal(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither a file's, nor that of a match in a file of heads."""
    heads = tmp_path / "heads"
    seen = {"match_id": "\x1b[31mm", "sequence": 0, "head": "00" * 32}
    heads.write_text(f"{json.dumps(seen)}\n")
    assert run(good, tmp_path / "\x1b[31mred.rlog", "--heads", heads) == 2
    assert capsys.readouterr().err.splitlines() == [
        f"audit: {tmp_path}/\\x1b[31mred.rlog cannot be read: No such file or directory",
        "audit: match \\x1b[31mm was watched, and none of these logs is of it",
    ]


def test_an_unfinished_log_has_a_code_of_its_own(
    good: Path, bad: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """3 where nothing else is wrong; a finding counts for more, a file that is none for most."""
    records = PlayedMatch(maghribi(1), fixed=FIXED, policy=first_card).records
    unfinished = tmp_path / "unfinished.rlog"
    unfinished.write_bytes(rewrite(records[:40]))
    assert run(unfinished) == 3
    assert "LOG_UNFINISHED in record 40" in capsys.readouterr().out
    assert run(unfinished, good) == 3
    assert capsys.readouterr().out.splitlines()[-1].startswith("2 logs: 1 all right, 1 unfinished;")
    assert run(unfinished, bad, good) == 1
    assert run(unfinished, bad, tmp_path / "none.rlog") == 2


def test_a_folder_is_looked_through_for_logs(
    good: Path, bad: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every *.rlog in it and below it, by name; other files are none of its business."""
    below = tmp_path / "z" / "deeper"
    below.mkdir(parents=True)
    (below / "one.rlog").write_bytes(good.read_bytes())
    (tmp_path / "notes.txt").write_text("no log")
    assert run(tmp_path) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(": ", 1)[0] for line in lines[:-1]] == [
        str(bad),
        str(good),
        str(below / "one.rlog"),
    ]
    assert run("--quiet", tmp_path) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith(f"{bad}: EVENT_WRONG")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_many_logs_are_audited_in_order_whatever_the_processes(
    jobs: str, good: Path, bad: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Twenty logs: the output is in the order of the names, by one process or by two."""
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(20):
        source = bad if number in {3, 17} else good
        (folder / f"{number:02}.rlog").write_bytes(source.read_bytes())
    assert run("--jobs", jobs, "--json", folder) == 1
    *objects, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert [one["file"] for one in objects] == [str(folder / f"{n:02}.rlog") for n in range(20)]
    assert [n for n, one in enumerate(objects) if not one["ok"]] == [3, 17]
    assert last == {
        "summary": {
            "logs": 20,
            "clean": 18,
            "unfinished": 0,
            "found": 2,
            "unreadable": 0,
            "findings": {"EVENT_WRONG": 2},
            "deals": 20,
            "moves": 652,
            "views": 2010,
            "watched_without_log": [],
            "shared_shuffles": [],
        }
    }


def heads_file(path: Path, *heads: tuple[str, int, bytes]) -> Path:
    """Write a file of heads."""
    lines = [
        json.dumps({"match_id": match_id, "sequence": sequence, "head": head.hex()})
        for match_id, sequence, head in heads
    ]
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def test_a_log_is_held_against_the_heads_that_were_seen(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The heads of a watcher prove that the published log is the one that was watched."""
    rows = PlayedMatch(maghribi(1), fixed=FIXED, policy=first_card).rows
    true = [("m-7", n, record_hash(rows[n].record)) for n in (0, 40, 150)]
    assert run("--heads", heads_file(tmp_path / "true", *true), good) == 0
    assert "; 3 heads as they were seen; " in capsys.readouterr().out
    false = [*true[:1], ("m-7", 40, b"\x01" * 32), true[2]]
    assert run("--heads", heads_file(tmp_path / "false", *false), good) == 1
    assert "HEAD_DIFFERS in record 40 at byte " in (line := capsys.readouterr().out)
    assert f"; recorded: {true[1][2].hex()}; should be: {'01' * 32}" in line
    beyond = heads_file(tmp_path / "beyond", *true, ("m-7", 151, b"\x01" * 32))
    assert run("--heads", beyond, good) == 1
    assert "HEAD_DIFFERS in record 151" in capsys.readouterr().out


def test_two_versions_of_a_log_for_two_watchers_are_found(
    good: Path, bad: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each log is right by itself; the watchers' heads tell that there were two."""
    one = PlayedMatch(maghribi(1), fixed=FIXED, policy=first_card)
    other = PlayedMatch(maghribi(1), fixed=FIXED, policy=some_policy(3))
    files = [
        heads_file(tmp_path / name, ("m-7", 20, record_hash(match.rows[20].record)))
        for name, match in (("amina", one), ("brahim", other))
    ]
    assert run("--heads", files[0], good) == 0
    assert run("--heads", files[0], "--heads", files[1], good) == 1
    assert "HEAD_DIFFERS in record 20" in capsys.readouterr().out


def test_a_match_that_was_watched_and_has_no_log_is_told(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is missing is no fault of the logs that are there."""
    heads = heads_file(tmp_path / "heads", ("m-8", 3, b"\x01" * 32))
    assert run("--heads", heads, good) == 0
    told = "audit: match m-8 was watched, and none of these logs is of it\n"
    assert capsys.readouterr().err == told


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "[1]",
        '{"match_id": "m", "sequence": -1, "head": "00"}',
        '{"match_id": "m", "sequence": true, "head": "' + "00" * 32 + '"}',
        '{"match_id": "m", "sequence": 1, "head": "00"}',
        '{"match_id": 1, "sequence": 1, "head": "' + "00" * 32 + '"}',
    ],
)
def test_a_file_of_heads_that_is_none_is_refused(line: str, good: Path, tmp_path: Path) -> None:
    """The line is named."""
    file = tmp_path / "heads"
    file.write_text(line + "\n")
    with pytest.raises(CommandError, match=r"heads, line 1: ") as caught:
        run("--heads", file, good)
    assert caught.value.code == 2


def test_json_has_one_object_a_line(
    good: Path, bad: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Everything that the lines say, as values."""
    assert run("--json", good, bad) == 1
    first, second, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert last["summary"]["logs"] == 2
    assert first == {
        "file": str(good),
        "ok": True,
        "finding": None,
        "records": 151,
        "match_id": "m-7",
        "engine_version": "0.1.0",
        "rule_set_id": "maghribi",
        "seats": 2,
        "names": ["Amina", "Brahim"],
        "deals": 1,
        "moves": 36,
        "draws": "FIXED",
        "seats_with_entropy": 1,
        "ended": "PLAYED",
        "forfeits": {},
        "winners": [1],
        "scores": [0, 4],
        "public_key": PUBLIC_KEY,
        "key_expected": False,
        "heads_compared": 0,
        "views": 111,
    }
    assert second["ok"] is False
    assert second["records"] == 15
    finding = second["finding"]
    assert finding.pop("byte_offset") > 8
    assert finding == {
        "kind": "EVENT_WRONG",
        "record": 15,
        "clause": "CHAIN-1",
        "detail": "this is not what happened by the rules",
        "recorded": "seat 1 makes caida 2 points: seat 1 +1",
        "expected": "seat 1 makes caida 1 point: seat 1 +1",
    }


def test_the_expected_key_is_compared(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The right key is confirmed, another one is a finding."""
    assert run("--key", PUBLIC_KEY, good) == 0
    assert capsys.readouterr().out.endswith(f"; signed under the expected key {PUBLIC_KEY}\n")
    assert run("--key", "01" * 32, good) == 1
    assert "KEY_NOT_EXPECTED in record 0 at byte 8" in capsys.readouterr().out


@pytest.mark.parametrize("key", ["", "xyz", PUBLIC_KEY[:-2], PUBLIC_KEY + "00"])
def test_a_key_that_is_none_is_refused(
    good: Path, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Wrong arguments end with exit code 2 and say what would be right."""
    with pytest.raises(SystemExit) as ended:
        run("--key", key, good)
    assert ended.value.code == 2
    assert f"{key!r} is no public key of 64 hexadecimal digits" in capsys.readouterr().err


def test_no_file_at_all_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """A command without a file has nothing to say."""
    with pytest.raises(SystemExit) as ended:
        run()
    assert ended.value.code == 2
    assert "give a PATH, or --target" in capsys.readouterr().err


def test_ronda_has_the_command(good: Path, bad: Path) -> None:
    """It is there as `ronda audit`, with its exit codes, in a process of its own."""
    command = [sys.executable, "-m", "ronda_cli", "audit"]
    ran = subprocess.run([*command, str(good)], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, f"{good}: {GOOD_LINE}\n", "")
    assert subprocess.run([*command, str(bad)], capture_output=True, check=False).returncode == 1


def test_a_bar_is_shown_at_a_terminal_alone(good: Path) -> None:
    """At a terminal the bar goes to standard error and leaves the lines of output alone."""
    ours, theirs = os.openpty()
    try:
        ran = subprocess.run(
            [sys.executable, "-m", "ronda_cli", "audit", str(good), str(good)],
            stdout=subprocess.PIPE,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm"},
            text=True,
            check=True,
        )
        os.close(theirs)
        assert ran.stdout.splitlines()[:2] == [f"{good}: {GOOD_LINE}"] * 2
        assert ran.stdout.splitlines()[2:] == ["2 logs: 2 all right; 2 deals, 72 moves, 222 views"]
        assert b"auditing" in os.read(ours, 10_000)
    finally:
        os.close(ours)


def test_the_tests_key_is_the_one_written_here() -> None:
    """The literal key of this file is that of the logs."""
    assert KEY.public_key.hex() == PUBLIC_KEY
