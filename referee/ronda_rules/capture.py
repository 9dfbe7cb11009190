"""Capturing: equal rank, run, piles and leftovers (clauses CAP-1 to CAP-6)."""

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
from ronda_rules.chain import caida_points
from ronda_rules.events import CardLaid, CardPlayed, CardsCaptured, LeftoversTaken, PlayAwarded
from ronda_rules.mesa import mesa_points
from ronda_rules.unfolding import Unfolding

_RANK_COUNT = 10


def _captured_ranks(rank: RankIndex, table: RankSet) -> RankSet:
    captured = 0
    while rank < _RANK_COUNT and table >> rank & 1:
        captured |= 1 << rank
        rank += 1
    return captured


_CAPTURED = tuple(
    tuple(_captured_ranks(rank, table) for table in range(1 << _RANK_COUNT))
    for rank in range(_RANK_COUNT)
)


def captured_by(card: Card, table: CardSet) -> CardSet:
    """Give the table cards that a card takes: the equal one and the run above it.

    Without an equal rank on the table it takes nothing (clauses CAP-2 to CAP-4).
    """
    return with_ranks(table, _CAPTURED[rank_index(card)][ranks_of(table)])


def play_card(u: Unfolding, seat: int, card: Card) -> None:
    """Play a card of a seat's hand: it captures and may score, or it lies (clause CAP-1)."""
    laid = u.state.laid
    u.emit(CardPlayed(seat, card))
    taken = captured_by(card, u.state.table)
    if not taken:
        u.emit(CardLaid(seat, card))
        return
    u.emit(CardsCaptured(seat, ascending(taken)))
    caida = caida_points(u.state, laid, card)
    mesa = mesa_points(u.state)
    if caida or mesa:
        shares = ((u.state.side(seat), caida + mesa),)
        u.emit(PlayAwarded(seat, caida, mesa, shares))


def take_leftovers(u: Unfolding) -> None:
    """Give what is left on the table to the seat that captured last (clause CAP-6)."""
    if u.state.table:
        u.emit(LeftoversTaken(u.state.last_capturer, ascending(u.state.table)))
