"""Moves: what seats do, and what chance does."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from ronda_rules.cards import PACK_SIZE, Card
from ronda_rules.rule_set import AnnouncementKind


@dataclass(frozen=True, slots=True)
class Announce:
    """Say that one holds a combination of this kind in this batch (clause ANN-2)."""

    kind: AnnouncementKind


@dataclass(frozen=True, slots=True)
class Pass:
    """Decline what one is asked for."""


@dataclass(frozen=True, slots=True)
class Play:
    """Play one card of one's hand (clause CAP-1)."""

    card: Card


# A seat is told its moves before each of them, so those that come again and again are made once.
PASS: Final = Pass()
PLAYS: Final = tuple(map(Play, range(PACK_SIZE)))


@dataclass(frozen=True, slots=True)
class Challenge:
    """Doubt a seat's standing announcement of this batch."""

    seat: int


@dataclass(frozen=True, slots=True)
class Claim:
    """Claim the penalty for what a seat held and did not announce in this batch."""

    seat: int


Move: TypeAlias = Announce | Pass | Play | Challenge | Claim


@dataclass(frozen=True, slots=True)
class SeatMove:
    """A seat's move."""

    seat: int
    move: Move


@dataclass(frozen=True, slots=True)
class DealerDrawn:
    """Chance's answer to `DrawDealer`: the seat that deals first (clause DEAL-3)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """Chance's answer to `DrawCards`: the cards in the order drawn (clause DEAL-4)."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Forfeit:
    """The service's word that a seat has given the match up, whoever must act."""

    seat: int


AnyMove: TypeAlias = SeatMove | DealerDrawn | Drawn | Forfeit
