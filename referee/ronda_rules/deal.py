"""Dealing: the dealer, batches, hands and the table of four (clauses DEAL-1 to DEAL-9)."""

import itertools
from collections.abc import Sequence
from typing import Final

from ronda_rules.cards import Card, card_text, rank_index, set_of
from ronda_rules.errors import DrawError
from ronda_rules.events import (
    BatchStarted,
    DealStarted,
    HandDealt,
    TableReturned,
    TableTurned,
)
from ronda_rules.rule_set import FirstDealer, Opening, RuleSet, TableForbid, TableRemedy
from ronda_rules.state import MatchState
from ronda_rules.unfolding import Unfolding

TABLE_OF_FOUR: Final = 4

_BATCH_SIZES: Final = {
    (Opening.TABLE_OF_FOUR, 2): (3,) * 6,
    (Opening.TABLE_OF_FOUR, 3): (3,) * 4,
    (Opening.TABLE_OF_FOUR, 4): (3,) * 3,
    (Opening.EMPTY_TABLE, 2): (4,) * 5,
    (Opening.EMPTY_TABLE, 4): (4, 3, 3),
}


def batch_sizes(opening: Opening, seats: int) -> tuple[int, ...] | None:
    """Give the hand sizes of a deal's batches, or None where the pack does not divide (DEAL-5)."""
    return _BATCH_SIZES.get((opening, seats))


def first_dealer(rules: RuleSet, seats: int) -> int | None:
    """Give the seat that deals first, or None where it is drawn (clause DEAL-3)."""
    match rules.first_dealer:
        case FirstDealer.DRAWN:
            return None
        case FirstDealer.LAST_SEAT:
            return seats - 1
        case seat:
            return seat


def start_deal(u: Unfolding, dealer: int) -> None:
    """Begin the next deal with its first batch (clause DEAL-3)."""
    u.emit(DealStarted(u.state.deal + 1, dealer))
    start_batch(u)


def start_batch(u: Unfolding) -> None:
    """Begin the deal's next batch and say whether it is the last (clauses DEAL-5, DEAL-9)."""
    sizes = _sizes(u.state)
    batch = u.state.batch + 1
    u.emit(BatchStarted(batch, sizes[batch - 1], last=batch == len(sizes)))


def seat_to_receive(state: MatchState) -> int | None:
    """Give the seat whose hand is dealt next, or None where all have theirs (clause DEAL-5)."""
    if state.hands_dealt == state.seats:
        return None
    return state.in_order_of_play()[state.hands_dealt]


def table_cards_to_turn(state: MatchState) -> int:
    """Give how many cards must be turned on the table before play (clauses DEAL-6, DEAL-8)."""
    if state.batch != 1 or state.cards_played:
        return 0
    if state.rules.opening(state.seats) is not Opening.TABLE_OF_FOUR:
        return 0
    return TABLE_OF_FOUR - len(state.turned)


def deal_hand(u: Unfolding, seat: int, cards: tuple[Card, ...]) -> None:
    """Give a seat the cards drawn for it.

    Raises:
        DrawError: they are not as many as the batch wants, or not all from the pack.
    """
    _check_drawn(u.state, cards, u.state.hand_size)
    u.emit(HandDealt(seat, len(cards), cards))


def turn_table(u: Unfolding, cards: tuple[Card, ...]) -> None:
    """Turn the cards drawn for the table, and mend the table where it is forbidden.

    Raises:
        DrawError: they are not as many as the table wants, or not all from the pack.
    """
    _check_drawn(u.state, cards, table_cards_to_turn(u.state))
    u.emit(TableTurned(cards))
    found = forbidden(u.state.turned, u.state.rules.table_forbids)
    if found is not None:
        u.emit(TableReturned(found, _going_back(u.state.turned, u.state.rules)))


def forbidden(turned: Sequence[Card], forbids: frozenset[TableForbid]) -> TableForbid | None:
    """Give what a table of four must not hold and does, or None (clause DEAL-7)."""
    ranks = sorted(rank_index(card) for card in turned)
    steps = {high - low for low, high in itertools.pairwise(ranks)}
    if TableForbid.PAIRS in forbids and 0 in steps:
        return TableForbid.PAIRS
    if TableForbid.RUNS in forbids and steps == {1}:
        return TableForbid.RUNS
    return None


def _going_back(turned: tuple[Card, ...], rules: RuleSet) -> tuple[Card, ...]:
    """Give the cards that a forbidden table gives back (clause DEAL-8)."""
    if rules.table_remedy is TableRemedy.RETURN_ALL:
        return turned
    seen = set()
    for card in turned:
        if rank_index(card) in seen:
            return (card,)
        seen.add(rank_index(card))
    return turned[-1:]


def _sizes(state: MatchState) -> tuple[int, ...]:
    return _BATCH_SIZES[state.rules.opening(state.seats), state.seats]


def _check_drawn(state: MatchState, cards: tuple[Card, ...], wanted: int) -> None:
    if len(cards) != wanted:
        raise DrawError(f"{len(cards)} cards drawn where {wanted} are due", wanted=wanted)
    outside = [card for card in cards if not state.pack >> card & 1]
    if outside:
        text = card_text(outside[0])
        raise DrawError(f"{text} was drawn but is not in the pack", card=text)
    if set_of(cards).bit_count() != len(cards):
        text = " ".join(map(card_text, cards))
        raise DrawError(f"a card was drawn twice: {text}", cards=text)
