"""Moments: amounts scored in one are simultaneous, and after each the match may end (MATCH-2)."""

from ronda_rules.events import MatchEnded
from ronda_rules.payments import pay_dues
from ronda_rules.rule_set import TargetTie, WinCheck
from ronda_rules.state import MatchState
from ronda_rules.unfolding import Unfolding


class MatchIsOver(Exception):
    """Ends the unfolding of a move: the match is over, and nothing further scores or is asked."""


def end_moment(u: Unfolding) -> None:
    """Pay what the moment made due and, where the win check is immediate, look for the end.

    Raises:
        MatchIsOver: the match has ended with this moment.
    """
    if u.dues:
        pay_dues(u)
    if u.state.rules.win_check is WinCheck.IMMEDIATE:
        end_match_if_won(u)


def end_match_if_won(u: Unfolding) -> None:
    """End the match where a side has won or sides share a draw.

    Raises:
        MatchIsOver: it has ended.
    """
    winners = winning_sides(u.state)
    if winners:
        end_match(u, winners)


def end_match(u: Unfolding, winners: tuple[int, ...]) -> None:
    """End the match with these winning or tied sides.

    Raises:
        MatchIsOver: always.
    """
    u.emit(MatchEnded(winners, u.state.scores))
    raise MatchIsOver


def winning_sides(state: MatchState) -> tuple[int, ...]:
    """Give the side that has won or those that share a draw; empty where the match goes on.

    With a target of 0 every side qualifies when it is asked for, after the only deal (clauses
    MATCH-2 to MATCH-4). A side that has forfeited never does.
    """
    in_play = state.sides_in_play
    highest = max([state.scores[side] for side in in_play])
    if highest < state.rules.target:
        return ()
    sides = tuple([side for side in in_play if state.scores[side] == highest])
    if len(sides) > 1 and state.rules.target_tie is TargetTie.PLAY_ON:
        return ()
    return sides
