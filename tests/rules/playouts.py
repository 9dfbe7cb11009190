"""Matches played at random, and random rule sets among those that can be played."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from ronda_rules import engine
from ronda_rules.cards import Card, cards_of
from ronda_rules.events import Event
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
from ronda_rules.rule_set import (
    AnnouncementKind,
    AnnouncementTie,
    Bluff,
    CountThresholds,
    FirstDealer,
    KindAmounts,
    MesaExcluded,
    Payout,
    PenaltyTo,
    RankOrder,
    RuleSet,
    Settle,
    TableForbid,
    TableRemedy,
    TargetTie,
)
from ronda_rules.rule_set_check import check
from ronda_rules.state import MatchState
from tests.rules.rule_sets import EMPTY_TABLE, changed

MOST_DEALS = 300
ANNOUNCING = 0.5


@dataclass(frozen=True)
class Step:
    """One move of a match: the state before, the move, its events and the state after."""

    before: MatchState
    move: AnyMove
    events: tuple[Event, ...]
    after: MatchState


@st.composite
def rule_sets(draw: st.DrawFn) -> tuple[RuleSet, int]:
    """Draw a rule set that can be played and one of its seat counts."""
    seats = draw(st.sampled_from((2, 3, 4)))
    values: dict[str, Any] = {"table_remedy": draw(st.sampled_from(TableRemedy))}
    values["table_forbids"] = draw(
        st.sampled_from((frozenset({TableForbid.PAIRS}), frozenset(TableForbid)))
    )
    if seats != 3 and draw(st.booleans()):
        values |= EMPTY_TABLE
    values["first_dealer"] = draw(st.sampled_from((0, 1, *FirstDealer)))
    values["ladder"] = draw(st.sampled_from(((), (0,), (1,), (2,))))
    values["mesa"] = draw(st.sampled_from((0, 1, 3)))
    values["mesa_excluded"] = draw(st.sampled_from(MesaExcluded))
    amounts = st.sampled_from((KindAmounts(1, 5), KindAmounts(3, 4), KindAmounts(ronda=2)))
    values["kinds"] = draw(amounts)
    values["bluff"] = draw(st.sampled_from(Bluff))
    refused = values["bluff"] is Bluff.REFUSED
    values["false_penalty"] = KindAmounts() if refused else KindAmounts(2, 6)
    values["false_penalty_cap"] = draw(st.sampled_from((0, 1, 2)))
    values["penalty_to"] = draw(st.sampled_from(PenaltyTo))
    values["rank_order"] = draw(st.sampled_from(RankOrder))
    values["payout"] = draw(st.sampled_from(Payout))
    values["announcement_tie"] = draw(st.sampled_from(AnnouncementTie))
    values["settle"] = draw(st.sampled_from((Settle.DEAL_END, Settle.BATCH_END)))
    values["count"] = draw(st.sampled_from((None, CountThresholds(20, 13), CountThresholds(9, 4))))
    values["target"] = draw(st.sampled_from((0, 25, 41, 60)))
    if values["target"]:
        values["target_tie"] = draw(st.sampled_from(TargetTie))
    rules = changed(**values)
    check(rules)
    return rules, seats


def conceivable(seats: int) -> list[Move]:
    """Give every move that a seat could ever try."""
    return [
        *map(Announce, AnnouncementKind),
        Pass(),
        *map(Play, range(40)),
        *map(Challenge, range(seats)),
        *map(Claim, range(seats)),
    ]


def some_cards(rng: random.Random, pack: int, count: int) -> tuple[Card, ...]:
    """Draw cards, sometimes many of equal rank, so that there is something to announce."""
    left = list(cards_of(pack))
    rng.shuffle(left)
    if rng.random() < 0.3:
        ranks = rng.sample(range(10), 10)
        left.sort(key=lambda card: ranks[card % 10])
        first = left[: count + rng.randrange(3)]
        return tuple(rng.sample(first, min(count, len(first))))
    return tuple(left[:count])


def some_move(rng: random.Random, state: MatchState) -> AnyMove:
    """Choose a move at random for whoever must act; the match must not be over."""
    decision = engine.decide(state)
    match decision:
        case engine.DrawDealer(seats):
            return DealerDrawn(rng.randrange(seats))
        case engine.DrawCards(count, pack):
            return Drawn(some_cards(rng, pack, count))
        case engine.SeatsToAct((seat,)):
            moves = engine.legal_moves(state, seat)
            said = [move for move in moves if isinstance(move, Announce)]
            if said and rng.random() < ANNOUNCING:
                return SeatMove(seat, rng.choice(said))
            return SeatMove(seat, rng.choice([one for one in moves if isinstance(one, Play)]))
        case _:
            raise AssertionError(decision)


def playout(rules: RuleSet, seats: int, rng: random.Random) -> Iterator[Step]:
    """Play a match at random to its end, which must come."""
    state, _ = engine.begin(rules, seats)
    while not isinstance(engine.decide(state), engine.MatchOver):
        assert state.deal < MOST_DEALS
        move = some_move(rng, state)
        events = engine.apply(state, move)
        after = engine.fold(state, events)
        yield Step(state, move, events, after)
        state = after


MATCHES = st.tuples(rule_sets(), st.integers(0, 2**32 - 1))
"""Draws a rule set with its seat count, and what the random moves come from."""
