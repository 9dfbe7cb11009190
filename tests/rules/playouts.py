"""Matches played at random, and random rule sets among those that can be played."""

import random
from collections.abc import Iterator, Sequence
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

MOST_DEALS = 300
ANNOUNCING = 0.5
CLAIMING = 0.7
DOUBTING = 0.1


@dataclass(frozen=True)
class Step:
    """One move of a match: the state before, the move, its events and the state after."""

    before: MatchState
    move: AnyMove
    events: tuple[Event, ...]
    after: MatchState


@st.composite
def announcing(draw: st.DrawFn) -> dict[str, Any]:
    """Draw how announcements are made, judged and penalised, among what goes together."""
    timing = draw(st.sampled_from(Timing))
    bluffs = timing is not Timing.AUTOMATIC and draw(st.booleans())
    settle = [Settle.DEAL_END, Settle.BATCH_END, Settle.WHEN_SHOWN, Settle.WHEN_SHOWN]
    if not bluffs:
        settle.append(Settle.BATCH_END_OR_CLEAR_KIND)
        settle += [] if timing is Timing.FIRST_TURN else [Settle.AT_ONCE]
    detection = Detection.NONE
    if timing is not Timing.AUTOMATIC:
        detection = draw(st.sampled_from(Detection))
    undeclared = KindAmounts() if detection is Detection.NONE else KindAmounts(1, 4, 3)
    return {
        "timing": timing,
        "bluff": Bluff.PENALISED if bluffs else Bluff.REFUSED,
        "false_penalty": KindAmounts(2, 6, 3) if bluffs else KindAmounts(),
        "settle": draw(st.sampled_from(settle)),
        "undeclared_detection": detection,
        "undeclared_penalty": undeclared,
        "challenge": bluffs and draw(st.booleans()),
    }


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
    ladders = ((), (0,), (1,), (2,), (1, 5), (1, 5, 10), (0, 0, 3))
    values["ladder"] = draw(st.sampled_from(ladders))
    values["chain_min_seats"] = draw(st.sampled_from((0, 3, 4)))
    values["chain_across_batches"] = draw(st.booleans())
    values["chain_payment"] = draw(st.sampled_from(ChainPayment))
    values["mesa"] = draw(st.sampled_from((0, 1, 3)))
    values["mesa_excluded"] = draw(st.sampled_from(MesaExcluded))
    fours = values["table_remedy"] is None
    amounts = (KindAmounts(1, 5), KindAmounts(3, 4), KindAmounts(ronda=2), KindAmounts())
    doubles = (KindAmounts(1, 5, 2), KindAmounts(double_ronda=3))
    values["kinds"] = draw(st.sampled_from((*amounts, *doubles) if fours else amounts))
    values["double_ronda"] = draw(st.sampled_from(DoubleRonda))
    values |= draw(announcing())
    values["false_penalty_cap"] = draw(st.sampled_from((0, 1, 2)))
    values["penalty_to"] = draw(st.sampled_from(PenaltyTo))
    values["all_rondas"] = draw(st.sampled_from(AllRondas))
    values["dealer_duty"] = draw(st.sampled_from((DealerDuty(), DealerDuty(5, 4, 3))))
    values["rank_order"] = draw(st.sampled_from(RankOrder))
    values["payout"] = draw(st.sampled_from(Payout))
    values["announcement_tie"] = draw(st.sampled_from(AnnouncementTie))
    values["count"] = draw(st.sampled_from((None, CountThresholds(20, 13), CountThresholds(9, 4))))
    values["target"] = draw(st.sampled_from((0, 25, 41, 60)))
    if values["target"]:
        values["target_tie"] = draw(st.sampled_from(TargetTie))
        values["win_check"] = draw(st.sampled_from(WinCheck))
    if draw(st.integers(0, 4)) == 0:
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
    decision = engine.decide(state)
    match decision:
        case engine.DrawDealer(seats):
            return DealerDrawn(rng.randrange(seats))
        case engine.DrawCards(count, pack):
            return Drawn(some_cards(rng, pack, count))
        case engine.SeatsToAct(seats):
            seat = rng.choice(seats)
            return SeatMove(seat, some_legal_move(rng, engine.legal_moves(state, seat)))
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
