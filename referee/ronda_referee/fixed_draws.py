"""Draws from outside: whether the cards given could leave the pack in that order."""

import dataclasses
from collections.abc import Sequence

from ronda_referee.automatic import automatic_move
from ronda_referee.shuffle import FixedDrawsExhausted, MatchDraws
from ronda_rules.cards import Card
from ronda_rules.engine import SeatsToAct, apply, begin, decide, fold
from ronda_rules.moves import SeatMove
from ronda_rules.rule_set import FirstDealer, RuleSet, TargetTie, WinCheck

_ANY_KEY = bytes(32)


def check_fixed_draws(rules: RuleSet, seats: int, cards: Sequence[Card]) -> None:
    """Refuse draws that chance could not have made.

    What leaves the pack hangs neither on who deals nor on what the seats play or score. So the
    draws are dealt out in one single deal after the other, until none are left.

    Raises:
        DrawError: a card is drawn that is not in the pack then.
        RuleSetError: the rule set or the seat count cannot be played.
    """
    one_deal = dataclasses.replace(
        rules,
        first_dealer=FirstDealer.LAST_SEAT,
        target=0,
        win_check=WinCheck.DEAL_END,
        target_tie=TargetTie.DRAW,
    )
    draws = MatchDraws(_ANY_KEY, cards)
    try:
        while True:
            _deal(one_deal, seats, draws)
    except FixedDrawsExhausted:
        return


def _deal(rules: RuleSet, seats: int, draws: MatchDraws) -> None:
    state, _ = begin(rules, seats)
    while not state.winners:
        match decide(state):
            case SeatsToAct((seat, *_)):
                events = apply(state, SeatMove(seat, automatic_move(state, seat)))
            case _:
                drawn = draws.answer(state)
                events = () if drawn is None else apply(state, drawn)
        state = fold(state, events)
