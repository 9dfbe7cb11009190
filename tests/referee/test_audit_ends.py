"""A referee that begins or ends a match as it likes is found out, whatever it signs."""

import pytest

from ronda.v1 import card_pb2, log_pb2, match_terms_pb2
from ronda_referee.audit import Finding, FindingKind
from ronda_referee.chain import commitment
from ronda_referee.convert import card_to_proto
from tests.referee.cheating import (
    FIRST_AWARD,
    FIRST_HAND,
    FIRST_MOVE,
    FIRST_OPENING,
    RESULT,
    SIGNATURE,
    TABLE,
    bluffed,
    found,
    played,
)
from tests.referee.played_by_hand import ByHand, at
from tests.referee.played_logs import (
    FIXED,
    KEY,
    audit,
    cards,
    maghribi,
    rewrite,
)


def test_a_wrong_winner_is_found_at_the_result() -> None:
    """The events say who won; the result must say the same."""
    records = played()
    records[RESULT].match_result.winners[:] = [0]
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.RESULT_WRONG, RESULT)
    assert (finding.clause, finding.recorded, finding.expected) == ("MATCH-2", "0", "1")


def test_a_shared_win_is_found_at_the_result() -> None:
    """A draw that was none."""
    records = played()
    records[RESULT].match_result.winners[:] = [0, 1]
    assert found(records).recorded == "0, 1"


def test_wrong_scores_are_found_at_the_result() -> None:
    """The totals are those of the play."""
    records = played()
    records[RESULT].match_result.scores[:] = [0, 5]
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.RESULT_WRONG, RESULT)
    assert (finding.clause, finding.recorded, finding.expected) == ("MATCH-1", "0, 5", "0, 4")


@pytest.mark.parametrize(("reason", "text"), [(0, "END_REASON_UNSPECIFIED"), (99, "99")])
def test_another_reason_is_found_at_the_result(reason: int, text: str) -> None:
    """A match played to its end ended by play."""
    records = played()
    records[RESULT].match_result.reason = reason  # type: ignore[assignment]  # as a hostile file may
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.RESULT_WRONG, RESULT)
    assert finding.recorded == text


def test_a_missing_result_is_found_where_it_is_lacking() -> None:
    """The first opening stands in its place."""
    records = played()
    del records[RESULT]
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.RECORD_OUT_OF_ORDER, RESULT)


def test_a_match_broken_off_is_no_match_that_was_played() -> None:
    """A result in the middle of play can only say that the match was cancelled, without winners."""
    records = played()
    records[FIRST_MOVE + 3 : RESULT] = []
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.RESULT_WRONG, FIRST_MOVE + 3)
    assert (finding.recorded, finding.expected) == ("END_REASON_PLAYED", "END_REASON_CANCELLED")
    records[FIRST_MOVE + 3].match_result.reason = log_pb2.END_REASON_CANCELLED
    finding = found(records)
    assert (finding.recorded, finding.expected) == ("1", "none")


def test_time_that_goes_back_is_found() -> None:
    """Each record is as old as the one before it, or younger."""
    records = played()
    records[FIRST_MOVE].time_ms = records[TABLE].time_ms - 1
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.TIME_WRONG, FIRST_MOVE)


def test_a_log_that_goes_on_from_another_is_found() -> None:
    """The first record names none before it."""
    report = audit(rewrite(played(), b"\x01" * 32))
    assert report.finding is not None
    assert (report.finding.kind, report.finding.record) == (FindingKind.CHAIN_BROKEN, 0)
    assert (report.finding.recorded, report.finding.expected) == ("01" * 32, "00" * 32)


@pytest.mark.parametrize("before", ["header", "play", "result"])
def test_seats_join_once_before_play(before: str) -> None:
    """A joining that is lacking, out of place or of nobody is named."""
    records = played()
    joined = records.pop(1)
    if before == "play":
        records.insert(FIRST_MOVE - 1, joined)
    elif before == "result":
        records.insert(RESULT - 1, joined)
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.RECORD_OUT_OF_ORDER, 2)
    assert (finding.recorded, finding.expected) == ("an event", "a seat's joining")


@pytest.mark.parametrize(
    ("seat", "detail", "expected"),
    [(1, "seat 1 joins again", "seat 0"), (2, "seat 2 is none of this match", "seat 0")],
)
def test_a_seat_that_cannot_join_is_found(seat: int, detail: str, expected: str) -> None:
    """Each seat of the match joins, each once."""
    records = played()
    records[2].seat_joined.seat = seat
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.SEAT_INVALID, 2)
    assert (finding.detail, finding.expected) == (detail, expected)


def test_a_signature_under_another_key_is_found() -> None:
    """Whoever changed the header's key cannot sign under it."""
    records = played()
    records[0].header.public_key = b"\x01" * 32
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.SIGNATURE_INVALID, SIGNATURE)


def test_a_log_whose_signature_is_missing_is_not_finished() -> None:
    """A log is over with its signature and not before."""
    finding = found(played()[:SIGNATURE])
    assert (finding.kind, finding.record) == (FindingKind.LOG_UNFINISHED, SIGNATURE)
    assert finding.expected == "the signature"


@pytest.mark.parametrize(
    ("field", "value", "kind"),
    [
        ("format_version", 2, FindingKind.FORMAT_UNSUPPORTED),
        ("format_version", 0, FindingKind.FORMAT_UNSUPPORTED),
        ("engine_version", "", FindingKind.HEADER_INCOMPLETE),
        ("match_id", "", FindingKind.HEADER_INCOMPLETE),
        ("seed_commitment", b"", FindingKind.HEADER_INCOMPLETE),
        ("seed_commitment", b"\x01" * 33, FindingKind.HEADER_INCOMPLETE),
        ("public_key", KEY.public_key[:31], FindingKind.HEADER_INCOMPLETE),
        ("seats", 5, FindingKind.RULE_SET_REFUSED),
        ("seats", 0, FindingKind.RULE_SET_REFUSED),
    ],
)
def test_a_header_that_lacks_something_is_found(
    field: str, value: int | str | bytes, kind: FindingKind
) -> None:
    """The header says everything that the audit needs."""
    records = played()
    setattr(records[0].header, field, value)
    finding = found(records)
    assert (finding.kind, finding.record, finding.offset) == (kind, 0, 8)


def test_a_rule_set_that_cannot_be_played_is_found() -> None:
    """An unset rule set and an unknown value are refused with the field's name."""
    records = played()
    records[0].header.rule_set.ladder[:] = [1, 2, 3, 4]
    assert found(records).kind is FindingKind.RULE_SET_REFUSED
    assert "ladder" in found(records).detail
    records[0].header.ClearField("rule_set")
    assert found(records).kind is FindingKind.RULE_SET_REFUSED


def test_another_rule_set_than_the_one_played_is_found_where_it_matters() -> None:
    """With mesa and caida worth two the first award is too small."""
    records = played()
    records[0].header.rule_set.ladder[:] = [2]
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.EVENT_WRONG, FIRST_AWARD)


def test_fixed_draws_that_cannot_be_made_are_found_in_the_header() -> None:
    """A card of no suit, a card twice in a deal, and too few cards are the organiser's fault."""
    records = played()
    fixed = records[RESULT].match_result.fixed_draws.cards

    def found_when_committed() -> Finding:
        result = records[RESULT].match_result
        draws = result.fixed_draws.SerializeToString(deterministic=True)
        sealed = commitment(result.fixed_draws_nonce, draws)
        records[0].header.fixed_draws_commitment = sealed
        return found(records)

    fixed[3].suit = card_pb2.SUIT_UNSPECIFIED
    no_suit = found_when_committed()
    fixed[3].CopyFrom(fixed[0])
    twice = found_when_committed()
    fixed[3].CopyFrom(card_to_proto(cards("7c")[0]))
    del fixed[20:]
    too_few = found_when_committed()
    for finding in (no_suit, twice, too_few):
        assert (finding.kind, finding.record) == (FindingKind.FIXED_DRAWS_INVALID, 0)
        assert finding.clause == "DEAL-4"
    assert "fixed_draws.cards[3].suit" in no_suit.detail
    assert "7o" in twice.detail
    assert "needs 22 cards or more, and 20 draws are fixed" in too_few.detail


def test_a_header_that_hides_that_the_draws_were_fixed_is_found() -> None:
    """Fixed draws that pass as the shuffle's are found at the first hand."""
    records = played()
    records[0].header.ClearField("fixed_draws_commitment")
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.DRAW_WRONG, FIRST_HAND)


def test_draws_that_are_shown_without_a_commitment_are_found() -> None:
    """A shuffled match has no fixed draws to show."""
    records = bluffed()
    place = len(records) - 1
    while not records[place].HasField("match_result"):
        place -= 1
    records[place].match_result.fixed_draws.cards.add()
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.FIXED_DRAWS_INVALID, place)


@pytest.mark.parametrize("fault", ["another card", "another nonce", "no draws", "short nonce"])
def test_fixed_draws_that_are_not_those_committed_to_are_found(fault: str) -> None:
    """The result must show what the header has committed to before anybody joined."""
    records = played()
    result = records[RESULT].match_result
    match fault:
        case "another card":
            result.fixed_draws.cards[-1].CopyFrom(result.fixed_draws.cards[0])
        case "another nonce":
            result.fixed_draws_nonce = b"\x01" * 32
        case "no draws":
            result.ClearField("fixed_draws")
        case "short nonce":
            result.fixed_draws_nonce = b"\x01"
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.FIXED_DRAWS_INVALID, RESULT)
    assert finding.clause == "DEAL-4"


@pytest.mark.parametrize("field", ["time_ms", "clock_ms"])
@pytest.mark.parametrize("number", [FIRST_MOVE + 1, RESULT, FIRST_OPENING])
def test_what_follows_from_a_record_has_its_times(number: int, field: str) -> None:
    """An event dated later than its move would give the next seat time that it does not have."""
    records = played()
    for record in records[number:]:
        setattr(record, field, getattr(record, field) + 1)
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.TIME_WRONG, number)


def stuck(cancel_at: int) -> ByHand:
    """Play a match for which hands and table of one batch are fixed, until cards are lacking."""
    rule_set = maghribi()
    fixed = log_pb2.FixedDraws(cards=map(card_to_proto, FIXED[:10]))
    match = ByHand.begin(match_terms_pb2.MatchTerms(), rule_set=rule_set, fixed_draws=fixed)
    for clock_ms in range(6):
        match.lowest(clock_ms)
    assert match.play.decisions == {}
    match.take(match.play.cancel(log_pb2.END_REASON_CANCELLED, at(cancel_at)))
    return match


def test_a_match_that_was_cancelled_for_want_of_fixed_draws_is_all_right() -> None:
    """Ten cards are fixed, enough for one batch; then nobody can move, and the match is ended."""
    report = audit(stuck(cancel_at=99).data())
    assert report.finding is None
    assert (report.ended, report.moves, report.winners) == ("CANCELLED", 6, ())


def test_a_match_that_lacks_fixed_draws_was_not_played_to_its_end() -> None:
    """A result with a winner has nothing that brings it about."""
    records = [log_pb2.LogRecord.FromString(row.record) for row in stuck(cancel_at=99).rows]
    result = next(one for one in records if one.HasField("match_result"))
    result.match_result.reason = log_pb2.END_REASON_PLAYED
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.RESULT_WRONG, result.sequence)
