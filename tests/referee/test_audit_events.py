"""A referee that awards, counts or tells as it likes is found out, whatever it signs."""

from collections.abc import Callable

import pytest

from ronda.v1 import card_pb2, event_pb2
from ronda_referee.audit import FindingKind
from tests.referee.cheating import FIRST_AWARD, TABLE, bluffed, event, found, lay_another, played
from tests.referee.played_logs import (
    events_of,
)


def test_a_wrong_award_is_found_at_the_award() -> None:
    """Two points for a caida that is worth one."""
    records = played()
    award = event(records[FIRST_AWARD]).play_awarded
    award.caida = 2
    award.shares[0].points = 2
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.EVENT_WRONG, FIRST_AWARD)
    assert finding.clause == "CHAIN-1"
    assert finding.recorded == "seat 1 makes caida 2 points: seat 1 +2"
    assert finding.expected == "seat 1 makes caida 1 point: seat 1 +1"


def test_an_invented_mesa_is_found_at_the_award() -> None:
    """A mesa where cards are left on the table."""
    records = played()
    award = event(records[FIRST_AWARD]).play_awarded
    award.mesa = 1
    award.shares[0].points = 2
    finding = found(records)
    assert (finding.record, finding.clause) == (FIRST_AWARD, "MESA-1")
    assert finding.recorded == "seat 1 makes caida 1 point and mesa 1 point: seat 1 +2"


def test_an_award_to_the_wrong_side_is_found() -> None:
    """The points are right and go to somebody else."""
    records = played()
    event(records[FIRST_AWARD]).play_awarded.shares[0].side = 0
    finding = found(records)
    assert (finding.record, finding.clause) == (FIRST_AWARD, "MESA-2")


def test_an_award_that_was_not_given_is_found_where_it_is_lacking() -> None:
    """After the capture the next move comes too early."""
    records = played()
    del records[FIRST_AWARD]
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.EVENT_MISSING, FIRST_AWARD)
    assert finding.recorded == "a move"
    assert finding.expected == "the event “seat 1 makes caida 1 point: seat 1 +1”"


def test_an_event_that_did_not_happen_is_found() -> None:
    """An award too many stands where the next seat had to move."""
    records = played()
    records.insert(FIRST_AWARD + 1, records[FIRST_AWARD])
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.MOVE_MISSING, FIRST_AWARD + 1)


def test_events_in_another_order_are_found() -> None:
    """The award comes after the capture."""
    records = played()
    records[FIRST_AWARD - 1 : FIRST_AWARD + 1] = reversed(
        records[FIRST_AWARD - 1 : FIRST_AWARD + 1]
    )
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.EVENT_WRONG, FIRST_AWARD - 1)
    assert finding.clause == "CAP-3"


def test_an_event_without_content_is_found() -> None:
    """An empty event is not what happened."""
    records = played()
    event(records[TABLE]).Clear()
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.EVENT_WRONG, TABLE)
    assert finding.recorded == "an event without content"


def add_seat(e: event_pb2.Event) -> None:
    """Begin with a seat more."""
    e.match_started.seats += 1


def move_dealer(e: event_pb2.Event) -> None:
    """Have another seat deal."""
    e.deal_started.dealer = (e.deal_started.dealer + 1) % 3


def deal_more(e: event_pb2.Event) -> None:
    """Deal a card more."""
    e.batch_started.hand_size += 1


def capture_less(e: event_pb2.Event) -> None:
    """Leave a captured card behind."""
    del e.cards_captured.cards[-1]


def announce_for_another(e: event_pb2.Event) -> None:
    """Have another seat announce."""
    e.announcement_made.seat = (e.announcement_made.seat + 1) % 3


def reveal_more(e: event_pb2.Event) -> None:
    """Show a false announcement as true, or a true one with another rank."""
    one = e.announcements_revealed.announcements[0]
    one.rank = card_pb2.RANK_12 if one.rank != card_pb2.RANK_12 else card_pb2.RANK_11


def pay_more(e: event_pb2.Event) -> None:
    """Pay an announcement more than it is worth."""
    e.announcements_awarded.shares[0].points += 1


def penalise_less(e: event_pb2.Event) -> None:
    """Have nobody receive a penalty."""
    e.false_announcement_penalised.ClearField("shares")


def give_leftovers(e: event_pb2.Event) -> None:
    """Give the leftovers to the wrong seat."""
    e.leftovers_taken.seat = (e.leftovers_taken.seat + 1) % 3


def count_wrong(e: event_pb2.Event) -> None:
    """Move a card from pile to pile before they are counted."""
    e.piles_counted.piles[0] += 1
    e.piles_counted.piles[1] -= 1


def score_wrong(e: event_pb2.Event) -> None:
    """Add a point in the deal's totals."""
    e.deal_ended.scores[0] += 1


def crown_another(e: event_pb2.Event) -> None:
    """Say that another side won."""
    e.match_ended.winners[0] = (e.match_ended.winners[0] + 1) % 3


@pytest.mark.parametrize(
    ("kind", "cheat", "clause"),
    [
        ("match_started", add_seat, ""),
        ("deal_started", move_dealer, "DEAL-3"),
        ("batch_started", deal_more, "DEAL-5"),
        ("cards_captured", capture_less, "CAP-3"),
        ("card_laid", lay_another, "CAP-4"),
        ("announcement_made", announce_for_another, "ANN-2"),
        ("announcements_revealed", reveal_more, "ANN-8"),
        ("announcements_awarded", pay_more, "ANN-6"),
        ("false_announcement_penalised", penalise_less, "ANN-9"),
        ("leftovers_taken", give_leftovers, "CAP-6"),
        ("piles_counted", count_wrong, "COUNT-1"),
        ("deal_ended", score_wrong, "MATCH-1"),
        ("match_ended", crown_another, "MATCH-2"),
    ],
)
def test_every_kind_of_event_is_checked(
    kind: str, cheat: Callable[[event_pb2.Event], None], clause: str
) -> None:
    """A changed event of each kind is named, with the clause that decides it."""
    records = bluffed()
    number = events_of(records, kind)[0]
    cheat(event(records[number]))
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.EVENT_WRONG, number)
    assert finding.clause == clause
