"""What a bot is, and how it is asked."""

import inspect
from collections.abc import Awaitable
from typing import Protocol

from ronda.v1.decision_pb2 import Decision
from ronda.v1.move_pb2 import Move
from ronda.v1.referee_service_pb2 import Turn
from ronda.v1.view_pb2 import SeatView
from ronda_client.errors import BotError, description


class Bot(Protocol):
    """A player: any object with this one method, plain or async."""

    def choose(self, view: SeatView, decision: Decision, /) -> Move | Awaitable[Move]:
        """Return the move to make.

        Args:
            view: What the seat sees.
            decision: What it is asked; `decision.legal_moves` lists every legal move.

        A plain method that thinks for long holds up every other seat of the same process; an
        async one does so only between its awaits.
        """


async def ask(bot: Bot, match_id: str, turn: Turn) -> Move:
    """Return the move that a bot chooses for its turn.

    Raises:
        BotError: It raised, exited, or returned something that is no move.
    """
    seat, decision_id = turn.decision.seat, turn.decision.decision_id
    try:
        chosen: object = bot.choose(turn.view, turn.decision)
        if inspect.isawaitable(chosen):
            chosen = await chosen
    except (Exception, SystemExit) as error:
        detail = f"choose() raised {description(error)}"
        raise BotError(match_id, seat, decision_id, detail) from error
    if not isinstance(chosen, Move):
        raise BotError(
            match_id,
            seat,
            decision_id,
            f"choose() must return a ronda.v1 Move, it returned {type(chosen).__name__}",
        )
    return chosen
