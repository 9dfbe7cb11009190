"""Making announcements: when, which, and by whom (clauses ANN-1 to ANN-4)."""

from typing import Final

from ronda_rules.errors import IllegalMove, Reason
from ronda_rules.events import (
    AnnouncementMade,
    AnnouncementPassed,
    AnnouncementSealed,
    Answer,
)
from ronda_rules.holdings import best_kind_held, held_rank, possible
from ronda_rules.rule_set import KINDS, AnnouncementKind, Bluff, RuleSet, Timing
from ronda_rules.state import MatchState
from ronda_rules.unfolding import Unfolding

_ASKED: Final = frozenset({Timing.IN_ORDER, Timing.SIMULTANEOUS})


def seats_to_answer(state: MatchState) -> tuple[int, ...]:
    """Give the seats that must announce or pass now, ascending (clause ANN-2).

    Every seat is asked, whatever it holds, unless no kind has a value.
    """
    if not state.first_card or not asks_every_seat(state.rules):
        return ()
    if len(state.answered) == state.seats:
        return ()
    if state.rules.timing is Timing.IN_ORDER:
        return (state.in_order_of_play()[len(state.answered)],)
    given = {seat for seat, _ in state.sealed}
    return tuple([seat for seat in range(state.seats) if seat not in given])


def asks_every_seat(rules: RuleSet) -> bool:
    """Whether every seat is asked for an announcement before the first card (clause ANN-2)."""
    return rules.timing in _ASKED and not rules.kinds.are_none


def announce(u: Unfolding, seat: int, kind: AnnouncementKind) -> None:
    """Make an announcement; where all answer at once it is sealed until they have (ANN-2).

    Raises:
        IllegalMove: the seat may not announce this now.
    """
    problem = _problem(u.state, seat, kind)
    if problem is not None:
        raise problem
    if u.state.rules.timing is Timing.SIMULTANEOUS:
        u.emit(AnnouncementSealed(seat, kind))
        _open_when_complete(u)
    else:
        u.emit(AnnouncementMade(seat, kind))


def decline(u: Unfolding, seat: int) -> None:
    """Make no announcement where one is asked for (clause ANN-2)."""
    if u.state.rules.timing is Timing.SIMULTANEOUS:
        u.emit(AnnouncementSealed(seat, Answer.PASSED))
        _open_when_complete(u)
    else:
        u.emit(AnnouncementPassed(seat))


def announce_for_all(u: Unfolding) -> None:
    """With automatic timing, announce for every seat the best kind that it holds (ANN-2)."""
    if u.state.rules.timing is not Timing.AUTOMATIC:
        return
    for seat in u.state.in_order_of_play():
        kind = best_kind_held(u.state, seat)
        if kind is not None:
            u.emit(AnnouncementMade(seat, kind))


def legal_announcements(state: MatchState, seat: int) -> tuple[AnnouncementKind, ...]:
    """Give the kinds that a seat that must act may announce now (clause ANN-2)."""
    if not _in_time(state, seat) or state.has_announced(seat):
        return ()
    return tuple([kind for kind in KINDS if _reason(state, seat, kind) is None])


def true_announcements(state: MatchState, seat: int) -> tuple[AnnouncementKind, ...]:
    """Give the kinds among the legal ones that the seat's hand makes true (clause ANN-1)."""
    return tuple(
        [
            kind
            for kind in legal_announcements(state, seat)
            if held_rank(state, seat, kind) is not None
        ]
    )


def _open_when_complete(u: Unfolding) -> None:
    """Show all answers once every seat has given its own, in order of play (clause ANN-2)."""
    if len(u.state.sealed) < u.state.seats:
        return
    answers = dict(u.state.sealed)
    for seat in u.state.in_order_of_play():
        match answers[seat]:
            case AnnouncementKind() as kind:
                u.emit(AnnouncementMade(seat, kind))
            case _:
                u.emit(AnnouncementPassed(seat))


def _reason(state: MatchState, seat: int, kind: AnnouncementKind) -> Reason | None:
    """Give the first reason against it that holds, in the order of the specification."""
    if not state.rules.kinds.of(kind):
        return Reason.KIND_WITHOUT_VALUE
    if not possible(kind, state.hand_size):
        return Reason.KIND_IMPOSSIBLE
    if state.has_announced(seat):
        return Reason.ALREADY_ANNOUNCED
    if not _in_time(state, seat):
        return Reason.ANNOUNCEMENT_TOO_LATE
    refused = state.rules.bluff is Bluff.REFUSED
    if refused and held_rank(state, seat, kind) is None:
        return Reason.FALSE_ANNOUNCEMENT
    return None


def _problem(state: MatchState, seat: int, kind: AnnouncementKind) -> IllegalMove | None:
    """Give what to refuse an announcement with, or None where it is legal."""
    word = kind.lower()
    match _reason(state, seat, kind):
        case None:
            return None
        case Reason.KIND_WITHOUT_VALUE:
            detail = f"a {word} has no value in {state.rules.id}, so it cannot be announced"
            return IllegalMove(Reason.KIND_WITHOUT_VALUE, "ANN-1", detail, kind=kind)
        case Reason.KIND_IMPOSSIBLE:
            detail = f"no hand of {state.hand_size} cards can hold a {word}"
            return IllegalMove(Reason.KIND_IMPOSSIBLE, "ANN-1", detail, kind=kind)
        case Reason.ALREADY_ANNOUNCED:
            detail = f"seat {seat} has announced in this batch; one announcement is allowed"
            return IllegalMove(Reason.ALREADY_ANNOUNCED, "ANN-2", detail, seat=seat)
        case Reason.ANNOUNCEMENT_TOO_LATE:
            detail = "announcements come before one's first card of the batch"
            if state.rules.timing in _ASKED:
                detail = "announcements come when they are asked for, after the hands are dealt"
            if state.rules.timing is Timing.AUTOMATIC:
                detail = "the referee announces for everyone"
            return IllegalMove(Reason.ANNOUNCEMENT_TOO_LATE, "ANN-2", detail, seat=seat)
        case _:
            detail = f"the hand holds no {word}, and this rule set refuses false announcements"
            return IllegalMove(Reason.FALSE_ANNOUNCEMENT, "ANN-4", detail, kind=kind)


def _in_time(state: MatchState, seat: int) -> bool:
    if state.rules.timing is Timing.FIRST_TURN:
        return len(state.hands[seat]) == state.hand_size
    return seat in seats_to_answer(state)
