"""PAY-1 to PAY-4: awards in points, or in cards from pile to pile."""

from ronda.v1 import event_pb2, rule_set_pb2
from tests.oracle.match import Debt, Gain, Match


def in_cards(m: Match) -> bool:
    """Tell whether scores are paid in cards (PAY-1)."""
    return m.rules.scoring == rule_set_pb2.SCORING_CARD_TRANSFER


def shares(m: Match, gains: list[Gain]) -> list[event_pb2.Share]:
    """Tell what each side gains in points, or in cards that are due to it, by side."""
    result = []
    for side in range(m.sides):
        points = 0
        for receiver, amount, payers in gains:
            if receiver == side:
                points += amount * len(payers) if in_cards(m) else amount
        if points:
            result.append(event_pb2.Share(side=side, points=points))
    return result


def score(m: Match, gains: list[Gain], *, award: bool = False) -> None:
    """Score gains: points at once, cards as due at the end of the moment (PAY-1, PAY-2)."""
    if not in_cards(m):
        for receiver, amount, _ in gains:
            m.scores[receiver] += amount
        return
    for payer in range(m.sides):
        for receiver in range(m.sides):
            cards = sum(
                amount for side, amount, payers in gains if side == receiver and payer in payers
            )
            if cards:
                m.due.append(Debt(payer, receiver, cards, award))


def withdraw(m: Match) -> None:
    """Take back the award of this batch (SHOW-5, PAY-4)."""
    taken = shares(m, m.award)
    m.events.append(
        event_pb2.Event(award_withdrawn=event_pb2.AwardWithdrawn(batch=m.batch, shares=taken))
    )
    if in_cards(m):
        m.debts = [debt for debt in m.debts if not debt.award]
        for payer in range(m.sides):
            for receiver in range(m.sides):
                paid = sum(n for a, b, n in m.award_paid if (a, b) == (payer, receiver))
                if paid:
                    m.due.append(Debt(receiver, payer, paid, award=False))
        m.award_paid = []
    else:
        for share in taken:
            m.scores[share.side] -= share.points
    m.award = []


def receive(m: Match, side: int, cards: int) -> None:
    """Put cards into a side's pile, where they first pay its debts (PAY-3)."""
    m.piles[side] += cards
    pay_debts(m)


def pay_debts(m: Match) -> None:
    """Pay the oldest debt of all whose payer has a card, until there is none (PAY-3)."""
    while True:
        payable = [debt for debt in m.debts if m.piles[debt.payer]]
        if not payable:
            return
        pay_one(m, payable[0])


def pay_one(m: Match, debt: Debt) -> None:
    """Pay what the payer's pile can pay of a debt."""
    cards = min(m.piles[debt.payer], debt.cards)
    m.piles[debt.payer] -= cards
    m.piles[debt.receiver] += cards
    debt.cards -= cards
    if debt.award:
        m.award_paid.append((debt.payer, debt.receiver, cards))
    if debt.cards == 0:
        m.debts = [other for other in m.debts if other is not debt]
    m.events.append(
        event_pb2.Event(
            cards_paid=event_pb2.CardsPaid(payer=debt.payer, receiver=debt.receiver, cards=cards)
        )
    )


def end_moment(m: Match) -> None:
    """End a moment: what it made due, what is paid, and the immediate win check (MATCH-2).

    Raises:
        MatchOver: the match has ended.
    """
    for payer in range(m.sides):
        for distance in range(1, m.sides):
            receiver = (payer + distance) % m.sides
            for debt in m.due:
                if (debt.payer, debt.receiver) == (payer, receiver):
                    m.debts.append(debt)
                    m.events.append(
                        event_pb2.Event(
                            cards_due=event_pb2.CardsDue(
                                payer=payer,
                                receiver=receiver,
                                cards=debt.cards,
                                award=debt.award,
                            )
                        )
                    )
    m.due = []
    pay_debts(m)
    if m.rules.win_check == rule_set_pb2.WIN_CHECK_IMMEDIATE and m.rules.target:
        m.look_for_end()
