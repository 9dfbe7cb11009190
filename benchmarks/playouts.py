"""Matches of the engine alone, played out at random."""

import random
import time
from collections.abc import Callable
from typing import TypeAlias

from ronda_conformance.rule_set_files import load_rule_sets
from ronda_referee.convert import rule_set_from_proto
from ronda_rules.cards import cards_of
from ronda_rules.engine import DrawCards, DrawDealer, MatchOver, SeatsToAct, advance, begin, decide
from ronda_rules.engine import legal_moves as legal_moves_of
from ronda_rules.moves import DealerDrawn, Drawn, SeatMove
from ronda_rules.rule_set import RuleSet

PlayOut: TypeAlias = Callable[[random.Random], int]
"""Plays a match to its end, and returns how many moves were made."""


def rules_of(rule_set: str) -> RuleSet:
    """Return a rule set that is played by name."""
    return rule_set_from_proto(load_rule_sets()[rule_set])


def play_out(rules: RuleSet, seats: int, chance: random.Random) -> int:
    """Play a match at random from its beginning to its end; return how many moves were made."""
    state, _ = begin(rules, seats)
    moves = 0
    while True:
        match decide(state):
            case SeatsToAct((seat, *_)):
                move = SeatMove(seat, chance.choice(legal_moves_of(state, seat)))
                state, _ = advance(state, move)
                moves += 1
            case DrawCards(count, pack):
                drawn = tuple(chance.sample(list(cards_of(pack)), count))
                state, _ = advance(state, Drawn(drawn))
            case DrawDealer(count):
                state, _ = advance(state, DealerDrawn(chance.randrange(count)))
            case MatchOver():
                return moves


def moves_per_second(play: PlayOut, seconds: float, chance: random.Random) -> float:
    """Play matches, each to its end, for so many seconds of the processor; return the speed."""
    moves = 0
    begun = time.process_time()
    while (took := time.process_time() - begun) < seconds:
        moves += play(chance)
    return moves / took
