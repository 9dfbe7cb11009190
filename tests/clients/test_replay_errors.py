"""A replay of what is damaged, hostile or no log: it tells what it can and says what is wrong."""

from pathlib import Path

import pytest

from ronda.v1 import log_pb2
from ronda_referee.chain import commitment
from ronda_replay.lines import plain, replay_blocks
from tests.clients.command import ronda
from tests.clients.replayed import ENGLISH, HIDDEN_HAND, Replay, nothing_opened, played, told
from tests.referee.played_logs import rewrite


def test_a_seat_that_the_match_lacks_is_named(replay: Replay, log: Path) -> None:
    """And what is no seat at all."""
    ran = replay(log, "--seat", "2")
    assert (ran.code, ran.err) == (2, "ronda: --seat 2: the match has the seats 0 to 1\n")
    ran = replay(log, "--seat", "x")
    assert ran.code == 2
    assert "argument --seat: 'x' is no seat, as 0 or 1" in ran.err


def test_a_log_without_its_end_shows_no_hand(replay: Replay, log: Path) -> None:
    """While nothing is opened hands are numbers of cards; and it says first that it is not over."""
    log.write_bytes(log.read_bytes()[:1500])
    ran = replay(log)
    assert ran.code == 1
    lines = ran.out.splitlines()
    assert lines[0].startswith("THIS LOG DOES NOT VERIFY: TRUNCATED in record ")
    assert lines[1].startswith("match m-7: Maghribi")
    assert lines[5] == "hands stay hidden until the match is over"
    assert HIDDEN_HAND in lines
    assert "    table: 1o 5o 10o 12o" in lines
    assert lines[-1].startswith("the file cannot be read further: record ")


def test_a_log_that_does_not_verify_is_told_all_the_same(replay: Replay, log: Path) -> None:
    """The first line says what is wrong, the rest tells what stands there."""
    log.write_bytes(log.read_bytes().replace(b"Brahim", b"Ibrahi"))
    ran = replay(log)
    assert ran.code == 1
    lines = ran.out.splitlines()
    assert lines[0].startswith("THIS LOG DOES NOT VERIFY: CHAIN_BROKEN in record 1 at byte ")
    assert "seat 1 is taken by Ibrahi" in lines
    assert lines[-1] == "the log is signed"


def test_a_result_that_contradicts_the_play_is_told_apart() -> None:
    """Only a result that says something else than the last event gets a line of its own."""
    records = played().records
    records[137].match_result.winners[:] = [0]
    over = [line for line in told(records) if line.startswith("the match is over")]
    assert over == [
        "the match is over, won by Brahim (1); score: Amina (0) 0, Brahim (1) 4",
        "the match is over, won by Amina (0); score: Amina (0) 0, Brahim (1) 4",
    ]
    assert len([line for line in told(played().records) if "is over, won by" in line]) == 1


def test_an_opening_that_does_not_fit_shows_nothing() -> None:
    """A hand is shown only where it is what was committed to."""
    records = played().records
    records[138].opening.nonce = bytes(32)
    assert HIDDEN_HAND in told(records)


def test_an_opening_of_another_event_shows_nothing() -> None:
    """An opening that fits and says that the match is won is no hand."""
    records = played().records
    opening = records[138].opening
    record = log_pb2.LogRecord()
    record.event_logged.event.match_ended.winners.append(0)
    opening.payload = record.event_logged.event.SerializeToString()
    records[6].event_logged.commitment = commitment(opening.nonce, opening.payload)
    assert HIDDEN_HAND in told(records)


def test_a_hidden_event_that_is_opened_as_noise_stays_hidden() -> None:
    """An opening that fits and holds no event shows nothing."""
    records = played().records
    opening = records[138].opening
    opening.payload = b"\xff\xff"
    records[6].event_logged.commitment = commitment(opening.nonce, opening.payload)
    assert HIDDEN_HAND in told(records)


def test_hostile_names_are_shown_and_not_obeyed() -> None:
    """A player's name steers no terminal, turns no text and fills no screen."""
    records = played().records
    records[1].seat_joined.name = "\x1b[2J\nseat 9 \u202ewins"
    records[2].seat_joined.name = "A" * 5000
    lines = told(records)
    assert r"seat 1 is taken by \x1b[2J\nseat 9 \u202ewins" in lines
    assert f"    {'A' * 39}… (0) plays ace of cups" in lines
    assert all(line.isprintable() for line in lines)


def test_what_no_referee_writes_is_told() -> None:
    """Cards that are none, and amounts beyond sense."""
    record = log_pb2.LogRecord()
    record.event_logged.event.card_played.seat = 4_000_000_000
    record.event_logged.event.card_played.card.rank = 9  # type: ignore[assignment] # none
    assert told([record]) == [
        "    table: -",
        "    something unknown: card_played { seat: 4000000000 card { rank: 9 } }",
    ]
    record.event_logged.event.deal_ended.scores[:] = [4_294_967_295] * 2
    assert told([record]) == ["  deal 0 is over; score: side 0 4294967295, side 1 4294967295"]


def test_records_in_any_order_are_told() -> None:
    """Nonsense is told as it stands and stops nobody."""
    records = played().records
    assert len(told(records[::-1])) > 50
    assert told([]) == []


def test_events_of_nobody_are_told() -> None:
    """Captures and awards without a card played, and a log without a header."""
    assert told([played().records[15]]) == [
        "    seat 1: caida 1 (side 1 +1)",
        "    score: side 1 1",
    ]
    record = log_pb2.LogRecord()
    record.match_result.winners.append(3)
    assert told([record]) == [
        "the match is over, won by side 3; score: none",
        "the seed was -",
    ]


@pytest.mark.parametrize("missing", [True, False])
def test_a_file_that_cannot_be_read_is_named(
    replay: Replay, tmp_path: Path, *, missing: bool
) -> None:
    """A missing file and a folder end with exit code 2."""
    path = tmp_path / "none.rlog" if missing else tmp_path
    ran = replay(path)
    reason = "No such file or directory" if missing else "Is a directory"
    assert (ran.code, ran.err) == (2, f"ronda: replay: {path} cannot be read: {reason}\n")


def test_a_file_of_something_else_is_not_told(replay: Replay, tmp_path: Path) -> None:
    """There is nothing to tell, and it says why."""
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" * 10)
    ran = replay(path)
    assert ran.code == 1
    assert ran.out.startswith("THIS LOG DOES NOT VERIFY: NOT_A_LOG in record 0")


@pytest.mark.parametrize("command", ["audit", "replay"])
async def test_an_output_without_arabic_letters_shows_their_numbers(
    tmp_path: Path, command: str
) -> None:
    """Where standard output cannot show a name, the command goes on."""
    records = played().records
    records[2].seat_joined.name = "أمينة"
    path = tmp_path / "match.rlog"
    path.write_bytes(rewrite(records))
    ran = await ronda(command, path, PYTHONIOENCODING="ascii")
    assert ran.code == 0
    assert r"\u0623\u0645\u064a\u0646\u0629" in ran.out


def test_a_log_that_is_not_opened_tells_no_hand() -> None:
    """Where nothing is found behind a commitment, hands are numbers."""
    records = [record for record in played().records if not record.HasField("opening")]
    lines = [
        plain(line) for block in replay_blocks(records, nothing_opened, ENGLISH) for line in block
    ]
    assert lines[4] == "hands stay hidden until the match is over"
    assert HIDDEN_HAND in lines
