"""Two matches that one seat cannot tell apart, played side by side.

Up to a batch both are the same. In that batch the hands of the others differ, by some cards or by
all, and what the seat has seen does not tell which is which. The others go on as long as they can
do the same in both; where one would have to show a card that it holds in one match only, both end.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from ronda_rules import engine
from ronda_rules.cards import cards_of
from ronda_rules.deal import batch_sizes
from ronda_rules.events import Event
from ronda_rules.moves import Announce, AnyMove, Challenge, DealerDrawn, Drawn, SeatMove
from ronda_rules.rule_set import RuleSet
from ronda_rules.state import MatchState


@dataclass(frozen=True)
class Twins:
    """Both matches after a move, with that move's events in each."""

    states: tuple[MatchState, MatchState]
    events: tuple[tuple[Event, ...], tuple[Event, ...]]


def two_worlds(
    rules: RuleSet, seats: int, observer: int | None, rng: random.Random
) -> Iterator[Twins]:
    """Play both matches; the observer is a seat, or the public (None), which knows no hand."""
    states = (engine.begin(rules, seats)[0], engine.begin(rules, seats)[0])
    sizes = batch_sizes(rules.opening(seats), seats) or ()
    parting = rng.randrange(len(sizes)) + 1
    while True:
        moves = _same_for_the_observer(states, observer, parting, rng)
        if moves is None:
            return
        events = (engine.apply(states[0], moves[0]), engine.apply(states[1], moves[1]))
        states = (engine.fold(states[0], events[0]), engine.fold(states[1], events[1]))
        yield Twins(states, events)


def _same_for_the_observer(
    states: tuple[MatchState, MatchState], observer: int | None, parting: int, rng: random.Random
) -> tuple[AnyMove, AnyMove] | None:
    first, second = states
    match engine.decide(first):
        case engine.DrawDealer(seats):
            dealer = DealerDrawn(rng.randrange(seats))
            return dealer, dealer
        case engine.DrawCards(count, pack):
            decision = engine.decide(second)
            assert isinstance(decision, engine.DrawCards)
            packs = (set(cards_of(pack)), set(cards_of(decision.pack)))
            to_hand = first.hands_dealt < first.seats
            receiver = first.in_order_of_play()[first.hands_dealt] if to_hand else None
            if to_hand and receiver != observer and first.batch == parting:
                return _drawn_apart(packs, count, rng)
            both = sorted(packs[0] & packs[1])
            if len(both) < count:
                return None
            drawn = Drawn(tuple(rng.sample(both, count)))
            return drawn, drawn
        case engine.SeatsToAct(seats):
            seat = rng.choice(seats)
            other = set(engine.legal_moves(second, seat))
            moves = [one for one in engine.legal_moves(first, seat) if one in other]
            # A challenge shows a hand, and so the difference.
            moves = [
                one
                for one in moves
                if not isinstance(one, Challenge)
                or set(first.dealt[one.seat]) == set(second.dealt[one.seat])
            ]
            said = [one for one in moves if isinstance(one, Announce)]
            played = [one for one in moves if not isinstance(one, Announce)]
            choices = said if said and rng.random() < 0.5 else played
            if not choices:
                return None
            chosen = SeatMove(seat, rng.choice(choices))
            return chosen, chosen
        case _:
            return None


def _drawn_apart(
    packs: tuple[set[int], set[int]], count: int, rng: random.Random
) -> tuple[Drawn, Drawn]:
    both = sorted(packs[0] & packs[1])
    shared = rng.sample(both, min(len(both), rng.randrange(count)))
    return _hand(packs[0], shared, count, rng), _hand(packs[1], shared, count, rng)


def _hand(pack: set[int], shared: list[int], count: int, rng: random.Random) -> Drawn:
    """Draw the shared cards and others, in one of the matches often of the same ranks."""
    rest = rng.sample(sorted(pack - set(shared)), len(pack) - len(shared))
    if rng.random() < 0.5:
        ranks = {card % 10 for card in shared}
        rest.sort(key=lambda card: card % 10 not in ranks)
    return Drawn((*shared, *rest[: count - len(shared)]))
