"""Bots that play Ronda. They see what a seat sees and know nothing of the engine."""

from collections.abc import Callable
from typing import TypeAlias

from ronda_bots.greedy_bot import GreedyBot
from ronda_bots.random_bot import RandomBot

AnyBot: TypeAlias = RandomBot | GreedyBot

_BOTS: dict[str, Callable[[int], AnyBot]] = {"greedy": GreedyBot, "random": RandomBot}

NAMES = tuple(_BOTS)


class UnknownBotError(ValueError):
    """There is no bot of this name.

    Attributes:
        name: The name that was asked for.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"there is no bot {name!r}; there are: {', '.join(NAMES)}")


def by_name(name: str, seed: int = 0) -> AnyBot:
    """Return a new bot.

    Args:
        name: `greedy` or `random`.
        seed: Fixes its choices.

    Raises:
        UnknownBotError: There is none of this name.
    """
    if name not in _BOTS:
        raise UnknownBotError(name)
    return _BOTS[name](seed)


__all__ = ["NAMES", "AnyBot", "GreedyBot", "RandomBot", "UnknownBotError", "by_name"]
