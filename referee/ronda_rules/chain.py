"""Caida: taking the card that the seat before has just laid (clauses CHAIN-1 to CHAIN-4)."""

from ronda_rules.cards import Card, rank_index
from ronda_rules.state import MatchState


def caida_points(state: MatchState, laid: Card | None, card: Card) -> int:
    """Give what capturing with a card scores as a caida; 0 where it is none (clause CHAIN-1).

    The equal card must be the one just laid: a card that the run takes along is no caida, however
    fresh it is (clause CHAIN-3). The pair leaves the table with the capture, so a third equal card
    finds nothing and lies, and the fourth may be a new caida on it (clause CHAIN-4).

    Args:
        state: the match, for its rule set and seat count.
        laid: the card that the seat before had just laid without capturing in this batch, or None;
            the table's first cards are nobody's (clause CHAIN-2).
        card: the card that captured.
    """
    if laid is None or rank_index(laid) != rank_index(card):
        return 0
    ladder = state.rules.ladder_for(state.seats)
    return ladder[0] if ladder else 0
