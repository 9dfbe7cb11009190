"""A match's log grows in one order, and hides what must be hidden."""

import pytest

from ronda.v1 import card_pb2, event_pb2, log_pb2, move_pb2
from ronda_referee.chain import commitment, record_hash
from ronda_referee.clocks import Stamp
from ronda_referee.match_log import LogOrderError, LogRow, MatchLog, ObservedEvent

NONCE = bytes(range(32))
CARD = card_pb2.Card(rank=card_pb2.RANK_7, suit=card_pb2.SUIT_OROS)
STARTED = event_pb2.Event(match_started=event_pb2.MatchStarted(seats=2))
HAND = event_pb2.Event(hand_dealt=event_pb2.HandDealt(seat=1, card_count=1, cards=[CARD]))
HAND_HIDDEN = event_pb2.Event(hand_dealt=event_pb2.HandDealt(seat=1, card_count=1))
MOVE = move_pb2.Move(play=move_pb2.Play(card=CARD))
PLAYED = event_pb2.Event(card_played=event_pb2.CardPlayed(seat=1, card=CARD))


def observed(
    full: event_pb2.Event, public: event_pb2.Event, visible_to: int | None = None
) -> ObservedEvent:
    """Give an event as the log takes it."""
    return ObservedEvent(
        full.SerializeToString(deterministic=True),
        public.SerializeToString(deterministic=True),
        visible_to,
    )


class PlainSealer:
    """Commits with a nonce that is known beforehand."""

    def seal(self, sequence: int, payload: bytes) -> tuple[bytes, bytes]:
        """Give the fixed nonce and the commitment."""
        return NONCE, commitment(NONCE, payload)


def sign(message: bytes) -> bytes:
    """Sign as no key does: the message itself."""
    return message


def body(row: LogRow) -> log_pb2.LogRecord:
    """Give the record of a row."""
    return log_pb2.LogRecord.FromString(row.record)


ZERO = Stamp(0, 0)
PLAYED_OUT = log_pb2.END_REASON_PLAYED
ACCEPTED = log_pb2.MoveAccepted(seat=1, decision_id=3, request_id="r-1", move=MOVE)


def whole_log() -> tuple[MatchLog, list[LogRow]]:
    """Write a log of every kind of record."""
    log = MatchLog(PlainSealer())
    rows = [
        log.header(log_pb2.LogHeader(match_id="m-7"), Stamp(1000, 0)),
        log.seat_joined(1, "Amina", b"bytes", Stamp(1001, 1)),
        *log.events([observed(STARTED, STARTED), observed(HAND, HAND_HIDDEN, 1)], Stamp(1002, 2)),
        log.move_accepted(ACCEPTED, Stamp(1003, 3)),
        *log.events([observed(PLAYED, PLAYED)], Stamp(1004, 4)),
        *log.finish(PLAYED_OUT, [1], [0, 41], b"s" * 32, sign, Stamp(1005, 5)),
    ]
    return log, rows


def test_rows_hold_the_records_in_order() -> None:
    """Sequence, chain, time and kind of each record are as the log's order has them."""
    _, rows = whole_log()
    records = [body(row) for row in rows]
    assert [row.sequence for row in rows] == [0, 1, 2, 3, 4, 5, 6, 7, 8]
    assert [record.sequence for record in records] == [0, 1, 2, 3, 4, 5, 6, 7, 8]
    assert [record.WhichOneof("record") for record in records] == [
        "header",
        "seat_joined",
        "event_logged",
        "event_logged",
        "move_accepted",
        "event_logged",
        "match_result",
        "opening",
        "signature",
    ]
    assert [record.time_ms for record in records] == [
        1000, 1001, 1002, 1002, 1003, 1004, 1005, 1005, 1005,
    ]  # fmt: skip
    assert records[0].previous_hash == bytes(32)
    for before, after in zip(rows, records[1:], strict=False):
        assert after.previous_hash == record_hash(before.record)


def test_records_hold_what_was_given() -> None:
    """Joining, move and result are as received."""
    records = [body(row) for row in whole_log()[1]]
    assert records[1].seat_joined == log_pb2.SeatJoined(seat=1, name="Amina", entropy=b"bytes")
    assert records[4].move_accepted == log_pb2.MoveAccepted(
        seat=1, decision_id=3, request_id="r-1", move=MOVE
    )
    assert records[6].match_result == log_pb2.MatchResult(
        reason=log_pb2.END_REASON_PLAYED, winners=[1], scores=[0, 41], seed=b"s" * 32
    )


def test_a_hidden_event_enters_as_commitment_and_is_opened_at_the_end() -> None:
    """The record has the public part alone; the row keeps what opens it, and for whom."""
    _, rows = whole_log()
    hidden = body(rows[3]).event_logged
    assert hidden.event == HAND_HIDDEN
    assert hidden.commitment == commitment(NONCE, HAND.SerializeToString())
    assert CARD.SerializeToString() not in rows[3].record
    opening = log_pb2.CommitmentOpening(sequence=3, nonce=NONCE, payload=HAND.SerializeToString())
    assert rows[3].opening == opening.SerializeToString()
    assert rows[3].visible_to == 1
    assert body(rows[7]).opening == opening


def test_an_open_event_has_no_commitment() -> None:
    """Where nothing is hidden nothing is sealed."""
    _, rows = whole_log()
    assert body(rows[2]).event_logged == log_pb2.EventLogged(event=STARTED)
    assert rows[2].opening is None
    assert rows[2].visible_to is None


def test_the_signature_covers_the_last_head() -> None:
    """What is signed is the domain and the hash of the record before."""
    _, rows = whole_log()
    head = record_hash(rows[7].record)
    signature = body(rows[8]).signature.signature
    assert signature == b"\x00\x00\x00\x11ronda.v1 log head" + head


def test_the_caller_can_name_the_record_that_comes_next() -> None:
    """Sequence and head of the log are those of what was written."""
    log, rows = whole_log()
    assert log.sequence == 9
    assert log.head == record_hash(rows[8].record)


def test_a_cancelled_match_has_its_result_before_anybody_joins() -> None:
    """The result may also follow the header, with nothing to open."""
    log = MatchLog(PlainSealer())
    log.header(log_pb2.LogHeader(match_id="m-7"), ZERO)
    rows = log.finish(log_pb2.END_REASON_CANCELLED, [], [], b"s" * 32, sign, Stamp(9, 9))
    assert [body(row).WhichOneof("record") for row in rows] == ["match_result", "signature"]
    assert body(rows[0]).match_result.reason == log_pb2.END_REASON_CANCELLED


def test_records_out_of_place_are_refused() -> None:
    """Nothing stands before the header, and no move before play."""
    log = MatchLog(PlainSealer())
    with pytest.raises(LogOrderError, match="no seat_joined while it is empty"):
        log.seat_joined(0, "", b"", ZERO)
    log.header(log_pb2.LogHeader(), ZERO)
    with pytest.raises(LogOrderError, match="no header while it is joining"):
        log.header(log_pb2.LogHeader(), ZERO)
    with pytest.raises(LogOrderError, match="no move_accepted while it is joining"):
        log.move_accepted(ACCEPTED, ZERO)
    log.events([observed(STARTED, STARTED)], ZERO)
    with pytest.raises(LogOrderError, match="no seat_joined while it is playing"):
        log.seat_joined(0, "", b"", ZERO)
    log.finish(PLAYED_OUT, [0], [0, 0], b"", sign, ZERO)
    with pytest.raises(LogOrderError, match="no event_logged while it is signed"):
        log.events([observed(STARTED, STARTED)], ZERO)


def test_a_refused_record_leaves_the_log_as_it_was() -> None:
    """After a refusal the log goes on with the record that belongs there."""
    log = MatchLog(PlainSealer())
    with pytest.raises(LogOrderError):
        log.seat_joined(0, "", b"", ZERO)
    assert log.sequence == 0
    assert body(log.header(log_pb2.LogHeader(), ZERO)).sequence == 0


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (observed(HAND, HAND_HIDDEN), "hand_dealt hides something and names no seat"),
        (observed(STARTED, STARTED, 1), "match_started names a seat, hides nothing"),
    ],
)
def test_hiding_without_a_reader_is_refused(event: ObservedEvent, message: str) -> None:
    """What is hidden is visible to one seat, and what is open to all."""
    log = MatchLog(PlainSealer())
    log.header(log_pb2.LogHeader(), ZERO)
    with pytest.raises(ValueError, match=message):
        log.events([event], ZERO)


def test_a_hidden_move_is_committed_to_and_opened_after_the_end() -> None:
    """Its record holds the commitment alone; the opening is for its seat, and stands at the end."""
    log = MatchLog(PlainSealer())
    log.header(log_pb2.LogHeader(match_id="m-7"), Stamp(1000, 0))
    log.events([observed(STARTED, STARTED)], Stamp(1002, 2))
    hidden = log.move_accepted(ACCEPTED, Stamp(1003, 3), hidden=True)
    recorded = body(hidden).move_accepted
    assert not recorded.HasField("move")
    assert (recorded.seat, recorded.decision_id, recorded.request_id) == (1, 3, "r-1")
    assert len(recorded.commitment) == 32
    assert hidden.visible_to == 1
    opening = log_pb2.CommitmentOpening.FromString(hidden.opening or b"")
    assert (opening.sequence, move_pb2.Move.FromString(opening.payload)) == (2, MOVE)
    rows = log.finish(PLAYED_OUT, [1], [0, 41], b"s" * 32, sign, Stamp(1005, 5))
    shown = [body(row) for row in rows]
    assert [record.WhichOneof("record") for record in shown] == [
        "match_result",
        "opening",
        "signature",
    ]
    assert shown[1].opening == opening
