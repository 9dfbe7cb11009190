"""What an award is paid in: points, or cards from pile to pile with debts (clauses PAY-1 to PAY-4).

An award says who gains how much and from whom. In points the gainers score; in cards every payer
named pays the full amount, and what a pile cannot pay is owed until cards enter it.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

from ronda_rules.events import CardsDue, CardsPaid, ScoringEvent, Shares
from ronda_rules.rule_set import Scoring
from ronda_rules.unfolding import Due, Unfolding


class Gain(NamedTuple):
    """What one side gains by an award: an amount, and the sides that pay it where cards are paid.

    Each payer named pays the amount in full (clause PAY-2).
    """

    side: int
    amount: int
    payers: tuple[int, ...]


def award(
    u: Unfolding,
    gains: Iterable[Gain],
    event: Callable[[Shares], ScoringEvent],
    *,
    of_batch: bool = False,
) -> None:
    """Record an award, made by `event` from what each side gains; none where nobody gains (PAY-1).

    Shares stand by side. What one side owes another for the award is due as one amount (PAY-3).
    `of_batch`: it is for the announcements of the present batch, which can be withdrawn.
    """
    in_cards = u.state.rules.scoring is Scoring.CARD_TRANSFER
    # In cards nobody gains what nobody pays.
    gained = [gain for gain in gains if gain.amount and (gain.payers or not in_cards)]
    if not gained:
        return
    totals: dict[int, int] = {}
    for gain in gained:
        times = len(gain.payers) if in_cards else 1
        totals[gain.side] = totals.get(gain.side, 0) + gain.amount * times
    shares = tuple(sorted(totals.items()))
    u.emit(event(shares))
    if in_cards:
        u.dues += _merged(
            Due(payer, gain.side, gain.amount, of_batch) for gain in gained for payer in gain.payers
        )


def refund(u: Unfolding) -> None:
    """Make due what a withdrawn award has already been paid (clause PAY-4).

    What is still owed of it is cancelled by the withdrawal.

    Must be called before the withdrawal is recorded.
    """
    owed: dict[tuple[int, int], int] = {}
    for debt in u.state.debts:
        if debt.award:
            owed[debt.payer, debt.receiver] = owed.get((debt.payer, debt.receiver), 0) + debt.cards
    for due in u.state.award_dues:
        paid = due.cards - owed.get((due.payer, due.receiver), 0)
        if paid:
            u.dues.append(Due(due.receiver, due.payer, paid))


def pay_dues(u: Unfolding) -> None:
    """Record what the moment has made due, then pay as far as the piles reach (clause PAY-3).

    Payers stand ascending, each one's receivers from the side after it. The sort is stable: of one
    pair a refund comes before a new award, and that before a penalty.
    """
    dues, u.dues = u.dues, []
    sides = u.state.sides
    dues.sort(key=lambda due: (due.payer, (due.receiver - due.payer) % sides))
    for due in dues:
        u.emit(CardsDue(due.payer, due.receiver, due.cards, due.award))
    pay_debts(u)


def pay_debts(u: Unfolding) -> None:
    """Pay the oldest debt of all that can be paid, until none can; to be called when cards enter.

    What is received pays the receiver's own debts in turn (clause PAY-3).
    """
    while True:
        payable = [debt for debt in u.state.debts if u.state.piles[debt.payer]]
        if not payable:
            return
        debt = payable[0]
        cards = min(debt.cards, u.state.piles[debt.payer])
        u.emit(CardsPaid(debt.payer, debt.receiver, cards))


def _merged(dues: Iterable[Due]) -> list[Due]:
    merged: dict[tuple[int, int], Due] = {}
    for due in dues:
        pair = due.payer, due.receiver
        before = merged[pair].cards if pair in merged else 0
        merged[pair] = replace(due, cards=before + due.cards)
    return list(merged.values())
