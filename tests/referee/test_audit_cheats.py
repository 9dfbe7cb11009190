"""A referee that cheats and signs what it says is found out, at the record where it cheated.

Every log here is numbered, chained and signed as it should be, under the right key.
"""

from collections.abc import Callable
from functools import cache

import pytest

from ronda.v1 import card_pb2, event_pb2, log_pb2
from ronda_referee.audit import Finding, FindingKind
from ronda_referee.chain import commitment
from ronda_referee.convert import card_to_proto
from ronda_referee.shuffle import DealDraws, MatchDraws, commit, match_key
from ronda_rules.cards import FULL_PACK, Card, CardSet
from tests.referee.played_logs import (
    ENTROPIES,
    KEY,
    SEED,
    PlayedMatch,
    audit,
    cards,
    events_of,
    first_card,
    maghribi,
    records_of,
    rewrite,
)
from tests.referee.test_audit_honest import FIXED

Records = list[log_pb2.LogRecord]

# Records of the log of FIXED: 0 header, 1 and 2 joins, 3 match, 4 deal, 5 batch, 6 and 7 hands,
# 8 table, then turns of three records each and, in the second turn, an award.
FIRST_HAND, SECOND_HAND, TABLE, FIRST_MOVE, FIRST_AWARD = 6, 7, 8, 9, 15
RESULT, FIRST_OPENING, SIGNATURE = 137, 138, 150


def played() -> Records:
    """Give the records of one deal of fixed draws."""
    return [log_pb2.LogRecord.FromString(data) for data in _played()]


@cache
def _played() -> list[bytes]:
    match = PlayedMatch(maghribi(1), fixed=FIXED, policy=first_card)
    return [row.record for row in match.rows]


@cache
def _bluffed() -> PlayedMatch:
    return PlayedMatch(maghribi(25), 3)


def bluffed() -> Records:
    """Give the records of a match of three seats with all sorts of announcements."""
    return _bluffed().records


def found(records: Records) -> Finding:
    """Write the records as a cheating referee would and give what the audit finds."""
    report = audit(rewrite(records))
    assert report.finding is not None
    return report.finding


def event(record: log_pb2.LogRecord) -> event_pb2.Event:
    """Give the event that a record logs, to be changed in place."""
    return record.event_logged.event


def test_rewriting_alone_changes_nothing() -> None:
    """The honest log, written anew by these tests, is all right: what is found is the cheat."""
    assert audit(rewrite(played())).finding is None
    assert audit(rewrite(bluffed())).finding is None
    assert rewrite(bluffed()) == _bluffed().data


# --- the shuffle ---------------------------------------------------------------------------------


# With this seed deal 1 begins 11o 4b 3c, 2b 6e 1c, and a table that needs no mending; 5c is last.
CALM_SEED = b"\x05" * 32


def test_a_stacked_draw_is_found_at_the_hand_that_got_it() -> None:
    """A seat is dealt another card than the shuffle's, and everything after follows from it."""
    key = match_key(CALM_SEED, "m-7", ENTROPIES[:2])
    order = list(DealDraws(key, 1).cards(FULL_PACK, 40))
    honest = PlayedMatch(draws=MatchDraws(key, order), policy=first_card, seed=CALM_SEED)
    assert audit(honest.data).ok
    order[4], order[39] = order[39], order[4]
    stacked = PlayedMatch(draws=MatchDraws(key, order), policy=first_card, seed=CALM_SEED)
    finding = found(stacked.records)
    assert finding.kind is FindingKind.DRAW_WRONG
    assert finding.record == SECOND_HAND
    assert finding.clause == "DEAL-4"
    assert finding.recorded == "seat 1 gets 2b 5c 1c"
    assert finding.expected == "seat 1 gets 2b 6e 1c"


class SwappedDeals(MatchDraws):
    """Deals the second deal from the third deal's stream."""

    def cards(self, deal: int, pack: CardSet, count: int) -> tuple[Card, ...]:
        """Draw from another deal than the one that is played."""
        return super().cards(3 if deal == 2 else deal, pack, count)


def test_a_swapped_deal_is_found_at_its_first_hand() -> None:
    """The referee skips a deal that it does not like."""
    draws = SwappedDeals(match_key(SEED, "m-7", ENTROPIES[:2]))
    match = PlayedMatch(maghribi(41), draws=draws)
    finding = found(match.records)
    second_deal = events_of(match.records, "deal_started")[1]
    assert finding.kind is FindingKind.DRAW_WRONG
    assert finding.record == second_deal + 2
    assert match.records[finding.record].event_logged.event.HasField("hand_dealt")
    assert finding.clause == "DEAL-4"


def test_a_seed_chosen_after_the_commitment_is_found_at_the_result() -> None:
    """The deals fit the seed that is revealed, but the header committed to another."""
    records = PlayedMatch(seed=b"\x07" * 32).records
    records[0].header.seed_commitment = commit(SEED)
    finding = found(records)
    assert finding.kind is FindingKind.SEED_WRONG
    assert finding.record == records_of(records, "match_result")[0]
    assert finding.recorded == commit(b"\x07" * 32).hex()
    assert finding.expected == "6f0dffc4e847daf60065ef772bf0d9c4910a73ec57ff973149b376b1583d25ff"


@pytest.mark.parametrize("seed", [b"", SEED[:31], SEED + b"\x00", b"\x01" + SEED[1:]])
@pytest.mark.parametrize("make", [played, bluffed])
def test_a_seed_that_was_not_committed_to_is_found(
    seed: bytes, make: Callable[[], Records]
) -> None:
    """Also where the cards do not hang on it."""
    records = make()
    result = records_of(records, "match_result")[0]
    records[result].match_result.seed = seed
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.SEED_WRONG, result)


def test_bytes_of_a_seat_that_were_swallowed_are_found_at_the_first_hand() -> None:
    """What a seat brought to the shuffle must be what the shuffle was made of."""
    records = bluffed()
    records[1].seat_joined.entropy = b""
    finding = found(records)
    assert finding.kind is FindingKind.DRAW_WRONG
    assert finding.record == events_of(records, "hand_dealt")[0]


def test_a_dealer_who_was_not_drawn_is_found() -> None:
    """The seat that deals first is the shuffle's too."""
    records = PlayedMatch(maghribi(1, drawn=True), 3).records
    drawn = events_of(records, "first_dealer_drawn")[0]
    event(records[drawn]).first_dealer_drawn.seat = 0
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.DRAW_WRONG, drawn)
    assert finding.clause == "DEAL-3"
    assert finding.recorded == "seat 0 is drawn as the first dealer"
    assert finding.expected == "seat 2 is drawn as the first dealer"


def test_cards_that_were_not_fixed_are_found() -> None:
    """With fixed draws the header says what comes, and the records must agree."""
    records = played()
    event(records[TABLE]).table_turned.cards[0].suit = card_pb2.SUIT_BASTOS
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.DRAW_WRONG, TABLE)
    assert finding.clause == "DEAL-4"
    assert finding.recorded == "turned on the table: 1b 5o 10o 12o"
    assert finding.expected == "turned on the table: 1o 5o 10o 12o"


# --- hands and their openings --------------------------------------------------------------------


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
    assert (finding.kind, finding.record) == (FindingKind.DRAW_WRONG, FIRST_HAND)
    assert finding.recorded == "seat 0 gets 7o 1c 2c"
    assert finding.expected == "seat 0 gets 3 cards"


# --- moves ---------------------------------------------------------------------------------------


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


# --- events --------------------------------------------------------------------------------------


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


def lay_another(e: event_pb2.Event) -> None:
    """Lay a card of another suit."""
    e.card_laid.card.suit = e.card_laid.card.suit % 4 + 1  # type: ignore[assignment]  # 1 to 4


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


# --- before and after play -----------------------------------------------------------------------


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


def test_a_match_broken_off_is_found_where_the_result_stands() -> None:
    """A result in the middle of play comes instead of a move."""
    records = played()
    records[FIRST_MOVE + 3 : RESULT] = []
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.MOVE_MISSING, FIRST_MOVE + 3)
    assert (finding.recorded, finding.expected) == ("the result", "a move of seat 1")


def test_time_that_goes_back_is_found() -> None:
    """Each record is as old as the one before it, or younger."""
    records = played()
    records[FIRST_MOVE].time_ms = records[TABLE].time_ms - 1
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.TIME_WRONG, FIRST_MOVE)


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
    fixed = records[0].header.fixed_draws.cards
    fixed[3].suit = card_pb2.SUIT_UNSPECIFIED
    no_suit = found(records)
    fixed[3].CopyFrom(fixed[0])
    twice = found(records)
    fixed[3].CopyFrom(card_to_proto(cards("7c")[0]))
    del fixed[20:]
    too_few = found(records)
    for finding in (no_suit, twice, too_few):
        assert (finding.kind, finding.record) == (FindingKind.FIXED_DRAWS_INVALID, 0)
        assert finding.clause == "DEAL-4"
    assert "fixed_draws.cards[3].suit" in no_suit.detail
    assert "7o" in twice.detail
    assert "needs 22 cards or more, and 20 draws are fixed" in too_few.detail


def test_a_header_that_hides_that_the_draws_were_fixed_is_found() -> None:
    """Fixed draws that pass as the shuffle's are found at the first hand."""
    records = played()
    records[0].header.ClearField("fixed_draws")
    finding = found(records)
    assert (finding.kind, finding.record) == (FindingKind.DRAW_WRONG, FIRST_HAND)


def test_the_first_of_two_faults_is_the_one_named() -> None:
    """A wrong award before a wrong seed hides behind nothing, nor a broken chain behind both."""
    records = bluffed()
    number = events_of(records, "card_laid")[0]
    lay_another(event(records[number]))
    data = bytearray(rewrite(records))
    data[-100] ^= 1
    report = audit(bytes(data))
    assert report.finding is not None
    assert report.finding.record == number
