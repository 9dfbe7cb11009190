"""A table without a referee: matches in this process, for bots, training and tools.

A whole match takes one call::

    from ronda_bots import GreedyBot, RandomBot
    from ronda_table import play_local

    result = play_local("maghribi", [GreedyBot(1), RandomBot(2)], seed=7)
    print(result.scores, result.winners)

and `LocalMatch` goes move by move. Views, decisions and events are those that a referee sends.
"""

from ronda_client.bot import Bot, BotMaker, Observer
from ronda_client.errors import BotError
from ronda_referee.convert import MalformedMessage
from ronda_referee.errors import ServiceError
from ronda_rules.errors import DrawError, IllegalMove, Reason, RulesError, RuleSetError
from ronda_table.local_match import LocalMatch, rule_set_of
from ronda_table.playing import (
    DrawsExhausted,
    LocalResult,
    finish,
    play_local,
    play_rotations,
    rotations,
)

__all__ = [
    "Bot",
    "BotError",
    "BotMaker",
    "DrawError",
    "DrawsExhausted",
    "IllegalMove",
    "LocalMatch",
    "LocalResult",
    "MalformedMessage",
    "Observer",
    "Reason",
    "RuleSetError",
    "RulesError",
    "ServiceError",
    "finish",
    "play_local",
    "play_rotations",
    "rotations",
    "rule_set_of",
]
