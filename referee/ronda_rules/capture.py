"""Capturing: equal rank, run, piles and leftovers (clauses CAP-1 to CAP-6)."""

from typing import Final

from ronda_rules.cards import (
    Card,
    CardSet,
    RankIndex,
    RankSet,
    ascending,
    rank_index,
    ranks_of,
    with_ranks,
)
from ronda_rules.chain import (
    begin_chain,
    close_chain,
    continue_chain,
    continues,
    holds,
    is_caida,
    score_play,
    step_points,
)
from ronda_rules.events import CardsCaptured, LeftoversTaken, card_laid, card_played
from ronda_rules.mesa import mesa_points
from ronda_rules.payments import pay_debts
from ronda_rules.unfolding import Unfolding

_RANK_COUNT: Final = 10


def _captured_ranks(rank: RankIndex, table: RankSet) -> RankSet:
    captured = 0
    while rank < _RANK_COUNT and table >> rank & 1:
        captured |= 1 << rank
        rank += 1
    return captured


_CAPTURED: Final = tuple(
    tuple(_captured_ranks(rank, table) for table in range(1 << _RANK_COUNT))
    for rank in range(_RANK_COUNT)
)


def captured_by(card: Card, table: CardSet) -> CardSet:
    """Give the table cards that a card takes: the equal one and the run above it.

    Without an equal rank on the table it takes nothing (clauses CAP-2 to CAP-4).
    """
    return with_ranks(table, _CAPTURED[rank_index(card)][ranks_of(table)])


def play_card(u: Unfolding, seat: int, card: Card) -> bool:
    """Play a card of a seat's hand, up to what it captures and scores (clause CAP-1).

    Gives whether it captured, which continuing a chain does too.

    Raises:
        MatchIsOver: the match has ended on the way.
    """
    laid = u.state.laid
    u.emit(card_played(seat, card))
    if continues(u.state, card):
        continue_chain(u, seat)
        return True
    if u.state.held is not None:
        close_chain(u, by_its_own_card=False)
    taken = captured_by(card, u.state.table)
    if not taken:
        u.emit(card_laid(seat, card))
        return False
    caida = is_caida(laid, card)
    if caida and holds(u.state):
        begin_chain(u, seat, taken)
        return True
    u.emit(CardsCaptured(seat, ascending(taken)))
    pay_debts(u)
    points = step_points(u.state, 1) if caida else 0
    score_play(u, seat, points, mesa_points(u.state, u.state.table))
    return True


def take_leftovers(u: Unfolding) -> None:
    """Give what is left on the table to the seat that captured last (clause CAP-6)."""
    if u.state.table:
        u.emit(LeftoversTaken(u.state.last_capturer, ascending(u.state.table)))
        pay_debts(u)
