"""What one move brings about: events one after the other, each folded as it comes."""

from dataclasses import dataclass

from ronda_rules.events import Event
from ronda_rules.evolve import fold_into
from ronda_rules.state import MatchState


@dataclass(frozen=True, slots=True)
class Due:
    """Cards that the present moment makes due from one side to another.

    `award`: they are for the announcements of the present batch, and can be withdrawn with them.
    """

    payer: int
    receiver: int
    cards: int
    award: bool = False


class Unfolding:
    """Collects the events of one move and keeps the state up to date with them.

    Attributes:
        state: the state after the events so far. It is the unfolding's own and changes with each
            event, so what is wanted of it later must be taken before.
        events: the events so far, in order.
        dues: what the present moment has made due so far, where scores are paid in cards.
    """

    __slots__ = ("dues", "events", "state")

    def __init__(self, state: MatchState) -> None:
        """Start from a state, which stays as it is, with no events."""
        self.state = state.copied()
        self.events: list[Event] = []
        self.dues: list[Due] = []

    def emit(self, event: Event) -> None:
        """Add an event and fold it."""
        self.events.append(event)
        fold_into(self.state, event)
