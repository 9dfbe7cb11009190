"""The dealer's duty: to capture with the very last card of the deal (clause DUTY-1)."""

from ronda_rules.cards import ACE, KING, Card, rank_index
from ronda_rules.events import DutyAwarded
from ronda_rules.moments import end_moment
from ronda_rules.payments import Gain, award
from ronda_rules.unfolding import Unfolding


def judge_duty(u: Unfolding, card: Card, *, captured: bool) -> None:
    """Score the dealer's last card: a king for the dealer, an ace or a miss for the others.

    A caida and a continued chain are captures too.

    Raises:
        MatchIsOver: the match has ended with this.
    """
    duty = u.state.rules.dealer_duty
    side = u.state.side(u.state.dealer)
    others = u.state.opponents(side)
    if captured and rank_index(card) == KING:
        gains = [Gain(side, duty.king, others)]
    elif captured and rank_index(card) == ACE:
        gains = [Gain(other, duty.ace, (side,)) for other in others]
    elif captured:
        gains = []
    else:
        gains = [Gain(other, duty.miss, (side,)) for other in others]
    dealer = u.state.dealer
    award(u, gains, lambda shares: DutyAwarded(dealer, shares))
    end_moment(u)
