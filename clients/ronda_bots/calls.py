"""What to say besides playing a card: announcements, bluffs, challenges and claims.

Each is decided by what it can be expected to bring, in points.
"""

from itertools import combinations_with_replacement
from math import comb, prod

from ronda.v1.decision_pb2 import Decision
from ronda.v1.move_pb2 import Move
from ronda.v1.rule_set_pb2 import (
    AnnouncementKind,
    DoubleRonda,
    KindAmounts,
    Settle,
    WinCheck,
)
from ronda.v1.view_pb2 import SeatView
from ronda_bots.announcing import best_true_announcement, moves_of
from ronda_bots.memory import ORDER, Memory, counted

# How often a seat that cannot announce truly is taken to bluff: it seldom pays.
_BLUFFS = 0.01

# What finding a bluff out is worth of its penalty, which comes anyway once the cards show it.
_EARLIER = 0.25

# How often a decisive bluff is taken to be challenged.
_DOUBTED = 0.5

_PAIR, _TRIPLE, _FOUR = 2, 3, 4


def call(memory: Memory, view: SeatView, decision: Decision) -> Move | None:
    """Return what is to be said now; None: a card is to be played."""
    claims = moves_of(decision.legal_moves, "claim")
    if claims:
        return claims[0]
    doubt = _challenge(memory, view, decision)
    if doubt is not None:
        return doubt
    announcement = best_true_announcement(decision) or _bluff(memory, view, decision)
    if announcement is not None:
        return announcement
    if moves_of(decision.legal_moves, "play"):
        return None
    passes = moves_of(decision.legal_moves, "pass")
    return passes[0] if passes else decision.legal_moves[0]


def _challenge(memory: Memory, view: SeatView, decision: Decision) -> Move | None:
    """Return the challenge that is worth most, where one is worth anything.

    A false announcement is penalised, which it will be anyway once the cards show it; a true one
    wins its side the match. Where the announcement itself would win the match, nothing is left to
    lose.
    """
    best, chosen = 0.0, None
    for move in moves_of(decision.legal_moves, "challenge"):
        seat = move.challenge.seat
        kind = _announced(view, seat)
        true = truth(memory, view, seat, kind)
        stake = _stake(memory, view)
        gain = _amount(memory.rules.false_penalty, kind) if memory.rules else 1
        worth = (1 - true) * _EARLIER * gain - true * stake
        if _would_win(memory, view, seat, kind):
            worth = (1 - true) * stake
        if worth > best:
            best, chosen = worth, move
    return chosen


def _bluff(memory: Memory, view: SeatView, decision: Decision) -> Move | None:
    """Return a false announcement that would win the match at once, if it is worth its price.

    Everywhere else a false announcement is found out before it has brought anything that lasts.
    """
    best, chosen = 0.0, None
    for move in moves_of(decision.legal_moves, "announce"):
        kind = move.announce.kind
        if memory.rules is None or not _would_win(memory, view, view.seat, kind):
            continue
        price = _amount(memory.rules.false_penalty, kind)
        worth = (1 - _DOUBTED) * _unopposed(view) * _stake(memory, view) - price
        if worth > best:
            best, chosen = worth, move
    return chosen


def _would_win(memory: Memory, view: SeatView, seat: int, kind: AnnouncementKind.ValueType) -> bool:
    """Tell whether an announcement, if it were paid now, would end the match for its side."""
    rules = memory.rules
    if (
        rules is None
        or rules.settle != Settle.SETTLE_WHEN_SHOWN
        or rules.win_check != WinCheck.WIN_CHECK_IMMEDIATE
    ):
        return False
    scores = view.public.scores
    total = scores[seat % len(scores)] + _amount(rules.kinds, kind)
    others = [points for side, points in enumerate(scores) if side != seat % len(scores)]
    return total >= rules.target and total > max(others)


def _unopposed(view: SeatView) -> float:
    """Return how likely no opponent announces something better, by what was said so far."""
    sides = len(view.public.scores)
    said = {
        one.seat
        for one in view.public.announcements
        if one.batch == view.public.batch and one.seat % sides != view.seat % sides
    }
    return 0.3 if said else 0.8


def _stake(memory: Memory, view: SeatView) -> float:
    """Return what the match is worth now, in points: at its beginning half of its target."""
    target = memory.rules.target if memory.rules else 41
    own = view.seat % len(view.public.scores)
    others = [points for side, points in enumerate(view.public.scores) if side != own]
    ahead = (view.public.scores[own] - max(others, default=0)) / max(target, 10)
    return max(target, 10) * min(0.9, max(0.1, 0.5 + ahead / 2))


def truth(memory: Memory, view: SeatView, seat: int, kind: AnnouncementKind.ValueType) -> float:
    """Return how likely an announcement is true, by the cards that were not seen.

    Every hand that can be is as likely, and who holds no such thing seldom says so.
    """
    played = memory.played.get(seat, [])
    hidden = view.public.hand_sizes[seat]
    pairs_make_double = (
        memory.rules is not None
        and memory.rules.double_ronda == DoubleRonda.DOUBLE_RONDA_ANY_FOUR_CARD_HAND
    ) or view.public.batch == 1
    true = every = 0
    for ranks in combinations_with_replacement(range(len(ORDER)), hidden):
        ways = prod(comb(memory.unseen[rank], n) for rank, n in counted(list(ranks)).items())
        every += ways
        if ways and holds(kind, [*played, *ranks], pairs_make_double=pairs_make_double):
            true += ways
    share = true / every if every else 0.0
    said = share + (1 - share) * _BLUFFS
    return share / said if said else 0.0


def holds(kind: AnnouncementKind.ValueType, places: list[int], *, pairs_make_double: bool) -> bool:
    """Tell whether a hand of these ranks makes an announcement true (clauses ANN-1, ANN-3)."""
    counts = sorted(counted(places).values(), reverse=True)
    if kind == AnnouncementKind.ANNOUNCEMENT_KIND_TRINGA:
        return _TRIPLE in counts
    if kind == AnnouncementKind.ANNOUNCEMENT_KIND_DOUBLE_RONDA:
        two_pairs = pairs_make_double and counts[:2] == [_PAIR, _PAIR]
        return _FOUR in counts or two_pairs
    return counts[0] >= _PAIR


def _announced(view: SeatView, seat: int) -> AnnouncementKind.ValueType:
    for one in view.public.announcements:
        if (one.batch, one.seat) == (view.public.batch, seat):
            return one.kind
    return AnnouncementKind.ANNOUNCEMENT_KIND_RONDA


def _amount(amounts: KindAmounts, kind: AnnouncementKind.ValueType) -> int:
    match kind:
        case AnnouncementKind.ANNOUNCEMENT_KIND_TRINGA:
            return amounts.tringa
        case AnnouncementKind.ANNOUNCEMENT_KIND_DOUBLE_RONDA:
            return amounts.double_ronda
        case _:
            return amounts.ronda
