"""The course of a batch, and the end of deals and of the match (clauses MATCH-1 to MATCH-4)."""

from ronda_rules.announcements import announce_for_all, seats_to_answer
from ronda_rules.capture import play_card, take_leftovers
from ronda_rules.cards import Card
from ronda_rules.count import count_piles
from ronda_rules.deal import start_batch, start_deal
from ronda_rules.duty import judge_duty
from ronda_rules.events import DealEnded
from ronda_rules.moments import end_match_if_won
from ronda_rules.rule_set import Settle
from ronda_rules.settlement import (
    settle_after_announcing,
    settle_at_batch_end,
    settle_at_deal_end,
    settle_shown,
    standing_announcement,
)
from ronda_rules.unfolding import Unfolding
from ronda_rules.windows import challenge_window, claim_window


def begin_play(u: Unfolding) -> None:
    """Once the hands are dealt and the table is valid, announce for all or ask (clause ANN-2).

    Raises:
        MatchIsOver: the match has ended with what is clear at once.
    """
    announce_for_all(u)
    after_an_answer(u)


def after_an_answer(u: Unfolding) -> None:
    """Go on when all have announced and nobody challenges: pay what is clear (clause ANN-8).

    Raises:
        MatchIsOver: the match has ended with what is clear.
    """
    if not seats_to_answer(u.state) and challenge_window(u.state) is None:
        settle_after_announcing(u)


def take_turn(u: Unfolding, seat: int, card: Card) -> None:
    """Play a card and all that follows from it, to the next decision (clauses CAP-1, ANN-8).

    Raises:
        MatchIsOver: the match has ended on the way.
    """
    if u.state.rules.settle is Settle.WHEN_SHOWN:
        stood = standing_announcement(u.state, seat)
        captured = play_card(u, seat, card)
        settle_shown(u, None if standing_announcement(u.state, seat) else stood)
    else:
        captured = play_card(u, seat, card)
    if u.state.last_card_played:
        judge_duty(u, card, captured=captured)
    if u.state.hands_empty:
        settle_at_batch_end(u)
        after_a_claim(u)


def after_a_claim(u: Unfolding) -> None:
    """Go on when nobody claims any more: deal the next batch, or end the deal (clause MATCH-1).

    Raises:
        MatchIsOver: the match has ended.
    """
    if claim_window(u.state) is not None:
        return
    if u.state.last_batch:
        _end_deal(u)
    else:
        start_batch(u)


def _end_deal(u: Unfolding) -> None:
    take_leftovers(u)
    settle_at_deal_end(u)
    count_piles(u)
    u.emit(DealEnded(u.state.deal, u.state.scores))
    end_match_if_won(u)
    start_deal(u, u.state.next_seat(u.state.dealer))
