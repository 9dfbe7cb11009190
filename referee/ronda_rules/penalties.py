"""Penalties for false announcements and for those not made (clauses ANN-9, CLAIM-1 to CLAIM-3)."""

from ronda_rules.events import FalseAnnouncementPenalised, UndeclaredPenalised
from ronda_rules.holdings import best_kind_held
from ronda_rules.moments import end_moment
from ronda_rules.payments import Gain, award
from ronda_rules.rule_set import AnnouncementKind, PenaltyTo, UndeclaredDetection
from ronda_rules.state import Announcement, MatchState
from ronda_rules.unfolding import Unfolding


def penalise_false(u: Unfolding, one: Announcement) -> None:
    """Penalise a false announcement, up to the cap; beyond it, it is void for free (ANN-9)."""
    cap = u.state.rules.false_penalty_cap
    if cap and u.state.punished[one.seat] >= cap:
        return
    points = u.state.rules.false_penalty.of(one.kind)
    offender = u.state.side(one.seat)
    gains = (Gain(side, points, (offender,)) for side in penalty_receivers(u.state, one.seat))
    award(
        u,
        gains,
        lambda shares: FalseAnnouncementPenalised(one.batch, one.seat, one.kind, shares),
    )


def penalise_undeclared(u: Unfolding) -> None:
    """At batch end, charge every seat for what it held and did not announce (clause CLAIM-2).

    Raises:
        MatchIsOver: the match has ended with one of these penalties.
    """
    if u.state.rules.undeclared_detection is not UndeclaredDetection.AUTOMATIC:
        return
    for seat in u.state.in_order_of_play():
        kind = None if u.state.has_announced(seat) else best_kind_held(u.state, seat)
        if kind is None:
            continue
        charge_undeclared(u, seat, kind, penalty_receivers(u.state, seat), None)
        end_moment(u)


def charge_undeclared(
    u: Unfolding,
    seat: int,
    kind: AnnouncementKind,
    receivers: tuple[int, ...],
    claimant: int | None,
) -> None:
    """Charge a seat for a combination that it held and did not announce (clause CLAIM-1)."""
    points = u.state.rules.undeclared_penalty.of(kind)
    offender = u.state.side(seat)
    gains = [Gain(side, points, (offender,)) for side in receivers]
    batch = u.state.batch
    award(u, gains, lambda shares: UndeclaredPenalised(batch, seat, kind, shares, claimant))


def penalty_receivers(state: MatchState, offender: int) -> tuple[int, ...]:
    """Give the sides that a seat's penalty goes to, the next seat's first (clause ANN-9)."""
    others = state.opponents(state.side(offender))
    return others[:1] if state.rules.penalty_to is PenaltyTo.NEXT_SEAT else others
