"""The engine: who must act and how, and what follows. It owns phases and turn order.

Chance is a player like the seats: where `decide` asks for cards or for a dealer, whoever runs
the match draws them and applies the answer. So everything that happens is data.
"""

from collections.abc import Iterable

from ronda_rules.announcements import (
    announce,
    decline,
    legal_announcements,
    seats_to_answer,
    true_announcements,
)
from ronda_rules.cards import Card, card_text
from ronda_rules.challenges import challenge, legal_challenges
from ronda_rules.claims import claim, legal_claims
from ronda_rules.deal import (
    deal_hand,
    first_dealer,
    seat_to_receive,
    start_deal,
    table_cards_to_turn,
    turn_table,
)
from ronda_rules.decisions import (
    TURNS,
    Asked,
    Decision,
    DrawCards,
    DrawDealer,
    MatchOver,
    SeatsToAct,
)
from ronda_rules.errors import DrawError, IllegalMove, Reason
from ronda_rules.events import Event, FirstDealerDrawn, MatchStarted, WindowPassed
from ronda_rules.evolve import fold_into
from ronda_rules.forfeit import forfeit
from ronda_rules.match import after_a_claim, after_an_answer, begin_play, take_turn
from ronda_rules.moments import MatchIsOver
from ronda_rules.moves import (
    PASS,
    PLAYS,
    Announce,
    AnyMove,
    Challenge,
    Claim,
    DealerDrawn,
    Drawn,
    Forfeit,
    Move,
    Pass,
    Play,
    SeatMove,
)
from ronda_rules.rule_set import AnnouncementKind, RuleSet
from ronda_rules.rule_set_check import check, check_seats
from ronda_rules.state import MatchState, initial
from ronda_rules.unfolding import Unfolding
from ronda_rules.windows import challenge_window, claim_window

# The decisions belong to what the engine says.
__all__ = [
    "Asked",
    "Decision",
    "DrawCards",
    "DrawDealer",
    "MatchOver",
    "SeatsToAct",
    "advance",
    "apply",
    "begin",
    "decide",
    "fold",
    "legal_moves",
    "seat_to_play",
    "supported_announcements",
]


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
    """Say who must act: chance, seats, or nobody. The phases in the order of a deal.

    Between the first and the last card of a batch it is always a seat's turn.
    """
    # Whoever runs a match, its views and the engine itself ask for the same state's decision.
    if state.decision is None:
        state.decision = _decide(state)
    return state.decision


def _decide(state: MatchState) -> Decision:
    if state.winners:
        return MatchOver(state.winners)
    if state.deal == 0:
        return DrawDealer(state.seats)
    if not state.first_card and not state.hands_empty:
        return TURNS[seat_to_play(state)]
    if seat_to_receive(state) is not None:
        return DrawCards(state.hand_size, state.pack)
    to_turn = table_cards_to_turn(state)
    if to_turn:
        return DrawCards(to_turn, state.pack)
    answering = seats_to_answer(state)
    if answering:
        return SeatsToAct(answering, Asked.ANNOUNCEMENT)
    seat = challenge_window(state)
    if seat is not None:
        return SeatsToAct((seat,), Asked.CHALLENGE)
    seat = claim_window(state)
    if seat is not None:
        return SeatsToAct((seat,), Asked.CLAIM)
    return TURNS[seat_to_play(state)]


def seat_to_play(state: MatchState) -> int:
    """Give the seat whose turn it is once all hands are dealt (clause CAP-1)."""
    return state.in_order_of_play()[state.cards_played % state.seats]


def legal_moves(state: MatchState, seat: int) -> tuple[Move, ...]:
    """Give a seat's legal moves: announcements, challenges, claims, a pass, cards in hand order.

    Empty where the seat need not act.
    """
    match decide(state):
        case SeatsToAct(seats, asked) if seat in seats:
            pass
        case _:
            return ()
    match asked:
        case Asked.CARD:
            return (
                *map(Announce, legal_announcements(state, seat)),
                *map(Challenge, legal_challenges(state, seat)),
                *map(Claim, legal_claims(state, seat)),
                *[PLAYS[card] for card in state.hands[seat]],
            )
        case Asked.ANNOUNCEMENT:
            return (*map(Announce, legal_announcements(state, seat)), PASS)
        case Asked.CHALLENGE:
            return (*map(Challenge, legal_challenges(state, seat)), PASS)
        case Asked.CLAIM:
            return (*map(Claim, legal_claims(state, seat)), PASS)


def supported_announcements(state: MatchState, seat: int) -> tuple[AnnouncementKind, ...]:
    """Give the kinds that a seat to act may announce truly; for that seat alone (ANN-10)."""
    match decide(state):
        case SeatsToAct(seats, Asked.ANNOUNCEMENT | Asked.CARD) if seat in seats:
            return true_announcements(state, seat)
        case _:
            return ()


def apply(state: MatchState, move: AnyMove) -> tuple[Event, ...]:
    """Give the events that a move brings about, up to where someone must act again.

    Raises:
        IllegalMove: the rules do not allow a seat's move now; nothing has changed.
        DrawError: chance could not have drawn this; nothing has changed.
    """
    return advance(state, move)[1]


def advance(state: MatchState, move: AnyMove) -> tuple[MatchState, tuple[Event, ...]]:
    """Give the state after a move, and the events of `apply`, which fold to it.

    Raises:
        IllegalMove: the rules do not allow a seat's move now; nothing has changed.
        DrawError: chance could not have drawn this; nothing has changed.
    """
    u = Unfolding(state)
    try:
        match move:
            case SeatMove(seat, seat_move):
                _apply_seat_move(u, seat, seat_move)
            case Drawn(cards):
                _apply_drawn(u, cards)
            case DealerDrawn(seat):
                _apply_dealer_drawn(u, seat)
            case Forfeit(seat):
                forfeit(u, seat)
    except MatchIsOver:
        pass
    return u.state, tuple(u.events)


def fold(state: MatchState, events: Iterable[Event]) -> MatchState:
    """Give the state after some events."""
    after = state.copied()
    for event in events:
        fold_into(after, event)
    return after


def _apply_seat_move(u: Unfolding, seat: int, move: Move) -> None:
    match decide(u.state):
        case MatchOver():
            raise IllegalMove(Reason.MATCH_OVER, "MATCH-2", "the match is over")
        case SeatsToAct(seats, asked) if seat in seats:
            pass
        case decision:
            turn = decision.seats if isinstance(decision, SeatsToAct) else ()
            who = f"seat{'s' if len(turn) > 1 else ''} {' and '.join(map(str, turn))}"
            now = f"{who} must act" if turn else "cards are being dealt"
            if u.state.sealed:
                # Who has answered is nobody's business before all have (clause ANN-2).
                now = "it has answered and the others may not have"
            detail = f"it is not the turn of seat {seat}: {now}"
            raise IllegalMove(Reason.NOT_YOUR_TURN, "CAP-1", detail, seat=seat)
    if asked is not Asked.CARD:
        _refuse_other_than_asked(seat, move, asked)
    match move:
        case Play(card):
            _play(u, seat, card)
        case Announce(kind):
            announce(u, seat, kind)
            if asked is Asked.ANNOUNCEMENT:
                after_an_answer(u)
        case Pass():
            _pass(u, seat, asked)
        case Challenge(announcer):
            challenge(u, seat, announcer, in_window=asked is Asked.CHALLENGE)
        case Claim(holder):
            claim(u, seat, holder)


def _refuse_other_than_asked(seat: int, move: Move, asked: Asked) -> None:
    """Refuse a move that does not answer what the seat is asked for, whatever else is wrong.

    To a turn every move is an answer.
    """
    match asked, move:
        case (
            (_, Pass())
            | (Asked.ANNOUNCEMENT, Announce())
            | (Asked.CHALLENGE, Challenge())
            | (Asked.CLAIM, Claim())
        ):
            return
        case Asked.ANNOUNCEMENT, _:
            detail = f"seat {seat} is asked for an announcement: announce or pass first"
            raise IllegalMove(Reason.ANSWER_DUE, "ANN-2", detail, seat=seat)
        case _:
            detail = f"seat {seat} is asked for a {asked.value.lower()}: make one or pass first"
            raise IllegalMove(Reason.ANSWER_DUE, "WIN-1", detail, seat=seat)


def _play(u: Unfolding, seat: int, card: Card) -> None:
    if card not in u.state.hands[seat]:
        text = card_text(card)
        detail = f"{text} is not in the hand of seat {seat}"
        raise IllegalMove(Reason.CARD_NOT_IN_HAND, "CAP-1", detail, card=text, seat=seat)
    take_turn(u, seat, card)


def _pass(u: Unfolding, seat: int, asked: Asked) -> None:
    match asked:
        case Asked.ANNOUNCEMENT:
            decline(u, seat)
            after_an_answer(u)
        case Asked.CHALLENGE:
            u.emit(WindowPassed(seat))
            after_an_answer(u)
        case Asked.CLAIM:
            u.emit(WindowPassed(seat))
            after_a_claim(u)
        case Asked.CARD:
            detail = "nothing is asked that could be declined: play a card"
            raise IllegalMove(Reason.NOTHING_TO_PASS, "ANN-2", detail, seat=seat)


def _apply_drawn(u: Unfolding, cards: tuple[Card, ...]) -> None:
    if not isinstance(decide(u.state), DrawCards):
        raise DrawError("no cards are to be drawn now")
    seat = seat_to_receive(u.state)
    if seat is not None:
        deal_hand(u, seat, cards)
    else:
        turn_table(u, cards)
    if isinstance(decide(u.state), DrawCards):
        return
    begin_play(u)


def _apply_dealer_drawn(u: Unfolding, seat: int) -> None:
    if not isinstance(decide(u.state), DrawDealer):
        raise DrawError("no dealer is to be drawn now")
    if not 0 <= seat < u.state.seats:
        raise DrawError(f"seat {seat} is lacking: {u.state.seats} seats play", seat=seat)
    u.emit(FirstDealerDrawn(seat))
    start_deal(u, seat)
