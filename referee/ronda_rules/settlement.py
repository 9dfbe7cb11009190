"""Settling announcements: when they are shown and paid (clauses ANN-8, SHOW-3 to SHOW-5)."""

from ronda_rules.events import (
    AnnouncementsAwarded,
    AnnouncementsRevealed,
    AwardWithdrawn,
    RevealedAnnouncement,
    Shares,
)
from ronda_rules.judging import Standing, amounts, clear_amounts
from ronda_rules.moments import end_moment
from ronda_rules.payments import Gain, award, refund
from ronda_rules.penalties import penalise_false, penalise_undeclared
from ronda_rules.rule_set import Scoring, Settle, Timing
from ronda_rules.showing import possible_ranks
from ronda_rules.state import Announcement, Debt, MatchState
from ronda_rules.unfolding import Unfolding


def settle_after_announcing(u: Unfolding) -> None:
    """Once all have announced, pay what is clear then (clause ANN-8).

    Raises:
        MatchIsOver: the match has ended with these awards.
    """
    match u.state.rules.settle:
        case Settle.AT_ONCE:
            _show_and_pay(u, u.state.batch)
        case Settle.BATCH_END_OR_CLEAR_KIND | Settle.WHEN_SHOWN:
            _pay_if_clear(u)
            end_moment(u)
        case Settle.DEAL_END | Settle.BATCH_END:
            pass


def settle_shown(u: Unfolding, disproved: Announcement | None) -> None:
    """After a card, pay what the cards played make clear, and penalise what this one disproves.

    `disproved` is its seat's announcement where this card has proved it false (SHOW-4, SHOW-5).

    Raises:
        MatchIsOver: the match has ended with an award or a penalty.
    """
    if disproved is not None:
        judge_again(u)
        end_moment(u)
        penalise_false(u, disproved)
        end_moment(u)
    elif not u.state.award and all_have_spoken(u.state):
        _pay_if_clear(u)
        end_moment(u)


def judge_again(u: Unfolding) -> None:
    """Withdraw the batch's award and judge anew; neither is recorded where they are equal (SHOW-5).

    An unclear result awards nothing yet.
    """
    paid = _clear(u.state) if all_have_spoken(u.state) else None
    before = u.state.award
    if before:
        if _shares(u.state, paid or ()) == before:
            return
        refund(u)
        u.emit(AwardWithdrawn(u.state.batch, before))
    _pay(u, u.state.batch, paid or ())


def settle_at_batch_end(u: Unfolding) -> None:
    """Settle what is settled when the last card of a batch has been played (clause ANN-8).

    Raises:
        MatchIsOver: the match has ended with the settlement or with a penalty.
    """
    match u.state.rules.settle:
        case Settle.BATCH_END:
            _show_and_pay(u, u.state.batch)
            _penalise(u, u.state.batch)
        case Settle.BATCH_END_OR_CLEAR_KIND if not u.state.award:
            _show_and_pay(u, u.state.batch)
        case _:
            pass
    penalise_undeclared(u)


def settle_at_deal_end(u: Unfolding) -> None:
    """Settle what is settled at the end of the deal: all batches, then all penalties (ANN-8).

    Raises:
        MatchIsOver: the match has ended with a settlement or a penalty.
    """
    if u.state.rules.settle is not Settle.DEAL_END:
        return
    for batch in range(1, u.state.batch + 1):
        _show_and_pay(u, batch)
    for batch in range(1, u.state.batch + 1):
        _penalise(u, batch)


def all_have_spoken(state: MatchState) -> bool:
    """Whether every seat has announced, declined or played in this batch (clause SHOW-3)."""
    if state.rules.timing is not Timing.FIRST_TURN:
        return True
    return all(
        len(state.hands[seat]) < state.hand_size or state.has_announced(seat)
        for seat in range(state.seats)
    )


def standing_now(state: MatchState) -> tuple[Announcement, ...]:
    """Give this batch's announcements that nothing has proved false, in the order made."""
    return tuple([one for one in state.of_this_batch() if _stands(state, one)])


def standing_announcement(state: MatchState, seat: int) -> Announcement | None:
    """Give a seat's announcement of this batch where nothing has proved it false."""
    for one in state.of_this_batch():
        if one.seat == seat and _stands(state, one):
            return one
    return None


def _stands(state: MatchState, one: Announcement) -> bool:
    return not one.struck and bool(possible_ranks(state, one.seat, one.kind))


def _show_and_pay(u: Unfolding, batch: int) -> None:
    made = _of_batch(u.state, batch)
    if not made:
        return
    shown = tuple(RevealedAnnouncement(one.seat, one.kind, one.rank) for one in made)
    u.emit(AnnouncementsRevealed(batch, shown))
    standing = [
        Standing(u.state.side(one.seat), one.kind, one.rank) for one in made if one.rank is not None
    ]
    _pay(u, batch, amounts(u.state.rules, u.state.seats, standing))
    end_moment(u)


def _penalise(u: Unfolding, batch: int) -> None:
    for one in _of_batch(u.state, batch):
        # A challenge has penalised what it struck.
        if one.rank is None and not one.struck:
            penalise_false(u, one)
            end_moment(u)


def _pay_if_clear(u: Unfolding) -> None:
    _pay(u, u.state.batch, _clear(u.state) or ())


def _clear(state: MatchState) -> Shares | None:
    standing = standing_now(state)
    if not standing:
        return ()
    return clear_amounts(
        state.rules,
        state.seats,
        tuple([state.side(one.seat) for one in standing]),
        tuple([one.kind for one in standing]),
        tuple([possible_ranks(state, one.seat, one.kind) for one in standing]),
    )


def _pay(u: Unfolding, batch: int, paid: Shares) -> None:
    award(
        u,
        _gains(u.state, paid),
        lambda shares: AnnouncementsAwarded(batch, shares),
        of_batch=batch == u.state.batch,
    )


def _gains(state: MatchState, paid: Shares) -> list[Gain]:
    """Say who pays: every side that does not share the award, each the full amount (PAY-2)."""
    winners = {side for side, _ in paid}
    return [
        Gain(side, amount, tuple([x for x in state.opponents(side) if x not in winners]))
        for side, amount in paid
    ]


def dues_of(state: MatchState) -> tuple[Debt, ...]:
    """Give what was due for the present batch's award, each payer's receivers in order (PAY-2)."""
    winners = {side for side, _ in state.award}
    dues = [
        Debt(payer, side, due // (state.sides - len(winners)), award=True)
        for side, due in state.award
        for payer in state.opponents(side)
        if payer not in winners
    ]
    return tuple(
        sorted(dues, key=lambda due: (due.payer, (due.receiver - due.payer) % state.sides))
    )


def _shares(state: MatchState, paid: Shares) -> Shares:
    if state.rules.scoring is not Scoring.CARD_TRANSFER:
        return paid
    return tuple(
        (gain.side, gain.amount * len(gain.payers)) for gain in _gains(state, paid) if gain.payers
    )


def _of_batch(state: MatchState, batch: int) -> list[Announcement]:
    order = state.in_order_of_play()
    made = [one for one in state.announcements if one.batch == batch]
    return sorted(made, key=lambda one: order.index(one.seat))
