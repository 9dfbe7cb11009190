"""Bots that play against a person without holding up the table while they think."""

import asyncio

from ronda.v1.decision_pb2 import Decision
from ronda.v1.event_pb2 import Event
from ronda.v1.move_pb2 import Move
from ronda.v1.rule_set_pb2 import RuleSet
from ronda.v1.view_pb2 import SeatView
from ronda_client import Bot, Observer, RuleReader


class ThreadedBot:
    """A bot whose plain `choose` runs in a thread; what it is told comes to it as ever."""

    def __init__(self, bot: Bot) -> None:
        """Take the bot."""
        self._bot = bot

    async def choose(self, view: SeatView, decision: Decision) -> Move:
        """Return the bot's move."""
        chosen = await asyncio.to_thread(self._bot.choose, view, decision)
        return chosen if isinstance(chosen, Move) else await chosen

    def saw(self, event: Event) -> None:
        """Tell the bot what happened, where it wants to know."""
        if isinstance(self._bot, Observer):
            self._bot.saw(event)

    def begins(self, rule_set: RuleSet, seats: int) -> None:
        """Tell the bot the rules, where it wants to know them."""
        if isinstance(self._bot, RuleReader):
            self._bot.begins(rule_set, seats)
