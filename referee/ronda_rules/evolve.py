"""Folding events into states: what each event changes, and nothing else."""

from dataclasses import replace

from ronda_rules.cards import FULL_PACK, Card, set_of
from ronda_rules.events import (
    AnnouncementMade,
    AnnouncementsAwarded,
    AnnouncementsRevealed,
    BatchStarted,
    CardLaid,
    CardPlayed,
    CardsCaptured,
    DealEnded,
    DealStarted,
    Event,
    FalseAnnouncementPenalised,
    FirstDealerDrawn,
    HandDealt,
    LeftoversTaken,
    MatchEnded,
    MatchStarted,
    PilesCounted,
    PlayAwarded,
    Shares,
    TableReturned,
    TableTurned,
)
from ronda_rules.holdings import held_rank
from ronda_rules.state import NOBODY, Announcement, MatchState


def evolve(state: MatchState, event: Event) -> MatchState:  # noqa: C901, PLR0911 - one case per event
    """Give the state after an event.

    The event must be one that the rules brought about in this state; it is not checked.
    """
    match event:
        case CardPlayed(seat, card):
            hand = tuple(held for held in state.hands[seat] if held != card)
            return replace(
                state,
                hands=_with(state.hands, seat, hand),
                cards_played=state.cards_played + 1,
            )
        case CardLaid(_, card):
            return replace(state, table=state.table | 1 << card, laid=card)
        case CardsCaptured(seat, cards):
            return replace(
                state,
                table=state.table & ~set_of(cards),
                piles=_plus(state.piles, state.side(seat), 1 + len(cards)),
                laid=None,
                last_capturer=seat,
            )
        case AnnouncementMade(seat, kind):
            made = Announcement(state.batch, seat, kind, held_rank(state, seat, kind))
            return replace(state, announcements=(*state.announcements, made))
        case HandDealt(seat, _, cards):
            return replace(
                state,
                pack=state.pack & ~set_of(cards),
                hands=_with(state.hands, seat, cards),
                hands_dealt=state.hands_dealt + 1,
            )
        case TableTurned(cards):
            mask = set_of(cards)
            return replace(
                state,
                pack=state.pack & ~mask | state.returned,
                returned=0,
                turned=state.turned + cards,
                table=state.table | mask,
            )
        case TableReturned(_, cards):
            mask = set_of(cards)
            return replace(
                state,
                returned=mask,
                turned=tuple(card for card in state.turned if card not in cards),
                table=state.table & ~mask,
            )
        case BatchStarted(batch, hand_size, last):
            return replace(
                state,
                batch=batch,
                hand_size=hand_size,
                last_batch=last,
                hands_dealt=0,
                cards_played=0,
                laid=None,
            )
        case DealStarted(deal, dealer):
            return replace(
                state,
                deal=deal,
                dealer=dealer,
                batch=0,
                pack=FULL_PACK,
                returned=0,
                turned=(),
                table=0,
                piles=(0,) * state.sides,
                last_capturer=NOBODY,
                announcements=(),
                punished=(0,) * state.seats,
            )
        case LeftoversTaken(seat, cards):
            return replace(
                state,
                table=state.table & ~set_of(cards),
                piles=_plus(state.piles, state.side(seat), len(cards)),
                laid=None,
            )
        case FalseAnnouncementPenalised(_, seat, _, shares):
            return replace(
                state,
                punished=_plus(state.punished, seat, 1),
                scores=_scored(state.scores, shares),
            )
        case (
            PlayAwarded(shares=shares)
            | AnnouncementsAwarded(shares=shares)
            | PilesCounted(shares=shares)
        ):
            return replace(state, scores=_scored(state.scores, shares)) if shares else state
        case MatchEnded(winners, _):
            return replace(state, winners=winners)
        case MatchStarted() | FirstDealerDrawn() | AnnouncementsRevealed() | DealEnded():
            return state


def _with(
    hands: tuple[tuple[Card, ...], ...], seat: int, hand: tuple[Card, ...]
) -> tuple[tuple[Card, ...], ...]:
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _plus(numbers: tuple[int, ...], place: int, amount: int) -> tuple[int, ...]:
    return (*numbers[:place], numbers[place] + amount, *numbers[place + 1 :])


def _scored(scores: tuple[int, ...], shares: Shares) -> tuple[int, ...]:
    for side, points in shares:
        scores = _plus(scores, side, points)
    return scores
