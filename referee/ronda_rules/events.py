"""Events: what happened, complete and in the past tense.

Folding a match's events with `ronda_rules.evolve.evolve` gives its state and nothing else is
needed. Seats and sides are numbers from 0, deals and batches from 1, cards as in
`ronda_rules.cards`. `shares` pairs a side with the points that it gained, at least 1.
"""

from dataclasses import dataclass
from typing import TypeAlias

from ronda_rules.cards import Card, RankIndex
from ronda_rules.rule_set import AnnouncementKind, TableForbid

Shares: TypeAlias = tuple[tuple[int, int], ...]


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
class CardPlayed:
    """A seat played a card of its hand (clause CAP-1)."""

    seat: int
    card: Card


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


@dataclass(frozen=True, slots=True)
class PlayAwarded:
    """A card scored caida points, mesa points or both (clauses CHAIN-1, MESA-1, MESA-2)."""

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


Event: TypeAlias = (
    MatchStarted
    | FirstDealerDrawn
    | DealStarted
    | BatchStarted
    | HandDealt
    | TableTurned
    | TableReturned
    | AnnouncementMade
    | CardPlayed
    | CardsCaptured
    | CardLaid
    | PlayAwarded
    | AnnouncementsRevealed
    | AnnouncementsAwarded
    | FalseAnnouncementPenalised
    | LeftoversTaken
    | PilesCounted
    | DealEnded
    | MatchEnded
)
