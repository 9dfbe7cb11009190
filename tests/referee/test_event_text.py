"""Every event has a line of text, whole or hidden, sound or not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ronda.v1 import card_pb2, event_pb2, rule_set_pb2
from ronda_referee.event_text import Names, card_text, cards_text, event_text, printable

NAMES = Names(2, {0: "Amina", 1: ""})
TEAMS = Names(4, {0: "Amina"})
OROS, COPAS = card_pb2.SUIT_OROS, card_pb2.SUIT_COPAS
SEVEN = card_pb2.Card(rank=card_pb2.RANK_7, suit=OROS)
TEN = card_pb2.Card(rank=card_pb2.RANK_10, suit=COPAS)
RONDA = rule_set_pb2.ANNOUNCEMENT_KIND_RONDA
TRINGA = rule_set_pb2.ANNOUNCEMENT_KIND_TRINGA
SHARE = event_pb2.Share(side=1, points=5)

E = event_pb2
LINES = [
    (E.Event(match_started=E.MatchStarted(seats=2)), "the match begins with 2 seats"),
    (
        E.Event(first_dealer_drawn=E.FirstDealerDrawn(seat=1)),
        "seat 1 is drawn as the first dealer",
    ),
    (E.Event(deal_started=E.DealStarted(deal=2, dealer=0)), "deal 2: Amina (seat 0) deals"),
    (E.Event(batch_started=E.BatchStarted(batch=1, hand_size=3)), "batch 1: 3 cards each"),
    (
        E.Event(batch_started=E.BatchStarted(batch=6, hand_size=1, last=True)),
        "batch 6, the last one: 1 card each",
    ),
    (
        E.Event(hand_dealt=E.HandDealt(seat=1, card_count=2, cards=[SEVEN, TEN])),
        "seat 1 gets 7o 10c",
    ),
    (E.Event(hand_dealt=E.HandDealt(seat=0, card_count=3)), "Amina (seat 0) gets 3 cards"),
    (E.Event(table_turned=E.TableTurned(cards=[SEVEN, TEN])), "turned on the table: 7o 10c"),
    (
        E.Event(
            table_returned=E.TableReturned(found=rule_set_pb2.TABLE_FORBID_RUNS, cards=[SEVEN])
        ),
        "the table has a run of four; back into the pack: 7o",
    ),
    (
        E.Event(
            table_returned=E.TableReturned(found=rule_set_pb2.TABLE_FORBID_PAIRS, cards=[SEVEN])
        ),
        "the table has a pair; back into the pack: 7o",
    ),
    (
        E.Event(announcement_made=E.AnnouncementMade(seat=1, kind=TRINGA)),
        "seat 1 announces a tringa",
    ),
    (
        E.Event(announcement_passed=E.AnnouncementPassed(seat=1)),
        "seat 1 announces nothing",
    ),
    (
        E.Event(announcement_sealed=E.AnnouncementSealed(seat=1, kind=TRINGA)),
        "seat 1 seals a tringa",
    ),
    (
        E.Event(announcement_sealed=E.AnnouncementSealed(seat=1, passed=True)),
        "seat 1 seals that it announces nothing",
    ),
    (E.Event(announcement_sealed=E.AnnouncementSealed(seat=1)), "seat 1 seals its answer"),
    (
        E.Event(cards_due=E.CardsDue(payer=1, receiver=0, cards=2, award=True)),
        "seat 1 owes Amina (seat 0) 2 cards for the announcements of this batch",
    ),
    (
        E.Event(cards_due=E.CardsDue(payer=1, receiver=0, cards=1)),
        "seat 1 owes Amina (seat 0) 1 card",
    ),
    (
        E.Event(cards_paid=E.CardsPaid(payer=1, receiver=0, cards=1)),
        "seat 1 pays Amina (seat 0) 1 card",
    ),
    (
        E.Event(cards_held=E.CardsHeld(seat=1, step=1, cards=[SEVEN], mesa=1)),
        "seat 1 holds the chain at step 1, with 7o; a mesa of 1 point travels along",
    ),
    (E.Event(card_played=E.CardPlayed(seat=1, card=SEVEN)), "seat 1 plays 7o"),
    (E.Event(cards_captured=E.CardsCaptured(seat=1, cards=[SEVEN, TEN])), "seat 1 captures 7o 10c"),
    (E.Event(card_laid=E.CardLaid(seat=1, card=SEVEN)), "seat 1 lays 7o on the table"),
    (
        E.Event(cards_held=E.CardsHeld(seat=1, step=1, cards=[SEVEN])),
        "seat 1 holds the chain at step 1, with 7o",
    ),
    (E.Event(cards_held=E.CardsHeld(seat=1, step=2)), "seat 1 holds the chain at step 2"),
    (
        E.Event(chain_closed=E.ChainClosed(seat=1, step=2, card_count=4)),
        "the chain closes at step 2: seat 1 takes 4 cards",
    ),
    (
        E.Event(play_awarded=E.PlayAwarded(seat=1, caida=5, mesa=1, shares=[SHARE])),
        "seat 1 makes caida 5 points and mesa 1 point: seat 1 +5",
    ),
    (
        E.Event(
            announcements_revealed=E.AnnouncementsRevealed(
                batch=2,
                announcements=[
                    E.RevealedAnnouncement(seat=0, kind=RONDA, rank=card_pb2.RANK_12),
                    E.RevealedAnnouncement(seat=1, kind=TRINGA),
                ],
            )
        ),
        "announced in batch 2: Amina (seat 0) a ronda of 12, seat 1 a false tringa",
    ),
    (
        E.Event(announcements_awarded=E.AnnouncementsAwarded(batch=2, shares=[SHARE])),
        "the announcements of batch 2 are paid: seat 1 +5",
    ),
    (
        E.Event(award_withdrawn=E.AwardWithdrawn(batch=2, shares=[SHARE])),
        "the award for the announcements of batch 2 is taken back: seat 1 -5",
    ),
    (
        E.Event(
            false_announcement_penalised=E.FalseAnnouncementPenalised(
                batch=2, seat=0, kind=TRINGA, shares=[SHARE]
            )
        ),
        "Amina (seat 0) is penalised for the false tringa of batch 2: seat 1 +5",
    ),
    (
        E.Event(
            undeclared_penalised=E.UndeclaredPenalised(batch=2, seat=0, kind=RONDA, shares=[SHARE])
        ),
        "Amina (seat 0) is penalised for the undeclared ronda of batch 2: seat 1 +5",
    ),
    (
        E.Event(
            undeclared_penalised=E.UndeclaredPenalised(
                batch=2, seat=0, kind=RONDA, shares=[SHARE], claimant=1
            )
        ),
        (
            "Amina (seat 0) is penalised for the undeclared ronda of batch 2 claimed by seat 1: "
            "seat 1 +5"
        ),
    ),
    (
        E.Event(
            announcement_challenged=E.AnnouncementChallenged(
                challenger=1, seat=0, hand=[SEVEN, TEN], announcement_true=False
            )
        ),
        "seat 1 challenges Amina (seat 0), who had 7o 10c: the announcement is false",
    ),
    (E.Event(window_passed=E.WindowPassed(seat=1)), "seat 1 passes"),
    (
        E.Event(duty_awarded=E.DutyAwarded(dealer=0, shares=[SHARE])),
        "the dealer's duty of Amina (seat 0): seat 1 +5",
    ),
    (
        E.Event(leftovers_taken=E.LeftoversTaken(seat=1, cards=[TEN])),
        "seat 1 takes what is left: 10c",
    ),
    (
        E.Event(piles_counted=E.PilesCounted(piles=[15, 25], shares=[SHARE])),
        "the piles are counted: Amina (seat 0) 15, seat 1 25: seat 1 +5",
    ),
    (
        E.Event(deal_ended=E.DealEnded(deal=1, scores=[3, 9])),
        "deal 1 ends; total points: Amina (seat 0) 3, seat 1 9",
    ),
    (
        E.Event(match_ended=E.MatchEnded(winners=[1], scores=[3, 9])),
        "the match is won by seat 1; total points: Amina (seat 0) 3, seat 1 9",
    ),
    (
        E.Event(match_ended=E.MatchEnded(winners=[0, 1], scores=[9, 9])),
        (
            "the match is drawn between Amina (seat 0) and seat 1; "
            "total points: Amina (seat 0) 9, seat 1 9"
        ),
    ),
    (E.Event(seat_forfeited=E.SeatForfeited(seat=0)), "Amina (seat 0) forfeits"),
    (E.Event(), "an event without content"),
]


@pytest.mark.parametrize(("event", "line"), LINES, ids=[line for _, line in LINES])
def test_events_read_as_people_would_say_them(event: event_pb2.Event, line: str) -> None:
    """Each event's line has its seats by name, its cards and its points."""
    assert event_text(event, NAMES) == line


def test_every_kind_of_event_has_a_line_here() -> None:
    """No kind of event is left out, neither of the code nor of this test."""
    kinds = {field.name for field in event_pb2.Event.DESCRIPTOR.fields}
    assert {event.WhichOneof("event") for event, _ in LINES} - {None} == kinds


def test_sides_of_four_seats_are_named_by_both_seats() -> None:
    """With four seats a side is two of them."""
    event = E.Event(match_ended=E.MatchEnded(winners=[1], scores=[3, 9]))
    line = "the match is won by seats 1 and 3; total points: seats 0 and 2 3, seats 1 and 3 9"
    assert event_text(event, TEAMS) == line


def test_two_seats_owe_and_pay() -> None:
    """The verb is that of several where a side is two seats."""
    due = E.Event(cards_due=E.CardsDue(payer=0, receiver=1, cards=1))
    paid = E.Event(cards_paid=E.CardsPaid(payer=1, receiver=0, cards=2))
    assert event_text(due, TEAMS) == "seats 0 and 2 owe seats 1 and 3 1 card"
    assert event_text(paid, TEAMS) == "seats 1 and 3 pay seats 0 and 2 2 cards"


def test_without_names_seats_are_numbers() -> None:
    """A caller that knows no names gets seat numbers."""
    assert event_text(E.Event(window_passed=E.WindowPassed(seat=2))) == "seat 2 passes"


def test_unknown_cards_are_shown_as_they_are() -> None:
    """A card that is none does not stop a reader."""
    odd = card_pb2.Card()
    odd.rank = 9  # type: ignore[assignment]  # what another version may write
    odd.suit = 7  # type: ignore[assignment]  # as above
    assert card_text(odd) == "?9?"
    assert cards_text([card_pb2.Card(), SEVEN]) == "?0? 7o"
    assert cards_text([]) == "-"


def test_names_cannot_steer_a_terminal() -> None:
    """Escapes, line ends and turned writing in a name are shown, not obeyed."""
    assert printable("Amina\x1b[31m\n") == r"Amina\x1b[31m\n"
    assert printable("\u202egnirts") == r"\u202egnirts"
    assert printable("أمينة 1") == "أمينة 1"
    names = Names(2, {0: "\x1b]0;x\x07"})
    assert names.seat(0) == r"\x1b]0;x\x07 (seat 0)"


@given(st.binary(max_size=60))
def test_any_event_that_can_be_read_has_one_line(data: bytes) -> None:
    """Whatever an event holds, its text is one line that a terminal can show."""
    event = event_pb2.Event()
    try:
        event.MergeFromString(data)
    except Exception:  # noqa: BLE001 - bytes that are no event are not this test's matter
        return
    assert event_text(event).isprintable()
