"""Views: what a seat and the public may see, built from allowed fields only (clause ANN-10)."""

from dataclasses import dataclass, replace

from ronda_rules.cards import Card, ascending, size_of
from ronda_rules.engine import SeatsToAct, decide
from ronda_rules.events import Event, HandDealt
from ronda_rules.rule_set import AnnouncementKind
from ronda_rules.state import NOBODY, MatchState


@dataclass(frozen=True, slots=True)
class AnnouncementView:
    """An announcement of the current deal as everyone sees it: its kind, not its rank."""

    batch: int
    seat: int
    kind: AnnouncementKind


@dataclass(frozen=True, slots=True)
class PublicView:
    """What everyone may see; the fields are those of ``ronda.v1.PublicView``."""

    rule_set_id: str
    seats: int
    deal: int
    dealer: int
    batch: int
    last_batch: bool
    to_act: tuple[int, ...]
    table: tuple[Card, ...]
    hand_sizes: tuple[int, ...]
    pile_sizes: tuple[int, ...]
    pack_size: int
    scores: tuple[int, ...]
    announcements: tuple[AnnouncementView, ...]
    caida_card: Card | None
    last_capturer: int | None
    over: bool
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeatView:
    """What one seat may see: the public view and its own hand, in the order dealt."""

    public: PublicView
    seat: int
    hand: tuple[Card, ...]


def public_view(state: MatchState) -> PublicView:
    """Give what everyone may see of a match."""
    decision = decide(state)
    return PublicView(
        rule_set_id=state.rules.id,
        seats=state.seats,
        deal=state.deal,
        dealer=max(state.dealer, 0),
        batch=state.batch,
        last_batch=state.last_batch,
        to_act=decision.seats if isinstance(decision, SeatsToAct) else (),
        table=ascending(state.table),
        hand_sizes=tuple(len(hand) for hand in state.hands),
        pile_sizes=state.piles,
        pack_size=size_of(state.pack),
        scores=state.scores,
        announcements=tuple(
            AnnouncementView(one.batch, one.seat, one.kind) for one in state.announcements
        ),
        caida_card=state.laid,
        last_capturer=None if state.last_capturer == NOBODY else state.last_capturer,
        over=bool(state.winners),
        winners=state.winners,
    )


def seat_view(state: MatchState, seat: int) -> SeatView:
    """Give what a seat may see of a match."""
    return SeatView(public_view(state), seat, state.hands[seat])


def owner(event: Event) -> int | None:
    """Give the seat that alone may see an event in full, or None where everyone may."""
    return event.seat if isinstance(event, HandDealt) else None


def public_part(event: Event) -> Event:
    """Give an event without what only its owner may see."""
    return replace(event, cards=()) if isinstance(event, HandDealt) else event


def observed(event: Event, seat: int | None) -> Event:
    """Give an event as a seat, or the public (None), may see it."""
    return event if owner(event) in {None, seat} else public_part(event)
