"""The end of deals and of the match (clauses MATCH-1 to MATCH-4)."""

from ronda_rules.announcements import penalise_false, settle
from ronda_rules.capture import take_leftovers
from ronda_rules.count import count_piles
from ronda_rules.deal import start_batch, start_deal
from ronda_rules.events import DealEnded, MatchEnded
from ronda_rules.rule_set import Settle, TargetTie
from ronda_rules.state import MatchState
from ronda_rules.unfolding import Unfolding


def end_batch(u: Unfolding) -> None:
    """Settle what a batch settles, then deal the next batch or end the deal (clause ANN-8)."""
    if u.state.rules.settle is Settle.BATCH_END:
        settle(u, u.state.batch)
        penalise_false(u, u.state.batch)
    if u.state.last_batch:
        _end_deal(u)
    else:
        start_batch(u)


def _end_deal(u: Unfolding) -> None:
    take_leftovers(u)
    if u.state.rules.settle is Settle.DEAL_END:
        for batch in range(1, u.state.batch + 1):
            settle(u, batch)
        for batch in range(1, u.state.batch + 1):
            penalise_false(u, batch)
    count_piles(u)
    u.emit(DealEnded(u.state.deal, u.state.scores))
    winners = winning_sides(u.state)
    if winners:
        u.emit(MatchEnded(winners, u.state.scores))
    else:
        start_deal(u, u.state.next_seat(u.state.dealer))


def winning_sides(state: MatchState) -> tuple[int, ...]:
    """Give the side that has won or those that share a draw; empty where the match goes on.

    With a target of 0 every side qualifies after the first deal (clauses MATCH-2 to MATCH-4).
    """
    highest = max(state.scores)
    if highest < state.rules.target:
        return ()
    sides = tuple(side for side, score in enumerate(state.scores) if score == highest)
    if len(sides) > 1 and state.rules.target_tie is TargetTie.PLAY_ON:
        return ()
    return sides
