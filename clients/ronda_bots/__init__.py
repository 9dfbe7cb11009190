"""Bots that play Ronda, from the weakest to the strongest: random, greedy, counting, searcher.

They see what a seat sees. The searcher alone knows the engine, with which it plays on in its mind.
"""

from collections.abc import Callable
from typing import TypeAlias

from ronda_bots.counting_bot import CountingBot
from ronda_bots.greedy_bot import GreedyBot
from ronda_bots.random_bot import RandomBot
from ronda_bots.searcher_bot import SearcherBot

AnyBot: TypeAlias = RandomBot | GreedyBot | CountingBot | SearcherBot

_BOTS: dict[str, Callable[[int], AnyBot]] = {
    "random": RandomBot,
    "greedy": GreedyBot,
    "counting": CountingBot,
    "searcher": SearcherBot,
}

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
        name: One of `NAMES`, which stand from the weakest to the strongest.
        seed: Fixes its choices.

    Raises:
        UnknownBotError: There is none of this name.
    """
    if name not in _BOTS:
        raise UnknownBotError(name)
    return _BOTS[name](seed)


__all__ = [
    "NAMES",
    "AnyBot",
    "CountingBot",
    "GreedyBot",
    "RandomBot",
    "SearcherBot",
    "UnknownBotError",
    "by_name",
]
