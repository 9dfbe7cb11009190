"""What a bot is, and how it is asked and told."""

import inspect
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Protocol, TypeAlias, cast, runtime_checkable

from ronda.v1.decision_pb2 import Decision
from ronda.v1.event_pb2 import Event
from ronda.v1.move_pb2 import Move
from ronda.v1.referee_service_pb2 import Turn
from ronda.v1.rule_set_pb2 import RuleSet
from ronda.v1.view_pb2 import SeatView
from ronda_client.errors import BotError, description


class Bot(Protocol):
    """A player: any object with this one method, plain or async.

    One that also has the method of an `Observer` is told what happens between its turns, and one
    that has that of a `RuleReader` the rules in full.
    """

    def choose(self, view: SeatView, decision: Decision, /) -> Move | Awaitable[Move]:
        """Return the move to make.

        Args:
            view: What the seat sees.
            decision: What it is asked; `decision.legal_moves` lists every legal move.

        A plain method that thinks for long holds up every other seat of the same process; an
        async one does so only between its awaits.
        """


@runtime_checkable
class Observer(Protocol):
    """A bot that wants to know what has happened: it has this second method, a plain one."""

    def saw(self, event: Event, /) -> None:
        """Take note of an event, as fully as the bot's seat may see it.

        Every event of the match comes once, in order, and before the decision that follows it:
        `match_started` first, `match_ended` last. Whatever becomes of connections, none comes
        twice. Where the same object plays the match anew, as after a restart, everything comes
        again from `match_started` on; a bot had better forget what it knew then.

        Args:
            event: What happened. Of hands only the bot's own have cards; of sealed answers only
                its own says which it was.
        """


@runtime_checkable
class RuleReader(Protocol):
    """A bot that wants to know the rules in full: it has this method, a plain one."""

    def begins(self, rule_set: RuleSet, seats: int, /) -> None:
        """Take note of the match that it is going to play, before the first event.

        Where the same object plays the match anew, as after a restart, it comes again.

        Args:
            rule_set: The rules, whether they are known by their id or not.
            seats: How many seats play.
        """


BotMaker: TypeAlias = Callable[[], Bot]


def is_maker(bot: Bot | BotMaker) -> bool:
    """Tell whether this makes bots, as a class or a function does, rather than being one."""
    return isinstance(bot, type) or (callable(bot) and not hasattr(bot, "choose"))


def made(bot: Bot | BotMaker, match_id: str) -> Bot:
    """Return a bot, made for a match where it is not one already.

    Raises:
        BotError: Making it raised or exited, or made what has no method `choose`.
    """
    if not is_maker(bot):
        return cast("Bot", bot)
    try:
        player = cast("BotMaker", bot)()
    except (Exception, SystemExit) as error:
        detail = f"making it raised {description(error)}"
        raise BotError(match_id, None, None, detail) from error
    if not callable(getattr(player, "choose", None)):
        detail = f"making it gave a {type(player).__name__}, which has no method choose()"
        raise BotError(match_id, None, None, detail)
    return player


def chosen_move(bot: Bot, match_id: str, turn: Turn) -> Move | Awaitable[Move]:
    """Return the move that a bot chooses for its turn, or for an async bot what gives it.

    Raises:
        BotError: It raised, exited, or returned something that is no move.
    """
    try:
        chosen: object = bot.choose(turn.view, turn.decision)
    except (Exception, SystemExit) as error:
        raise _failed(match_id, turn, error) from error
    if inspect.isawaitable(chosen):
        return _awaited(chosen, match_id, turn)
    return _checked(chosen, match_id, turn)


async def ask(bot: Bot, match_id: str, turn: Turn) -> Move:
    """Return the move that a bot chooses for its turn.

    Raises:
        BotError: It raised, exited, or returned something that is no move.
    """
    chosen = chosen_move(bot, match_id, turn)
    return chosen if isinstance(chosen, Move) else await chosen


def tell(bot: object, match_id: str, seat: int | None, event: Event) -> None:
    """Tell a bot what happened, where it wants to know.

    Raises:
        BotError: It raised, exited, or its method is async.
    """
    # As `isinstance` with `Observer` would tell, which takes far longer, and events are many.
    saw: Callable[[Event], object] | None = getattr(bot, "saw", None)
    if saw is not None:
        _call_plain("saw", partial(saw, event), match_id, seat)


def begin(bot: object, match_id: str, seat: int | None, rule_set: RuleSet, seats: int) -> None:
    """Tell a bot the rules, where it wants to know them.

    Raises:
        BotError: It raised, exited, or its method is async.
    """
    if isinstance(bot, RuleReader):
        _call_plain("begins", partial(bot.begins, rule_set, seats), match_id, seat)


def _call_plain(name: str, call: Callable[[], object], match_id: str, seat: int | None) -> None:
    try:
        # What it is annotated with is not what it need do.
        returned = call()
    except (Exception, SystemExit) as error:
        raise BotError(match_id, seat, None, f"{name}() raised {description(error)}") from error
    if inspect.isawaitable(returned):
        if inspect.iscoroutine(returned):
            returned.close()
        raise BotError(match_id, seat, None, f"{name}() must be a plain method, it is async")


async def _awaited(chosen: Awaitable[object], match_id: str, turn: Turn) -> Move:
    try:
        move = await chosen
    except (Exception, SystemExit) as error:
        raise _failed(match_id, turn, error) from error
    return _checked(move, match_id, turn)


def _failed(match_id: str, turn: Turn, error: BaseException) -> BotError:
    detail = f"choose() raised {description(error)}"
    return BotError(match_id, turn.decision.seat, turn.decision.decision_id, detail)


def _checked(chosen: object, match_id: str, turn: Turn) -> Move:
    if not isinstance(chosen, Move):
        raise BotError(
            match_id,
            turn.decision.seat,
            turn.decision.decision_id,
            f"choose() must return a ronda.v1 Move, it returned {type(chosen).__name__}",
        )
    return chosen
