"""CLAIM-1 to CLAIM-3: what was held and not announced."""

from ronda.v1 import event_pb2, rule_set_pb2
from ronda.v1.rule_set_pb2 import AnnouncementKind
from tests.oracle import showing
from tests.oracle.announcements import amount, hand_rank, penalty_gains, valued_kinds
from tests.oracle.match import Gain, Match
from tests.oracle.payments import end_moment, score, shares


def claimable_kind(m: Match, seat: int, target: int) -> AnnouncementKind.ValueType | None:
    """Tell the kind that a seat whose time it is could claim of another, or None (CLAIM-3)."""
    if m.rules.undeclared_detection != rule_set_pb2.UNDECLARED_DETECTION_CLAIM:
        return None
    if target >= m.seats:
        return None
    if m.side(seat) == m.side(target) or m.announced_by(target) or target in m.charged:
        return None
    for kind in valued_kinds(m.rules):
        if showing.is_proved(m, target, kind):
            return kind
    return None


def claim(m: Match, seat: int, target: int) -> None:
    """Charge a seat for what its cards prove (CLAIM-3).

    Raises:
        MatchOver: the match has ended.
    """
    kind = claimable_kind(m, seat, target)
    if kind is None:
        raise ValueError(f"nothing is proved of seat {target}")
    m.charged.append(target)
    points = amount(m.rules.undeclared_penalty, kind)
    gains: list[Gain] = [(m.side(seat), points, [m.side(target)])]
    score(m, gains)
    m.events.append(
        event_pb2.Event(
            undeclared_penalised=event_pb2.UndeclaredPenalised(
                batch=m.batch, seat=target, kind=kind, shares=shares(m, gains), claimant=seat
            )
        )
    )
    end_moment(m)


def charge_all(m: Match) -> None:
    """Charge every seat that was silent about its whole hand (CLAIM-2).

    Raises:
        MatchOver: the match has ended.
    """
    for seat in m.order():
        if m.announced_by(seat):
            continue
        held = [
            kind
            for kind in valued_kinds(m.rules)
            if hand_rank(m, m.batch, kind, m.dealt[seat]) is not None
        ]
        if not held:
            continue
        gains = penalty_gains(m, seat, amount(m.rules.undeclared_penalty, held[0]))
        score(m, gains)
        m.events.append(
            event_pb2.Event(
                undeclared_penalised=event_pb2.UndeclaredPenalised(
                    batch=m.batch, seat=seat, kind=held[0], shares=shares(m, gains)
                )
            )
        )
        end_moment(m)
