"""Playing on quickly from a state, by a policy, in the engine's words."""

import random
from collections.abc import Callable
from enum import Enum
from typing import TypeAlias

from ronda_rules.announcements import true_announcements
from ronda_rules.capture import captured_by
from ronda_rules.cards import (
    Card,
    CardSet,
    RankIndex,
    cards_of,
    rank_index,
    set_of,
    with_ranks,
)
from ronda_rules.claims import legal_claims
from ronda_rules.engine import (
    Asked,
    DrawCards,
    DrawDealer,
    SeatsToAct,
    advance,
    decide,
    legal_moves,
)
from ronda_rules.holdings import BEST_FIRST
from ronda_rules.moves import Announce, Claim, DealerDrawn, Drawn, Move, Pass, Play, SeatMove
from ronda_rules.rule_set import RuleSet, Timing, UndeclaredDetection
from ronda_rules.state import MatchState

Policy: TypeAlias = Callable[[MatchState, int, Asked, random.Random], Move]

# What a captured card is worth beside a point. Each card above the threshold is a point, and the
# other side lacks it.
CARD_WORTH = 0.5

# The next seat makes one of the replies that it could make, and has other plans too.
_REPLY_WEIGHT = 0.7


class Horizon(Enum):
    """How far is played on."""

    BATCH = "batch"
    DEAL = "deal"
    MATCH = "match"


def random_policy(
    state: MatchState,
    seat: int,
    asked: Asked,  # noqa: ARG001 - policies are called alike
    generator: random.Random,
) -> Move:
    """Return any legal move but a false announcement, each as likely as the others."""
    true = true_announcements(state, seat)
    moves = [
        move
        for move in legal_moves(state, seat)
        if not isinstance(move, Announce) or move.kind in true
    ]
    return generator.choice(moves)


def quick_policy(
    state: MatchState,
    seat: int,
    asked: Asked,
    generator: random.Random,  # noqa: ARG001 - policies are called alike
) -> Move:
    """Return what a quick greedy player does, who knows no hand but its own.

    It announces the best true kind, claims what it can, never challenges, and plays the card that
    is worth most now, less what it offers the next seat.
    """
    rules = state.rules
    if asked is Asked.ANNOUNCEMENT or (
        asked is Asked.CARD
        and rules.timing is Timing.FIRST_TURN
        and len(state.hands[seat]) == state.hand_size
    ):
        true = true_announcements(state, seat)
        for kind in BEST_FIRST:
            if kind in true:
                return Announce(kind)
        if asked is Asked.ANNOUNCEMENT:
            return Pass()
    if rules.undeclared_detection is UndeclaredDetection.CLAIM:
        claims = legal_claims(state, seat)
        if claims:
            return Claim(claims[0])
    if asked is not Asked.CARD:
        return Pass()
    return Play(max(state.hands[seat], key=lambda card: card_worth(state, seat, card)))


def card_worth(state: MatchState, seat: int, card: Card) -> float:
    """Return about how many points a card of the hand is worth to a seat that plays it now.

    Cards captured, caida and mesa, less the same for the next seat, as likely as that holds the
    rank by the cards that this seat has not seen.
    """
    table = state.table
    rank = rank_index(card)
    ladder = state.rules.ladder_for(state.seats)
    held = state.held
    if held is not None and held.rank == rank:
        return ladder[held.step] + held.mesa + CARD_WORTH * (1 + held.cards)
    captured = captured_by(card, table)
    after = table & ~captured if captured else table | 1 << card
    worth = 0.0
    chain = 0.0
    if captured:
        worth = CARD_WORTH * (1 + captured.bit_count())
        caida = state.laid is not None and rank_index(state.laid) == rank
        if caida and ladder:
            worth += ladder[0]
            if len(ladder) > 1:
                # What the next seat takes over with an equal card, and this one loses.
                chain = ladder[1] + 2 * worth
        if not after:
            worth += state.rules.mesa
    to_come = len(state.hands[state.next_seat(seat)])
    unseen = _unseen(state, seat)
    if not unseen or not to_come:
        return worth
    if chain:
        worth -= chain * _likely(unseen, rank, to_come)
    laid = None if captured else rank
    return worth - _REPLY_WEIGHT * _replies(state.rules, ladder, after, laid, unseen, to_come)


def _unseen(state: MatchState, seat: int) -> CardSet:
    """Give the cards that a seat has not seen in this deal."""
    unseen = state.pack
    for other, hand in enumerate(state.hands):
        if other != seat:
            unseen |= set_of(hand)
    return unseen


def _likely(unseen: CardSet, rank: RankIndex, held: int) -> float:
    """Say about how likely a hand of that many unseen cards holds a rank."""
    return min(1.0, with_ranks(unseen, 1 << rank).bit_count() * held / unseen.bit_count())


def _replies(
    rules: RuleSet,
    ladder: tuple[int, ...],
    table: CardSet,
    laid: RankIndex | None,
    unseen: CardSet,
    held: int,
) -> float:
    """Say what the next seat may get from a table, each capture as likely as its rank is held."""
    offered = 0.0
    for lying in cards_of(table):
        rank = rank_index(lying)
        taken = captured_by(lying, table)
        reply = CARD_WORTH * (1 + taken.bit_count())
        if rank == laid and ladder:
            reply += ladder[0]
        if taken == table:
            reply += rules.mesa
        offered += reply * _likely(unseen, rank, held)
    return offered


def play_out(
    state: MatchState,
    policy: Policy,
    generator: random.Random,
    *,
    until: Horizon = Horizon.DEAL,
) -> MatchState:
    """Play on with one policy for every seat; return the state where it ends.

    Args:
        state: Where to begin.
        policy: What every seat does.
        generator: Where chance comes from, the cards' too.
        until: How far: to the end of the batch, of the deal, or of the match. A match that is over
            before is played no further.
    """
    deal, batch = state.deal, state.batch
    while True:
        decision = decide(state)
        match decision:
            case SeatsToAct(seats, asked):
                seat = seats[0]
                move = policy(state, seat, asked, generator)
                state, _ = advance(state, SeatMove(seat, move))
            case DrawCards(count, pack):
                drawn = generator.sample(tuple(cards_of(pack)), count)
                state, _ = advance(state, Drawn(tuple(drawn)))
            case DrawDealer(seats):
                state, _ = advance(state, DealerDrawn(generator.randrange(seats)))
            case _:
                return state
        if until is not Horizon.MATCH and state.deal != deal:
            return state
        if until is Horizon.BATCH and state.batch != batch:
            return state
