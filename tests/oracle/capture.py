"""CAP-2, CAP-3 and CAP-6: what a card takes, and the leftovers."""

from ronda.v1 import event_pb2
from tests.oracle.cards import RANKS, Card, to_messages
from tests.oracle.match import Match
from tests.oracle.payments import receive


def taken_by(table: list[Card], card: Card) -> list[Card]:
    """Tell the equal card and the run above it, ascending; nothing without an equal."""
    taken: list[Card] = []
    for rank in RANKS[RANKS.index(card[0]) :]:
        here = [other for other in table if other[0] == rank]
        if not here:
            break
        taken += here
    return taken


def take_leftovers(m: Match) -> None:
    """Give the table's cards to the last seat that captured (CAP-6)."""
    if not m.table or m.last_capturer is None:
        return
    cards = sorted(m.table)
    m.table = []
    m.events.append(
        event_pb2.Event(
            leftovers_taken=event_pb2.LeftoversTaken(seat=m.last_capturer, cards=to_messages(cards))
        )
    )
    receive(m, m.side(m.last_capturer), len(cards))
