"""A referee that hides or shows hands as it likes is found out, whatever it signs."""

from collections.abc import Callable

import pytest

from ronda.v1 import event_pb2
from ronda_referee.audit import FindingKind
from ronda_referee.chain import commitment
from ronda_referee.convert import card_to_proto
from tests.referee.cheating import (
    FIRST_HAND,
    FIRST_OPENING,
    SIGNATURE,
    TABLE,
    Records,
    event,
    found,
    played,
)
from tests.referee.played_logs import (
    cards,
)

FALSE_HAND = event_pb2.Event(
    hand_dealt=event_pb2.HandDealt(
        seat=0, card_count=3, cards=map(card_to_proto, cards("7o 1c 12b"))
    )
)


def test_a_hand_shown_wrong_is_found_at_its_opening() -> None:
    """The commitment is right, and what is shown in the end is not what it holds."""
    records = played()
    records[FIRST_OPENING].opening.event = FALSE_HAND.SerializeToString()
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.OPENING_WRONG, FIRST_OPENING)
    assert finding.detail == "what is shown here is not what record 6 committed to"
    assert finding.recorded == "seat 0 gets 7o 1c 12b"
    assert finding.expected == "seat 0 gets 7o 1c 2c"


def test_a_commitment_to_another_hand_is_found_at_the_hand() -> None:
    """The opening fits the commitment, and the hand is not the one that was drawn."""
    records = played()
    data = FALSE_HAND.SerializeToString()
    records[FIRST_OPENING].opening.event = data
    records[FIRST_HAND].event_logged.commitment = commitment(
        records[FIRST_OPENING].opening.nonce, data
    )
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.DRAW_WRONG, FIRST_HAND)
    assert finding.recorded == "seat 0 gets 7o 1c 12b"
    assert finding.expected == "seat 0 gets 7o 1c 2c"


def change_nonce(records: Records) -> None:
    """Show another nonce than the one that blinded."""
    records[FIRST_OPENING].opening.nonce = b"\x01" * 32


def shorten_nonce(records: Records) -> None:
    """Show a nonce of another size."""
    records[FIRST_OPENING].opening.nonce = b""


def open_noise(records: Records) -> None:
    """Commit to bytes that are no event, and open them as such."""
    opening = records[FIRST_OPENING].opening
    opening.event = b"\xff\xff"
    records[FIRST_HAND].event_logged.commitment = commitment(opening.nonce, opening.event)


def open_other_bytes(records: Records) -> None:
    """Commit to other bytes that mean the same event."""
    opening = records[FIRST_OPENING].opening
    opening.event += b"\x2a\x02\x10\x03"
    records[FIRST_HAND].event_logged.commitment = commitment(opening.nonce, opening.event)


def swap_openings(records: Records) -> None:
    """Open in another order."""
    records[FIRST_OPENING : FIRST_OPENING + 2] = reversed(
        records[FIRST_OPENING : FIRST_OPENING + 2]
    )


def drop_opening(records: Records) -> None:
    """Leave a commitment closed."""
    del records[FIRST_OPENING]


def open_an_open_event(records: Records) -> None:
    """Open a record that hides nothing."""
    records[FIRST_OPENING].opening.sequence = TABLE


@pytest.mark.parametrize(
    "cheat",
    [
        change_nonce,
        shorten_nonce,
        open_noise,
        open_other_bytes,
        swap_openings,
        drop_opening,
        open_an_open_event,
    ],
)
def test_openings_that_do_not_open_are_found(cheat: Callable[[Records], None]) -> None:
    """Each commitment is opened once, in order, by what it was made of."""
    records = played()
    cheat(records)
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.OPENING_WRONG, FIRST_OPENING)


def test_an_opening_that_stands_twice_is_found() -> None:
    """The second one is in the place of the next."""
    records = played()
    records.insert(FIRST_OPENING, records[FIRST_OPENING])
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.OPENING_WRONG, FIRST_OPENING + 1)
    assert (finding.recorded, finding.expected) == ("record 6", "record 7")


def test_a_missing_last_opening_is_found_where_the_signature_stands() -> None:
    """All commitments are opened before the signature."""
    records = played()
    del records[SIGNATURE - 1]
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.RECORD_OUT_OF_ORDER, SIGNATURE - 1)
    assert finding.recorded == "the signature"
    assert finding.expected.startswith("the opening of record ")


def test_an_opening_too_many_is_found() -> None:
    """After the last commitment's opening only the signature can come."""
    records = played()
    records.insert(SIGNATURE, records[FIRST_OPENING])
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.RECORD_OUT_OF_ORDER, SIGNATURE)
    assert (finding.recorded, finding.expected) == ("an opening", "the signature")


def test_a_hand_without_commitment_is_found() -> None:
    """What is hidden must be committed to."""
    records = played()
    records[FIRST_HAND].event_logged.commitment = b""
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.COMMITMENT_WRONG, FIRST_HAND)
    assert (finding.recorded, finding.expected) == ("0 bytes", "32 bytes")


def test_a_commitment_where_nothing_is_hidden_is_found() -> None:
    """Nothing can be smuggled in under a commitment."""
    records = played()
    records[TABLE].event_logged.commitment = b"\x01" * 32
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.COMMITMENT_WRONG, TABLE)


def test_a_hand_that_everyone_saw_is_found() -> None:
    """A hand's record must not show the cards."""
    records = played()
    shown = event_pb2.Event.FromString(records[FIRST_OPENING].opening.event)
    event(records[FIRST_HAND]).CopyFrom(shown)
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.VIEW_WRONG, FIRST_HAND)
    assert finding.clause == "ANN-10"
    assert finding.recorded == "seat 0 gets 7o 1c 2c"
    assert finding.expected == "seat 0 gets 3 cards"
