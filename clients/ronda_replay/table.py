"""What lies on the table, is held and has been scored, as far as the events tell.

A client's own bookkeeping: nothing is checked, and what no referee would write is taken as it is.
Only more than a match can have is left out, so that a state stays small whatever a log holds.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ronda.v1 import card_pb2, event_pb2, rule_set_pb2
from ronda_replay.names import side_of, sides_of

_SUITS: dict[int, str] = {
    card_pb2.SUIT_OROS: "o",
    card_pb2.SUIT_COPAS: "c",
    card_pb2.SUIT_ESPADAS: "e",
    card_pb2.SUIT_BASTOS: "b",
}
_RANKS = frozenset(card_pb2.Rank.values()) - {card_pb2.RANK_UNSPECIFIED}
PACK = 40
MOST_SEATS = 16
"""More than any match has: what a log says beyond them is left out."""
_MOST_DEBTS = 200

Card = tuple[int, int]
"""A rank and a suit, as the schema numbers them."""


def notation(card: Card) -> str:
    """Write a card as `7o` or `12b`; what is no rank or suit as ?."""
    rank, suit = card
    return (str(rank) if rank in _RANKS else "?") + _SUITS.get(suit, "?")


def cards_of(cards: Iterable[card_pb2.Card]) -> list[Card]:
    """Give cards of the schema as ranks and suits."""
    return [(int(card.rank), int(card.suit)) for card in cards]


@dataclass
class Hand:
    """A seat's hand: how many cards, and which where that is known."""

    count: int
    cards: list[Card] | None


@dataclass
class Turn:
    """The card that is being played, until it lies or the next one is."""

    seat: int
    card: Card
    taken: list[Card] = field(default_factory=list)


@dataclass
class Held:
    """A chain's pile beside the table."""

    seat: int
    step: int
    cards: int
    mesa: int


@dataclass
class Debt:
    """Cards that one side owes another; `award`: for the announcements of the batch in play."""

    payer: int
    receiver: int
    cards: int
    award: bool


@dataclass
class Table:
    """The match as it stands after some event.

    Attributes:
        seats: how many; 0: unknown.
        in_points: whether what is scored in play is points; else it is paid in cards, and the
            count alone scores.
        pack: cards that are not dealt yet, without those set aside.
        set_aside: cards that went back from the table and wait for their replacements (DEAL-8).
        said: the announcements of the deal: batch, seat and kind.
        piles: cards in the pile of each side.
        scores: total points of each side.
    """

    seats: int = 0
    in_points: bool = True
    deal: int = 0
    dealer: int | None = None
    batch: int = 0
    last_batch: bool = False
    pack: int = PACK
    set_aside: int = 0
    cards: list[Card] = field(default_factory=list)
    hands: dict[int, Hand] = field(default_factory=dict)
    turn: Turn | None = None
    held: Held | None = None
    said: list[tuple[int, int, int]] = field(default_factory=list)
    debts: list[Debt] = field(default_factory=list)
    piles: dict[int, int] = field(default_factory=dict)
    scores: dict[int, int] = field(default_factory=dict)
    forfeited: list[int] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)

    def start(self, seats: int, scoring: rule_set_pb2.Scoring.ValueType) -> None:
        """Take from the header what the events leave open."""
        self.seats = seats
        self.in_points = scoring != rule_set_pb2.SCORING_CARD_TRANSFER
        self.piles = dict.fromkeys(sides_of(seats), 0)
        self.scores = dict.fromkeys(sides_of(seats), 0)

    def follow(self, event: event_pb2.Event) -> None:  # noqa: C901 - one case per event
        """Take one event in."""
        match event.WhichOneof("event"):
            case "deal_started":
                self._begin_deal(event.deal_started)
            case "batch_started":
                self._begin_batch(event.batch_started)
            case "hand_dealt":
                dealt = event.hand_dealt
                cards = cards_of(dealt.cards)
                count = dealt.card_count or len(cards)
                self._give(dealt.seat, Hand(count, cards[:PACK] or None))
                self.pack -= count
            case "table_turned":
                self._lay(cards_of(event.table_turned.cards))
                self.pack += self.set_aside - len(event.table_turned.cards)
                self.set_aside = 0
            case "table_returned":
                self._take(cards_of(event.table_returned.cards))
                self.set_aside = len(event.table_returned.cards)
            case "announcement_made":
                made = event.announcement_made
                self.said = [*self.said, (self.batch, made.seat, made.kind)][:PACK]
            case "card_played":
                self._play(event.card_played)
            case "card_laid":
                self._lay(cards_of([event.card_laid.card]))
                self.turn = None
            case "cards_captured":
                self._capture(event.cards_captured)
            case "cards_held":
                self._hold(event.cards_held)
            case "chain_closed":
                closed = event.chain_closed
                self._to_pile(closed.seat, closed.card_count)
                self.held = None
            case "leftovers_taken":
                cards = cards_of(event.leftovers_taken.cards)
                self._take(cards)
                self._to_pile(event.leftovers_taken.seat, len(cards))
                self.turn = None
            case _:
                self._settle(event)

    def _settle(self, event: event_pb2.Event) -> None:
        """Take in what changes scores and debts and moves no card on the table."""
        which = event.WhichOneof("event")
        match which:
            case (
                "play_awarded"
                | "announcements_awarded"
                | "false_announcement_penalised"
                | "undeclared_penalised"
                | "duty_awarded"
            ):
                self._score(getattr(event, which).shares, 1 if self.in_points else 0)
            case "award_withdrawn":
                self._score(event.award_withdrawn.shares, -1 if self.in_points else 0)
                self.debts = [debt for debt in self.debts if not debt.award]
            case "cards_due":
                due = event.cards_due
                debt = Debt(due.payer, due.receiver, due.cards, due.award)
                self.debts = [*self.debts, debt][:_MOST_DEBTS]
            case "cards_paid":
                self._pay(event.cards_paid)
            case "piles_counted":
                self._score(event.piles_counted.shares, 1)
                self.piles = _by_side(event.piles_counted.piles)
                self.debts = []
            case "deal_ended":
                self.scores = _by_side(event.deal_ended.scores)
            case "match_ended":
                self.scores = _by_side(event.match_ended.scores)
                self.winners = list(event.match_ended.winners[:MOST_SEATS])
            case "seat_forfeited":
                forfeited = [*self.forfeited, event.seat_forfeited.seat]
                self.forfeited = forfeited[:MOST_SEATS]

    def _give(self, seat: int, hand: Hand) -> None:
        if seat in self.hands or len(self.hands) < MOST_SEATS:
            self.hands[seat] = hand

    def _begin_deal(self, started: event_pb2.DealStarted) -> None:
        self.deal, self.dealer = started.deal, started.dealer
        self.batch, self.last_batch = 0, False
        self.pack, self.set_aside = PACK, 0
        self.cards, self.said, self.debts = [], [], []
        self.hands = {}
        self.turn, self.held = None, None
        self.piles = dict.fromkeys(self.piles, 0)

    def _begin_batch(self, started: event_pb2.BatchStarted) -> None:
        self.batch, self.last_batch = started.batch, started.last
        self.turn = None
        for debt in self.debts:
            debt.award = False

    def _play(self, played: event_pb2.CardPlayed) -> None:
        (card,) = cards_of([played.card])
        self.turn = Turn(played.seat, card)
        hand = self.hands.get(played.seat)
        if hand is None:
            return
        hand.count = max(0, hand.count - 1)
        if hand.cards is not None and card in hand.cards:
            hand.cards.remove(card)

    def _capture(self, captured: event_pb2.CardsCaptured) -> None:
        cards = cards_of(captured.cards)
        self._take(cards)
        self._to_pile(captured.seat, len(cards) + 1)
        if self.turn is not None:
            self.turn.taken = cards[:PACK]

    def _hold(self, held: event_pb2.CardsHeld) -> None:
        cards = cards_of(held.cards)
        self._take(cards)
        before = self.held.cards if self.held is not None else 0
        self.held = Held(held.seat, held.step, before + len(cards) + 1, held.mesa)
        if self.turn is not None:
            self.turn.taken = cards[:PACK]

    def _lay(self, cards: list[Card]) -> None:
        self.cards = sorted([*self.cards, *cards[:PACK]])[:PACK]

    def _take(self, cards: list[Card]) -> None:
        taken = set(cards)
        self.cards = [card for card in self.cards if card not in taken]

    def _to_pile(self, seat: int, cards: int) -> None:
        side = side_of(seat, self.seats)
        _add(self.piles, side, cards)

    def _score(self, shares: Iterable[event_pb2.Share], sign: int) -> None:
        for share in shares:
            _add(self.scores, share.side, sign * share.points)

    def _pay(self, paid: event_pb2.CardsPaid) -> None:
        _add(self.piles, paid.payer, -paid.cards)
        _add(self.piles, paid.receiver, paid.cards)
        for debt in self.debts:
            if (debt.payer, debt.receiver) == (paid.payer, paid.receiver):
                debt.cards -= paid.cards
                break
        self.debts = [debt for debt in self.debts if debt.cards > 0]


def _add(numbers: dict[int, int], side: int, more: int) -> None:
    if side in numbers or len(numbers) < MOST_SEATS:
        numbers[side] = numbers.get(side, 0) + more


def _by_side(numbers: Sequence[int]) -> dict[int, int]:
    return dict(enumerate(numbers[:MOST_SEATS]))
