"""Forfeits: a seat that has given up cannot win.

Why a seat forfeits is the service's business: it resigned, or its time ran out. What the rules
have to say is only how a match goes on without it: with two sides the other side has won; with
three the other two play on, and whoever is last has won.
"""

from ronda_rules.errors import IllegalMove, Reason
from ronda_rules.events import SeatForfeited
from ronda_rules.moments import end_match, end_match_if_won
from ronda_rules.rule_set import WinCheck
from ronda_rules.unfolding import Unfolding


def forfeit(u: Unfolding, seat: int) -> None:
    """Take a seat's side out of the reckoning; the match ends where one side is left.

    Raises:
        IllegalMove: the match is over, or the seat has forfeited before.
        MatchIsOver: the match has ended with it.
    """
    if u.state.winners:
        raise IllegalMove(Reason.MATCH_OVER, "MATCH-2", "the match is over")
    if seat in u.state.forfeited:
        detail = f"seat {seat} has forfeited before"
        raise IllegalMove(Reason.SEAT_FORFEITED, "", detail, seat=seat)
    u.emit(SeatForfeited(seat))
    remaining = u.state.sides_in_play
    if len(remaining) == 1:
        end_match(u, remaining)
    # A shared highest total that was played on may be shared no longer.
    if u.state.deal and u.state.rules.win_check is WinCheck.IMMEDIATE:
        end_match_if_won(u)
