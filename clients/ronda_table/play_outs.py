"""Playing on quickly from a state, by a policy, in the engine's words."""

import random
from collections.abc import Callable
from enum import Enum
from functools import cache
from typing import TypeAlias

from ronda_rules.announcements import true_announcements
from ronda_rules.capture import captured_by
from ronda_rules.cards import (
    FULL_PACK,
    Card,
    RankIndex,
    RankSet,
    cards_of,
    rank_index,
    ranks_of,
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
from ronda_rules.rule_set import Timing, UndeclaredDetection
from ronda_rules.state import NOBODY, MatchState

Policy: TypeAlias = Callable[[MatchState, int, Asked, random.Random], Move]

# What a captured card is worth beside a point. Each card above the threshold is a point, and the
# other side lacks it.
CARD_WORTH = 0.5

# The next seat makes one of the replies that it could make, and has other plans too.
_REPLY_WEIGHT = 0.7


class Horizon(Enum):
    """How far is played on.

    A round ends when every seat but one has played a card: after a move, where it is the turn of
    the seat that made it again.
    """

    ROUND = "round"
    BATCH = "batch"
    DEAL = "deal"
    MATCH = "match"


_WITHIN_A_DEAL = frozenset({Horizon.ROUND, Horizon.BATCH})


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
    return Play(_best_card(state, seat))


def _best_card(state: MatchState, seat: int) -> Card:
    """Give the card of a hand that is worth most to play now; of equal ones the first dealt."""
    hand = state.hands[seat]
    if len(hand) == 1:
        return hand[0]
    looking = _Looking(state, seat)
    best, chosen = looking.worth(hand[0]), hand[0]
    for card in hand[1:]:
        worth = looking.worth(card)
        if worth > best:
            best, chosen = worth, card
    return chosen


def card_worth(state: MatchState, seat: int, card: Card) -> float:
    """Return about how many points a card of the hand is worth to a seat that plays it now.

    Cards captured, caida and mesa, less the same for the next seat, as likely as that holds the
    rank by the cards that this seat has not seen.
    """
    return _Looking(state, seat).worth(card)


class _Looking:
    """What a seat looks at before it plays: computed once for all its cards."""

    __slots__ = ("_caida", "_held", "_ladder", "_likely", "_mesa", "_table")

    def __init__(self, state: MatchState, seat: int) -> None:
        unseen = state.pack
        for other, hand in enumerate(state.hands):
            if other != seat:
                for card in hand:
                    unseen |= 1 << card
        size = unseen.bit_count()
        to_come = len(state.hands[state.next_seat(seat)])
        # How likely the next seat holds each rank, about.
        self._likely = (
            [min(1.0, (unseen & suits).bit_count() * to_come / size) for suits in _OF_RANK]
            if size
            else _NOTHING
        )
        self._table = ranks_of(state.table)
        self._ladder = state.rules.ladder_for(state.seats)
        self._mesa = state.rules.mesa
        self._held = state.held
        self._caida = NOBODY if state.laid is None else rank_index(state.laid)

    def worth(self, card: Card) -> float:
        rank = rank_index(card)
        ladder = self._ladder
        if self._held is not None and self._held.rank == rank:
            return ladder[self._held.step] + self._held.mesa + CARD_WORTH * (1 + self._held.cards)
        worth = 0.0
        if not self._table >> rank & 1:
            after = self._table | 1 << rank
            if ladder:
                worth = -_REPLY_WEIGHT * ladder[0] * self._likely[rank]
        else:
            taken = captured_by(rank, self._table)
            after = self._table & ~taken
            worth = CARD_WORTH * (1 + taken.bit_count())
            if not after:
                worth += self._mesa
            if rank == self._caida and ladder:
                worth += ladder[0]
                if len(ladder) > 1:
                    # What the next seat takes over with an equal card, and this one loses.
                    worth -= (ladder[1] + 2 * worth) * self._likely[rank]
        for other, reply, mesa in _replies(after):
            worth -= _REPLY_WEIGHT * self._likely[other] * (reply + mesa * self._mesa)
        return worth


_OF_RANK = tuple(with_ranks(FULL_PACK, 1 << rank) for rank in range(10))
_NOTHING = [0.0] * 10


@cache
def _replies(table: RankSet) -> tuple[tuple[RankIndex, float, bool], ...]:
    """Give for each rank on a table what it would take in cards, and whether that is all."""
    replies = []
    for rank in cards_of(table):
        taken = captured_by(rank, table)
        replies.append((rank, CARD_WORTH * (1 + taken.bit_count()), taken == table))
    return tuple(replies)


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
        until: How far: to the end of the round, of the batch, of the deal, or of the match; where
            one ends, what is shorter has ended too.
    """
    deal, batch = state.deal, state.batch
    cards = state.cards_played + state.seats - 1
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
        if until in _WITHIN_A_DEAL and state.batch != batch:
            return state
        if until is Horizon.ROUND and state.cards_played >= cards:
            return state
