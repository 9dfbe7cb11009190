"""Windows: after announcing and at batch end each seat is asked once for what it may do (WIN-1).

Seats with nothing legal are passed over. A seat that is asked may do any number of things and then
passes, also when nothing legal is left.
"""

from collections.abc import Callable

from ronda_rules.challenges import legal_challenges
from ronda_rules.claims import legal_claims
from ronda_rules.rule_set import Timing
from ronda_rules.state import MatchState

_Legal = Callable[[MatchState, int], tuple[int, ...]]


def challenge_window(state: MatchState) -> int | None:
    """Give the seat that is asked for challenges before the first card, or None."""
    if not state.first_card or state.rules.timing is Timing.FIRST_TURN:
        return None
    return _asked(state, legal_challenges)


def claim_window(state: MatchState) -> int | None:
    """Give the seat that is asked for claims after the last card of the batch, or None."""
    return _asked(state, legal_claims) if state.hands_empty else None


def _asked(state: MatchState, legal: _Legal) -> int | None:
    for seat in state.in_order_of_play()[state.passed :]:
        if seat == state.acted or legal(state, seat):
            return seat
    return None
