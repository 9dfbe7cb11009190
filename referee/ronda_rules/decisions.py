"""Decisions: who must act, chance or seats, and what they are asked for."""

from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from ronda_rules.cards import CardSet


@dataclass(frozen=True, slots=True)
class DrawDealer:
    """Chance must name the first dealer among this many seats (clause DEAL-3)."""

    seats: int


@dataclass(frozen=True, slots=True)
class DrawCards:
    """Chance must draw `count` cards from `pack`, one at a time (clause DEAL-4)."""

    count: int
    pack: CardSet


class Asked(Enum):
    """What seats that must act are asked for."""

    ANNOUNCEMENT = "ANNOUNCEMENT"
    CHALLENGE = "CHALLENGE"
    CLAIM = "CLAIM"
    CARD = "CARD"


@dataclass(frozen=True, slots=True)
class SeatsToAct:
    """These seats must act, ascending; see `legal_moves` for how."""

    seats: tuple[int, ...]
    asked: Asked


# By seat: that seat must play a card, the decision that comes more often than all others.
TURNS: Final = tuple(SeatsToAct((seat,), Asked.CARD) for seat in range(4))


@dataclass(frozen=True, slots=True)
class MatchOver:
    """Nobody must act: the match is over, with these winning or tied sides."""

    winners: tuple[int, ...]


Decision: TypeAlias = DrawDealer | DrawCards | SeatsToAct | MatchOver
