"""A referee that drops, changes or invents moves is found out, whatever it signs."""

import pytest

from ronda.v1 import card_pb2
from ronda_referee.audit import FindingKind
from ronda_referee.convert import card_to_proto
from tests.referee.cheating import FIRST_MOVE, found, played
from tests.referee.played_logs import (
    audit,
    cards,
    records_of,
    rewrite,
)


def test_a_dropped_move_is_found_where_it_is_lacking() -> None:
    """Its events stand there without it."""
    records = played()
    del records[FIRST_MOVE]
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.MOVE_MISSING, FIRST_MOVE)
    assert (finding.recorded, finding.expected) == ("an event", "a move of seat 0")


def test_a_dropped_turn_is_found_at_the_move_that_came_too_early() -> None:
    """Without move and events the next seat moves when it is not its turn."""
    records = played()
    del records[FIRST_MOVE : FIRST_MOVE + 3]
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.MOVE_ILLEGAL, FIRST_MOVE)
    assert (finding.recorded, finding.clause) == ("NOT_YOUR_TURN", "CAP-1")


def test_a_card_that_the_seat_did_not_hold_is_found() -> None:
    """An illegal move is named with the rule's reason and clause."""
    records = played()
    records[FIRST_MOVE].move_accepted.move.play.card.CopyFrom(card_to_proto(cards("12b")[0]))
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.MOVE_ILLEGAL, FIRST_MOVE)
    assert (finding.recorded, finding.clause) == ("CARD_NOT_IN_HAND", "CAP-1")


def test_a_move_that_is_none_is_found() -> None:
    """An empty move and a card of no suit are no moves."""
    for empty in (True, False):
        records = played()
        move = records[FIRST_MOVE].move_accepted.move
        if empty:
            move.Clear()
        else:
            move.play.card.suit = card_pb2.SUIT_UNSPECIFIED
        finding = found(records)
        assert (finding.kind, finding.record) == (FindingKind.MOVE_ILLEGAL, FIRST_MOVE)


def test_a_move_of_a_seat_that_does_not_exist_is_found() -> None:
    """A seat number beyond the match is nobody's turn."""
    records = played()
    records[FIRST_MOVE].move_accepted.seat = 4_000_000_000
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.MOVE_ILLEGAL, FIRST_MOVE)


def test_a_changed_move_is_found_at_the_event_that_does_not_follow() -> None:
    """The seat held that card too: what happened then is not what it played."""
    records = played()
    records[FIRST_MOVE].move_accepted.move.play.card.CopyFrom(card_to_proto(cards("2c")[0]))
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.EVENT_WRONG, FIRST_MOVE + 1)
    assert finding.clause == "CAP-1"
    assert (finding.recorded, finding.expected) == ("seat 0 plays 7o", "seat 0 plays 2c")


@pytest.mark.parametrize("decision", [0, 7, 9])
def test_a_move_that_answers_another_decision_is_found(decision: int) -> None:
    """The first decision was opened by the table, record 8."""
    records = played()
    assert records[FIRST_MOVE].move_accepted.decision_id == 8
    records[FIRST_MOVE].move_accepted.decision_id = decision
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.DECISION_WRONG, FIRST_MOVE)
    assert (finding.recorded, finding.expected) == (str(decision), "8")


def test_a_request_id_of_the_same_seat_used_twice_is_found() -> None:
    """The second use is named; another seat may use the same."""
    records = played()
    moves = records_of(records, "move_accepted")
    records[moves[1]].move_accepted.request_id = "r-1"
    assert audit(rewrite(records)).ok
    records[moves[2]].move_accepted.request_id = "r-1"
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.REQUEST_ID_REUSED, moves[2])
    assert finding.detail == "seat 0 used this request id before, in record 9"
