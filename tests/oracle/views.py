"""ANN-10: what may be seen, made from everything that has happened and nothing else."""

from dataclasses import dataclass, field

from ronda.conformance.v1 import testee_service_pb2 as testee_pb2
from ronda.v1 import event_pb2, rule_set_pb2, view_pb2
from tests.oracle.cards import Card, from_message, to_message, to_messages
from tests.oracle.match import Match

DEALING = {
    "deal_started",
    "batch_started",
    "hand_dealt",
    "table_turned",
    "table_returned",
    "match_ended",
}
CARDS = {
    "card_played",
    "card_laid",
    "cards_captured",
    "cards_held",
    "chain_closed",
    "leftovers_taken",
}
ANNOUNCEMENTS = {"announcement_made", "announcement_sealed", "announcement_passed"}


@dataclass
class Seen:
    """What the events so far add up to."""

    rules: rule_set_pb2.RuleSet
    seats: int
    sides: int
    deal: int = 0
    dealer: int = 0
    batch: int = 0
    last_batch: bool = False
    table: list[Card] = field(default_factory=list)
    hands: list[list[Card]] = field(default_factory=list)
    piles: list[int] = field(default_factory=list)
    pack: int = 40
    # Turned cards that went back and are no part of the pack yet (DEAL-8).
    gone_back: int = 0
    scores: list[int] = field(default_factory=list)
    announced: list[view_pb2.AnnouncementView] = field(default_factory=list)
    answered: set[int] = field(default_factory=set)
    caida_card: Card | None = None
    last_capturer: int | None = None
    played: Card = (0, 0)
    held: view_pb2.HeldView | None = None
    debts: list[event_pb2.CardsDue] = field(default_factory=list)
    over: bool = False
    winners: list[int] = field(default_factory=list)
    # How many events of the match have been seen.
    events: int = 0

    def gain(self, shares: list[event_pb2.Share], sign: int = 1) -> None:
        """Add what scored in play, where it is points that score."""
        if self.rules.scoring == rule_set_pb2.SCORING_POINTS:
            for share in shares:
                self.scores[share.side] += sign * share.points

    def take(self, seat: int, cards: int) -> None:
        """Put captured cards into the pile of a seat's side."""
        self.piles[seat % self.sides] += cards
        self.last_capturer = seat

    def off_table(self, cards: list[Card]) -> None:
        """Take cards from the table."""
        self.table = [card for card in self.table if card not in cards]

    def see(self, event: event_pb2.Event) -> None:
        """Add one event."""
        which = event.WhichOneof("event") or ""
        if which in DEALING:
            self.see_dealing(which, event)
        elif which in CARDS:
            self.see_card(which, event)
        elif which in ANNOUNCEMENTS:
            self.see_announcement(which, event)
        else:
            self.see_score(which, event)

    def see_dealing(self, which: str, event: event_pb2.Event) -> None:
        """Add what begins, is dealt, and ends."""
        if which == "deal_started":
            self.deal, self.dealer = event.deal_started.deal, event.deal_started.dealer
            self.piles = [0] * self.sides
            self.hands = [[] for _ in range(self.seats)]
        elif which == "batch_started":
            self.batch, self.last_batch = event.batch_started.batch, event.batch_started.last
            self.answered = set()
            for debt in self.debts:
                debt.award = False
            if not self.rules.chain_across_batches:
                self.caida_card = None
        elif which == "hand_dealt":
            hand = [from_message(card) for card in event.hand_dealt.cards]
            self.hands[event.hand_dealt.seat] = hand
            self.pack -= len(hand)
        elif which == "table_turned":
            self.table += [from_message(card) for card in event.table_turned.cards]
            self.pack += self.gone_back - len(event.table_turned.cards)
            self.gone_back = 0
        elif which == "table_returned":
            self.off_table([from_message(card) for card in event.table_returned.cards])
            self.gone_back = len(event.table_returned.cards)
        elif which == "match_ended":
            self.over, self.winners = True, list(event.match_ended.winners)

    def see_card(self, which: str, event: event_pb2.Event) -> None:
        """Add what becomes of cards."""
        if which == "card_played":
            self.played = from_message(event.card_played.card)
            self.hands[event.card_played.seat].remove(self.played)
        elif which == "card_laid":
            self.table.append(self.played)
            self.caida_card = self.played
        elif which == "cards_captured":
            self.off_table([from_message(card) for card in event.cards_captured.cards])
            self.take(event.cards_captured.seat, len(event.cards_captured.cards) + 1)
            self.caida_card = None
        elif which == "cards_held":
            before = self.held.cards if self.held is not None else 0
            self.off_table([from_message(card) for card in event.cards_held.cards])
            self.held = view_pb2.HeldView(
                seat=event.cards_held.seat,
                rank=to_message(self.played).rank,
                step=event.cards_held.step,
                cards=before + len(event.cards_held.cards) + 1,
                mesa=event.cards_held.mesa,
            )
            self.caida_card = None
        elif which == "chain_closed":
            self.held = None
            self.take(event.chain_closed.seat, event.chain_closed.card_count)
        elif which == "leftovers_taken":
            self.piles[event.leftovers_taken.seat % self.sides] += len(self.table)
            self.table = []
            self.caida_card = None

    def see_announcement(self, which: str, event: event_pb2.Event) -> None:
        """Add what is said before the cards."""
        if which == "announcement_made":
            self.answered.add(event.announcement_made.seat)
            self.announced.append(
                view_pb2.AnnouncementView(
                    batch=self.batch,
                    seat=event.announcement_made.seat,
                    kind=event.announcement_made.kind,
                )
            )
        elif which == "announcement_sealed":
            self.answered.add(event.announcement_sealed.seat)
        elif which == "announcement_passed":
            self.answered.add(event.announcement_passed.seat)

    def see_score(self, which: str, event: event_pb2.Event) -> None:
        """Add what scores, is due and is paid."""
        if which == "play_awarded":
            self.gain(list(event.play_awarded.shares))
        elif which == "announcements_awarded":
            self.gain(list(event.announcements_awarded.shares))
        elif which == "award_withdrawn":
            self.gain(list(event.award_withdrawn.shares), -1)
            self.debts = [debt for debt in self.debts if not debt.award]
        elif which == "false_announcement_penalised":
            self.gain(list(event.false_announcement_penalised.shares))
        elif which == "undeclared_penalised":
            self.gain(list(event.undeclared_penalised.shares))
        elif which == "duty_awarded":
            self.gain(list(event.duty_awarded.shares))
        elif which == "piles_counted":
            for share in event.piles_counted.shares:
                self.scores[share.side] += share.points
            self.debts = []
        elif which == "cards_due":
            due = event_pb2.CardsDue()
            due.CopyFrom(event.cards_due)
            self.debts.append(due)
        elif which == "cards_paid":
            paid = event.cards_paid
            self.piles[paid.payer] -= paid.cards
            self.piles[paid.receiver] += paid.cards
            oldest = next(debt for debt in self.debts if debt.payer == paid.payer)
            oldest.cards -= paid.cards
            self.debts = [debt for debt in self.debts if debt.cards]


def seen(m: Match, watcher: Seen) -> Seen:
    """Show a watcher the events that it has not seen; a new deal begins from nothing but totals."""
    for event in m.events[watcher.events :]:
        if event.HasField("deal_started"):
            watcher = Seen(m.rules, m.seats, m.sides, scores=watcher.scores, events=watcher.events)
        watcher.see(event)
        watcher.events += 1
    return watcher


def sight(m: Match, so_far: Seen) -> testee_pb2.Sight:
    """Show what everyone and what each seat sees, given what the events add up to."""
    public = view_pb2.PublicView(
        rule_set_id=m.rules.id,
        seats=m.seats,
        deal=so_far.deal,
        dealer=so_far.dealer,
        batch=so_far.batch,
        last_batch=so_far.last_batch,
        to_act=m.to_act,
        table=to_messages(sorted(so_far.table)),
        hand_sizes=[len(hand) for hand in so_far.hands],
        pile_sizes=so_far.piles,
        pack_size=so_far.pack,
        scores=so_far.scores,
        announcements=so_far.announced,
        caida_card=None if so_far.caida_card is None else to_message(so_far.caida_card),
        last_capturer=so_far.last_capturer,
        over=so_far.over,
        winners=so_far.winners,
        asked=m.asked,
        held=so_far.held,
        answered=sorted(so_far.answered),
        debts=[
            view_pb2.DebtView(payer=debt.payer, receiver=debt.receiver, cards=debt.cards)
            for debt in so_far.debts
        ],
    )
    seats = [
        view_pb2.SeatView(public=public, seat=seat, hand=to_messages(so_far.hands[seat]))
        for seat in range(m.seats)
    ]
    return testee_pb2.Sight(public=public, seats=seats)
