"""A bot that notes what it is shown and asked."""

from ronda.v1.decision_pb2 import Decision
from ronda.v1.event_pb2 import Event
from ronda.v1.move_pb2 import Move
from ronda.v1.view_pb2 import SeatView
from ronda_client import Bot


class NotingBot:
    """Plays as another bot does and notes everything that comes.

    Attributes:
        story: what came, in order: events, views with decisions, and the moves that were made.
    """

    def __init__(self, bot: Bot) -> None:
        """Take the bot that decides."""
        self.story: list[Event | SeatView | Decision | Move] = []
        self._bot = bot

    def saw(self, event: Event) -> None:
        """Note an event."""
        self.story.append(event)

    def choose(self, view: SeatView, decision: Decision) -> Move:
        """Return the move of the bot that decides."""
        move = self._bot.choose(view, decision)
        assert isinstance(move, Move)
        self.story += [view, decision, move]
        return move

    @property
    def events(self) -> list[Event]:
        """The events that it was shown."""
        return [one for one in self.story if isinstance(one, Event)]
