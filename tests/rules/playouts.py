"""Matches played at random, and random rule sets among those that can be played."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

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
    AllRondas,
    AnnouncementKind,
    AnnouncementTie,
    Bluff,
    ChainPayment,
    CountThresholds,
    DealerDuty,
    DoubleRonda,
    FirstDealer,
    KindAmounts,
    MesaExcluded,
    Payout,
    PenaltyTo,
    RankOrder,
    RuleSet,
    Scoring,
    Settle,
    TableForbid,
    TableRemedy,
    TargetTie,
    Timing,
    WinCheck,
)
from ronda_rules.rule_set import UndeclaredDetection as Detection
from ronda_rules.rule_set_check import check
from ronda_rules.state import MatchState
from tests.rules.rule_sets import EMPTY_TABLE, changed

T = TypeVar("T")

MOST_DEALS = 300
ANNOUNCING = 0.5
CLAIMING = 0.7
DOUBTING = 0.03


@dataclass(frozen=True)
class Step:
    """One move of a match: the state before, the move, its events and the state after."""

    before: MatchState
    move: AnyMove
    events: tuple[Event, ...]
    after: MatchState


class Choose(Protocol):
    """Chooses one of some values."""

    def __call__(self, options: Sequence[T], /) -> T:
        """Give one of them."""


def announcing(choose: Choose) -> dict[str, Any]:
    """Choose how announcements are made, judged and penalised, among what goes together."""
    timing = choose(tuple(Timing))
    bluffs = timing is not Timing.AUTOMATIC and choose((False, True))
    settle = [Settle.DEAL_END, Settle.BATCH_END, Settle.WHEN_SHOWN, Settle.WHEN_SHOWN]
    if not bluffs:
        settle.append(Settle.BATCH_END_OR_CLEAR_KIND)
        settle += [] if timing is Timing.FIRST_TURN else [Settle.AT_ONCE]
    detection = Detection.NONE
    if timing is not Timing.AUTOMATIC:
        detection = choose(tuple(Detection))
    undeclared = KindAmounts() if detection is Detection.NONE else KindAmounts(1, 4, 3)
    return {
        "timing": timing,
        "bluff": Bluff.PENALISED if bluffs else Bluff.REFUSED,
        "false_penalty": KindAmounts(2, 6, 3) if bluffs else KindAmounts(),
        "settle": choose(settle),
        "undeclared_detection": detection,
        "undeclared_penalty": undeclared,
        "challenge": bluffs and choose((False, True)),
    }


def some_rule_set(choose: Choose) -> tuple[RuleSet, int]:
    """Choose a rule set that can be played and one of its seat counts."""
    seats = choose((2, 3, 4))
    values: dict[str, Any] = {"table_remedy": choose(tuple(TableRemedy))}
    values["table_forbids"] = choose((frozenset({TableForbid.PAIRS}), frozenset(TableForbid)))
    if seats != 3 and choose((False, True)):
        values |= EMPTY_TABLE
    values["first_dealer"] = choose((0, 1, *FirstDealer))
    ladders = ((), (0,), (1,), (2,), (1, 5), (1, 5, 10), (0, 0, 3))
    values["ladder"] = choose(ladders)
    values["chain_min_seats"] = choose((0, 3, 4))
    values["chain_across_batches"] = choose((False, True))
    values["chain_payment"] = choose(tuple(ChainPayment))
    values["mesa"] = choose((0, 1, 3))
    values["mesa_excluded"] = choose(tuple(MesaExcluded))
    fours = values["table_remedy"] is None
    amounts = (KindAmounts(1, 5), KindAmounts(3, 4), KindAmounts(ronda=2), KindAmounts())
    doubles = (KindAmounts(1, 5, 2), KindAmounts(double_ronda=3))
    values["kinds"] = choose((*amounts, *doubles) if fours else amounts)
    values["double_ronda"] = choose(tuple(DoubleRonda))
    values |= announcing(choose)
    values["false_penalty_cap"] = choose((0, 1, 2))
    values["penalty_to"] = choose(tuple(PenaltyTo))
    values["all_rondas"] = choose(tuple(AllRondas))
    values["dealer_duty"] = choose((DealerDuty(), DealerDuty(5, 4, 3)))
    values["rank_order"] = choose(tuple(RankOrder))
    values["payout"] = choose(tuple(Payout))
    values["announcement_tie"] = choose(tuple(AnnouncementTie))
    values["count"] = choose((None, CountThresholds(20, 13), CountThresholds(9, 4)))
    values["target"] = choose((0, 25, 41, 60))
    if values["target"]:
        values["target_tie"] = choose(tuple(TargetTie))
        values["win_check"] = choose(tuple(WinCheck))
    if choose(range(5)) == 0:
        values["scoring"] = Scoring.CARD_TRANSFER
        values["count"] = values["count"] or CountThresholds(20, 13)
        values["win_check"] = WinCheck.DEAL_END
    # What nothing but a play could score for might never end.
    scores = values["count"] or (values["mesa"] and values["mesa_excluded"] is MesaExcluded.NONE)
    if not scores:
        values["count"] = CountThresholds(20, 13)
    rules = changed(**values)
    check(rules)
    return rules, seats


@st.composite
def rule_sets(draw: st.DrawFn) -> tuple[RuleSet, int]:
    """Draw a rule set that can be played and one of its seat counts."""

    def choose(options: Sequence[T], /) -> T:
        return draw(st.sampled_from(options))

    return some_rule_set(choose)


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
    if rng.random() >= 0.3:
        return tuple(rng.sample(left, count))
    rng.shuffle(left)
    ranks = rng.sample(range(10), 10)
    left.sort(key=lambda card: ranks[card % 10])
    first = left[: count + rng.randrange(3)]
    return tuple(rng.sample(first, min(count, len(first))))


def some_legal_move(rng: random.Random, moves: Sequence[Move], doubting: float = DOUBTING) -> Move:
    """Choose among a seat's legal moves; a challenge seldom, for a true announcement ends all."""
    said = [move for move in moves if isinstance(move, Announce)]
    if said and rng.random() < ANNOUNCING:
        return rng.choice(said)
    claims = [move for move in moves if isinstance(move, Claim)]
    if claims and rng.random() < CLAIMING:
        return rng.choice(claims)
    doubts = [move for move in moves if isinstance(move, Challenge)]
    if doubts and rng.random() < doubting:
        return rng.choice(doubts)
    return rng.choice([one for one in moves if isinstance(one, Play | Pass)])


def some_move(rng: random.Random, state: MatchState) -> AnyMove:
    """Choose a move at random for whoever must act; the match must not be over."""
    match engine.decide(state):
        case engine.SeatsToAct(seats):
            seat = rng.choice(seats)
            return SeatMove(seat, some_legal_move(rng, engine.legal_moves(state, seat)))
        case decision:
            return some_draw(rng, decision)


def some_draw(rng: random.Random, decision: engine.Decision) -> AnyMove:
    """Draw at random what the engine asks chance for."""
    match decision:
        case engine.DrawDealer(seats):
            return DealerDrawn(rng.randrange(seats))
        case engine.DrawCards(count, pack):
            return Drawn(some_cards(rng, pack, count))
        case _:
            raise AssertionError(decision)


def playout(rules: RuleSet, seats: int, rng: random.Random) -> Iterator[Step]:
    """Play a match at random to its end, which must come."""
    state, _ = engine.begin(rules, seats)
    while not isinstance(engine.decide(state), engine.MatchOver):
        assert state.deal < MOST_DEALS
        move = some_move(rng, state)
        after, events = engine.advance(state, move)
        yield Step(state, move, events, after)
        state = after


MATCHES = st.tuples(rule_sets(), st.integers(0, 2**32 - 1))
"""Draws a rule set with its seat count, and what the random moves come from."""
