"""Folding events into states: what each event changes, and nothing else."""

from dataclasses import replace

from ronda_rules.cards import FULL_PACK, Card, rank_index, set_of
from ronda_rules.changing import changed
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
    ScoringEvent,
    Shares,
    TableReturned,
    TableTurned,
    UndeclaredPenalised,
    WindowPassed,
)
from ronda_rules.holdings import held_rank
from ronda_rules.rule_set import AnnouncementKind, Scoring
from ronda_rules.state import NOBODY, Announcement, Debt, Held, MatchState


def evolve(state: MatchState, event: Event) -> MatchState:  # noqa: C901, PLR0911, PLR0912 - one case per event
    """Give the state after an event.

    The event must be one that the rules brought about in this state; it is not checked.
    """
    match event:
        case CardPlayed(seat, card):
            hand = tuple(held for held in state.hands[seat] if held != card)
            return changed(
                state,
                hands=_with(state.hands, seat, hand),
                cards_played=state.cards_played + 1,
                last_card=card,
                passed=0,
                acted=NOBODY,
            )
        case CardLaid(_, card):
            return changed(state, table=state.table | 1 << card, laid=card)
        case CardsCaptured(seat, cards):
            return changed(
                state,
                table=state.table & ~set_of(cards),
                piles=_plus(state.piles, state.side(seat), 1 + len(cards)),
                laid=None,
                last_capturer=seat,
            )
        case CardsHeld(seat, step, cards, mesa):
            before = 0 if state.held is None else state.held.cards
            rank = rank_index(state.last_card if state.last_card is not None else 0)
            return changed(
                state,
                table=state.table & ~set_of(cards),
                held=Held(seat, rank, step, before + 1 + len(cards), mesa),
                laid=None,
            )
        case ChainClosed(seat, _, card_count):
            return changed(
                state,
                piles=_plus(state.piles, state.side(seat), card_count),
                held=None,
                last_capturer=seat,
            )
        case LeftoversTaken(seat, cards):
            return changed(
                state,
                table=state.table & ~set_of(cards),
                piles=_plus(state.piles, state.side(seat), len(cards)),
                laid=None,
            )
        case HandDealt(seat, _, cards):
            return changed(
                state,
                pack=state.pack & ~set_of(cards),
                hands=_with(state.hands, seat, cards),
                dealt=_with(state.dealt, seat, cards),
                hands_dealt=state.hands_dealt + 1,
            )
        case TableTurned(cards):
            mask = set_of(cards)
            return changed(
                state,
                pack=state.pack & ~mask | state.returned,
                returned=0,
                turned=state.turned + cards,
                table=state.table | mask,
            )
        case TableReturned(_, cards):
            mask = set_of(cards)
            return changed(
                state,
                returned=mask,
                turned=tuple(card for card in state.turned if card not in cards),
                table=state.table & ~mask,
            )
        case DealStarted(deal, dealer):
            return _deal_started(state, deal, dealer)
        case BatchStarted():
            return _batch_started(state, event)
        case CardsDue(payer, receiver, cards, award):
            debt = Debt(payer, receiver, cards, award)
            return changed(
                state,
                debts=(*state.debts, debt),
                award_dues=(*state.award_dues, debt) if award else state.award_dues,
            )
        case CardsPaid(payer, receiver, cards):
            piles = _plus(_plus(state.piles, payer, -cards), receiver, cards)
            return changed(state, piles=piles, debts=_reduced(state.debts, payer, cards))
        case (
            PlayAwarded()
            | AnnouncementsAwarded()
            | FalseAnnouncementPenalised()
            | UndeclaredPenalised()
            | DutyAwarded()
            | PilesCounted()
        ):
            return _scored(state, event)
        case AwardWithdrawn(_, shares):
            return changed(
                state,
                scores=_points(state, tuple((side, -points) for side, points in shares)),
                award=(),
                award_dues=(),
                debts=tuple(debt for debt in state.debts if not debt.award),
            )
        case (
            AnnouncementMade()
            | AnnouncementPassed()
            | AnnouncementSealed()
            | AnnouncementChallenged()
            | WindowPassed()
        ):
            return _said(state, event)
        case MatchEnded(winners, _):
            return changed(state, winners=winners)
        case MatchStarted() | FirstDealerDrawn() | AnnouncementsRevealed() | DealEnded():
            return state


def _deal_started(state: MatchState, deal: int, dealer: int) -> MatchState:
    return changed(
        state,
        deal=deal,
        dealer=dealer,
        batch=0,
        pack=FULL_PACK,
        returned=0,
        turned=(),
        table=0,
        piles=(0,) * state.sides,
        laid=None,
        last_card=None,
        last_capturer=NOBODY,
        announcements=(),
        punished=(0,) * state.seats,
        debts=(),
    )


def _batch_started(state: MatchState, event: BatchStarted) -> MatchState:
    return changed(
        state,
        batch=event.batch,
        hand_size=event.hand_size,
        last_batch=event.last,
        hands_dealt=0,
        cards_played=0,
        laid=state.laid if state.rules.chain_across_batches else None,
        answered=(),
        sealed=(),
        passed=0,
        acted=NOBODY,
        claimed=(),
        award=(),
        award_dues=(),
        # What is owed for an earlier batch's award cannot be withdrawn any more.
        debts=tuple(replace(debt, award=False) for debt in state.debts),
    )


def _said(
    state: MatchState,
    event: (
        AnnouncementMade
        | AnnouncementPassed
        | AnnouncementSealed
        | AnnouncementChallenged
        | WindowPassed
    ),
) -> MatchState:
    match event:
        case AnnouncementMade(seat, kind):
            made = Announcement(state.batch, seat, kind, held_rank(state, seat, kind))
            return changed(
                state,
                announcements=(*state.announcements, made),
                answered=(*state.answered, seat),
                sealed=_unsealed(state, seat),
            )
        case AnnouncementPassed(seat):
            return changed(state, answered=(*state.answered, seat), sealed=_unsealed(state, seat))
        case AnnouncementSealed(seat, answer):
            return changed(state, sealed=(*state.sealed, (seat, answer)))
        case AnnouncementChallenged(challenger, seat, _, announcement_true):
            return changed(
                state,
                acted=challenger,
                announcements=tuple(
                    replace(one, struck=True)
                    if (one.batch, one.seat) == (state.batch, seat) and not announcement_true
                    else one
                    for one in state.announcements
                ),
            )
        case WindowPassed(seat):
            return changed(state, passed=state.in_order_of_play().index(seat) + 1, acted=NOBODY)


def _scored(state: MatchState, event: ScoringEvent) -> MatchState:
    if isinstance(event, PilesCounted):
        # What is still owed at the count lapses.
        return changed(state, scores=_added(state.scores, event.shares), debts=())
    state = changed(state, scores=_points(state, event.shares))
    match event:
        case AnnouncementsAwarded(batch, shares) if batch == state.batch:
            return changed(state, award=shares)
        case FalseAnnouncementPenalised(_, seat, _, _):
            return changed(state, punished=_plus(state.punished, seat, 1))
        case UndeclaredPenalised(_, seat, _, _, claimant) if claimant is not None:
            return changed(state, claimed=(*state.claimed, seat), acted=claimant)
        case _:
            return state


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
    return tuple(one for one in state.sealed if one[0] != seat)


def _with(
    hands: tuple[tuple[Card, ...], ...], seat: int, hand: tuple[Card, ...]
) -> tuple[tuple[Card, ...], ...]:
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _plus(numbers: tuple[int, ...], place: int, amount: int) -> tuple[int, ...]:
    return (*numbers[:place], numbers[place] + amount, *numbers[place + 1 :])
