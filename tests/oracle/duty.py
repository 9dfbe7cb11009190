"""DUTY-1: the dealer's last card of the deal."""

from ronda.v1 import event_pb2
from tests.oracle.cards import Card
from tests.oracle.match import Gain, Match
from tests.oracle.payments import end_moment, score, shares


def judge(m: Match, card: Card, *, captured: bool) -> None:
    """Judge the very last card of the deal, after its own awards.

    Raises:
        MatchOver: the match has ended.
    """
    side = m.side(m.dealer)
    duty = m.rules.dealer_duty
    gains: list[Gain] = []
    if not captured:
        gains = [(other, duty.miss, [side]) for other in m.others(side)]
    elif card[0] == 12:
        gains = [(side, duty.king, m.others(side))]
    elif card[0] == 1:
        gains = [(other, duty.ace, [side]) for other in m.others(side)]
    gained = shares(m, gains)
    if gained:
        score(m, gains)
        m.events.append(
            event_pb2.Event(duty_awarded=event_pb2.DutyAwarded(dealer=m.dealer, shares=gained))
        )
    end_moment(m)
