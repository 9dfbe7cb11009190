"""MATCH-1 to MATCH-4: the match as it stands, its totals and its end."""

from collections.abc import Callable
from dataclasses import dataclass, field

from ronda.v1 import event_pb2, rule_set_pb2, view_pb2
from tests.oracle.cards import Card

# What a side gains: the side, the amount from each payer, the sides that pay where cards are paid.
Gain = tuple[int, int, list[int]]


class MatchOver(Exception):
    """The match has ended; nothing further scores or is asked (MATCH-2)."""


@dataclass
class Announcement:
    """An announcement, with the whole hand that it was made with."""

    batch: int
    seat: int
    kind: rule_set_pb2.AnnouncementKind.ValueType
    hand: list[Card]
    struck: bool = False
    proved_false: bool = False


@dataclass
class Held:
    """The pile of a pending chain (CHAIN-5)."""

    seat: int
    rank: int
    step: int
    cards: int
    mesa: int


@dataclass
class Debt:
    """Cards that one side owes another (PAY-3)."""

    payer: int
    receiver: int
    cards: int
    award: bool


@dataclass
class Match:
    """Everything that is so at one time of a match."""

    rules: rule_set_pb2.RuleSet
    seats: int
    # Names the next card to leave the pack, given the cards that are in it.
    source: Callable[[list[Card]], Card]
    # Tells how many cards the source can still name; None: any number.
    draws_left: Callable[[], int] | None = None
    events: list[event_pb2.Event] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    to_act: list[int] = field(default_factory=list)
    asked: view_pb2.Asked.ValueType = view_pb2.ASKED_UNSPECIFIED
    over: bool = False

    deal: int = 0
    dealer: int = 0
    pack: list[Card] = field(default_factory=list)
    table: list[Card] = field(default_factory=list)
    piles: list[int] = field(default_factory=list)
    last_capturer: int | None = None
    laid: Card | None = None
    held: Held | None = None
    announcements: list[Announcement] = field(default_factory=list)
    punished: list[int] = field(default_factory=list)
    debts: list[Debt] = field(default_factory=list)

    batch: int = 0
    last_batch: bool = False
    dealt: list[list[Card]] = field(default_factory=list)
    hands: list[list[Card]] = field(default_factory=list)
    played: list[list[Card]] = field(default_factory=list)
    charged: list[int] = field(default_factory=list)
    award: list[Gain] = field(default_factory=list)
    award_paid: list[tuple[int, int, int]] = field(default_factory=list)
    due: list[Debt] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.scores = [0] * self.sides

    @property
    def sides(self) -> int:
        """How many sides there are (DEAL-2)."""
        return 3 if self.seats == 3 else 2

    def side(self, seat: int) -> int:
        """Tell the side of a seat (DEAL-2)."""
        return seat % self.sides

    def others(self, side: int) -> list[int]:
        """Tell the sides that oppose a side."""
        return [other for other in range(self.sides) if other != side]

    def order(self) -> list[int]:
        """Tell the seats in order of play, from the seat after the dealer to the dealer."""
        return [(self.dealer + 1 + turn) % self.seats for turn in range(self.seats)]

    def ladder(self) -> list[int]:
        """Tell the steps of the ladder that count with this many seats (CHAIN-1)."""
        steps = list(self.rules.ladder)
        return steps[:1] if self.seats < self.rules.chain_min_seats else steps

    def of_batch(self, batch: int) -> list[Announcement]:
        """Tell the announcements of a batch, in order of play."""
        return [said for said in self.announcements if said.batch == batch]

    def announced_by(self, seat: int) -> Announcement | None:
        """Tell what a seat has announced in this batch."""
        for said in self.of_batch(self.batch):
            if said.seat == seat:
                return said
        return None

    def finish(self, winners: list[int]) -> None:
        """End the match.

        Raises:
            MatchOver: always.
        """
        self.over = True
        self.events.append(
            event_pb2.Event(match_ended=event_pb2.MatchEnded(winners=winners, scores=self.scores))
        )
        raise MatchOver

    def look_for_end(self) -> None:
        """Look whether a side has reached the target (MATCH-2, MATCH-3).

        Raises:
            MatchOver: the match has ended.
        """
        top = max(self.scores)
        if top < self.rules.target:
            return
        winners = [side for side in range(self.sides) if self.scores[side] == top]
        if len(winners) > 1 and self.rules.target_tie == rule_set_pb2.TARGET_TIE_PLAY_ON:
            return
        self.finish(winners)
