"""What the deals of a log dealt, in the order of drawing: the fairness of a shuffle shows in it."""

from dataclasses import dataclass, field

from ronda_rules.cards import Card
from ronda_rules.events import (
    BatchStarted,
    DealStarted,
    Event,
    HandDealt,
    TableReturned,
    TableTurned,
)


@dataclass(slots=True)
class Deal:
    """One deal.

    Attributes:
        seats: how many seats play.
        number: which deal of its match it is, from 1.
        drawn: the cards in the order of drawing, a byte each, up to the first that was drawn after
            a table was returned: from then on the pack is no longer what is left of the full one.
        hands: each hand that was dealt, with its seat and the batch, from 1.
        order: all cards in the order of drawing, a byte each.
        dealer: the seat that deals.
    """

    seats: int
    number: int
    drawn: bytes = b""
    hands: list[tuple[int, int, tuple[Card, ...]]] = field(default_factory=list)
    order: bytes = b""
    dealer: int = 0


class Dealt:
    """Collects the deals of a match from its events in full."""

    def __init__(self, deals: list[Deal], seats: int) -> None:
        """Begin before the first event; each deal is put into `deals`."""
        self._deals = deals
        self._seats = seats
        self._batch = 0
        self._returned = False

    def take(self, event: Event) -> None:
        """Take in one event."""
        match event:
            case DealStarted(number, dealer):
                self._deals.append(Deal(self._seats, number, dealer=dealer))
                self._returned = False
            case BatchStarted(batch):
                self._batch = batch
            case HandDealt(seat, _, cards):
                self._deals[-1].hands.append((seat, self._batch, cards))
                self._draw(cards)
            case TableTurned(cards):
                self._draw(cards)
            case TableReturned():
                self._returned = True
            case _:
                pass

    def _draw(self, cards: tuple[Card, ...]) -> None:
        self._deals[-1].order += bytes(cards)
        if not self._returned:
            self._deals[-1].drawn += bytes(cards)
