"""The state of a match between two events, hidden cards included.

It is only ever made by `ronda_rules.evolve.evolve` from an event, by `initial` or from a
position; nobody but the referee sees it.
"""

from dataclasses import dataclass, field

from ronda_rules.cards import FULL_PACK, Card, CardSet, RankIndex
from ronda_rules.rule_set import AnnouncementKind, RuleSet

NOBODY = -1


@dataclass(frozen=True, slots=True)
class Announcement:
    """An announcement of the current deal.

    `rank` is that of the combination in the hand it was made with, the higher of two pairs; it
    is None where the announcement is false (clauses ANN-3, ANN-4).
    """

    batch: int
    seat: int
    kind: AnnouncementKind
    rank: RankIndex | None


@dataclass(frozen=True, slots=True)
class MatchState:
    """Everything that the rules know of a match.

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
        table: the face-up cards; never two of one rank.
        piles: cards in each side's pile.
        laid: the card that the seat before the one to play has just laid without capturing in
            this batch (clauses CHAIN-1, CHAIN-2).
        last_capturer: the seat that captured last in this deal, or `NOBODY` (clause CAP-6).
        announcements: those of this deal, in the order made.
        punished: false announcements punished in this deal, by seat (clause ANN-9).
        scores: total points by side (clause MATCH-1).
        winners: the winning side or those that share a draw; empty until the match is over.
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
    announcements: tuple[Announcement, ...] = field(default=())
    winners: tuple[int, ...] = ()

    @property
    def sides(self) -> int:
        """How many sides there are (clause DEAL-2)."""
        return len(self.scores)

    def side(self, seat: int) -> int:
        """Give the side of a seat: itself with 2 or 3 seats; 0, 1, 0, 1 with 4 (clause DEAL-2)."""
        return seat % len(self.scores)

    def next_seat(self, seat: int) -> int:
        """Give the seat that plays after one (clause DEAL-2)."""
        return (seat + 1) % self.seats

    def in_order_of_play(self) -> tuple[int, ...]:
        """Give the seats from the one after the dealer round to the dealer (clause DEAL-3)."""
        return tuple((self.dealer + 1 + i) % self.seats for i in range(self.seats))

    @property
    def hands_empty(self) -> bool:
        """Whether every hand of the batch has been dealt and played out."""
        return self.cards_played == self.hand_size * self.seats


def initial(rules: RuleSet, seats: int) -> MatchState:
    """Give the state before the first event of a match."""
    sides = 3 if seats == 3 else 2  # noqa: PLR2004 - the seat count itself
    return MatchState(
        rules=rules,
        seats=seats,
        hands=((),) * seats,
        piles=(0,) * sides,
        punished=(0,) * seats,
        scores=(0,) * sides,
    )
