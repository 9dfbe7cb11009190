"""An audit of an honest log derives everything again and says what was played."""

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ronda_referee.audit import AuditReport, Draws, FindingKind, audit_file
from ronda_referee.audit.records import LONGEST_LOG, Records
from tests.referee.played_logs import (
    FIXED,
    KEY,
    PlayedMatch,
    audit,
    first_card,
    maghribi,
    some_policy,
)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_an_honest_log_is_all_right_for_every_seat_count(seats: int) -> None:
    """Whole matches to 25 with bluffs and penalties leave nothing to find."""
    match = PlayedMatch(maghribi(25), seats)
    report = audit(match.data, KEY.public_key)
    assert report.finding is None
    assert report.ok
    assert report.records == len(match.rows)
    assert report.match_id == "m-7"
    assert report.engine_version == "0.1.0"
    assert report.rule_set_id == "maghribi"
    assert report.seats == seats
    assert report.draws is Draws.SHUFFLED
    assert report.public_key == KEY.public_key
    assert report.key_expected


def test_the_report_counts_what_was_played() -> None:
    """36 turns of three records, 12 hands and openings, 19 others; a caida and three cards over.

    Before each turn and at the end there are the views of everyone and of both seats: 37 times 3.

    Seat 0 captures 2 + 5 + 2 + 2 + 4 + 2 = 17 cards, seat 1 the other 23 and the only caida.
    """
    report = audit(PlayedMatch(maghribi(1), fixed=FIXED, policy=first_card).data)
    assert report == AuditReport(
        finding=None,
        records=151,
        match_id="m-7",
        engine_version="0.1.0",
        rule_set_id="maghribi",
        seats=2,
        names={0: "Amina", 1: "Brahim"},
        deals=1,
        moves=36,
        draws=Draws.FIXED,
        seats_with_entropy=1,
        ended="PLAYED",
        winners=(1,),
        scores=(0, 4),
        public_key=KEY.public_key,
        key_expected=False,
        views=111,
    )


def test_a_drawn_first_dealer_is_derived_from_the_shuffle() -> None:
    """With the dealer drawn the first byte of deal 1 says who: 182, and 182 modulo 3 is 2."""
    match = PlayedMatch(maghribi(1, drawn=True), 3)
    assert match.records[5].event_logged.event.first_dealer_drawn.seat == 2
    assert audit(match.data).ok


def test_fixed_draws_need_no_seed_for_the_cards_but_the_seed_is_still_checked() -> None:
    """A drawn dealer comes from the shuffle even where the cards are fixed."""
    match = PlayedMatch(maghribi(1, drawn=True), fixed=FIXED, policy=first_card)
    assert audit(match.data).ok


@settings(max_examples=15)
@given(
    seats=st.integers(2, 4),
    policy=st.integers(0, 1 << 32),
    seed=st.binary(min_size=32, max_size=32),
)
def test_every_match_that_is_played_audits(seats: int, policy: int, seed: bytes) -> None:
    """Whatever the cards and the moves, the audit agrees with the referee."""
    match = PlayedMatch(maghribi(25), seats, policy=some_policy(policy), seed=seed)
    assert audit(match.data).finding is None


def test_a_file_is_audited_from_its_path_alone(tmp_path: Path) -> None:
    """The path is all that is needed, and progress comes with bytes inside the file."""
    data = PlayedMatch(maghribi(41), 2).data
    path = tmp_path / "match.rlog"
    path.write_bytes(data)
    told: list[int] = []
    assert audit_file(path, on_progress=told.append).ok
    assert told[0] == 8
    assert told == sorted(set(told))
    assert told[-1] < len(data)


def test_another_key_than_the_expected_one_is_found_in_the_header() -> None:
    """A log that is right in itself may still be somebody else's."""
    report = audit(PlayedMatch().data, b"\x01" * 32)
    assert report.finding is not None
    assert report.finding.kind is FindingKind.KEY_NOT_EXPECTED
    assert (report.finding.record, report.finding.offset) == (0, 8)
    assert report.finding.recorded == KEY.public_key.hex()
    assert report.finding.expected == "01" * 32


def test_a_log_beyond_all_bounds_is_not_read_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file without end is left where it grows beyond any match."""
    assert LONGEST_LOG == 268_435_456
    monkeypatch.setattr("ronda_referee.audit.records.LONGEST_LOG", 1_000)
    data = PlayedMatch().data
    report = audit(data)
    assert report.finding is not None
    assert report.finding.kind is FindingKind.LOG_TOO_LONG
    # The magic, at most 1,000 bytes of records, and the eleven bytes of ten lengths.
    assert 8 < report.finding.offset <= 1_019
    assert len(Records(io.BytesIO(data)).openings) == 0
