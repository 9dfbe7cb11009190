"""The engine: who must act and how, and what follows. It owns phases and turn order.

Chance is a player like the seats: where `decide` asks for cards or for a dealer, whoever runs
the match draws them and applies the answer. So everything that happens is data.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from ronda_rules.announcements import announce, legal_announcements, true_announcements
from ronda_rules.capture import play_card
from ronda_rules.cards import CardSet, card_text
from ronda_rules.deal import (
    deal_hand,
    first_dealer,
    seat_to_receive,
    start_deal,
    table_cards_to_turn,
    turn_table,
)
from ronda_rules.errors import DrawError, IllegalMove, Reason
from ronda_rules.events import Event, FirstDealerDrawn, MatchStarted
from ronda_rules.evolve import evolve
from ronda_rules.match import end_batch
from ronda_rules.moves import (
    Announce,
    AnyMove,
    Challenge,
    Claim,
    DealerDrawn,
    Drawn,
    Move,
    Pass,
    Play,
    SeatMove,
)
from ronda_rules.rule_set import AnnouncementKind, RuleSet
from ronda_rules.rule_set_check import check, check_seats
from ronda_rules.state import MatchState, initial
from ronda_rules.unfolding import Unfolding


@dataclass(frozen=True, slots=True)
class DrawDealer:
    """Chance must name the first dealer among this many seats (clause DEAL-3)."""

    seats: int


@dataclass(frozen=True, slots=True)
class DrawCards:
    """Chance must draw `count` cards from `pack`, one at a time (clause DEAL-4)."""

    count: int
    pack: CardSet


@dataclass(frozen=True, slots=True)
class SeatsToAct:
    """These seats must act, ascending; see `legal_moves` for how."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchOver:
    """Nobody must act: the match is over, with these winning or tied sides."""

    winners: tuple[int, ...]


Decision: TypeAlias = DrawDealer | DrawCards | SeatsToAct | MatchOver


def begin(rules: RuleSet, seats: int) -> tuple[MatchState, tuple[Event, ...]]:
    """Begin a match; give its state and first events.

    Raises:
        RuleSetError: the rule set or the seat count cannot be played.
    """
    check(rules)
    check_seats(rules, seats)
    u = Unfolding(initial(rules, seats))
    u.emit(MatchStarted(seats))
    dealer = first_dealer(rules, seats)
    if dealer is not None:
        start_deal(u, dealer)
    return u.state, tuple(u.events)


def decide(state: MatchState) -> Decision:
    """Say who must act: chance, a seat, or nobody. The phases in the order of a deal."""
    if state.winners:
        return MatchOver(state.winners)
    if state.deal == 0:
        return DrawDealer(state.seats)
    if seat_to_receive(state) is not None:
        return DrawCards(state.hand_size, state.pack)
    to_turn = table_cards_to_turn(state)
    if to_turn:
        return DrawCards(to_turn, state.pack)
    return SeatsToAct((seat_to_play(state),))


def seat_to_play(state: MatchState) -> int:
    """Give the seat whose turn it is once all hands are dealt (clause CAP-1)."""
    return state.in_order_of_play()[state.cards_played % state.seats]


def legal_moves(state: MatchState, seat: int) -> tuple[Move, ...]:
    """Give a seat's legal moves: announcements, then its cards in order; empty: not its turn."""
    match decide(state):
        case SeatsToAct(seats) if seat in seats:
            kinds = legal_announcements(state, seat)
            return (*map(Announce, kinds), *map(Play, state.hands[seat]))
        case _:
            return ()


def supported_announcements(state: MatchState, seat: int) -> tuple[AnnouncementKind, ...]:
    """Give the kinds that a seat to act may announce truly; for that seat alone (ANN-10)."""
    match decide(state):
        case SeatsToAct(seats) if seat in seats:
            return true_announcements(state, seat)
        case _:
            return ()


def apply(state: MatchState, move: AnyMove) -> tuple[Event, ...]:
    """Give the events that a move brings about, up to where someone must act again.

    Raises:
        IllegalMove: the rules do not allow a seat's move now; nothing has changed.
        DrawError: chance could not have drawn this; nothing has changed.
    """
    u = Unfolding(state)
    match move:
        case SeatMove(seat, seat_move):
            _apply_seat_move(u, seat, seat_move)
        case Drawn(cards):
            _apply_drawn(u, cards)
        case DealerDrawn(seat):
            _apply_dealer_drawn(u, seat)
    return tuple(u.events)


def fold(state: MatchState, events: Iterable[Event]) -> MatchState:
    """Give the state after some events."""
    for event in events:
        state = evolve(state, event)
    return state


def _apply_seat_move(u: Unfolding, seat: int, move: Move) -> None:
    match decide(u.state):
        case MatchOver():
            raise IllegalMove(Reason.MATCH_OVER, "MATCH-2", "the match is over")
        case SeatsToAct(seats) if seat in seats:
            pass
        case decision:
            turn = decision.seats if isinstance(decision, SeatsToAct) else ()
            now = f"seat {turn[0]} must act" if turn else "cards are being dealt"
            detail = f"it is not the turn of seat {seat}: {now}"
            raise IllegalMove(Reason.NOT_YOUR_TURN, "CAP-1", detail, seat=seat)
    match move:
        case Play(card):
            if card not in u.state.hands[seat]:
                text = card_text(card)
                detail = f"{text} is not in the hand of seat {seat}"
                raise IllegalMove(Reason.CARD_NOT_IN_HAND, "CAP-1", detail, card=text, seat=seat)
            play_card(u, seat, card)
            if u.state.hands_empty:
                end_batch(u)
        case Announce(kind):
            announce(u, seat, kind)
        case Pass():
            detail = "nothing is asked that could be declined: play a card"
            raise IllegalMove(Reason.NOTHING_TO_PASS, "ANN-2", detail, seat=seat)
        case Challenge(announcer):
            detail = f"{u.state.rules.id} has no challenges"
            raise IllegalMove(Reason.CHALLENGE_NOT_ALLOWED, "", detail, seat=announcer)
        case Claim(holder):
            detail = f"{u.state.rules.id} has no claims"
            raise IllegalMove(Reason.CLAIM_NOT_ALLOWED, "", detail, seat=holder)


def _apply_drawn(u: Unfolding, cards: tuple[int, ...]) -> None:
    if not isinstance(decide(u.state), DrawCards):
        raise DrawError("no cards are to be drawn now")
    seat = seat_to_receive(u.state)
    if seat is not None:
        deal_hand(u, seat, cards)
    else:
        turn_table(u, cards)


def _apply_dealer_drawn(u: Unfolding, seat: int) -> None:
    if not isinstance(decide(u.state), DrawDealer):
        raise DrawError("no dealer is to be drawn now")
    if not 0 <= seat < u.state.seats:
        raise DrawError(f"seat {seat} is lacking: {u.state.seats} seats play", seat=seat)
    u.emit(FirstDealerDrawn(seat))
    start_deal(u, seat)
