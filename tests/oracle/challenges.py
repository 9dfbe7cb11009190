"""CHALL-1 to CHALL-4: doubting an announcement."""

from ronda.v1 import event_pb2, rule_set_pb2
from tests.oracle import showing
from tests.oracle.announcements import penalise, true_rank
from tests.oracle.cards import to_messages
from tests.oracle.match import Match
from tests.oracle.payments import end_moment


def can_challenge(m: Match, seat: int, target: int) -> bool:
    """Tell whether a seat whose time it is could challenge a seat's announcement (CHALL-1)."""
    said = m.announced_by(target)
    return (
        m.rules.challenge
        and m.side(seat) != m.side(target)
        and said is not None
        and not said.struck
        and not showing.is_settled(m, said)
    )


def challenge(m: Match, seat: int, target: int, *, in_window: bool) -> None:
    """Show the hand and let it decide (CHALL-2 to CHALL-4).

    Raises:
        MatchOver: the match has ended.
    """
    said = m.announced_by(target)
    if said is None:
        raise ValueError(f"seat {target} has announced nothing")
    is_true = true_rank(m, said) is not None
    m.events.append(
        event_pb2.Event(
            announcement_challenged=event_pb2.AnnouncementChallenged(
                challenger=seat,
                seat=target,
                hand=to_messages(sorted(said.hand)),
                announcement_true=is_true,
            )
        )
    )
    if is_true:
        m.finish([m.side(target)])
    said.struck = True
    if m.rules.settle == rule_set_pb2.SETTLE_WHEN_SHOWN and not in_window:
        showing.judge(m)
    penalise(m, said)
    end_moment(m)
