"""The state of a match between two events, hidden cards included.

It is only ever made by `ronda_rules.evolve` from an event, by `initial` or from a position; nobody
but the referee sees it.
"""

from dataclasses import dataclass, field
from functools import cache
from typing import Final

from ronda_rules.cards import FULL_PACK, Card, CardSet, RankIndex
from ronda_rules.decisions import Decision
from ronda_rules.events import Answer, Shares
from ronda_rules.rule_set import AnnouncementKind, RuleSet

NOBODY: Final = -1


@dataclass(frozen=True, slots=True)
class Announcement:
    """An announcement of the current deal.

    `rank` is that of the combination in the hand it was made with, the higher of two pairs; it
    is None where the announcement is false (clauses ANN-3, ANN-4). `struck` says that a challenge
    has shown it to be false.
    """

    batch: int
    seat: int
    kind: AnnouncementKind
    rank: RankIndex | None
    struck: bool = False


@dataclass(frozen=True, slots=True)
class Held:
    """A chain's pile beside the table.

    Attributes:
        seat: whose chain it is now.
        rank: the rank that continues it.
        step: the last step reached, from 1.
        cards: how many cards are held.
        mesa: points of the mesa that travels with it.
    """

    seat: int
    rank: RankIndex
    step: int
    cards: int
    mesa: int


@dataclass(frozen=True, slots=True)
class Debt:
    """Cards that a side owes another; `award`: for the announcements of the present batch."""

    payer: int
    receiver: int
    cards: int
    award: bool


@dataclass(slots=True)
class MatchState:
    """Everything that the rules know of a match.

    It is not frozen, so that the events of one move can be folded into one copy of it; nothing but
    `ronda_rules.evolve` may set a field, and that does so in a copy that nobody else has yet.

    Attributes:
        rules: the rule set played.
        seats: how many seats play.
        deal: number of the deal from 1; 0 before the first.
        dealer: the seat that deals, `NOBODY` before the first deal.
        batch: number of the batch in the deal from 1; 0 before the first.
        hand_size: cards that each seat gets in this batch.
        last_batch: whether this batch is the deal's last.
        hands_dealt: hands handed out so far in this batch.
        cards_played: cards played so far in this batch, by all seats.
        pack: the cards not dealt yet.
        returned: turned cards that went back and whose replacements are not drawn yet.
        turned: the table of four in the order turned, while it is not complete and valid.
        hands: the cards in each seat's hand, in the order dealt.
        dealt: the hands as they were dealt in this batch.
        table: the face-up cards; never two of one rank.
        piles: cards in each side's pile.
        laid: the card that the seat before the one to play has just laid without capturing in
            this batch (clauses CHAIN-1, CHAIN-2).
        last_card: the card played last.
        held: the chain's pile beside the table, or None.
        last_capturer: the seat that captured last in this deal, or `NOBODY` (clause CAP-6).
        announcements: those of this deal, in the order made.
        answered: the seats that have answered for all to see, where all are asked (ANN-2).
        sealed: answers that are still hidden, each with its seat.
        passed: how many seats in order of play have passed in the present window.
        acted: the seat that acted last in a window or on its turn, or `NOBODY`.
        claimed: the seats against which a claim has succeeded in this batch.
        award: what the sides were given for this batch's announcements.
        award_dues: what was due for that award, where scores are paid in cards.
        debts: what the sides owe each other, the oldest first.
        punished: false announcements punished in this deal, by seat (clause ANN-9).
        scores: total points by side (clause MATCH-1).
        forfeited: the seats that have forfeited, ascending.
        winners: the winning side or those that share a draw; empty until the match is over.
        decision: what `ronda_rules.engine.decide` has found, no part of what a state is; None
            where it has not been asked.
    """

    rules: RuleSet
    seats: int
    hands: tuple[tuple[Card, ...], ...]
    piles: tuple[int, ...]
    punished: tuple[int, ...]
    scores: tuple[int, ...]
    deal: int = 0
    dealer: int = NOBODY
    batch: int = 0
    hand_size: int = 0
    last_batch: bool = False
    hands_dealt: int = 0
    cards_played: int = 0
    pack: CardSet = FULL_PACK
    returned: CardSet = 0
    turned: tuple[Card, ...] = ()
    table: CardSet = 0
    laid: Card | None = None
    last_capturer: int = NOBODY
    announcements: tuple[Announcement, ...] = ()
    winners: tuple[int, ...] = ()
    dealt: tuple[tuple[Card, ...], ...] = ()
    last_card: Card | None = None
    held: Held | None = None
    answered: tuple[int, ...] = ()
    sealed: tuple[tuple[int, AnnouncementKind | Answer], ...] = ()
    passed: int = 0
    acted: int = NOBODY
    claimed: tuple[int, ...] = ()
    award: Shares = ()
    award_dues: tuple[Debt, ...] = ()
    debts: tuple[Debt, ...] = ()
    forfeited: tuple[int, ...] = ()
    decision: Decision | None = field(default=None, init=False, repr=False, compare=False)

    def copied(self) -> "MatchState":
        """Give another state that is like this one."""
        # Field by field, since every move does it: by the constructor, whose arguments must all be
        # sorted out by their names, it would take thrice as long.
        copy = MatchState.__new__(MatchState)
        copy.rules = self.rules
        copy.seats = self.seats
        copy.hands = self.hands
        copy.piles = self.piles
        copy.punished = self.punished
        copy.scores = self.scores
        copy.deal = self.deal
        copy.dealer = self.dealer
        copy.batch = self.batch
        copy.hand_size = self.hand_size
        copy.last_batch = self.last_batch
        copy.hands_dealt = self.hands_dealt
        copy.cards_played = self.cards_played
        copy.pack = self.pack
        copy.returned = self.returned
        copy.turned = self.turned
        copy.table = self.table
        copy.laid = self.laid
        copy.last_capturer = self.last_capturer
        copy.announcements = self.announcements
        copy.winners = self.winners
        copy.dealt = self.dealt
        copy.last_card = self.last_card
        copy.held = self.held
        copy.answered = self.answered
        copy.sealed = self.sealed
        copy.passed = self.passed
        copy.acted = self.acted
        copy.claimed = self.claimed
        copy.award = self.award
        copy.award_dues = self.award_dues
        copy.debts = self.debts
        copy.forfeited = self.forfeited
        copy.decision = self.decision
        return copy

    @property
    def sides(self) -> int:
        """How many sides there are (clause DEAL-2)."""
        return len(self.scores)

    def side(self, seat: int) -> int:
        """Give the side of a seat: itself with 2 or 3 seats; 0, 1, 0, 1 with 4 (clause DEAL-2)."""
        return seat % len(self.scores)

    @property
    def sides_in_play(self) -> tuple[int, ...]:
        """The sides of which no seat has forfeited, ascending."""
        out = [self.side(seat) for seat in self.forfeited]
        return tuple([side for side in range(self.sides) if side not in out])

    def next_seat(self, seat: int) -> int:
        """Give the seat that plays after one (clause DEAL-2)."""
        return (seat + 1) % self.seats

    def in_order_of_play(self) -> tuple[int, ...]:
        """Give the seats from the one after the dealer round to the dealer (clause DEAL-3)."""
        return _order_of_play(self.dealer, self.seats)

    @property
    def played(self) -> tuple[tuple[Card, ...], ...]:
        """The cards that each seat has played in this batch, in the order dealt."""
        return tuple(self.played_by(seat) for seat in range(len(self.dealt)))

    def played_by(self, seat: int) -> tuple[Card, ...]:
        """Give the cards that a seat has played in this batch, in the order dealt."""
        hand = self.hands[seat]
        return tuple([card for card in self.dealt[seat] if card not in hand])

    @property
    def first_card(self) -> bool:
        """Whether no card of this batch has been played yet."""
        return self.cards_played == 0

    @property
    def last_card_played(self) -> bool:
        """Whether the very last card of the deal has been played."""
        return self.last_batch and self.hands_empty

    def opponents(self, side: int) -> tuple[int, ...]:
        """Give the other sides, from the next one on."""
        return _others(side, self.sides)

    def of_this_batch(self) -> tuple[Announcement, ...]:
        """Give this batch's announcements, in the order made."""
        return tuple([one for one in self.announcements if one.batch == self.batch])

    def has_announced(self, seat: int) -> bool:
        """Whether a seat has announced in this batch."""
        for one in self.announcements:  # noqa: SIM110 - a generator takes twice as long
            if one.seat == seat and one.batch == self.batch:
                return True
        return False

    @property
    def hands_empty(self) -> bool:
        """Whether every hand of the batch has been dealt and played out."""
        return self.cards_played == self.hand_size * self.seats


@cache
def _order_of_play(dealer: int, seats: int) -> tuple[int, ...]:
    return tuple((dealer + 1 + i) % seats for i in range(seats))


@cache
def _others(side: int, sides: int) -> tuple[int, ...]:
    return tuple((side + 1 + i) % sides for i in range(sides - 1))


def initial(rules: RuleSet, seats: int) -> MatchState:
    """Give the state before the first event of a match."""
    sides = 3 if seats == 3 else 2  # noqa: PLR2004 - the seat count itself
    return MatchState(
        rules=rules,
        seats=seats,
        hands=((),) * seats,
        dealt=((),) * seats,
        piles=(0,) * sides,
        punished=(0,) * seats,
        scores=(0,) * sides,
    )
