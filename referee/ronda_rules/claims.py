"""Claims: what a seat held, did not announce, and has shown by its cards (CLAIM-1, CLAIM-3)."""

from ronda_rules.errors import IllegalMove, Reason
from ronda_rules.moments import end_moment
from ronda_rules.penalties import charge_undeclared
from ronda_rules.rule_set import UndeclaredDetection
from ronda_rules.showing import proved_kind
from ronda_rules.state import MatchState
from ronda_rules.unfolding import Unfolding


def legal_claims(state: MatchState, seat: int) -> tuple[int, ...]:
    """Give the opponents against whom a seat may claim now, ascending (clause CLAIM-3)."""
    if state.rules.undeclared_detection is not UndeclaredDetection.CLAIM:
        return ()
    return tuple(
        [
            holder
            for holder in range(state.seats)
            if state.side(holder) != state.side(seat)
            and holder not in state.claimed
            and not state.has_announced(holder)
            and proved_kind(state, holder, state.rules.kinds) is not None
        ]
    )


def claim(u: Unfolding, seat: int, holder: int) -> None:
    """Claim the penalty for the best kind that a seat's cards prove at this moment (CLAIM-3).

    Raises:
        IllegalMove: nothing is proved against that seat, or it may not be charged.
        MatchIsOver: the match has ended with this penalty.
    """
    kind = None
    if holder in legal_claims(u.state, seat):
        kind = proved_kind(u.state, holder, u.state.rules.kinds)
    if kind is None:
        detail = f"the cards played prove nothing that seat {seat} may claim against seat {holder}"
        if u.state.rules.undeclared_detection is not UndeclaredDetection.CLAIM:
            detail = f"{u.state.rules.id} has no claims"
        raise IllegalMove(Reason.CLAIM_NOT_ALLOWED, "CLAIM-3", detail, seat=holder)
    charge_undeclared(u, holder, kind, (u.state.side(seat),), seat)
    end_moment(u)
