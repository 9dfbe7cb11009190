"""A replay as JSON: one step or one record of the log a line."""

import base64
from pathlib import Path

import pytest

from tests.clients.replayed import Replay
from tests.referee.played_logs import KEY


def test_json_has_one_step_a_line(replay: Replay, log: Path) -> None:
    """With what is said of it, the event, and the match as it stands then."""
    ran = replay(log, "--json")
    assert (ran.code, ran.err) == (0, "")
    steps = ran.json_lines
    assert [step["kind"] for step in steps[:6]] == [
        "header",
        "seat_joined",
        "seat_joined",
        "match_started",
        "deal_started",
        "batch_started",
    ]
    capture = next(step for step in steps if step["kind"] == "cards_captured")
    assert capture["record"] == 14
    assert capture["told"] == ["Brahim (1) captures 7 of coins, jack of coins"]
    assert capture["event"] == {
        "cards_captured": {
            "seat": 1,
            "cards": [
                {"rank": "RANK_7", "suit": "SUIT_OROS"},
                {"rank": "RANK_10", "suit": "SUIT_OROS"},
            ],
        }
    }
    assert capture["automatic"] is False
    assert capture["state"] == {
        "deal": 1,
        "dealer": 1,
        "batch": 1,
        "last_batch": False,
        "pack": 30,
        "table": ["1o", "5o", "12o"],
        "hands": [
            {"seat": 0, "count": 2, "cards": ["1c", "2c"]},
            {"seat": 1, "count": 2, "cards": ["3o", "4o"]},
        ],
        "turn": {"seat": 1, "card": "7c", "taken": ["7o", "10o"]},
        "chain": None,
        "announcements": [],
        "debts": [],
        "piles": [{"side": 0, "cards": 0}, {"side": 1, "cards": 3}],
        "scores": [{"side": 0, "points": 0}, {"side": 1, "points": 0}],
        "forfeited": [],
        "winners": [],
    }


def test_json_of_a_seat_has_no_other_hand(replay: Replay, log: Path) -> None:
    """Neither in an event nor in a state."""
    ran = replay(log, "--json", "--seat", "1")
    steps = ran.json_lines
    (dealt,) = (
        step["event"]["hand_dealt"]
        for step in steps
        if step["kind"] == "hand_dealt" and step["record"] == 6
    )
    assert dealt == {"seat": 0, "card_count": 3, "cards": []}
    hands = [hand for step in steps for hand in step["state"]["hands"] if hand["seat"] == 0]
    assert {hand["cards"] is None for hand in hands} == {True}
    assert {hand["count"] for hand in hands} == {0, 1, 2, 3}


def test_records_are_printed_as_they_are(replay: Replay, log: Path) -> None:
    """With --records the records stand on standard output and nothing else does."""
    ran = replay(log, "--records")
    assert ran.code == 0
    records = ran.json_lines
    assert len(records) == 151
    assert records[0]["header"]["match_id"] == "m-7"
    assert base64.b64decode(records[0]["header"]["public_key"]) == KEY.public_key
    played_card = records[10]["event_logged"]["event"]["card_played"]
    assert played_card == {"seat": 0, "card": {"rank": "RANK_7", "suit": "SUIT_OROS"}}
    ran = replay(log, "--records", "--seat", "0")
    assert (ran.code, ran.out) == (2, "")


@pytest.mark.parametrize(("option", "lines"), [("--json", 138), ("--records", 150)])
def test_json_keeps_remarks_off_standard_output(
    replay: Replay, log: Path, option: str, lines: int
) -> None:
    """What is wrong is said on standard error, so that every line of output is an object."""
    log.write_bytes(log.read_bytes()[:-1])
    ran = replay(log, option)
    assert ran.code == 1
    assert len(ran.json_lines) == lines - (0 if option == "--records" else LEFT_OUT)
    assert "THIS LOG DOES NOT VERIFY: TRUNCATED" in ran.err
    assert "the file cannot be read further: record 150" in ran.err


# Of the first 138 records the moves of 36 turns: events tell what came of them.
LEFT_OUT = 36
