"""Cards as text, and reading log files."""

import pytest

from ronda.v1.card_pb2 import Card, Rank, Suit
from ronda_client import LogFileError, card_text, rank_number, read_records
from tests.clients.scripted_log import Book


def log_file(book: Book) -> bytes:
    """Return a book as a file; every record in it is shorter than 128 bytes."""
    assert all(len(record) < 128 for record in book.records)
    return b"RONDALOG" + b"".join(bytes([len(record)]) + record for record in book.records)


@pytest.mark.parametrize(
    ("rank", "suit", "text"),
    [
        (Rank.RANK_1, Suit.SUIT_OROS, "1o"),
        (Rank.RANK_7, Suit.SUIT_COPAS, "7c"),
        (Rank.RANK_10, Suit.SUIT_ESPADAS, "10e"),
        (Rank.RANK_12, Suit.SUIT_BASTOS, "12b"),
    ],
)
def test_card_is_written_rank_then_suit(
    rank: Rank.ValueType, suit: Suit.ValueType, text: str
) -> None:
    """There is no 8 and no 9 in the pack."""
    assert card_text(Card(rank=rank, suit=suit)) == text


def test_card_that_is_none_has_no_text() -> None:
    """Neither a missing rank nor a missing suit is made up."""
    with pytest.raises(ValueError, match="rank"):
        rank_number(Rank.RANK_UNSPECIFIED)
    with pytest.raises(ValueError, match="suit"):
        card_text(Card(rank=Rank.RANK_1))


def test_log_file_is_read_record_by_record() -> None:
    """Header and events come back in order."""
    book = Book()
    book.header(seats=3)
    book.deal(1)
    records = list(read_records(log_file(book)))
    assert [record.sequence for record in records] == [0, 1]
    assert records[0].header.seats == 3
    assert records[1].event_logged.event.deal_started.deal == 1


def test_file_that_is_no_log_is_refused() -> None:
    """The first eight bytes tell."""
    with pytest.raises(LogFileError) as caught:
        list(read_records(b"PK\x03\x04 something else"))
    assert caught.value.offset == 0


@pytest.mark.parametrize("cut", [1, 20])
def test_log_file_that_breaks_off_is_refused_where_it_does(cut: int) -> None:
    """The records before are given; the error says where in the file reading ended."""
    book = Book()
    book.header()
    whole = len(log_file(book))
    book.deal(1)
    records = read_records(log_file(book)[:-cut])
    assert next(records).sequence == 0
    with pytest.raises(LogFileError) as caught:
        next(records)
    assert caught.value.offset == whole
