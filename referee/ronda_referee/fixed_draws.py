"""Draws from outside: whether the cards given could leave the pack in that order."""

import dataclasses
from collections.abc import Sequence

from ronda_referee.shuffle import FixedDrawsExhausted, MatchDraws
from ronda_rules.cards import Card
from ronda_rules.engine import (
    DrawCards,
    DrawDealer,
    MatchOver,
    SeatsToAct,
    apply,
    begin,
    decide,
    fold,
)
from ronda_rules.moves import AnyMove, DealerDrawn, Drawn, Play, SeatMove
from ronda_rules.rule_set import RuleSet
from ronda_rules.rule_set_check import HIGHEST_TARGET
from ronda_rules.state import MatchState

_ANY_KEY = bytes(32)


def check_fixed_draws(rules: RuleSet, seats: int, cards: Sequence[Card]) -> None:
    """Refuse draws that chance could not have made.

    What leaves the pack does not hang on what the seats play, so playing any cards finds every
    fault; the target is set out of reach, so that no match ends before its draws do.

    Raises:
        DrawError: a card is drawn that is not in the pack then.
        RuleSetError: the rule set or the seat count cannot be played.
    """
    state, _ = begin(dataclasses.replace(rules, target=HIGHEST_TARGET), seats)
    draws = MatchDraws(_ANY_KEY, cards)
    while (move := _next_move(state, draws)) is not None:
        state = fold(state, apply(state, move))


def _next_move(state: MatchState, draws: MatchDraws) -> AnyMove | None:
    match decide(state):
        case DrawDealer():
            return DealerDrawn(0)
        case DrawCards(count, pack):
            try:
                return Drawn(draws.cards(state.deal, pack, count))
            except FixedDrawsExhausted:
                return None
        case SeatsToAct((seat, *_)):
            return SeatMove(seat, Play(state.hands[seat][0]))
        case SeatsToAct() | MatchOver():
            return None
