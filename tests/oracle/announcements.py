"""ANN-1 to ANN-9: what a hand makes true, the best announcement, settlement and penalties."""

from collections.abc import Sequence

from ronda.v1 import card_pb2, event_pb2, rule_set_pb2
from ronda.v1.rule_set_pb2 import (
    ANNOUNCEMENT_KIND_DOUBLE_RONDA as DOUBLE,
)
from ronda.v1.rule_set_pb2 import (
    ANNOUNCEMENT_KIND_RONDA as RONDA,
)
from ronda.v1.rule_set_pb2 import (
    ANNOUNCEMENT_KIND_TRINGA as TRINGA,
)
from ronda.v1.rule_set_pb2 import AnnouncementKind
from tests.oracle.cards import RANKS, Card
from tests.oracle.match import Announcement, Gain, Match
from tests.oracle.payments import end_moment, score, shares

# The order in which a referee looks for what a hand makes true (ANN-2, CLAIM-1).
DEAREST_FIRST: list[AnnouncementKind.ValueType] = [TRINGA, DOUBLE, RONDA]

# An announcement with a rank: seat, kind, rank.
Said = tuple[int, AnnouncementKind.ValueType, int]


def amount(amounts: rule_set_pb2.KindAmounts, kind: int) -> int:
    """Tell the amount of a kind, 0 for none."""
    if kind == RONDA:
        return amounts.ronda
    if kind == TRINGA:
        return amounts.tringa
    return amounts.double_ronda


def valued_kinds(rules: rule_set_pb2.RuleSet) -> list[AnnouncementKind.ValueType]:
    """Tell the kinds that have a value, the dearest first."""
    return [kind for kind in DEAREST_FIRST if amount(rules.kinds, kind)]


def height(rules: rule_set_pb2.RuleSet, rank: int) -> int:
    """Tell how high a rank stands between announcements (ANN-5)."""
    if rank == 1 and rules.rank_order == rule_set_pb2.RANK_ORDER_ACE_HIGH:
        return 100
    return RANKS.index(rank)


def rank_made(
    rules: rule_set_pb2.RuleSet, batch: int, kind: int, ranks: Sequence[int]
) -> int | None:
    """Tell the rank with which a hand makes a kind true, or None (ANN-1)."""
    equal = sorted({rank for rank in ranks if ranks.count(rank) >= 2})
    if not equal:
        return None
    highest = max(equal, key=lambda rank: height(rules, rank))
    if kind == RONDA:
        return highest
    if kind == TRINGA:
        return highest if ranks.count(highest) == 3 else None
    any_batch = rules.double_ronda == rule_set_pb2.DOUBLE_RONDA_ANY_FOUR_CARD_HAND
    if len(ranks) != 4:
        return None
    if len(equal) == 2:
        return highest if any_batch or batch == 1 else None
    return highest if ranks.count(highest) == 4 else None


def hand_rank(m: Match, batch: int, kind: int, hand: list[Card]) -> int | None:
    """Tell the rank with which a whole hand makes a kind true, or None."""
    return rank_made(m.rules, batch, kind, [rank for rank, _ in hand])


def true_rank(m: Match, said: Announcement) -> int | None:
    """Tell the rank of a true announcement; None where it is false."""
    return hand_rank(m, said.batch, said.kind, said.hand)


def gains_of(m: Match, standing: list[Said]) -> list[Gain]:
    """Tell who gets how much for announcements with these ranks (ANN-5 to ANN-7)."""
    if not standing:
        return []
    lowest_wins = (
        m.rules.all_rondas == rule_set_pb2.ALL_RONDAS_LOWEST
        and m.seats == 4
        and [kind for _, kind, _ in standing] == [RONDA] * 4
    )
    strengths = []
    for _, kind, rank in standing:
        rank_height = height(m.rules, rank)
        strengths.append((kind == TRINGA, -rank_height if lowest_wins else rank_height))
    top = max(strengths)
    best = [said for said, strength in zip(standing, strengths, strict=True) if strength == top]
    winners = sorted({m.side(seat) for seat, _, _ in best})
    if m.rules.payout == rule_set_pb2.PAYOUT_POT:
        paid = sum(amount(m.rules.kinds, kind) for _, kind, _ in standing)
    else:
        paid = max(amount(m.rules.kinds, kind) for _, kind, _ in best)
    if len(winners) > 1:
        if m.rules.announcement_tie == rule_set_pb2.ANNOUNCEMENT_TIE_NONE:
            return []
        paid = paid // len(winners)
    payers = [side for side in range(m.sides) if side not in winners]
    gains: list[Gain] = [(side, paid, payers) for side in winners]
    return gains if shares(m, gains) else []


def give(m: Match, batch: int, gains: list[Gain]) -> None:
    """Pay a batch's announcements; an award of nothing is no event."""
    if not gains:
        return
    score(m, gains, award=batch == m.batch)
    m.events.append(
        event_pb2.Event(
            announcements_awarded=event_pb2.AnnouncementsAwarded(
                batch=batch, shares=shares(m, gains)
            )
        )
    )


def settle(m: Match, batch: int) -> None:
    """Show and pay the announcements of a batch (ANN-8).

    Raises:
        MatchOver: the match has ended.
    """
    announced = m.of_batch(batch)
    if not announced:
        return
    shown = []
    standing: list[Said] = []
    for said in announced:
        rank = true_rank(m, said)
        shown.append(
            event_pb2.RevealedAnnouncement(
                seat=said.seat,
                kind=said.kind,
                rank=card_pb2.Rank.ValueType(rank or 0),
            )
        )
        if rank is not None:
            standing.append((said.seat, said.kind, rank))
    m.events.append(
        event_pb2.Event(
            announcements_revealed=event_pb2.AnnouncementsRevealed(batch=batch, announcements=shown)
        )
    )
    give(m, batch, gains_of(m, standing))
    end_moment(m)


def penalise_false(m: Match, batch: int) -> None:
    """Punish the false announcements of a batch that were not yet found out (ANN-8, ANN-9).

    Raises:
        MatchOver: the match has ended.
    """
    for said in m.of_batch(batch):
        if true_rank(m, said) is None and not said.struck:
            penalise(m, said)
            end_moment(m)


def penalise(m: Match, said: Announcement) -> None:
    """Score the penalty of a false announcement, up to the cap (ANN-9)."""
    cap = m.rules.false_penalty_cap
    if cap and m.punished[said.seat] >= cap:
        return
    m.punished[said.seat] += 1
    gains = penalty_gains(m, said.seat, amount(m.rules.false_penalty, said.kind))
    score(m, gains)
    m.events.append(
        event_pb2.Event(
            false_announcement_penalised=event_pb2.FalseAnnouncementPenalised(
                batch=said.batch, seat=said.seat, kind=said.kind, shares=shares(m, gains)
            )
        )
    )


def penalty_gains(m: Match, offender: int, points: int) -> list[Gain]:
    """Tell who receives a penalty (ANN-9)."""
    side = m.side(offender)
    receivers = m.others(side)
    if m.sides == 3 and m.rules.penalty_to == rule_set_pb2.PENALTY_TO_NEXT_SEAT:
        receivers = [(offender + 1) % 3]
    return [(receiver, points, [side]) for receiver in receivers]
