"""What the referee does in a seat's stead: it passes, or plays the lowest legal card (LOG-15)."""

from ronda_rules.cards import rank_index
from ronda_rules.engine import legal_moves
from ronda_rules.moves import Move, Pass, Play
from ronda_rules.state import MatchState


def automatic_move(state: MatchState, seat: int) -> Move:
    """Give the move for a seat that must act: a pass where it may, else its lowest card.

    Of equal ranks the first in the order of suits is taken. It never announces, challenges or
    claims.
    """
    moves = legal_moves(state, seat)
    if Pass() in moves:
        return Pass()
    cards = [move.card for move in moves if isinstance(move, Play)]
    return Play(min(cards, key=lambda card: (rank_index(card), card)))
