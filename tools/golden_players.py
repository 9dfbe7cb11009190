"""The players of the golden logs: they win in few deals, or do what ends a match otherwise."""

import asyncio
import random
from collections.abc import Awaitable, Callable

from ronda.v1.decision_pb2 import Decision
from ronda.v1.move_pb2 import Move
from ronda.v1.view_pb2 import SeatView
from ronda_bots.announcing import best_true_announcement, moves_of
from ronda_bots.greedy_bot import card_value
from ronda_client.bot import Bot

# Often enough that each stands in some log, and seldom enough that most matches reach their target.
_SILENCE = 0.2
_BLUFF = 0.1


class LopsidedBot:
    """Captures all that it can, or as little as it can, so that a match takes few deals.

    It claims what it can, keeps silent now and then about what it holds, bluffs now and then where
    bluffing is legal, and challenges as often as it is told to.
    """

    def __init__(self, seed: int, *, wins: bool, challenges: float) -> None:
        """Take the seed of its chances, and how it plays.

        Args:
            seed: the seed.
            wins: whether it captures what it can, or leaves the cards to others.
            challenges: how likely it is to challenge where it may, from 0 to 1.
        """
        self._random = random.Random(seed)  # noqa: S311 - it plays a game
        self._wins = wins
        self._challenges = challenges

    def choose(self, view: SeatView, decision: Decision) -> Move:
        """Return a legal move."""
        legal = decision.legal_moves
        said = self._said(decision)
        if said is not None:
            return said
        plays = moves_of(legal, "play")
        if plays:
            values = {
                one.play.SerializeToString(): card_value(view, one.play.card) for one in plays
            }
            pick = max if self._wins else min
            return pick(plays, key=lambda one: values[one.play.SerializeToString()])
        passes = moves_of(legal, "pass")
        return passes[0] if passes else legal[0]

    def _said(self, decision: Decision) -> Move | None:
        """Give what it claims, challenges or announces, if anything."""
        legal = decision.legal_moves
        claims = moves_of(legal, "claim")
        if claims:
            return claims[0]
        challenges = moves_of(legal, "challenge")
        if challenges and self._random.random() < self._challenges:
            return self._random.choice(challenges)
        announcements = moves_of(legal, "announce")
        if announcements and self._random.random() < _BLUFF:
            return self._random.choice(announcements)
        if self._random.random() < _SILENCE:
            return None
        return best_true_announcement(decision)


class AtDecision:
    """Plays as another bot does, and does something else before it answers some of its decisions.

    Args:
        bot: the player.
        deed: what is done.
        first: before which of its decisions, from 0, it is done first.
        every: after how many decisions it is done again; 0: never.
    """

    def __init__(
        self, bot: Bot, deed: Callable[[], Awaitable[None]], first: int, every: int = 0
    ) -> None:
        self._bot = bot
        self._deed = deed
        self._first = first
        self._every = every
        self._asked = 0

    async def choose(self, view: SeatView, decision: Decision) -> Move:
        """Do the deed where its time has come, and return the other bot's move."""
        since = self._asked - self._first
        self._asked += 1
        if since == 0 or (self._every and since > 0 and since % self._every == 0):
            await self._deed()
        chosen = self._bot.choose(view, decision)
        return chosen if isinstance(chosen, Move) else await chosen


def waiting(seconds: float) -> Callable[[], Awaitable[None]]:
    """Give the deed of a seat that thinks for too long."""

    async def wait() -> None:
        await asyncio.sleep(seconds)

    return wait
