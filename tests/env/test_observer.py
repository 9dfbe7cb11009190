"""What an observer keeps of events and views, each given to it as a message."""

import numpy as np
import pytest

from ronda.v1.card_pb2 import Rank
from ronda.v1.event_pb2 import (
    AnnouncementsRevealed,
    BatchStarted,
    CardPlayed,
    DealStarted,
    Event,
    FalseAnnouncementPenalised,
    RevealedAnnouncement,
    UndeclaredPenalised,
)
from ronda.v1.rule_set_pb2 import AnnouncementKind, RuleSet
from ronda.v1.view_pb2 import AnnouncementView, DebtView, HeldView, PublicView, SeatView
from ronda_env import Observer, Vector, part
from tests.table.test_local_match import cards

RONDA = AnnouncementKind.ANNOUNCEMENT_KIND_RONDA
TRINGA = AnnouncementKind.ANNOUNCEMENT_KIND_TRINGA


def observed(*events: Event, seat: int = 0, **public: object) -> Vector:
    """Return what a seat of three observes after these events, with such a public view."""
    observer = Observer(RuleSet(target=41), seat, 3)
    for event in events:
        observer.saw(event)
    view = PublicView(seats=3)
    view.MergeFrom(PublicView(**public))  # type: ignore[arg-type]  # any of its fields
    return observer.observe(SeatView(public=view, seat=seat), None)


def deal(number: int) -> Event:
    """Return the beginning of a deal."""
    return Event(deal_started=DealStarted(deal=number, dealer=2))


def batch(number: int) -> Event:
    """Return the beginning of a batch."""
    return Event(batch_started=BatchStarted(batch=number, hand_size=3))


def revealed(number: int) -> Event:
    """Return what a settlement shows: seat 1 had a ronda of 11, seat 2 had lied."""
    shown = [
        RevealedAnnouncement(seat=1, kind=RONDA, rank=Rank.RANK_11),
        RevealedAnnouncement(seat=2, kind=TRINGA),
    ]
    return Event(announcements_revealed=AnnouncementsRevealed(batch=number, announcements=shown))


def penalised(number: int) -> Event:
    """Return a penalty of seat 1 for a false ronda of a batch."""
    return Event(
        false_announcement_penalised=FalseAnnouncementPenalised(batch=number, seat=1, kind=RONDA)
    )


PLAYED = Event(card_played=CardPlayed(seat=1, card=cards("10c")[0]))


def test_a_settlement_shows_ranks_and_lies() -> None:
    """Of the batch that is played; the one place after seat 1 is seat 2."""
    vector = observed(deal(1), batch(2), revealed(2), seat=1)
    assert np.argwhere(part(vector, "revealed")).tolist() == [[0, 8]]
    assert part(vector, "found_false").tolist() == [0, 1, 0, 0]


def test_what_is_shown_of_an_earlier_batch_is_not_taken_for_this_one() -> None:
    """A deal's end settles them all; a penalty for one of them counts for its seat's cap."""
    vector = observed(deal(1), batch(2), revealed(1), penalised(1))
    assert not part(vector, "revealed").any()
    assert not part(vector, "found_false").any()
    assert part(vector, "punished").tolist() == pytest.approx([0, 1 / 6, 0, 0])


def test_penalties_are_counted_within_a_deal() -> None:
    """Six of them are the most that there can be, and stay within the bounds."""
    vector = observed(deal(1), *(one for n in range(1, 7) for one in (batch(n), penalised(n))))
    assert part(vector, "punished").tolist() == [0, 1, 0, 0]
    assert part(vector, "found_false").tolist() == [0, 1, 0, 0]


def test_a_claim_that_has_succeeded_is_kept_for_its_batch() -> None:
    """One that the referee charged by itself is no claim."""
    claimed = Event(undeclared_penalised=UndeclaredPenalised(batch=1, seat=2, claimant=0))
    charged = Event(undeclared_penalised=UndeclaredPenalised(batch=1, seat=1))
    assert part(observed(deal(1), batch(1), claimed, charged), "claimed").tolist() == [0, 0, 1, 0]
    assert not part(observed(deal(1), batch(1), claimed, batch(2)), "claimed").any()


def test_a_new_deal_begins_with_nothing_seen() -> None:
    """Cards played and penalties of the deal before are forgotten."""
    before = observed(deal(1), batch(1), PLAYED, penalised(1))
    assert np.argwhere(part(before, "played")).tolist() == [[1, 17]]
    after = observed(deal(1), batch(1), PLAYED, penalised(1), deal(2))
    for name in ("played", "played_now", "punished", "found_false"):
        assert not part(after, name).any(), name


def test_a_chain_that_has_gone_on() -> None:
    """The third equal card: its second step, five cards, and a mesa that travels with it."""
    held = HeldView(seat=2, rank=Rank.RANK_12, step=2, cards=5, mesa=1)
    vector = observed(held=held, seat=1)
    assert part(vector, "held_seat").tolist() == [0, 1, 0, 0]
    assert np.flatnonzero(part(vector, "held_rank")).tolist() == [9]
    assert part(vector, "held_step").tolist() == [0, 1, 0]
    assert part(vector, "held_cards").tolist() == [0.125]
    assert part(vector, "held_mesa").tolist() == [1]


def test_debts_are_added_up_and_stay_within_the_bounds() -> None:
    """Seat 2 owes seat 0 twice, and seat 1 more than there are cards."""
    debts = [
        DebtView(payer=2, receiver=0, cards=3),
        DebtView(payer=2, receiver=0, cards=2),
        DebtView(payer=2, receiver=1, cards=50),
    ]
    assert part(observed(debts=debts, seat=1), "debts").tolist() == [
        [0, 0, 0],
        [1, 0, 0.125],
        [0, 0, 0],
    ]


def test_the_last_batch_and_announcements_of_all_batches() -> None:
    """By batch, by seat counted from the own one, by kind; a very late deal is as late as any."""
    made = [
        AnnouncementView(batch=1, seat=0, kind=TRINGA),
        AnnouncementView(batch=4, seat=2, kind=RONDA),
    ]
    vector = observed(batch=4, last_batch=True, announcements=made, deal=99, seat=2)
    assert part(vector, "last_batch").tolist() == [1]
    assert part(vector, "batch").tolist() == [0, 0, 0, 1, 0, 0]
    assert np.argwhere(part(vector, "announced")).tolist() == [[0, 1, 1], [3, 0, 0]]
    assert part(vector, "deal").tolist() == [1]
