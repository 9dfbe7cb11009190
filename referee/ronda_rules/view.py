"""Views: what a seat and the public may see, built from allowed fields only (clause ANN-10)."""

from dataclasses import dataclass, replace

from ronda_rules.announcements import seats_to_answer
from ronda_rules.cards import Card, RankIndex, ascending, size_of
from ronda_rules.engine import Asked, SeatsToAct, decide
from ronda_rules.events import AnnouncementSealed, Answer, Event, HandDealt
from ronda_rules.rule_set import AnnouncementKind, Timing
from ronda_rules.state import NOBODY, Held, MatchState


@dataclass(frozen=True, slots=True)
class AnnouncementView:
    """An announcement of the current deal as everyone sees it: its kind, not its rank."""

    batch: int
    seat: int
    kind: AnnouncementKind


@dataclass(frozen=True, slots=True)
class HeldView:
    """The pile of a chain beside the table, for all to see (clause CHAIN-5)."""

    seat: int
    rank: RankIndex
    step: int
    cards: int
    mesa: int


@dataclass(frozen=True, slots=True)
class DebtView:
    """Cards that one side owes another (clause PAY-3)."""

    payer: int
    receiver: int
    cards: int


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
    asked: Asked | None
    held: HeldView | None
    answered: tuple[int, ...]
    debts: tuple[DebtView, ...]
    forfeited: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeatView:
    """What one seat may see: the public view and its own hand, in the order dealt."""

    public: PublicView
    seat: int
    hand: tuple[Card, ...]


def public_view(state: MatchState) -> PublicView:
    """Give what everyone may see of a match."""
    to_act, asked = _asked(state)
    held = state.held
    return PublicView(
        rule_set_id=state.rules.id,
        seats=state.seats,
        deal=state.deal,
        dealer=max(state.dealer, 0),
        batch=state.batch,
        last_batch=state.last_batch,
        to_act=to_act,
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
        asked=asked,
        held=None if held is None else _held(held),
        answered=tuple(sorted({*state.answered, *(seat for seat, _ in state.sealed)})),
        debts=tuple(DebtView(debt.payer, debt.receiver, debt.cards) for debt in state.debts),
        forfeited=state.forfeited,
    )


def seat_view(state: MatchState, seat: int, public: PublicView | None = None) -> SeatView:
    """Give what a seat may see of a match; `public` is what everyone may, where it is known."""
    return SeatView(public_view(state) if public is None else public, seat, state.hands[seat])


def owner(event: Event) -> int | None:
    """Give the seat that alone may see an event in full, or None where everyone may."""
    return event.seat if isinstance(event, HandDealt | AnnouncementSealed) else None


def public_part(event: Event) -> Event:
    """Give an event without what only its owner may see."""
    match event:
        case HandDealt():
            return replace(event, cards=())
        case AnnouncementSealed():
            return replace(event, answer=Answer.HIDDEN)
        case _:
            return event


def moves_are_hidden(state: MatchState) -> bool:
    """Whether what a seat does now stays hidden from the others, as sealed answers (ANN-2)."""
    return state.rules.timing is Timing.SIMULTANEOUS and bool(seats_to_answer(state))


def observed(event: Event, seat: int | None) -> Event:
    """Give an event as a seat, or the public (None), may see it."""
    return event if owner(event) in {None, seat} else public_part(event)


def _held(held: Held) -> HeldView:
    return HeldView(held.seat, held.rank, held.step, held.cards, held.mesa)


def _asked(state: MatchState) -> tuple[tuple[int, ...], Asked | None]:
    match decide(state):
        case SeatsToAct(seats, asked):
            return seats, asked
        case _:
            return (), None
