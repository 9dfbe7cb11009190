"""What one move brings about: events one after the other, each folded as it comes."""

from ronda_rules.events import Event
from ronda_rules.evolve import evolve
from ronda_rules.state import MatchState


class Unfolding:
    """Collects the events of one move and keeps the state up to date with them.

    Attributes:
        state: the state after the events so far.
        events: the events so far, in order.
    """

    def __init__(self, state: MatchState) -> None:
        """Start from a state, with no events."""
        self.state = state
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Add an event and fold it."""
        self.events.append(event)
        self.state = evolve(self.state, event)
