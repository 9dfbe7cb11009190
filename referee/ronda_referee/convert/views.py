"""Views, from the engine to the protocol."""

from ronda.v1 import view_pb2
from ronda_referee.convert.words import KIND_NUMBERS, RANK_NUMBERS, card_to_proto, cards_to_proto
from ronda_rules.cards import RANKS
from ronda_rules.engine import Asked
from ronda_rules.view import HeldView, PublicView, SeatView

_ASKED_NUMBERS = {
    None: view_pb2.ASKED_UNSPECIFIED,
    Asked.ANNOUNCEMENT: view_pb2.ASKED_ANNOUNCEMENT,
    Asked.CHALLENGE: view_pb2.ASKED_CHALLENGE,
    Asked.CLAIM: view_pb2.ASKED_CLAIM,
    Asked.CARD: view_pb2.ASKED_CARD,
}


def public_view_to_proto(view: PublicView) -> view_pb2.PublicView:
    """Give the message for what everyone may see."""
    return view_pb2.PublicView(
        rule_set_id=view.rule_set_id,
        seats=view.seats,
        deal=view.deal,
        dealer=view.dealer,
        batch=view.batch,
        last_batch=view.last_batch,
        to_act=view.to_act,
        table=cards_to_proto(view.table),
        hand_sizes=view.hand_sizes,
        pile_sizes=view.pile_sizes,
        pack_size=view.pack_size,
        scores=view.scores,
        announcements=[
            view_pb2.AnnouncementView(batch=one.batch, seat=one.seat, kind=KIND_NUMBERS[one.kind])
            for one in view.announcements
        ],
        caida_card=None if view.caida_card is None else card_to_proto(view.caida_card),
        last_capturer=view.last_capturer,
        over=view.over,
        winners=view.winners,
        asked=_ASKED_NUMBERS[view.asked],
        held=None if view.held is None else _held(view.held),
        answered=view.answered,
        debts=[
            view_pb2.DebtView(payer=debt.payer, receiver=debt.receiver, cards=debt.cards)
            for debt in view.debts
        ],
        forfeited=view.forfeited,
    )


def seat_view_to_proto(
    view: SeatView, public: view_pb2.PublicView | None = None
) -> view_pb2.SeatView:
    """Give the message for what one seat may see.

    `public` is the message for what everyone may see of the same match, where it is there already.
    """
    return view_pb2.SeatView(
        public=public_view_to_proto(view.public) if public is None else public,
        seat=view.seat,
        hand=cards_to_proto(view.hand),
    )


def _held(held: HeldView) -> view_pb2.HeldView:
    return view_pb2.HeldView(
        seat=held.seat,
        rank=RANK_NUMBERS[RANKS[held.rank]],
        step=held.step,
        cards=held.cards,
        mesa=held.mesa,
    )
