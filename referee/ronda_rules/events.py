"""Events: what happened, complete and in the past tense.

Folding a match's events with `ronda_rules.evolve.evolve` gives its state and nothing else is
needed. Seats and sides are numbers from 0, deals and batches from 1, cards as in
`ronda_rules.cards`. `shares` pairs a side, ascending, with the points that it
gained, at least 1; where scores are paid in cards, with the cards that are due to it.
"""

from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import TypeAlias

from ronda_rules.cards import Card, RankIndex
from ronda_rules.rule_set import AnnouncementKind, TableForbid

Shares: TypeAlias = tuple[tuple[int, int], ...]


class Answer(Enum):
    """What stands for an answer that is no kind of announcement."""

    PASSED = "PASSED"
    HIDDEN = "HIDDEN"


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """The match began with this many seats."""

    seats: int


@dataclass(frozen=True, slots=True)
class FirstDealerDrawn:
    """The first dealer was drawn (clause DEAL-3)."""

    seat: int


@dataclass(frozen=True, slots=True)
class DealStarted:
    """A deal began with all forty cards in the pack (clause DEAL-3)."""

    deal: int
    dealer: int


@dataclass(frozen=True, slots=True)
class BatchStarted:
    """A batch began; `last` is said aloud (clauses DEAL-5, DEAL-9)."""

    batch: int
    hand_size: int
    last: bool


@dataclass(frozen=True, slots=True)
class HandDealt:
    """A seat received its hand; `cards` is empty where they may not be seen (clause ANN-10)."""

    seat: int
    card_count: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TableTurned:
    """Cards were turned on the table, in this order (clauses DEAL-6, DEAL-8)."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TableReturned:
    """Turned cards went back, because of what was found (clauses DEAL-7, DEAL-8)."""

    found: TableForbid
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class AnnouncementMade:
    """A seat announced (clause ANN-2)."""

    seat: int
    kind: AnnouncementKind


@dataclass(frozen=True, slots=True)
class AnnouncementSealed:
    """A seat answered, and the others do not see how before all have (clause ANN-2).

    `answer` is what it announced or `Answer.PASSED`; `Answer.HIDDEN` where it may not be seen.
    """

    seat: int
    answer: AnnouncementKind | Answer


@dataclass(frozen=True, slots=True)
class AnnouncementPassed:
    """A seat that was asked for an announcement made none (clause ANN-2)."""

    seat: int


@dataclass(frozen=True, slots=True)
class AnnouncementChallenged:
    """An announcement was challenged: the hand it was made with, ascending (clause CHALL-2)."""

    challenger: int
    seat: int
    hand: tuple[Card, ...]
    announcement_true: bool


@dataclass(frozen=True, slots=True)
class WindowPassed:
    """A seat passed in a challenge or claim window (clause WIN-1)."""

    seat: int


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A seat played a card of its hand (clause CAP-1)."""

    seat: int
    card: Card


# Most moves of a match play a card, and there are 160 of these events: each is made once.
card_played = cache(CardPlayed)


@dataclass(frozen=True, slots=True)
class CardsCaptured:
    """The card played took these from the table, ascending (clauses CAP-2, CAP-3, CAP-5)."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardLaid:
    """The card played lies on the table (clause CAP-4)."""

    seat: int
    card: Card


card_laid = cache(CardLaid)


@dataclass(frozen=True, slots=True)
class CardsHeld:
    """The card played began or continued a chain; what it took is held beside the table.

    `step` is 1 for the second equal card, `cards` are those taken from the table, ascending, and
    `mesa` are the points of the mesa that travels with the chain.
    """

    seat: int
    step: int
    cards: tuple[Card, ...]
    mesa: int


@dataclass(frozen=True, slots=True)
class ChainClosed:
    """A chain closed: its owner took the held cards."""

    seat: int
    step: int
    card_count: int


@dataclass(frozen=True, slots=True)
class PlayAwarded:
    """A card or a closing chain scored (clauses CHAIN-1, MESA-1, MESA-2)."""

    seat: int
    caida: int
    mesa: int
    shares: Shares


@dataclass(frozen=True, slots=True)
class RevealedAnnouncement:
    """An announcement as shown; `rank` is None where it was false (clause ANN-8)."""

    seat: int
    kind: AnnouncementKind
    rank: RankIndex | None


@dataclass(frozen=True, slots=True)
class AnnouncementsRevealed:
    """A batch's announcements were shown, in order of play (clause ANN-8)."""

    batch: int
    announcements: tuple[RevealedAnnouncement, ...]


@dataclass(frozen=True, slots=True)
class AnnouncementsAwarded:
    """A batch's announcements were paid (clauses ANN-5 to ANN-7)."""

    batch: int
    shares: Shares


@dataclass(frozen=True, slots=True)
class AwardWithdrawn:
    """A batch's award was taken back because an announcement proved false."""

    batch: int
    shares: Shares


@dataclass(frozen=True, slots=True)
class UndeclaredPenalised:
    """A combination held and not announced was penalised; `claimant` is None without a claim."""

    batch: int
    seat: int
    kind: AnnouncementKind
    shares: Shares
    claimant: int | None


@dataclass(frozen=True, slots=True)
class DutyAwarded:
    """The dealer's last card of the deal scored for or against the dealer."""

    dealer: int
    shares: Shares


@dataclass(frozen=True, slots=True)
class CardsDue:
    """A side owes cards from its pile to another; `award`: for the batch's announcements."""

    payer: int
    receiver: int
    cards: int
    award: bool


@dataclass(frozen=True, slots=True)
class CardsPaid:
    """A side paid some of its oldest debt to another, from pile to pile."""

    payer: int
    receiver: int
    cards: int


@dataclass(frozen=True, slots=True)
class FalseAnnouncementPenalised:
    """A false announcement was penalised (clause ANN-9)."""

    batch: int
    seat: int
    kind: AnnouncementKind
    shares: Shares


@dataclass(frozen=True, slots=True)
class LeftoversTaken:
    """The table's remaining cards, ascending, went to the last capturer (clause CAP-6)."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PilesCounted:
    """The piles, in cards by side, were counted (clause COUNT-1)."""

    piles: tuple[int, ...]
    shares: Shares


@dataclass(frozen=True, slots=True)
class DealEnded:
    """A deal is over; `scores` are the totals by side (clause MATCH-1)."""

    deal: int
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over: one winning side, or those that share a draw (clause MATCH-2)."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeatForfeited:
    """A seat has given up; its side cannot win any more."""

    seat: int


ScoringEvent: TypeAlias = (
    PlayAwarded
    | AnnouncementsAwarded
    | FalseAnnouncementPenalised
    | UndeclaredPenalised
    | DutyAwarded
    | PilesCounted
)

Event: TypeAlias = (
    MatchStarted
    | FirstDealerDrawn
    | DealStarted
    | BatchStarted
    | HandDealt
    | TableTurned
    | TableReturned
    | AnnouncementMade
    | AnnouncementSealed
    | AnnouncementPassed
    | AnnouncementChallenged
    | WindowPassed
    | CardPlayed
    | CardsCaptured
    | CardLaid
    | CardsHeld
    | ChainClosed
    | PlayAwarded
    | AnnouncementsRevealed
    | AnnouncementsAwarded
    | AwardWithdrawn
    | FalseAnnouncementPenalised
    | UndeclaredPenalised
    | DutyAwarded
    | CardsDue
    | CardsPaid
    | LeftoversTaken
    | PilesCounted
    | DealEnded
    | SeatForfeited
    | MatchEnded
)
