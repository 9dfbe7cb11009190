"""Observations: what a seat knows as a vector, made of what it is shown and of nothing else."""

from collections.abc import Iterable

import numpy as np

from ronda.v1.card_pb2 import Card
from ronda.v1.decision_pb2 import Decision
from ronda.v1.event_pb2 import (
    AnnouncementChallenged,
    AnnouncementsRevealed,
    Event,
    FalseAnnouncementPenalised,
)
from ronda.v1.rule_set_pb2 import RuleSet
from ronda.v1.view_pb2 import Asked, PublicView, SeatView
from ronda_env.actions import PACK, card_number, kind_number, rank_number
from ronda_env.layout import (
    LENGTH,
    MOST_BATCHES,
    MOST_DEALS,
    MOST_IN_HAND,
    MOST_TARGETS,
    Vector,
    part,
)

_ASKED = {
    Asked.ASKED_ANNOUNCEMENT: 0,
    Asked.ASKED_CHALLENGE: 1,
    Asked.ASKED_CLAIM: 2,
    Asked.ASKED_CARD: 3,
}
_OF_THE_BATCH = ("revealed", "found_false", "shown_hands", "claimed", "played_now")
_OF_THE_DEAL = (*_OF_THE_BATCH, "punished", "played", "turned", "returned")


class Observer:
    """Keeps what one seat has seen of a match, and makes its observations.

    It is given every event as the seat may see it, once and in order, and knows nothing else.
    """

    def __init__(self, rule_set: RuleSet, seat: int, seats: int) -> None:
        """Know nothing but the rules.

        Args:
            rule_set: The rule set that is played.
            seat: The seat that sees.
            seats: How many seats play.
        """
        self._seat = seat
        self._seats = seats
        self._sides = 3 if seats == 3 else 2  # noqa: PLR2004 - the seat count itself
        self._unit = rule_set.target or PACK
        self._batch = 0
        # What events tell and no view repeats; it has the layout of an observation.
        self._seen = np.zeros(LENGTH, np.float32)
        part(self._seen, "seats")[:seats] = 1
        part(self._seen, "own_side")[0 : seats : self._sides] = 1

    def saw(self, event: Event) -> None:
        """Take in the next event, as the seat may see it."""
        match event.WhichOneof("event"):
            case "deal_started":
                self._forget(_OF_THE_DEAL)
            case "batch_started":
                self._forget(_OF_THE_BATCH)
                self._batch = event.batch_started.batch
            case "table_turned":
                self._mark("turned", event.table_turned.cards)
            case "table_returned":
                cards = event.table_returned.cards
                self._mark("turned", cards, 0)
                self._mark("returned", cards)
            case "card_played":
                self._played(self._place(event.card_played.seat), event.card_played.card)
            case "announcement_challenged":
                self._challenged(event.announcement_challenged)
            case "announcements_revealed":
                self._revealed(event.announcements_revealed)
            case "false_announcement_penalised":
                self._penalised(event.false_announcement_penalised)
            case "undeclared_penalised":
                if event.undeclared_penalised.HasField("claimant"):
                    part(self._seen, "claimed")[self._place(event.undeclared_penalised.seat)] = 1
            case _:
                pass

    def observe(self, view: SeatView, decision: Decision | None) -> Vector:
        """Return the observation of what the seat sees now.

        Args:
            view: What the seat sees.
            decision: What it is asked; None: it need not act.

        Returns:
            an array of `LENGTH` numbers, float32, as `ronda_env.FIELDS` says.
        """
        vector = self._seen.copy()
        public = view.public
        self._stage(vector, public)
        self._cards(vector, view)
        self._held_and_owed(vector, public)
        announced = part(vector, "announced")
        for one in public.announcements:
            announced[one.batch - 1, self._place(one.seat), kind_number(one.kind)] = 1
        if decision is not None:
            for kind in decision.true_announcements:
                part(vector, "true_announcements")[kind_number(kind)] = 1
        return vector

    def _stage(self, vector: Vector, public: PublicView) -> None:
        part(vector, "dealer")[self._place(public.dealer)] = 1
        if public.asked in _ASKED:
            part(vector, "asked")[_ASKED[public.asked]] = 1
        for name, seats in (("to_act", public.to_act), ("answered", public.answered)):
            for seat in seats:
                part(vector, name)[self._place(seat)] = 1
        part(vector, "deal")[0] = min(1.0, public.deal / MOST_DEALS)
        if public.batch:
            part(vector, "batch")[public.batch - 1] = 1
        part(vector, "last_batch")[0] = public.last_batch

    def _cards(self, vector: Vector, view: SeatView) -> None:
        public = view.public
        for name, cards in (("hand", view.hand), ("table", public.table)):
            for card in cards:
                part(vector, name)[card_number(card)] = 1
        if public.HasField("caida_card"):
            part(vector, "caida_card")[card_number(public.caida_card)] = 1
        if public.HasField("last_capturer"):
            part(vector, "last_capturer")[self._place(public.last_capturer)] = 1
        for seat, size in enumerate(public.hand_sizes):
            part(vector, "hand_sizes")[self._place(seat)] = size / MOST_IN_HAND
        for side, size in enumerate(public.pile_sizes):
            part(vector, "pile_sizes")[self._side(side)] = size / PACK
        for side, points in enumerate(public.scores):
            part(vector, "scores")[self._side(side)] = min(MOST_TARGETS, points / self._unit)
        part(vector, "pack_size")[0] = public.pack_size / PACK

    def _held_and_owed(self, vector: Vector, public: PublicView) -> None:
        if public.HasField("held"):
            held = public.held
            part(vector, "held_seat")[self._place(held.seat)] = 1
            part(vector, "held_rank")[rank_number(held.rank)] = 1
            part(vector, "held_step")[held.step - 1] = 1
            part(vector, "held_cards")[0] = held.cards / PACK
            part(vector, "held_mesa")[0] = held.mesa > 0
        debts = part(vector, "debts")
        for debt in public.debts:
            debts[self._side(debt.payer), self._side(debt.receiver)] += debt.cards / PACK
        np.minimum(debts, 1, out=debts)

    def _played(self, place: int, card: Card) -> None:
        number = card_number(card)
        part(self._seen, "played_now")[place, number] = 1
        part(self._seen, "played")[place, number] = self._batch / MOST_BATCHES

    def _challenged(self, shown: AnnouncementChallenged) -> None:
        place = self._place(shown.seat)
        for card in shown.hand:
            part(self._seen, "shown_hands")[place, card_number(card)] = 1
        if not shown.announcement_true:
            part(self._seen, "found_false")[place] = 1

    def _revealed(self, shown: AnnouncementsRevealed) -> None:
        """Note what a settlement shows of this batch; those at a deal's end show others too."""
        if shown.batch != self._batch:
            return
        for one in shown.announcements:
            place = self._place(one.seat)
            if one.rank:
                part(self._seen, "revealed")[place, rank_number(one.rank)] = 1
            else:
                part(self._seen, "found_false")[place] = 1

    def _penalised(self, penalised: FalseAnnouncementPenalised) -> None:
        place = self._place(penalised.seat)
        punished = part(self._seen, "punished")
        punished[place] = min(1.0, punished[place] + 1 / MOST_BATCHES)
        if penalised.batch == self._batch:
            part(self._seen, "found_false")[place] = 1

    def _mark(self, name: str, cards: Iterable[Card], value: float = 1) -> None:
        for card in cards:
            part(self._seen, name)[card_number(card)] = value

    def _forget(self, names: tuple[str, ...]) -> None:
        for name in names:
            part(self._seen, name)[...] = 0

    def _place(self, seat: int) -> int:
        """Return how many places after the own seat a seat is."""
        return (seat - self._seat) % self._seats

    def _side(self, side: int) -> int:
        """Return how many sides after the own side a side is."""
        return (side - self._seat) % self._sides
