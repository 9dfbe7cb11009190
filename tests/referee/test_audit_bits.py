"""No bit of a log can change without a finding, at its record or before it.

The log is short, so that every bit can be tried: a header with a whole rule set and terms, joins,
hands that are hidden and opened, moves, a forfeit, the result and the signature. By default an
eighth of the flips are made, every byte once; AUDIT_BITS=every makes all of them.
"""

import os
from functools import cache

import pytest

from tests.referee.played_by_hand import ByHand
from tests.referee.played_logs import audit
from tests.referee.test_clocks import FORFEIT

PARTS = 8
EVERY = os.environ.get("AUDIT_BITS") == "every"


@cache
def log() -> bytes:
    """Give the log of a match of three moves, which seat 1 loses on time."""
    match = ByHand.begin(FORFEIT)
    for clock_ms in (1_000, 2_000, 3_000):
        match.lowest(clock_ms)
    match.run_out(60_000)
    return match.data()


@cache
def starts() -> list[int]:
    """Give where each record begins, read as the format says: a varint length, then the bytes."""
    data, found = log(), [8]
    while (at := found[-1]) < len(data):
        size = shift = 0
        while True:
            byte = data[at]
            size |= (byte & 0x7F) << shift
            at, shift = at + 1, shift + 7
            if byte < 0x80:
                break
        found.append(at + size)
    return found


def test_the_log_is_all_right_and_has_every_kind_of_record() -> None:
    """What is found is the flip and nothing else."""
    report = audit(log())
    assert report.ok
    assert (report.moves, report.forfeits) == (3, {1: "TIME_OUT"})


@pytest.mark.parametrize("part", range(PARTS))
def test_a_flip_of_any_bit_is_found_at_its_record_or_before(part: int) -> None:
    """Whatever the bit; the finding is of the record that it is in, or of one before."""
    data = bytearray(log())
    record = 0
    for position in range(len(data)):
        while record + 1 < len(starts()) - 1 and starts()[record + 1] <= position:
            record += 1
        if not EVERY and position % PARTS != part:
            continue
        # All parts together flip each bit of each byte once, or by default one of each.
        mask = 1 << (position + part if EVERY else position // PARTS) % 8
        data[position] ^= mask
        finding = audit(bytes(data)).finding
        data[position] ^= mask
        assert finding is not None, (position, mask)
        assert finding.record <= record, (position, mask, finding)
        assert finding.offset <= position, (position, mask, finding)
