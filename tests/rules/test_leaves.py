"""Counted leaves: every way to play out a batch, by the engine and by brute force.

Both are held against the same literals, which `brute_force.py` printed: it shares no code with
the engine. A leaf is one sequence of announcements, challenges, claims and cards to the end of the
batch, or to the end of the deal where it is the deal's last, or to the end of the match.
"""

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from ronda_rules import engine
from ronda_rules import events as ev
from ronda_rules.events import Event
from ronda_rules.moves import SeatMove
from ronda_rules.position import format_position, parse_position
from ronda_rules.rule_set import (
    AllRondas,
    AnnouncementTie,
    Bluff,
    ChainPayment,
    KindAmounts,
    Opening,
    Payout,
    PenaltyTo,
    RankOrder,
    RuleSet,
    Scoring,
    TargetTie,
    WinCheck,
)
from ronda_rules.state import MatchState
from tests.rules.brute_force import tally, tally_by
from tests.rules.brute_force_rules import RULES, Rules
from tests.rules.leaves import Leaves, load_leaves
from tests.rules.playouts import playout, some_rule_set
from tests.rules.rule_sets import preset, presets

LEAVES = load_leaves()
ENDS = (ev.BatchStarted, ev.DealEnded, ev.MatchEnded)


def counted(state: MatchState, past: tuple[Event, ...] = ()) -> Counter[str]:
    """Count the leaves below a state with the engine, as `brute_force.tally` does."""
    assert len(past) < 300, "the batch does not end"
    match engine.decide(state):
        case engine.SeatsToAct((seat,)):
            total: Counter[str] = Counter()
            for move in engine.legal_moves(state, seat):
                after, events = engine.advance(state, SeatMove(seat, move))
                if any(isinstance(event, ENDS) for event in events):
                    total += leaf(state, (*past, *events), events)
                else:
                    total += counted(after, (*past, *events))
            return total
        case decision:
            raise AssertionError(decision)


def leaf(before: MatchState, way: tuple[Event, ...], last: tuple[Event, ...]) -> Counter[str]:
    """Sum up what happened on the way to a leaf; `last` are the events of its last move."""
    found: Counter[str] = Counter(leaves=1)
    for event in way:
        count_event(found, event)
    # What comes after the deal belongs to no leaf.
    here = next((n for n, event in enumerate(last) if isinstance(event, ev.DealStarted)), len(last))
    end = engine.fold(before, last[:here])
    found["draws"] = end.scores.count(max(end.scores)) > 1
    for side in range(end.sides):
        found[f"points {side}"] = end.scores[side]
        found[f"cards {side}"] = end.piles[side]
    return +found


def count_event(found: Counter[str], event: Event) -> None:  # noqa: C901 - one case per event
    """Add what one event tells."""
    match event:
        case ev.CardsCaptured():
            found["captures"] += 1
        case ev.CardsHeld():
            found["links"] += 1
        case ev.PlayAwarded():
            found["caidas"] += event.caida
            found["mesas"] += event.mesa
        case ev.AnnouncementsAwarded():
            found["announcements"] += amount(event.shares)
        case ev.AwardWithdrawn():
            found["withdrawn"] += amount(event.shares)
        case ev.FalseAnnouncementPenalised():
            found["penalties"] += amount(event.shares)
        case ev.UndeclaredPenalised():
            found["undeclared"] += amount(event.shares)
        case ev.DutyAwarded():
            found["duty"] += amount(event.shares)
        case ev.PilesCounted():
            found["counted"] += amount(event.shares)
        case ev.AnnouncementChallenged():
            found["challenges"] += 1
        case ev.CardsDue():
            found["due"] += event.cards
        case ev.CardsPaid():
            found["paid"] += event.cards
        case ev.MatchEnded((winner,), _):
            found["over"] += 1
            found[f"won by {winner}"] += 1
        case ev.MatchEnded():
            found["over"] += 1
        case _:
            pass


def amount(shares: ev.Shares) -> int:
    """Sum shares up."""
    return sum(points for _, points in shares)


def rules_of(leaves: Leaves) -> RuleSet:
    """Give the rule set of a position, with the target that it is played to."""
    rules = preset(leaves.rule_set)
    return rules if leaves.target is None else replace(rules, target=leaves.target)


@pytest.mark.parametrize("leaves", LEAVES, ids=str)
def test_leaves_by_brute_force(leaves: Leaves) -> None:
    """The literals are what the independent program counts."""
    assert tally(leaves.rule_set, leaves.position, leaves.target) == leaves.tally


@pytest.mark.parametrize("leaves", LEAVES, ids=str)
def test_leaves_by_the_engine(leaves: Leaves) -> None:
    """CAP-1 to COUNT-2: the engine finds as many ways, captures, awards, payments and points."""
    assert counted(parse_position(leaves.position, rules_of(leaves))) == leaves.tally


def test_every_rule_set_with_rules_of_its_own_has_positions() -> None:
    """Three at least; the others differ from one of these in the target alone."""
    counts = Counter(leaves.rule_set for leaves in LEAVES)
    assert all(count >= 3 for count in counts.values())
    assert set(counts) == set(RULES)
    played = {essence(preset(name)) for name in counts}
    assert played == {essence(rules) for rules in presets()}


def essence(rules: RuleSet) -> RuleSet:
    """Give a rule set without its target and what it says of itself."""
    return replace(rules, id="", title="", summary="", source="", target=min(rules.target, 1))


@pytest.mark.parametrize("name", RULES)
def test_leaves_below_positions_of_matches(name: str) -> None:
    """At positions that matches at random come to, the engine and the brute force count alike."""
    seen = 0
    for seed in range(1_000):
        rng = random.Random(f"{name} {seed}")
        seats = rng.choice(preset(name).seats)[0]
        for state, position in late_positions(preset(name), seats, rng):
            assert (position, counted(state)) == (position, tally(name, position))
            seen += 1
        if seen >= 40:
            return
    raise AssertionError(seen)


@pytest.mark.parametrize("part", range(10))
def test_leaves_by_any_rules(part: int) -> None:
    """The same with rule sets at random: every value of every parameter that a turn can meet."""
    seen = 0
    for seed in range(part * 1_000, part * 1_000 + 30):
        rng = random.Random(seed)
        rules, seats = some_rule_set(rng.choice)
        for state, position in late_positions(rules, seats, rng):
            found = tally_by(plain(rules, seats), position)
            assert (rules, position, counted(state)) == (rules, position, found)
            seen += 1
    assert seen >= 50


@pytest.mark.parametrize("name", RULES)
def test_rules_typed_by_hand_are_those_of_the_files(name: str) -> None:
    """The brute force counts by the same values of all parameters."""
    for seats, _ in preset(name).seats:
        assert RULES[name] == plain(preset(name), seats)


def late_positions(
    rules: RuleSet, seats: int, rng: random.Random
) -> Iterator[tuple[MatchState, str]]:
    """Play a match and give some positions with few cards left in hands, in bare ranks."""
    most = {2: 4, 3: 5, 4: 6}[seats]
    for step in playout(rules, seats, rng):
        match engine.decide(step.after):
            case engine.SeatsToAct(_, engine.Asked.CARD):
                pass
            case _:
                continue
        if sum(map(len, step.after.hands)) <= most and rng.random() <= 0.1:
            # Suits decide nothing; the brute force knows ranks alone.
            position = re.sub(r"\b(\d+)[oceb]\b", r"\1", format_position(step.after))
            yield step.after, position


def plain(rules: RuleSet, seats: int) -> Rules:
    """Give a rule set as the brute force has it."""
    return Rules(
        ladder=rules.ladder,
        timing=rules.timing.value,
        settle=rules.settle.value,
        chain_min_seats=rules.chain_min_seats,
        empty_table=rules.opening(seats) is Opening.EMPTY_TABLE,
        across=rules.chain_across_batches,
        mesa=rules.mesa,
        mesa_excluded=rules.mesa_excluded.value,
        kinds=by_kind(rules.kinds),
        pairs_make_double=rules.double_ronda.value if rules.double_ronda else "",
        bluffs=rules.bluff is Bluff.PENALISED,
        ace_high=rules.rank_order is RankOrder.ACE_HIGH,
        pot=rules.payout is Payout.POT,
        tie_for_nobody=rules.announcement_tie is AnnouncementTie.NONE,
        lowest_of_four=rules.all_rondas is AllRondas.LOWEST,
        false_penalty=by_kind(rules.false_penalty),
        false_penalty_cap=rules.false_penalty_cap,
        each_opponent=rules.penalty_to is PenaltyTo.EACH_OPPONENT,
        undeclared=rules.undeclared_detection.value,
        undeclared_penalty=by_kind(rules.undeclared_penalty),
        challenge=rules.challenge,
        duty=(rules.dealer_duty.king, rules.dealer_duty.ace, rules.dealer_duty.miss),
        each_link=rules.chain_payment is ChainPayment.EACH_LINK,
        count=(rules.count.two_sides, rules.count.three_sides) if rules.count else None,
        in_cards=rules.scoring is Scoring.CARD_TRANSFER,
        target=rules.target,
        immediate=rules.win_check is WinCheck.IMMEDIATE,
        play_on=rules.target_tie is TargetTie.PLAY_ON,
    )


def by_kind(amounts: KindAmounts) -> dict[str, int]:
    """Give amounts by the words of the notation."""
    return {kind.lower(): amounts.of(kind) for kind in amounts.named()}
