"""What a stream's events tell of the view: one's own hand, the table, the scores (CALL-11)."""

from dataclasses import dataclass, field

from ronda.v1 import event_pb2, log_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_conformance.cards import card_text
from ronda_conformance.event_texts import AWARDS
from ronda_conformance.service.log_files import parsed


@dataclass
class Folded:
    """The part of the state that follows from events without knowing the rules.

    Attributes:
        seat: whose stream it is; None: the public's.
        hand: its hand, in the order dealt; empty for the public.
        table: the cards on the table.
        scores: points by side.
        dealt: how many cards each seat has left.
    """

    seat: int | None
    sides: int
    hand: list[str] = field(default_factory=list)
    table: set[str] = field(default_factory=set)
    scores: list[int] = field(default_factory=list)
    left: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Begin without points."""
        self.scores = [0] * self.sides

    def take(self, entry: pb.LogEntry) -> None:
        """Fold a record in."""
        record = parsed(entry.record)
        if not record.HasField("event_logged"):
            return
        event = record.event_logged.event
        match event.WhichOneof("event"):
            case "deal_started":
                self.table.clear()
            case "hand_dealt":
                self.left[event.hand_dealt.seat] = event.hand_dealt.card_count
                self._own_hand(event.hand_dealt.seat, entry.opening)
            case "table_turned":
                self.table |= {card_text(card) for card in event.table_turned.cards}
            case "table_returned":
                self.table -= {card_text(card) for card in event.table_returned.cards}
            case "card_laid":
                self.table.add(card_text(event.card_laid.card))
            case "cards_captured":
                self.table -= {card_text(card) for card in event.cards_captured.cards}
            case "cards_held":
                self.table -= {card_text(card) for card in event.cards_held.cards}
            case "leftovers_taken":
                self.table.clear()
            case "card_played":
                played = event.card_played
                self.left[played.seat] = self.left.get(played.seat, 0) - 1
                if played.seat == self.seat and card_text(played.card) in self.hand:
                    self.hand.remove(card_text(played.card))
        self._score(event)

    def _own_hand(self, seat: int, opening: log_pb2.CommitmentOpening) -> None:
        if seat == self.seat:
            full = event_pb2.Event.FromString(opening.payload).hand_dealt
            self.hand = [card_text(card) for card in full.cards]

    def _score(self, event: event_pb2.Event) -> None:
        kind = event.WhichOneof("event") or ""
        if kind in AWARDS:
            sign = -1 if kind == "award_withdrawn" else 1
            for share in getattr(event, kind).shares:
                if share.side < self.sides:
                    self.scores[share.side] += sign * share.points
