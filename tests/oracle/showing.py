"""SHOW-1 to SHOW-5: what the cards played prove, and awards as soon as they do."""

import itertools
from functools import cache

from ronda.v1 import rule_set_pb2
from tests.oracle.announcements import Said, gains_of, give, penalise, rank_made
from tests.oracle.cards import RANKS
from tests.oracle.match import Announcement, Gain, Match
from tests.oracle.payments import end_moment, withdraw


@cache
def outcomes(
    rank_order: int,
    double_ronda: int,
    batch: int,
    kind: int,
    hand_size: int,
    played: tuple[int, ...],
) -> frozenset[int | None]:
    """Tell with which ranks completions contain a kind; None: some completion lacks it (SHOW-1)."""
    rules = rule_set_pb2.RuleSet(
        rank_order=rule_set_pb2.RankOrder.ValueType(rank_order),
        double_ronda=rule_set_pb2.DoubleRonda.ValueType(double_ronda),
    )
    unplayed = hand_size - len(played)
    return frozenset(
        rank_made(rules, batch, kind, played + rest)
        for rest in itertools.product(RANKS, repeat=unplayed)
    )


def outcomes_of(m: Match, seat: int, kind: int) -> frozenset[int | None]:
    """Tell what the cards that a seat has played in this batch leave open for a kind."""
    return outcomes(
        m.rules.rank_order,
        m.rules.double_ronda,
        m.batch,
        kind,
        len(m.dealt[seat]),
        tuple(rank for rank, _ in m.played[seat]),
    )


def possible_ranks(m: Match, said: Announcement) -> list[int]:
    """Tell the possible ranks of an announcement of this batch (SHOW-1)."""
    return [rank for rank in outcomes_of(m, said.seat, said.kind) if rank is not None]


def is_proved(m: Match, seat: int, kind: int) -> bool:
    """Tell whether every completion of a seat's hand contains a kind (SHOW-2)."""
    return None not in outcomes_of(m, seat, kind)


def is_settled(m: Match, said: Announcement) -> bool:
    """Tell whether the cards played settle an announcement of this batch (SHOW-2)."""
    return not possible_ranks(m, said) or is_proved(m, said.seat, said.kind)


def clear_gains(m: Match, choices: list[list[Said]]) -> list[Gain] | None:
    """Tell what is paid whatever is chosen for each announcement; None where it is not clear."""
    clear: list[Gain] | None = None
    for chosen in itertools.product(*choices):
        gains = gains_of(m, list(chosen))
        if clear is None:
            clear = gains
        elif clear != gains:
            return None
    return clear


def clear_by_kinds(m: Match) -> list[Gain] | None:
    """Tell what this batch's kinds alone decide, whatever the ranks (ANN-8)."""
    return clear_gains(
        m, [[(said.seat, said.kind, rank) for rank in RANKS] for said in m.of_batch(m.batch)]
    )


def judge(m: Match) -> None:
    """Give the batch's award if it is clear, instead of what was given (SHOW-3, SHOW-5)."""
    if not everyone_heard(m):
        return
    choices = [
        [(said.seat, said.kind, rank) for rank in possible_ranks(m, said)]
        for said in m.of_batch(m.batch)
        if not said.struck and possible_ranks(m, said)
    ]
    clear = clear_gains(m, choices) or []
    if clear == m.award:
        return
    if m.award:
        withdraw(m)
    give(m, m.batch, clear)
    m.award = clear


def everyone_heard(m: Match) -> bool:
    """Tell whether nobody can still announce in this batch (SHOW-3)."""
    if m.rules.timing != rule_set_pb2.TIMING_FIRST_TURN:
        return True
    return all(m.played[seat] or m.announced_by(seat) for seat in range(m.seats))


def after_card(m: Match, seat: int) -> None:
    """Award what a card makes clear, then punish what it proves false (SHOW-3 to SHOW-5).

    Raises:
        MatchOver: the match has ended.
    """
    said = m.announced_by(seat)
    newly_false = (
        said is not None
        and not said.struck
        and not said.proved_false
        and not possible_ranks(m, said)
    )
    judge(m)
    end_moment(m)
    if said is not None and newly_false:
        said.proved_false = True
        penalise(m, said)
        end_moment(m)
