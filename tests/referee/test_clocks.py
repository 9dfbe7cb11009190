"""Clocks: what a decision may take, what a late seat loses, and that the log tells all of it."""

import dataclasses
import io

import pytest

from ronda.v1 import log_pb2, match_terms_pb2
from ronda_conformance.rule_set_files import load_rule_sets
from ronda_referee.audit import AuditReport, FindingKind, audit_stream
from ronda_referee.errors import ServiceError
from ronda_referee.play import Joined
from ronda_referee.restoring import restore
from tests.referee.played_by_hand import ByHand, at, card, sealer
from tests.referee.played_logs import KEY, SEED, rewrite

TIME = match_terms_pb2.TimeControl(per_move_ms=1000, bank_ms=5000, increment_ms=100)
FORFEIT = match_terms_pb2.MatchTerms(
    time_control=TIME, time_out=match_terms_pb2.TIME_OUT_FORFEIT, most_refusals=3
)
AUTOMATIC = match_terms_pb2.MatchTerms(
    time_control=TIME, time_out=match_terms_pb2.TIME_OUT_AUTOMATIC
)


def kinds(records: list[log_pb2.LogRecord]) -> list[str]:
    """Give what each record records; of events their kind."""
    found: list[str] = []
    for record in records:
        kind = record.WhichOneof("record") or ""
        event = record.event_logged.event.WhichOneof("event") or ""
        found.append(event if kind == "event_logged" else kind)
    return found


def deadlines(match: ByHand) -> list[int | None]:
    """Give each seat's deadline."""
    return [clock.deadline for clock in match.play.visible.clocks]


def banks(match: ByHand) -> list[int]:
    """Give what is in each seat's bank."""
    return [clock.bank_ms for clock in match.play.visible.clocks]


def audited(match: ByHand) -> AuditReport:
    """Audit the log of a match."""
    return audit_stream(io.BytesIO(match.data()), KEY.public_key)


def finding(match: ByHand, number: int, **changes: int) -> tuple[FindingKind, int]:
    """Change the times of one record, write the log anew, and give what the audit finds."""
    records = [log_pb2.LogRecord.FromString(row.record) for row in match.rows]
    for name, value in changes.items():
        place = records[number]
        if name == "deadline_ms":
            which = place.WhichOneof("record")
            assert which in {"move_accepted", "forfeit_declared"}
            place.move_accepted.deadline_ms = value
        else:
            setattr(place, name, value)
    report = audit_stream(io.BytesIO(rewrite(records)))
    assert report.finding is not None
    return report.finding.kind, report.finding.record


def test_a_decision_takes_its_own_time_first_and_then_the_bank() -> None:
    """1 s each, 5 s in the bank, 0.1 s for each move, to the millisecond."""
    match = ByHand.begin(FORFEIT)
    assert deadlines(match) == [6000, None]
    # 2 s more than its own second: 5000 - 2000 + 100.
    (accepted, *_) = match.lowest(3000)
    assert accepted.move_accepted.deadline_ms == 6000
    assert banks(match) == [3100, 5000]
    assert deadlines(match) == [None, 9000]
    # Within its own second.
    (accepted, *_) = match.lowest(3400)
    assert accepted.move_accepted.deadline_ms == 9000
    assert banks(match) == [3100, 5100]
    assert deadlines(match) == [3400 + 1000 + 3100, None]
    assert match.play.deadline == 7500


def test_a_seat_is_late_at_its_deadline_and_not_before() -> None:
    """With two seats the other has won; the record says which decision was open until when."""
    match = ByHand.begin(FORFEIT)
    assert match.run_out(5999) == []
    records = match.run_out(6000)
    assert kinds(records)[:4] == [
        "forfeit_declared",
        "seat_forfeited",
        "match_ended",
        "match_result",
    ]
    assert records[0].forfeit_declared == log_pb2.ForfeitDeclared(
        seat=0, reason=log_pb2.FORFEIT_REASON_TIME_OUT, decision_id=8, deadline_ms=6000
    )
    result = records[3].match_result
    assert (result.reason, list(result.winners)) == (log_pb2.END_REASON_FORFEITED, [1])
    report = audited(match)
    assert report.finding is None
    assert (report.ended, report.winners, report.forfeits) == ("FORFEITED", (1,), {0: "TIME_OUT"})
    assert match.run_out(9999) == []


def test_the_referee_plays_the_lowest_card_where_the_terms_say_so() -> None:
    """Seat 0 holds 11o 11e 11b; its bank is spent, so its next decision has 1 s."""
    match = ByHand.begin(AUTOMATIC)
    assert match.hand(0) == ["11o", "11e", "11b"]
    (accepted, *_) = match.run_out(6000)
    move = accepted.move_accepted
    assert (move.automatic, move.request_id, move.deadline_ms, move.decision_id) == (
        True,
        "",
        6000,
        8,
    )
    assert match.hand(0) == ["11e", "11b"]
    assert banks(match) == [0, 5000]
    match.lowest(6500)
    assert deadlines(match) == [6500 + 1000 + 0, None]


def test_a_match_that_nobody_plays_ends_and_audits() -> None:
    """Every move is the referee's, each at its deadline; both banks are spent once."""
    match = ByHand.begin(AUTOMATIC)
    while match.play.deadline is not None:
        match.run_out(match.play.deadline)
    report = audited(match)
    assert report.finding is None
    assert report.ended == "PLAYED"
    moves = [log_pb2.LogRecord.FromString(row.record) for row in match.rows]
    assert {one.move_accepted.automatic for one in moves if one.HasField("move_accepted")} == {True}
    # 5 s of two banks, and one second for every move.
    assert moves[-1].clock_ms == 10_000 + 1000 * report.moves


def test_with_three_seats_the_referee_plays_for_the_one_that_forfeits() -> None:
    """Seat 0 holds 4c 3c 12e: its 3c is played at once, and seat 1 is asked with a full second."""
    match = ByHand.begin(FORFEIT, 3)
    assert match.hand(0) == ["4c", "3c", "12e"]
    records = match.run_out(6000)
    assert kinds(records)[:4] == [
        "forfeit_declared",
        "seat_forfeited",
        "move_accepted",
        "card_played",
    ]
    move = records[2].move_accepted
    assert (move.automatic, move.HasField("deadline_ms"), records[2].clock_ms) == (
        True,
        False,
        6000,
    )
    assert match.hand(0) == ["4c", "12e"]
    assert deadlines(match) == [None, 12000, None]
    with pytest.raises(ServiceError, match="seat 0 has forfeited"):
        match.move(0, card("4c"), 6001)
    # The two others play to the end; seat 0, whatever it has captured, is no winner.
    clock = 6000
    while not match.play.over:
        clock += 10
        match.lowest(clock)
    report = audited(match)
    assert report.finding is None
    assert report.ended == "PLAYED"
    assert 0 not in report.winners
    assert report.forfeits == {0: "TIME_OUT"}


def test_seats_that_are_late_at_once_are_taken_in_order_of_their_deadlines() -> None:
    """Where all are asked at once the first deadline loses; of equal ones the first in play."""
    match = ByHand.begin(FORFEIT, 4, load_rule_sets()["khlaso"])
    assert deadlines(match) == [6000, 6000, 6000, 6000]
    records = match.run_out(7000)
    assert records[0].forfeit_declared.seat == 0
    assert list(records[3].match_result.winners) == [1]


def test_not_joining_in_time_cancels_the_match() -> None:
    """Nobody has won, and the seed is shown as ever."""
    terms = match_terms_pb2.MatchTerms(join_timeout_ms=500)
    match = ByHand.begin(terms, joined=False)
    match.rows += match.play.join(1, Joined("", b"x"), at(10))
    assert match.run_out(499) == []
    records = match.run_out(500)
    assert kinds(records) == ["match_result", "signature"]
    result = records[0].match_result
    assert (result.reason, list(result.winners), list(result.scores)) == (
        log_pb2.END_REASON_NOT_JOINED,
        [],
        [],
    )
    assert result.seed == SEED
    report = audited(match)
    assert (report.finding, report.ended, report.winners) == (None, "NOT_JOINED", ())
    with pytest.raises(ServiceError, match="MATCH_CANCELLED"):
        match.play.join(0, Joined("", b""), at(501))


def test_a_cancelled_match_audits_as_far_as_it_was_played() -> None:
    """It may have been cancelled at any decision; the scores are those so far."""
    match = ByHand.begin(FORFEIT)
    match.lowest(100)
    match.take(match.play.cancel(log_pb2.END_REASON_CANCELLED, at(200)))
    report = audited(match)
    assert (report.finding, report.ended, report.moves) == (None, "CANCELLED", 1)
    assert match.play.cancel(log_pb2.END_REASON_CANCELLED, at(300)) == []


def test_a_match_that_was_cancelled_when_a_seat_was_late_is_found() -> None:
    """Seat 1 had won at 6000; whoever cancels the match then takes that away."""
    match = ByHand.begin(FORFEIT)
    rows = match.play.cancel(log_pb2.END_REASON_CANCELLED, at(6000))
    match.take(rows)
    report = audited(match)
    assert report.finding is not None
    assert (report.finding.kind, report.finding.record) == (
        FindingKind.CLOCK_WRONG,
        rows[0].sequence,
    )
    assert report.finding.expected == "before 6000 ms"
    sound = ByHand.begin(FORFEIT)
    sound.take(sound.play.cancel(log_pb2.END_REASON_CANCELLED, at(5999)))
    assert audited(sound).finding is None


def test_a_header_that_does_not_say_what_becomes_of_a_late_seat_is_found() -> None:
    """The organiser may leave it open; the referee writes what it takes that for."""
    match = ByHand.begin(match_terms_pb2.MatchTerms(time_control=TIME))
    found = audited(match).finding
    assert found is not None
    assert (found.kind, found.record) == (FindingKind.TERMS_REFUSED, 0)


def resigned() -> ByHand:
    """Play two cards, and have seat 1, which need not act, resign."""
    match = ByHand.begin(FORFEIT)
    match.lowest(3000)
    match.lowest(3400)
    rows, _ = match.play.resign(1, at(3500))
    match.take(rows)
    return match


def test_a_seat_may_resign_when_it_is_not_asked() -> None:
    """Its record leaves no decision open; again it has the same number and adds nothing."""
    match = resigned()
    (number,) = (
        row.sequence
        for row in match.rows
        if log_pb2.LogRecord.FromString(row.record).HasField("forfeit_declared")
    )
    declared = log_pb2.LogRecord.FromString(match.rows[number].record).forfeit_declared
    assert declared == log_pb2.ForfeitDeclared(seat=1, reason=log_pb2.FORFEIT_REASON_RESIGNED)
    assert match.play.resign(1, at(9999)) == ([], number)
    assert audited(match).winners == (0,)


def number_of(match: ByHand, kind: str) -> int:
    """Give the number of the first record of a kind."""
    return kinds([log_pb2.LogRecord.FromString(row.record) for row in match.rows]).index(kind)


def test_a_false_deadline_is_found() -> None:
    """The first move says 6000; one more is wrong, and so is a move at its deadline."""
    match = resigned()
    move = number_of(match, "move_accepted")
    assert finding(match, move, deadline_ms=6001) == (FindingKind.CLOCK_WRONG, move)


def test_a_late_move_that_was_accepted_is_found() -> None:
    """Written at 6000, when the time of seat 0 had run out; what follows is moved along."""
    match = resigned()
    records = [log_pb2.LogRecord.FromString(row.record) for row in match.rows]
    move = number_of(match, "move_accepted")
    for record in records[move:]:
        record.clock_ms += 3000
    report = audit_stream(io.BytesIO(rewrite(records)))
    assert report.finding is not None
    assert (report.finding.kind, report.finding.record) == (FindingKind.CLOCK_WRONG, move)
    assert report.finding.expected == "before 6000 ms"


def test_a_forfeit_before_its_time_is_found() -> None:
    """The referee took a seat's time away: 5999 is not 6000."""
    match = ByHand.begin(FORFEIT)
    match.run_out(6000)
    records = [log_pb2.LogRecord.FromString(row.record) for row in match.rows]
    forfeit = number_of(match, "forfeit_declared")
    for record in records[forfeit:]:
        record.clock_ms -= 1
    report = audit_stream(io.BytesIO(rewrite(records)))
    assert report.finding is not None
    assert (report.finding.kind, report.finding.record) == (FindingKind.CLOCK_WRONG, forfeit)


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"reason": 0}, FindingKind.FORFEIT_WRONG),
        ({"reason": 9}, FindingKind.FORFEIT_WRONG),
        ({"seat": 5}, FindingKind.FORFEIT_WRONG),
        ({"decision_id": 7}, FindingKind.DECISION_WRONG),
        ({"seat": 1, "decision_id": 0}, FindingKind.CLOCK_WRONG),
    ],
)
def test_a_false_forfeit_is_found(change: dict[str, int], kind: FindingKind) -> None:
    """Another reason, seat or decision than the true one."""
    match = ByHand.begin(FORFEIT)
    match.run_out(6000)
    records = [log_pb2.LogRecord.FromString(row.record) for row in match.rows]
    forfeit = number_of(match, "forfeit_declared")
    for name, value in change.items():
        setattr(records[forfeit].forfeit_declared, name, value)
    report = audit_stream(io.BytesIO(rewrite(records)))
    assert report.finding is not None
    assert (report.finding.kind, report.finding.record) == (kind, forfeit)


def test_a_move_that_the_referee_invents_is_found() -> None:
    """It plays for a seat only as the terms say, and only a pass or the lowest card."""
    match = ByHand.begin(AUTOMATIC)
    match.run_out(6000)
    records = [log_pb2.LogRecord.FromString(row.record) for row in match.rows]
    move = number_of(match, "move_accepted")
    assert records[move].move_accepted.move.play.card.suit == 1
    records[0].header.terms.time_out = match_terms_pb2.TIME_OUT_FORFEIT
    # A log that ends early is found too, but only after this.
    report = audit_stream(io.BytesIO(rewrite([*records, *_ending()])))
    assert report.finding is not None
    assert report.finding.kind is FindingKind.AUTOMATIC_MOVE_WRONG


def _ending() -> list[log_pb2.LogRecord]:
    match = ByHand.begin(AUTOMATIC)
    match.run_out(6000)
    rows = match.play.cancel(log_pb2.END_REASON_CANCELLED, at(6001))
    return [log_pb2.LogRecord.FromString(row.record) for row in rows]


@pytest.mark.parametrize("terms", [FORFEIT, AUTOMATIC])
@pytest.mark.parametrize("seats", [2, 3])
def test_a_match_comes_back_with_its_clocks(terms: match_terms_pb2.MatchTerms, seats: int) -> None:
    """After any cause the rows give the same clocks, decisions and what may be shown."""
    match = ByHand.begin(terms, seats)
    match.lowest(700)
    match.lowest(2900)
    match.run_out(20_000)
    play = restore("m-7", SEED, match.rows, sealer(), KEY.sign)
    assert play.visible == match.play.visible
    assert play.decisions == match.play.decisions
    assert (play.deadline, play.ended) == (match.play.deadline, match.play.ended)
    assert play.stamp == match.play.stamp


def test_spectators_are_as_many_turns_behind_as_the_terms_say() -> None:
    """With two turns of delay they see the third turn's beginning when the fifth begins."""
    match = ByHand.begin(match_terms_pb2.MatchTerms(spectator_delay=2))
    shown = [match.play.delayed.turns]
    sequences = [match.play.visible.sequence]
    for turn in range(5):
        match.lowest(turn)
        shown.append(match.play.delayed.turns)
        sequences.append(match.play.visible.sequence)
    assert shown == [0, 0, 0, 1, 2, 3]
    assert match.play.delayed.sequence == sequences[3]
    again = restore("m-7", SEED, match.rows, sealer(), KEY.sign)
    assert again.delayed == match.play.delayed
    match.take(match.play.cancel(log_pb2.END_REASON_CANCELLED, at(99)))
    assert match.play.delayed.sequence == len(match.rows)


def test_a_record_cannot_be_dropped_from_the_store() -> None:
    """A row that is lacking or changed is found before the match goes on."""
    match = resigned()
    rows = match.rows
    changed = dataclasses.replace(rows[9], record=rows[9].record + b"")
    assert restore("m-7", SEED, [*rows[:9], changed, *rows[10:]], sealer(), KEY.sign).over
    for damaged in (rows[:-1], rows[:10], [*rows[:12], *rows[13:]]):
        with pytest.raises(Exception, match="record"):
            restore("m-7", SEED, damaged, sealer(), KEY.sign)


def test_the_lowest_card_is_the_lowest_rank_then_the_first_suit() -> None:
    """Seat 1 holds 5o 5c 4o: the 4; with 5o 5c left the one of oros."""
    match = ByHand.begin(AUTOMATIC)
    assert match.hand(1) == ["5o", "5c", "4o"]
    match.move(0, card("11o"), 10)
    match.run_out(100_000)
    assert match.hand(1) == ["5o", "5c"]
