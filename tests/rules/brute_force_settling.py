"""Settling announcements in the brute-force counter: awards, withdrawals and penalties.

Written from the rules with lists of ranks; nothing of `ronda_rules` is imported.
"""

from tests.rules.brute_force_judging import judged, judged_whatever_the_ranks, possible
from tests.rules.brute_force_point import Announced, Point


def ranks_left(point: Point, one: Announced) -> tuple[list[int], bool]:
    """Give the ranks that an announcement of this batch can still have; whether it must be true."""
    shown, hidden = point.played[one.seat], len(point.hands[one.seat])
    return possible(point.rules, point.batch, shown, hidden, one.kind)


def when_shown(point: Point, seat: int) -> None:
    """After a card: judge what has become clear, or again where it has proved a bluff."""
    for one in point.of_batch():
        just_proved = one.seat == seat and not one.struck and not ranks_left(point, one)[0]
        before = possible(
            point.rules,
            point.batch,
            point.played[seat][:-1],
            len(point.hands[seat]) + 1,
            one.kind,
        )[0]
        if just_proved and before:
            judge_shown(point)
            point.end_moment()
            punish(point, one)
            point.end_moment()
            return
    if not point.award and all_have_spoken(point):
        judge_shown(point)
        point.end_moment()


def all_have_spoken(point: Point) -> bool:
    """Whether no seat has its first turn, on which it may announce, before it."""
    return point.rules.timing != "FIRST_TURN" or all(
        point.played[seat] or not point.silent(seat) for seat in range(point.seats)
    )


def judge_shown(point: Point) -> None:
    """Judge the batch by the cards shown; take back an award that would now be another."""
    standing = [
        (one.seat, one.kind, ranks_left(point, one)[0])
        for one in point.of_batch()
        if not one.struck and ranks_left(point, one)[0]
    ]
    paid = judged_whatever_the_ranks(point.rules, point.sides, standing) or {}
    if not all_have_spoken(point):
        paid = {}
    if point.award:
        if in_shares(point, paid) == point.award:
            return
        withdraw(point)
    give_award(point, paid)


def in_shares(point: Point, paid: dict[int, int]) -> dict[int, int]:
    """Give an award as it is recorded: in cards, what all payers owe each side together."""
    losers = point.sides - len(paid) if point.rules.in_cards else 1
    return {side: amount * losers for side, amount in paid.items() if amount * losers}


def withdraw(point: Point) -> None:
    """Take an award back: what is owed of it lapses, what was paid goes back."""
    point.found["withdrawn"] += sum(point.award.values())
    if point.rules.in_cards:
        for payer, receiver, cards in point.award_dues:
            owed = sum(debt[2] for debt in point.debts if debt[3] and debt[:2] == (payer, receiver))
            if cards > owed:
                point.dues.append((receiver, payer, cards - owed, False))
        point.debts = [debt for debt in point.debts if not debt[3]]
    else:
        for side, points in point.award.items():
            point.scores[side] -= points
    point.award = {}
    point.award_dues = []


def give_award(point: Point, paid: dict[int, int]) -> None:
    """Give an award for announcements; every side that does not share it pays."""
    losers = [side for side in range(point.sides) if side not in paid]
    gains = [(side, amount, losers) for side, amount in paid.items()]
    point.award = in_shares(point, paid)
    if point.rules.in_cards:
        point.award_dues = [(payer, side, due) for side, due, _ in gains for payer in losers]
    point.gain("announcements", gains, award=True)


def punish(point: Point, one: Announced) -> None:
    """Penalise a false announcement, up to the cap."""
    cap = point.rules.false_penalty_cap
    if cap and point.punished[one.seat] >= cap:
        return
    point.punished[one.seat] += 1
    offender = one.seat % point.sides
    points = point.rules.false_penalty[one.kind]
    point.gain("penalties", [(side, points, [offender]) for side in receivers(point, offender)])


def receivers(point: Point, offender: int) -> list[int]:
    """Give the sides that a penalty goes to."""
    others = point.others(offender)
    return others if point.rules.each_opponent else others[:1]


def settle_batch(point: Point, batch: int) -> None:
    """Pay a batch's true announcements."""
    true = [(one.seat, one.kind, one.rank) for one in point.of_batch(batch) if one.rank is not None]
    give_award(point, judged(point.rules, point.sides, true))
    point.end_moment()


def penalise_batch(point: Point, batch: int) -> None:
    """Penalise a batch's false announcements."""
    for one in point.of_batch(batch):
        if one.rank is None and not one.struck:
            punish(point, one)
            point.end_moment()
