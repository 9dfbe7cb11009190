"""Folding events into states: what each event changes, and nothing else.

An event is folded into a state in place, which must be a copy that nobody else has yet: one move
brings about several events, and a copy for each would take longer than all the rest.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from ronda_rules.cards import FULL_PACK, Card, rank_index, set_of
from ronda_rules.events import (
    AnnouncementChallenged,
    AnnouncementMade,
    AnnouncementPassed,
    AnnouncementsAwarded,
    AnnouncementSealed,
    AnnouncementsRevealed,
    Answer,
    AwardWithdrawn,
    BatchStarted,
    CardLaid,
    CardPlayed,
    CardsCaptured,
    CardsDue,
    CardsHeld,
    CardsPaid,
    ChainClosed,
    DealEnded,
    DealStarted,
    DutyAwarded,
    Event,
    FalseAnnouncementPenalised,
    FirstDealerDrawn,
    HandDealt,
    LeftoversTaken,
    MatchEnded,
    MatchStarted,
    PilesCounted,
    PlayAwarded,
    SeatForfeited,
    Shares,
    TableReturned,
    TableTurned,
    UndeclaredPenalised,
    WindowPassed,
)
from ronda_rules.holdings import held_rank
from ronda_rules.rule_set import AnnouncementKind, Scoring
from ronda_rules.state import NOBODY, Announcement, Debt, Held, MatchState


def evolve(state: MatchState, event: Event) -> MatchState:
    """Give the state after an event.

    The event must be one that the rules brought about in this state; it is not checked.
    """
    after = state.copied()
    fold_into(after, event)
    return after


def fold_into(state: MatchState, event: Event) -> None:
    """Make a state the one after an event, in place; otherwise as `evolve`."""
    state.decision = None
    _FOLDS[type(event)](state, event)


def _match_started(state: MatchState, event: MatchStarted) -> None:
    """Its state is the one that a match begins with."""


def _first_dealer_drawn(state: MatchState, event: FirstDealerDrawn) -> None:
    """The deal that follows says who deals."""


def _deal_started(state: MatchState, event: DealStarted) -> None:
    state.deal = event.deal
    state.dealer = event.dealer
    state.batch = 0
    state.pack = FULL_PACK
    state.returned = 0
    state.turned = ()
    state.table = 0
    state.piles = (0,) * state.sides
    state.laid = None
    state.last_card = None
    state.last_capturer = NOBODY
    state.announcements = ()
    state.punished = (0,) * state.seats
    state.debts = ()


def _batch_started(state: MatchState, event: BatchStarted) -> None:
    state.batch = event.batch
    state.hand_size = event.hand_size
    state.last_batch = event.last
    state.hands_dealt = 0
    state.cards_played = 0
    if not state.rules.chain_across_batches:
        state.laid = None
    state.answered = ()
    state.sealed = ()
    state.passed = 0
    state.acted = NOBODY
    state.claimed = ()
    state.award = ()
    state.award_dues = ()
    # What is owed for an earlier batch's award cannot be withdrawn any more.
    state.debts = tuple([replace(debt, award=False) for debt in state.debts])


def _hand_dealt(state: MatchState, event: HandDealt) -> None:
    state.pack &= ~set_of(event.cards)
    state.hands = _with(state.hands, event.seat, event.cards)
    state.dealt = _with(state.dealt, event.seat, event.cards)
    state.hands_dealt += 1


def _table_turned(state: MatchState, event: TableTurned) -> None:
    mask = set_of(event.cards)
    state.pack = state.pack & ~mask | state.returned
    state.returned = 0
    state.turned += event.cards
    state.table |= mask


def _table_returned(state: MatchState, event: TableReturned) -> None:
    mask = set_of(event.cards)
    state.returned = mask
    state.turned = tuple([card for card in state.turned if card not in event.cards])
    state.table &= ~mask


def _announcement_made(state: MatchState, event: AnnouncementMade) -> None:
    seat, kind = event.seat, event.kind
    made = Announcement(state.batch, seat, kind, held_rank(state, seat, kind))
    state.announcements = (*state.announcements, made)
    state.answered = (*state.answered, seat)
    state.sealed = _unsealed(state, seat)


def _announcement_passed(state: MatchState, event: AnnouncementPassed) -> None:
    state.answered = (*state.answered, event.seat)
    state.sealed = _unsealed(state, event.seat)


def _announcement_sealed(state: MatchState, event: AnnouncementSealed) -> None:
    state.sealed = (*state.sealed, (event.seat, event.answer))


def _announcement_challenged(state: MatchState, event: AnnouncementChallenged) -> None:
    state.acted = event.challenger
    if not event.announcement_true:
        doubted = state.batch, event.seat
        state.announcements = tuple(
            [
                replace(one, struck=True) if (one.batch, one.seat) == doubted else one
                for one in state.announcements
            ]
        )


def _window_passed(state: MatchState, event: WindowPassed) -> None:
    state.passed = state.in_order_of_play().index(event.seat) + 1
    state.acted = NOBODY


def _card_played(state: MatchState, event: CardPlayed) -> None:
    seat, card = event.seat, event.card
    hand = tuple([held for held in state.hands[seat] if held != card])
    state.hands = _with(state.hands, seat, hand)
    state.cards_played += 1
    state.last_card = card
    state.passed = 0
    state.acted = NOBODY


def _card_laid(state: MatchState, event: CardLaid) -> None:
    state.table |= 1 << event.card
    state.laid = event.card


def _cards_captured(state: MatchState, event: CardsCaptured) -> None:
    seat, cards = event.seat, event.cards
    state.table &= ~set_of(cards)
    state.piles = _plus(state.piles, state.side(seat), 1 + len(cards))
    state.laid = None
    state.last_capturer = seat


def _cards_held(state: MatchState, event: CardsHeld) -> None:
    before = 0 if state.held is None else state.held.cards
    rank = rank_index(state.last_card if state.last_card is not None else 0)
    held = before + 1 + len(event.cards)
    state.table &= ~set_of(event.cards)
    state.held = Held(event.seat, rank, event.step, held, event.mesa)
    state.laid = None


def _chain_closed(state: MatchState, event: ChainClosed) -> None:
    state.piles = _plus(state.piles, state.side(event.seat), event.card_count)
    state.held = None
    state.last_capturer = event.seat


def _leftovers_taken(state: MatchState, event: LeftoversTaken) -> None:
    seat, cards = event.seat, event.cards
    state.table &= ~set_of(cards)
    state.piles = _plus(state.piles, state.side(seat), len(cards))
    state.laid = None


def _play_awarded(state: MatchState, event: PlayAwarded) -> None:
    state.scores = _points(state, event.shares)


def _announcements_revealed(state: MatchState, event: AnnouncementsRevealed) -> None:
    """What is shown was known to the rules before."""


def _announcements_awarded(state: MatchState, event: AnnouncementsAwarded) -> None:
    state.scores = _points(state, event.shares)
    if event.batch == state.batch:
        state.award = event.shares


def _award_withdrawn(state: MatchState, event: AwardWithdrawn) -> None:
    taken_back = tuple([(side, -points) for side, points in event.shares])
    state.scores = _points(state, taken_back)
    state.award = ()
    state.award_dues = ()
    state.debts = tuple([debt for debt in state.debts if not debt.award])


def _false_announcement_penalised(state: MatchState, event: FalseAnnouncementPenalised) -> None:
    state.scores = _points(state, event.shares)
    state.punished = _plus(state.punished, event.seat, 1)


def _undeclared_penalised(state: MatchState, event: UndeclaredPenalised) -> None:
    state.scores = _points(state, event.shares)
    if event.claimant is not None:
        state.claimed = (*state.claimed, event.seat)
        state.acted = event.claimant


def _duty_awarded(state: MatchState, event: DutyAwarded) -> None:
    state.scores = _points(state, event.shares)


def _cards_due(state: MatchState, event: CardsDue) -> None:
    debt = Debt(event.payer, event.receiver, event.cards, event.award)
    state.debts = (*state.debts, debt)
    if event.award:
        state.award_dues = (*state.award_dues, debt)


def _cards_paid(state: MatchState, event: CardsPaid) -> None:
    payer, cards = event.payer, event.cards
    state.piles = _plus(_plus(state.piles, payer, -cards), event.receiver, cards)
    state.debts = _reduced(state.debts, payer, cards)


def _piles_counted(state: MatchState, event: PilesCounted) -> None:
    state.scores = _added(state.scores, event.shares)
    # What is still owed at the count lapses.
    state.debts = ()


def _deal_ended(state: MatchState, event: DealEnded) -> None:
    """The next deal, or the end of the match, changes what there is to change."""


def _seat_forfeited(state: MatchState, event: SeatForfeited) -> None:
    state.forfeited = tuple(sorted((*state.forfeited, event.seat)))


def _match_ended(state: MatchState, event: MatchEnded) -> None:
    state.winners = event.winners


# By the event's class at once; to try one class after the other takes longer than most of them do.
_FOLDS: Final[Mapping[type[Event], Callable[[MatchState, Any], None]]] = {
    MatchStarted: _match_started,
    FirstDealerDrawn: _first_dealer_drawn,
    DealStarted: _deal_started,
    BatchStarted: _batch_started,
    HandDealt: _hand_dealt,
    TableTurned: _table_turned,
    TableReturned: _table_returned,
    AnnouncementMade: _announcement_made,
    AnnouncementPassed: _announcement_passed,
    AnnouncementSealed: _announcement_sealed,
    AnnouncementChallenged: _announcement_challenged,
    WindowPassed: _window_passed,
    CardPlayed: _card_played,
    CardLaid: _card_laid,
    CardsCaptured: _cards_captured,
    CardsHeld: _cards_held,
    ChainClosed: _chain_closed,
    LeftoversTaken: _leftovers_taken,
    PlayAwarded: _play_awarded,
    AnnouncementsRevealed: _announcements_revealed,
    AnnouncementsAwarded: _announcements_awarded,
    AwardWithdrawn: _award_withdrawn,
    FalseAnnouncementPenalised: _false_announcement_penalised,
    UndeclaredPenalised: _undeclared_penalised,
    DutyAwarded: _duty_awarded,
    CardsDue: _cards_due,
    CardsPaid: _cards_paid,
    PilesCounted: _piles_counted,
    DealEnded: _deal_ended,
    SeatForfeited: _seat_forfeited,
    MatchEnded: _match_ended,
}


def _points(state: MatchState, shares: Shares) -> tuple[int, ...]:
    """Give the scores after an award in play, which scores nothing where it is paid in cards."""
    if state.rules.scoring is Scoring.CARD_TRANSFER:
        return state.scores
    return _added(state.scores, shares)


def _added(scores: tuple[int, ...], shares: Shares) -> tuple[int, ...]:
    for side, points in shares:
        scores = _plus(scores, side, points)
    return scores


def _reduced(debts: tuple[Debt, ...], payer: int, cards: int) -> tuple[Debt, ...]:
    """Take some cards off a payer's oldest debt."""
    place = next(place for place, debt in enumerate(debts) if debt.payer == payer)
    left = replace(debts[place], cards=debts[place].cards - cards)
    return (*debts[:place], *((left,) if left.cards else ()), *debts[place + 1 :])


def _unsealed(state: MatchState, seat: int) -> tuple[tuple[int, AnnouncementKind | Answer], ...]:
    return tuple([one for one in state.sealed if one[0] != seat])


def _with(
    hands: tuple[tuple[Card, ...], ...], seat: int, hand: tuple[Card, ...]
) -> tuple[tuple[Card, ...], ...]:
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _plus(numbers: tuple[int, ...], place: int, amount: int) -> tuple[int, ...]:
    return (*numbers[:place], numbers[place] + amount, *numbers[place + 1 :])
