"""A table without a referee: matches in this process, for bots, training and tools.

A whole match takes one call::

    from ronda_bots import GreedyBot, RandomBot
    from ronda_table import play_local

    result = play_local("maghribi", [GreedyBot(1), RandomBot(2)], seed=7)
    print(result.scores, result.winners)

and `LocalMatch` goes move by move. Views, decisions and events are those that a referee sends.

For bots that search, `Knowledge` gathers what a seat has seen and imagines the match as it may
stand, each deal that fits as likely as the others::

    match = Knowledge.of("maghribi", 0, 2, events).determinise(random.Random(7))
    ended = match.play_out(quick_policy, random.Random(8))
"""

from ronda_client.bot import Bot, BotMaker, Observer
from ronda_client.errors import BotError
from ronda_referee.convert import MalformedMessage
from ronda_referee.errors import ServiceError
from ronda_rules.errors import DrawError, IllegalMove, Reason, RulesError, RuleSetError
from ronda_table.knowledge import Contradiction, Knowledge, NothingKnown
from ronda_table.local_match import LocalMatch, rule_set_of
from ronda_table.play_outs import Horizon, Policy, play_out, quick_policy, random_policy
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
    "Contradiction",
    "DrawError",
    "DrawsExhausted",
    "Horizon",
    "IllegalMove",
    "Knowledge",
    "LocalMatch",
    "LocalResult",
    "MalformedMessage",
    "NothingKnown",
    "Observer",
    "Policy",
    "Reason",
    "RuleSetError",
    "RulesError",
    "ServiceError",
    "finish",
    "play_local",
    "play_out",
    "play_rotations",
    "quick_policy",
    "random_policy",
    "rotations",
    "rule_set_of",
]
