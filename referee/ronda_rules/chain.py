"""Caida and chain: answering an equal card at once (clauses CHAIN-1 to CHAIN-8).

The clauses of a held pile are CHAIN-5 (what is held), CHAIN-6 (whose it is), CHAIN-7 (when it
closes) and CHAIN-8 (which steps are paid).
"""

from ronda_rules.cards import Card, CardSet, ascending, rank_index
from ronda_rules.events import CardsHeld, ChainClosed, PlayAwarded
from ronda_rules.mesa import mesa_excluded, mesa_points
from ronda_rules.moments import end_moment
from ronda_rules.payments import Gain, award, pay_debts
from ronda_rules.rule_set import ChainPayment
from ronda_rules.state import MatchState
from ronda_rules.unfolding import Unfolding


def is_caida(laid: Card | None, card: Card) -> bool:
    """Whether capturing with a card is a caida (clause CHAIN-1).

    The equal card must be the one just laid: a card that the run takes along is no caida, however
    fresh it is (clause CHAIN-3).

    Args:
        laid: the card that the seat before had just laid without capturing in this batch, or None;
            the table's first cards are nobody's (clause CHAIN-2).
        card: the card that captured.
    """
    return laid is not None and rank_index(laid) == rank_index(card)


def step_points(state: MatchState, step: int) -> int:
    """Give what a step of the ladder is worth; the first step is the caida itself.

    With one step the pair leaves the table with the capture, so a third equal card finds nothing
    and lies, and the fourth may be a new caida on it (clause CHAIN-4).
    """
    ladder = state.rules.ladder_for(state.seats)
    return ladder[step - 1] if ladder else 0


def holds(state: MatchState) -> bool:
    """Whether a caida is held, so that it can be answered (clause CHAIN-5)."""
    return len(state.rules.ladder_for(state.seats)) > 1


def continues(state: MatchState, card: Card) -> bool:
    """Whether the card that the next seat has played continues the pending chain (CHAIN-5)."""
    return state.held is not None and state.held.rank == rank_index(card)


def begin_chain(u: Unfolding, seat: int, taken: CardSet) -> None:
    """Hold what a caida took; its mesa travels with the chain (clauses CHAIN-5, MESA-4)."""
    table_left = u.state.table & ~taken
    mesa = mesa_points(u.state, table_left)
    u.emit(CardsHeld(seat, 1, ascending(taken), mesa))
    _go_on(u)


def continue_chain(u: Unfolding, seat: int) -> None:
    """Add the card played to the chain, which is its seat's now (clauses CHAIN-5, CHAIN-6)."""
    held = u.state.held
    if held is None:
        raise AssertionError("only a pending chain can be continued")
    mesa = 0 if mesa_excluded(u.state) else held.mesa
    u.emit(CardsHeld(seat, held.step + 1, (), mesa))
    _go_on(u)


def close_chain(u: Unfolding, *, by_its_own_card: bool) -> None:
    """Give the held cards to the chain's last seat and score (clauses CHAIN-6 to CHAIN-8).

    With `LAST_ONLY` its own step alone scores, now; with `EACH_LINK` every step has scored when
    its card was played, except where that same card closes the chain.
    """
    held = u.state.held
    if held is None:
        raise AssertionError("only a pending chain can be closed")
    u.emit(ChainClosed(held.seat, held.step, held.cards))
    pay_debts(u)
    step_due = by_its_own_card or u.state.rules.chain_payment is ChainPayment.LAST_ONLY
    score_play(u, held.seat, step_points(u.state, held.step) if step_due else 0, held.mesa)


def score_play(u: Unfolding, seat: int, caida: int, mesa: int) -> None:
    """Score the caida and the mesa of one card, or of a closing chain, as one award (MESA-2).

    Where cards are paid the seat before pays the caida and every opponent the mesa (PAY-2).
    """
    side = u.state.side(seat)
    before = u.state.side((seat - 1) % u.state.seats)
    gains = (Gain(side, caida, (before,)), Gain(side, mesa, u.state.opponents(side)))
    award(u, gains, lambda shares: PlayAwarded(seat, caida, mesa, shares))
    end_moment(u)


def _go_on(u: Unfolding) -> None:
    """Close the chain that cannot be answered any more; else pay the link where links are paid."""
    held = u.state.held
    if held is None:
        raise AssertionError("a chain has just been held")
    ladder = u.state.rules.ladder_for(u.state.seats)
    across = u.state.rules.chain_across_batches
    unanswerable = u.state.last_card_played if across else u.state.hands_empty
    if held.step == len(ladder) or unanswerable:
        close_chain(u, by_its_own_card=True)
    elif u.state.rules.chain_payment is ChainPayment.EACH_LINK:
        score_play(u, held.seat, step_points(u.state, held.step), 0)
