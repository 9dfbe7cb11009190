"""No byte of a log can change, vanish or be added without the audit naming it or one before it."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ronda_referee.audit import FindingKind
from tests.referee.played_logs import FIXED, PlayedMatch, audit, first_card, maghribi

CHUNKS = 16
MASKS = (0x01, 0x80, 0x02, 0xFF, 0x04, 0x40, 0x08, 0x20, 0x10)


@cache
def log() -> bytes:
    """Give a finished log: one deal of fixed draws."""
    return PlayedMatch(maghribi(1), fixed=FIXED, policy=first_card).data


@cache
def offsets() -> list[int]:
    """Give where each record of the log begins, its length included, and where the file ends."""
    data = log()
    starts = [8]
    while starts[-1] < len(data):
        start = starts[-1]
        size = data[start]
        if size < 0x80:
            starts.append(start + 1 + size)
        else:
            starts.append(start + 2 + (size & 0x7F) + (data[start + 1] << 7))
    return starts


def record_at(position: int) -> int:
    """Give the number of the record that a byte of the file belongs to; 0 for the magic."""
    return max(sum(start <= position for start in offsets()) - 1, 0)


def changed(position: int, mask: int) -> bytes:
    """Give the file with one byte changed."""
    data = bytearray(log())
    data[position] ^= mask
    return bytes(data)


def check_flip(position: int, mask: int) -> None:
    """Check that a changed byte is found, in its record or in one before it."""
    report = audit(changed(position, mask))
    assert report.finding is not None, (position, mask)
    assert report.finding.record <= record_at(position), (position, mask, report.finding)
    assert report.finding.offset <= position, (position, mask, report.finding)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_change_of_any_byte_is_found(chunk: int) -> None:
    """Every byte of the file, each with one of nine masks."""
    for position in range(chunk, len(log()), CHUNKS):
        check_flip(position, MASKS[position // CHUNKS % len(MASKS)])


def test_a_change_of_any_bit_of_the_header_is_found() -> None:
    """Every single bit of the magic and the header."""
    for position in range(offsets()[1]):
        for bit in range(8):
            check_flip(position, 1 << bit)


@pytest.mark.parametrize("mask", [0x01, 0x10, 0x80])
def test_a_change_of_any_byte_of_the_signature_is_found(mask: int) -> None:
    """Nothing comes after the last record, so it has to be right by itself."""
    for position in range(offsets()[-2], len(log())):
        check_flip(position, mask)


@given(position=st.integers(0, 10_000), mask=st.integers(1, 255))
def test_any_change_anywhere_is_found(position: int, mask: int) -> None:
    """Any mask at any place."""
    check_flip(position % len(log()), mask)


def test_a_changed_record_is_named_itself() -> None:
    """A byte inside a seat's name breaks the chain just there, and both hashes are told."""
    position = log().index(b"Brahim")
    report = audit(changed(position, 0x20))
    assert report.finding is not None
    assert report.finding.kind is FindingKind.CHAIN_BROKEN
    assert report.finding.record == 1
    assert report.finding.offset == offsets()[1]
    assert report.finding.detail == "the record is not the one that record 2 was written after"
    assert len(report.finding.recorded) == len(report.finding.expected) == 64
    assert report.finding.recorded != report.finding.expected


@pytest.mark.parametrize("cut", range(0, 151, 7))
def test_a_log_that_ends_early_is_found_where_it_ends(cut: int) -> None:
    """Between records what is to come is named; inside a record, the record that is not whole."""
    end = offsets()[cut]
    between = audit(log()[:end])
    assert between.finding is not None
    assert between.finding.kind is FindingKind.LOG_UNFINISHED
    assert (between.finding.record, between.finding.offset) == (cut, end)
    inside = audit(log()[: end + 5])
    assert inside.finding is not None
    assert inside.finding.kind is FindingKind.TRUNCATED
    assert (inside.finding.record, inside.finding.offset) == (cut, end)


@pytest.mark.parametrize("number", [0, 1, 3, 6, 40, 100, 140, 149])
def test_a_record_that_vanished_is_found(number: int) -> None:
    """The record that stands in the gap says that it is another one."""
    start, end = offsets()[number : number + 2]
    report = audit(log()[:start] + log()[end:])
    assert report.finding is not None
    assert report.finding.kind is FindingKind.SEQUENCE_WRONG
    assert (report.finding.record, report.finding.offset) == (number, start)
    assert (report.finding.recorded, report.finding.expected) == (str(number + 1), str(number))


def test_a_record_that_stands_twice_is_found() -> None:
    """The second one has the wrong number."""
    start, end = offsets()[20:22]
    report = audit(log()[:end] + log()[start:])
    assert report.finding is not None
    assert report.finding.kind is FindingKind.SEQUENCE_WRONG
    assert report.finding.record == 21


@given(position=st.integers(0, 10_000), more=st.binary(min_size=1, max_size=5))
def test_bytes_put_in_anywhere_are_found(position: int, more: bytes) -> None:
    """Bytes that were not there are found at that place, before it, or in the record after it.

    They move the records' borders: what is then read as one record may be right in all that can
    be checked without the rest, and the next is nothing.
    """
    place = position % (len(log()) + 1)
    data = log()[:place] + more + log()[place:]
    report = audit(data)
    if data == log():
        return
    assert report.finding is not None
    assert report.finding.record <= record_at(place) + 1


@given(position=st.integers(0, 10_000), count=st.integers(1, 200))
def test_bytes_taken_out_anywhere_are_found(position: int, count: int) -> None:
    """Bytes that are missing are found at that place, before it, or in the record after it."""
    place = position % len(log())
    report = audit(log()[:place] + log()[place + count :])
    assert report.finding is not None
    assert report.finding.record <= record_at(place) + 1


def test_nothing_may_follow_the_signature() -> None:
    """A byte after the last record is found there."""
    report = audit(log() + b"\x00")
    assert report.finding is not None
    assert report.finding.kind is FindingKind.TRAILING_BYTES
    assert (report.finding.record, report.finding.offset) == (151, len(log()))


@pytest.mark.parametrize("data", [b"", b"RONDALOG", b"RONDALO\x00", b"\x00" * 100, b"%PDF-1.7"])
def test_files_of_something_else_are_found(data: bytes) -> None:
    """Anything but a log is a finding and nothing worse."""
    report = audit(data)
    assert report.finding is not None
    assert report.finding.record == 0


@given(st.binary(max_size=400))
def test_no_bytes_end_in_anything_but_a_finding(data: bytes) -> None:
    """Whatever follows the magic, the audit ends with a finding."""
    assert audit(b"RONDALOG" + data).finding is not None
