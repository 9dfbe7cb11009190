"""Announcements: making, judging, paying and penalising them (clauses ANN-1 to ANN-9)."""

from ronda_rules.errors import IllegalMove, Reason
from ronda_rules.events import (
    AnnouncementMade,
    AnnouncementsAwarded,
    AnnouncementsRevealed,
    FalseAnnouncementPenalised,
    RevealedAnnouncement,
    Shares,
)
from ronda_rules.holdings import held_rank, possible, strength
from ronda_rules.rule_set import (
    AnnouncementKind,
    AnnouncementTie,
    Bluff,
    Payout,
    PenaltyTo,
)
from ronda_rules.state import Announcement, MatchState
from ronda_rules.unfolding import Unfolding


def announce(u: Unfolding, seat: int, kind: AnnouncementKind) -> None:
    """Make an announcement on one's own first turn of the batch (clause ANN-2).

    Raises:
        IllegalMove: the seat may not announce this now.
    """
    problem = _problem(u.state, seat, kind)
    if problem is not None:
        raise problem
    u.emit(AnnouncementMade(seat, kind))


def legal_announcements(state: MatchState, seat: int) -> tuple[AnnouncementKind, ...]:
    """Give the kinds that the seat to play may announce now (clause ANN-2)."""
    return tuple(kind for kind in AnnouncementKind if _problem(state, seat, kind) is None)


def true_announcements(state: MatchState, seat: int) -> tuple[AnnouncementKind, ...]:
    """Give the kinds among the legal ones that the seat's hand makes true (clause ANN-1)."""
    return tuple(
        kind
        for kind in legal_announcements(state, seat)
        if held_rank(state, seat, kind) is not None
    )


def settle(u: Unfolding, batch: int) -> None:
    """Show a batch's announcements and pay the best of the true ones (clauses ANN-5 to ANN-8)."""
    made = _of_batch(u.state, batch)
    if not made:
        return
    shown = tuple(RevealedAnnouncement(one.seat, one.kind, one.rank) for one in made)
    u.emit(AnnouncementsRevealed(batch, shown))
    shares = _award(u.state, [one for one in made if one.rank is not None])
    if shares:
        u.emit(AnnouncementsAwarded(batch, shares))


def penalise_false(u: Unfolding, batch: int) -> None:
    """Penalise a batch's false announcements, each seat's up to the cap (clause ANN-9)."""
    for one in _of_batch(u.state, batch):
        if one.rank is not None:
            continue
        cap = u.state.rules.false_penalty_cap
        points = u.state.rules.false_penalty.of(one.kind)
        if points and (not cap or u.state.punished[one.seat] < cap):
            shares = tuple((side, points) for side in penalty_receivers(u.state, one.seat))
            u.emit(FalseAnnouncementPenalised(batch, one.seat, one.kind, shares))


def penalty_receivers(state: MatchState, offender: int) -> tuple[int, ...]:
    """Give the sides that a seat's penalty goes to, the next seat's first (clause ANN-9)."""
    following = state.next_seat(offender)
    if state.sides == 2 or state.rules.penalty_to is PenaltyTo.NEXT_SEAT:  # noqa: PLR2004 - two sides have one other
        return (state.side(following),)
    return (state.side(following), state.side(state.next_seat(following)))


def _problem(state: MatchState, seat: int, kind: AnnouncementKind) -> IllegalMove | None:
    word = kind.lower()
    if not state.rules.kinds.of(kind):
        detail = f"a {word} has no value in {state.rules.id}, so it cannot be announced"
        return IllegalMove(Reason.KIND_WITHOUT_VALUE, "ANN-1", detail, kind=kind)
    if len(state.hands[seat]) < state.hand_size:
        detail = "announcements come before one's first card of the batch"
        return IllegalMove(Reason.ANNOUNCEMENT_TOO_LATE, "ANN-2", detail, seat=seat)
    if any(one.seat == seat for one in _of_batch(state, state.batch)):
        detail = f"seat {seat} has announced in this batch; one announcement is allowed"
        return IllegalMove(Reason.ALREADY_ANNOUNCED, "ANN-2", detail, seat=seat)
    if not possible(kind, state.hand_size):
        detail = f"no hand of {state.hand_size} cards can hold a {word}"
        return IllegalMove(Reason.KIND_IMPOSSIBLE, "ANN-1", detail, kind=kind)
    refused = state.rules.bluff is Bluff.REFUSED
    if refused and held_rank(state, seat, kind) is None:
        detail = f"the hand holds no {word}, and this rule set refuses false announcements"
        return IllegalMove(Reason.FALSE_ANNOUNCEMENT, "ANN-4", detail, kind=kind)
    return None


def _of_batch(state: MatchState, batch: int) -> list[Announcement]:
    order = state.in_order_of_play()
    made = [one for one in state.announcements if one.batch == batch]
    return sorted(made, key=lambda one: order.index(one.seat))


def _award(state: MatchState, standing: list[Announcement]) -> Shares:
    """Give what each winning or tied side gets for the true announcements (ANN-5 to ANN-7)."""
    if not standing:
        return ()
    best = max(_standing_key(state, one) for one in standing)
    winning = [one for one in standing if _standing_key(state, one) == best]
    sides = sorted({state.side(one.seat) for one in winning})
    if len(sides) > 1 and state.rules.announcement_tie is AnnouncementTie.NONE:
        return ()
    values = state.rules.kinds
    amount: int
    match state.rules.payout:
        case Payout.OWN_VALUE:
            amount = max(values.of(one.kind) for one in winning)
        case Payout.POT:
            amount = sum(values.of(one.kind) for one in standing)
    share = amount // len(sides)
    return tuple((side, share) for side in sides) if share else ()


def _standing_key(state: MatchState, one: Announcement) -> tuple[bool, int]:
    if one.rank is None:
        raise AssertionError("false announcements are taken out before the best is looked for")
    return one.kind is AnnouncementKind.TRINGA, strength(one.rank, state.rules.rank_order)
