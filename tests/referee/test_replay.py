"""A replay tells the match as a person would want to read it, as far as the log can be read."""

import argparse
import base64
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ronda.v1 import log_pb2
from ronda_referee import replay_command
from ronda_referee.chain import commitment
from ronda_referee.replay import replay_lines
from tests.referee.played_logs import FIXED, KEY, PlayedMatch, cards, first_card, maghribi, rewrite

OPENING_LINES = """\
match m-7: Maghribi (maghribi), 2 seats, target 1, refereed by version 0.1.0
draws fixed by the organiser, not shuffled
signed under the key 8320a51977d8c38ca8a4927c670df5821e449761945e15e9efb26a1509d230ea
Brahim (seat 1) joins
Amina (seat 0) joins, bringing 6669727374
the match begins with 2 seats

deal 1: Brahim (seat 1) deals
  batch 1: 3 cards each
    Amina (seat 0) gets 7o 1c 2c
    Brahim (seat 1) gets 7c 3o 4o
    turned on the table: 1o 5o 10o 12o
    table 1o 5o 10o 12o | Amina (seat 0) with 7o 1c 2c plays 7o; lays it on the table
    table 1o 5o 7o 10o 12o | Brahim (seat 1) with 7c 3o 4o plays 7c; captures 7o 10o; \
makes caida 1 point: Brahim (seat 1) +1
    table 1o 5o 12o | Amina (seat 0) with 1c 2c plays 1c; captures 1o
    table 5o 12o | Brahim (seat 1) with 3o 4o plays 3o; lays it on the table
    table 3o 5o 12o | Amina (seat 0) with 2c plays 2c; lays it on the table
    table 2c 3o 5o 12o | Brahim (seat 1) with 4o plays 4o; lays it on the table
  batch 2: 3 cards each
    Amina (seat 0) gets 2o 6o 11o
    Brahim (seat 1) gets 3c 4c 5c
    table 2c 3o 4o 5o 12o | Amina (seat 0) with 2o 6o 11o plays 2o; captures 2c 3o 4o 5o
""".splitlines()

CLOSING_LINES = """\
    table 3b 5b 6b 7b 10b | Brahim (seat 1) with 12b plays 12b; lays it on the table
  Brahim (seat 1) takes what is left: 3b 5b 6b 7b 10b 12b
  the piles are counted: Amina (seat 0) 17, Brahim (seat 1) 23: Brahim (seat 1) +3
  deal 1 ends; total points: Amina (seat 0) 0, Brahim (seat 1) 4
the match is won by Brahim (seat 1); total points: Amina (seat 0) 0, Brahim (seat 1) 4
the seed was 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f
12 hidden events opened, log signed
""".splitlines()


def played() -> PlayedMatch:
    """Play one deal of fixed draws in which everybody plays the first card."""
    return PlayedMatch(maghribi(1), fixed=FIXED, policy=first_card)


def replay(path: Path, *, as_json: bool = False) -> int:
    """Run the command on a file and give its exit code."""
    return replay_command.run(argparse.Namespace(file=path, json=as_json))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Give the path of a finished log."""
    path = tmp_path / "match.rlog"
    path.write_bytes(played().data)
    return path


def test_a_match_is_told_turn_by_turn(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Header, seats, deal, batch and hands; table, hand, card, capture and points of each turn."""
    assert replay(log) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[: len(OPENING_LINES)] == OPENING_LINES
    assert lines[-len(CLOSING_LINES) :] == CLOSING_LINES
    assert len([line for line in lines if " plays " in line]) == 36


def test_announcements_and_penalties_are_told() -> None:
    """What was announced is revealed and paid or penalised at the deal's end."""
    lines = list(replay_lines(PlayedMatch(maghribi(1), 3).records))
    assert "    Chama (seat 2) announces a ronda" in lines
    assert "  announced in batch 1: Chama (seat 2) a false ronda" in lines
    assert (
        "  Brahim (seat 1) is penalised for the false tringa of batch 3: Chama (seat 2) +5" in lines
    )
    assert lines[1] == (
        "cards from the shuffle; the seed is committed to as "
        "6f0dffc4e847daf60065ef772bf0d9c4910a73ec57ff973149b376b1583d25ff"
    )


def test_a_mended_table_is_told_and_followed() -> None:
    """Cards that went back are not on the table of the next turn."""
    fixed = [*FIXED[:6], *cards("1o 1e 10o 12o  5o 6e 10e 11e")]
    fixed += [card for card in range(40) if card not in {*fixed[:6], *fixed[10:]}]
    records = PlayedMatch(maghribi(1), fixed=fixed, policy=first_card).records
    lines = list(replay_lines(records))
    turned = lines.index("    turned on the table: 1o 1e 10o 12o")
    assert lines[turned + 1 : turned + 4] == [
        "    the table has a pair; back into the pack: 1o 1e 10o 12o",
        "    turned on the table: 5o 6e 10e 11e",
        "    table 5o 6e 10e 11e | Amina (seat 0) with 7o 1c 2c plays 7o; lays it on the table",
    ]


def test_a_log_without_its_end_shows_no_hand(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """While nothing is opened hands are numbers of cards; and it says first that it is not over."""
    data = log.read_bytes()
    log.write_bytes(data[:1500])
    assert replay(log) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("THIS LOG DOES NOT VERIFY: TRUNCATED in record ")
    assert lines[1].startswith("match m-7: Maghribi")
    assert "    Amina (seat 0) gets 3 cards" in lines
    assert "    table 1o 5o 10o 12o | Amina (seat 0) plays 7o; lays it on the table" in lines
    assert lines[-1].startswith("the file cannot be read further: record ")


def test_a_log_that_does_not_verify_is_told_all_the_same(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first line says what is wrong, the rest tells what stands there."""
    log.write_bytes(log.read_bytes().replace(b"Brahim", b"Ibrahi"))
    assert replay(log) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("THIS LOG DOES NOT VERIFY: CHAIN_BROKEN in record 1 at byte ")
    assert "Ibrahi (seat 1) joins" in lines
    assert lines[-1] == "12 hidden events opened, log signed"


def test_a_result_that_contradicts_the_play_is_told_apart() -> None:
    """Only a result that says something else than the last event gets a line of its own."""
    records = played().records
    records[137].match_result.winners[:] = [0]
    lines = list(replay_lines(records))
    assert (
        "result: won by Amina (seat 0); total points: Amina (seat 0) 0, Brahim (seat 1) 4" in lines
    )
    assert not any(line.startswith("result:") for line in replay_lines(played().records))


def test_an_opening_that_does_not_fit_shows_nothing() -> None:
    """A hand is shown only where it is what was committed to."""
    records = played().records
    records[138].opening.nonce = bytes(32)
    assert "    Amina (seat 0) gets 3 cards" in list(replay_lines(records))


def test_hostile_names_are_shown_and_not_obeyed() -> None:
    """A player's name steers no terminal."""
    records = played().records
    records[1].seat_joined.name = "\x1b[2J\nseat 9 wins"
    lines = list(replay_lines(records))
    assert r"\x1b[2J\nseat 9 wins (seat 1) joins" in lines
    assert all(line.isprintable() for line in lines)


def test_records_in_any_order_are_told() -> None:
    """Nonsense is told as it stands and stops nobody."""
    records = played().records
    lines = list(replay_lines(records[::-1]))
    assert len(lines) > 50
    assert list(replay_lines([])) == []


def test_events_of_nobody_are_told() -> None:
    """Captures and awards without a card played have lines of their own."""
    lines = list(replay_lines([played().records[15]]))
    assert lines == ["    seat 1 makes caida 1 point: seat 1 +1"]


def test_json_has_one_record_a_line(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With --json the records stand on standard output and nothing else does."""
    assert replay(log, as_json=True) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(records) == 151
    assert records[0]["header"]["match_id"] == "m-7"
    assert base64.b64decode(records[0]["header"]["public_key"]) == KEY.public_key
    played_card = records[10]["event_logged"]["event"]["card_played"]
    assert played_card == {"seat": 0, "card": {"rank": "RANK_7", "suit": "SUIT_OROS"}}


def test_json_keeps_remarks_off_standard_output(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is wrong is said on standard error, so that every line of output is a record."""
    log.write_bytes(log.read_bytes()[:-1])
    assert replay(log, as_json=True) == 1
    captured = capsys.readouterr()
    assert len([json.loads(line) for line in captured.out.splitlines()]) == 150
    assert "THIS LOG DOES NOT VERIFY: TRUNCATED" in captured.err
    assert "the file cannot be read further: record 150" in captured.err


@pytest.mark.parametrize("missing", [True, False])
def test_a_file_that_cannot_be_read_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, missing: bool
) -> None:
    """A missing file and a folder end with exit code 2."""
    path = tmp_path / "none.rlog" if missing else tmp_path
    assert replay(path) == 2
    reason = "No such file or directory" if missing else "Is a directory"
    assert f"replay: {path} cannot be read: {reason}" in capsys.readouterr().err


def test_a_file_of_something_else_is_not_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """There is nothing to tell, and it says why."""
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" * 10)
    assert replay(path) == 1
    assert capsys.readouterr().out.startswith("THIS LOG DOES NOT VERIFY: NOT_A_LOG in record 0")


def test_an_output_without_arabic_letters_shows_their_numbers(tmp_path: Path) -> None:
    """Where standard output cannot show a name, the command goes on."""
    records = played().records
    records[2].seat_joined.name = "أمينة"
    path = tmp_path / "match.rlog"
    path.write_bytes(rewrite(records))
    for command in ("audit", "replay"):
        ran = subprocess.run(
            [sys.executable, "-m", "ronda_cli", command, str(path)],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONIOENCODING": "ascii"},
        )
        assert r"\u0623\u0645\u064a\u0646\u0629 (seat 0)" in ran.stdout


def test_a_hidden_event_that_is_opened_as_noise_stays_hidden() -> None:
    """An opening that fits and holds no event shows nothing."""
    records = played().records
    opening = records[138].opening
    opening.payload = b"\xff\xff"
    records[6].event_logged.commitment = commitment(opening.nonce, opening.payload)
    assert "    Amina (seat 0) gets 3 cards" in list(replay_lines(records))


def test_a_log_of_an_unknown_seat_count_is_told() -> None:
    """Without a header seats are numbers."""
    record = log_pb2.LogRecord()
    record.match_result.winners.append(3)
    assert next(replay_lines([record])) == "result: won by seat 3; total points: "
