"""Caida: taking the card that the seat before has just laid (clauses CHAIN-1 to CHAIN-4)."""

from ronda_rules.cards import Card, rank_index
from ronda_rules.state import MatchState


def caida_points(state: MatchState, laid: Card | None, card: Card) -> int:
    """Give what capturing with a card scores as a caida; 0 where it is none.

    Args:
        state: the match, for its rule set and seat count.
        laid: the card that the seat before had just laid without capturing in this batch.
        card: the card that captured.
    """
    if laid is None or rank_index(laid) != rank_index(card):
        return 0
    ladder = state.rules.ladder_for(state.seats)
    return ladder[0] if ladder else 0
