"""The client's check of the hash chain."""

import pytest

from ronda.v1.card_pb2 import Suit
from ronda.v1.event_pb2 import Event, HandDealt
from ronda.v1.log_pb2 import CommitmentOpening, LogHeader, LogRecord, MoveAccepted
from ronda.v1.move_pb2 import Announce, Move
from ronda.v1.referee_service_pb2 import LogEntry, WatchMatchResponse
from ronda.v1.rule_set_pb2 import AnnouncementKind
from ronda_client.chain import Chain, commitment, record_hash
from ronda_client.errors import ForkedLog
from ronda_referee import chain as referee_chain
from tests.clients.scripted_log import Book, card

RONDA = Move(announce=Announce(kind=AnnouncementKind.ANNOUNCEMENT_KIND_RONDA))
# sha256sum of "\0\0\0\017ronda.v1 recordabc".
HASH_OF_ABC = "728ef833e1389bd7f7e61c0a8e17018f61a26c2b82d8db705f09cebec646cf1d"
# sha256sum of "\0\0\0\025ronda.v1 hidden event", 32 characters "0", and "xyz".
COMMITMENT_OF_XYZ = "2e578d4246002a982e801b1bdfcf48e5b6aa851b81fc26387e15481bea3ce289"


def test_record_hash_is_the_one_written_down() -> None:
    """The hash of three known bytes, computed with another program."""
    assert record_hash(b"abc").hex() == HASH_OF_ABC


def test_commitment_is_the_one_written_down() -> None:
    """The commitment to three known bytes, computed with another program."""
    assert commitment(b"0" * 32, b"xyz").hex() == COMMITMENT_OF_XYZ


def test_client_and_referee_hash_alike() -> None:
    """What the client checks is what the referee writes."""
    assert referee_chain.record_hash(b"abc").hex() == HASH_OF_ABC
    assert referee_chain.commitment(b"0" * 32, b"xyz").hex() == COMMITMENT_OF_XYZ


def test_log_in_order_is_followed() -> None:
    """Records that continue each other are given back, numbered as they are."""
    book, chain = Book(), Chain("m1", 0)
    seen = [chain.follow(message.entries[0]) for message in (book.header(), book.deal(1))]
    assert [record.sequence for record in seen] == [0, 1]
    assert seen[0].event is None
    event = seen[1].event
    assert event is not None
    assert event.deal_started.deal == 1
    assert chain.next_sequence == 2


def test_log_followed_from_the_middle_takes_its_first_record_as_it_is() -> None:
    """Whoever starts late has nothing to hold the first record against, but all that follow."""
    book, chain = Book(), Chain("m1", 1)
    book.header()
    chain.follow(book.deal(1).entries[0])
    other = Book()
    other.header(seats=3)
    other.deal(1)
    with pytest.raises(ForkedLog):
        chain.follow(other.deal(2).entries[0])


def test_record_that_follows_another_history_is_a_fork() -> None:
    """Two logs that differ in record 0 cannot be told as one."""
    told, other, chain = Book(), Book(), Chain("m1", 0)
    chain.follow(told.header(seats=2).entries[0])
    other.header(seats=3)
    with pytest.raises(ForkedLog) as caught:
        chain.follow(other.deal(1).entries[0])
    assert caught.value.match_id == "m1"
    assert caught.value.sequence == 1
    assert caught.value.detail.startswith("it follows on ")


def test_first_record_that_follows_something_is_a_fork() -> None:
    """Nothing comes before record 0."""
    record = LogRecord(sequence=0, previous_hash=b"\x01" * 32, header=LogHeader(seats=2))
    with pytest.raises(ForkedLog):
        Chain("m1", 0).follow(LogEntry(sequence=0, record=record.SerializeToString()))


@pytest.mark.parametrize("which", [0, 2])
def test_repeated_or_skipped_record_is_a_fork(which: int) -> None:
    """After record 0 comes record 1 and no other."""
    book, chain = Book(), Chain("m1", 0)
    messages = [book.header(), book.deal(1), book.deal(2)]
    chain.follow(messages[0].entries[0])
    with pytest.raises(ForkedLog) as caught:
        chain.follow(messages[which].entries[0])
    assert caught.value.sequence == 1


def test_entry_numbered_other_than_its_record_is_a_fork() -> None:
    """The number outside the record must be the number within."""
    entry = Book().header().entries[0]
    entry.sequence = 1
    with pytest.raises(ForkedLog):
        Chain("m1", 0).follow(entry)


def test_bytes_that_are_no_record_are_a_fork() -> None:
    """Garbage continues nothing."""
    with pytest.raises(ForkedLog) as caught:
        Chain("m1", 0).follow(LogEntry(sequence=0, record=b"\xff\xff"))
    assert "no LogRecord" in caught.value.detail


def test_opened_hand_is_seen_in_full() -> None:
    """A seat sees its own cards where the record itself shows only how many."""
    book, chain = Book(), Chain("m1", 0)
    chain.follow(book.header().entries[0])
    cards = [card(1), card(12, Suit.SUIT_BASTOS)]
    seen = chain.follow(book.hand(1, cards).entries[0])
    event = seen.event
    assert event is not None
    assert list(event.hand_dealt.cards) == cards
    assert list(seen.record.event_logged.event.hand_dealt.cards) == []


def test_hand_other_than_the_one_committed_to_is_a_fork() -> None:
    """The referee cannot show a seat other cards than it put into the log."""
    book, chain = Book(), Chain("m1", 0)
    chain.follow(book.header().entries[0])
    message = book.hand(1, [card(1)])
    other = Event(hand_dealt=HandDealt(seat=1, card_count=1, cards=[card(2)]))
    message.entries[0].opening.payload = other.SerializeToString(deterministic=True)
    with pytest.raises(ForkedLog) as caught:
        chain.follow(message.entries[0])
    assert caught.value.detail == "what it is said to hide is not what it commits to"


def test_opening_of_another_record_is_a_fork() -> None:
    """An opening belongs to its record."""
    book, chain = Book(), Chain("m1", 0)
    chain.follow(book.header().entries[0])
    message = book.hand(1, [card(1)])
    message.entries[0].opening.sequence = 7
    with pytest.raises(ForkedLog):
        chain.follow(message.entries[0])


def hidden_move(book: Book) -> WatchMatchResponse:
    """Add the record of a sealed answer, with the opening that its seat gets."""
    data = RONDA.SerializeToString(deterministic=True)
    accepted = MoveAccepted(seat=1, commitment=commitment(b"0" * 32, data))
    message = book.add(LogRecord(move_accepted=accepted))
    sequence = message.entries[0].sequence
    opening = CommitmentOpening(sequence=sequence, nonce=b"0" * 32, payload=data)
    message.entries[0].opening.CopyFrom(opening)
    return message


def test_sealed_answer_is_seen_by_its_seat() -> None:
    """A seat finds its own move where the record itself shows none."""
    book, chain = Book(), Chain("m1", 0)
    chain.follow(book.header().entries[0])
    seen = chain.follow(hidden_move(book).entries[0])
    assert seen.opened_move == RONDA
    assert (seen.opened, seen.event) == (None, None)


def test_answer_other_than_the_one_committed_to_is_a_fork() -> None:
    """The referee cannot tell a seat another answer than it put into the log."""
    book, chain = Book(), Chain("m1", 0)
    chain.follow(book.header().entries[0])
    message = hidden_move(book)
    message.entries[0].opening.payload = b""
    with pytest.raises(ForkedLog) as caught:
        chain.follow(message.entries[0])
    assert caught.value.detail == "what it is said to hide is not what it commits to"
