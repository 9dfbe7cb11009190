"""Challenges: doubting a standing announcement, at a price (clauses CHALL-1 to CHALL-4)."""

from ronda_rules.cards import ascending, set_of
from ronda_rules.errors import IllegalMove, Reason
from ronda_rules.events import AnnouncementChallenged
from ronda_rules.moments import end_match, end_moment
from ronda_rules.penalties import penalise_false
from ronda_rules.rule_set import Settle
from ronda_rules.settlement import judge_again
from ronda_rules.showing import settled
from ronda_rules.state import MatchState
from ronda_rules.unfolding import Unfolding


def legal_challenges(state: MatchState, seat: int) -> tuple[int, ...]:
    """Give the seats whose announcement a seat may challenge now, ascending (clause CHALL-1).

    An opponent's announcement of this batch that stands and that the cards played do not settle.
    One of a seat that has forfeited is not among them: it could not win by it (CHALL-3).
    """
    if not state.rules.challenge:
        return ()
    return tuple(
        sorted(
            [
                one.seat
                for one in state.of_this_batch()
                if state.side(one.seat) != state.side(seat)
                and not one.struck
                and one.seat not in state.forfeited
                and not settled(state, one.seat, one.kind)
            ]
        )
    )


def challenge(u: Unfolding, seat: int, announcer: int, *, in_window: bool) -> None:
    """Challenge a seat's announcement, whose hand of this batch is shown (CHALL-2 to CHALL-4).

    True: the announcer's side wins the match at once (CHALL-3). False: it is void, the batch is
    judged again where it is judged by the cards shown, and the penalty is scored at once.

    Raises:
        IllegalMove: there is no such announcement to challenge now.
        MatchIsOver: the match has ended.
    """
    if announcer not in legal_challenges(u.state, seat):
        detail = f"seat {announcer} has no announcement that seat {seat} may challenge now"
        if not u.state.rules.challenge:
            detail = f"{u.state.rules.id} has no challenges"
        raise IllegalMove(Reason.CHALLENGE_NOT_ALLOWED, "CHALL-1", detail, seat=announcer)
    (one,) = (one for one in u.state.of_this_batch() if one.seat == announcer)
    is_true = one.rank is not None
    hand = ascending(set_of(u.state.dealt[announcer]))
    u.emit(AnnouncementChallenged(seat, announcer, hand, is_true))
    if is_true:
        end_match(u, (u.state.side(announcer),))
    # In the window nothing is judged until it has ended.
    if not in_window and u.state.rules.settle is Settle.WHEN_SHOWN:
        judge_again(u)
    penalise_false(u, one)
    end_moment(u)
