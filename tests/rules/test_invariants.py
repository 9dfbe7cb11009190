"""What holds in every match, whatever is drawn and played."""

import dataclasses
import random
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ronda_referee.audit.watcher import Watcher
from ronda_rules import engine
from ronda_rules import events as ev
from ronda_rules.cards import ascending, cards_of, set_of
from ronda_rules.engine import Asked, MatchOver, SeatsToAct
from ronda_rules.errors import DrawError
from ronda_rules.events import Event
from ronda_rules.moves import AnyMove, Drawn, Play, SeatMove
from ronda_rules.position import format_position, parse_position
from ronda_rules.rule_set import RuleSet
from ronda_rules.state import MatchState
from ronda_rules.view import observed, public_view, seat_view
from tests.rules.invariants import (
    ALWAYS,
    IN_BULK,
    BrokenMatchError,
    Thorough,
    checked_match,
    play_deals,
    rule_set_of,
)
from tests.rules.playouts import MATCHES, playout, some_move
from tests.rules.rule_sets import MAGHRIBI, presets

ALL_CARDS = frozenset(range(40))
Match = tuple[tuple[RuleSet, int], int]

DEALS_EACH = 500
MATCHES_EACH = 60
MOST_MOVES = 3_000
FIRST_SEEDS = range(0, 40_000, 1_000)


@pytest.mark.parametrize("first_seed", FIRST_SEEDS)
def test_deals_at_random(first_seed: int) -> None:
    """All that `checked_match` lists holds in these deals; a failure names the seed of its match.

    Rule sets with a name and others take turns.
    """
    *_, (last_seed, played) = play_deals(first_seed, DEALS_EACH, IN_BULK)
    assert played >= DEALS_EACH
    assert last_seed >= first_seed + MATCHES_EACH


def test_twenty_thousand_deals_are_played() -> None:
    """The tests above play that many, with every rule set that has a name and all seat counts."""
    assert len(FIRST_SEEDS) * DEALS_EACH == 20_000
    seeds = [first + n for first in FIRST_SEEDS for n in range(0, MATCHES_EACH, 2)]
    times = Counter((rules.id, count) for rules, count in map(rule_set_of, seeds))
    assert all(times[rules.id, count] >= 5 for rules in presets() for count, _ in rules.seats)


def test_failures_name_their_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A match that breaks can be played again alone."""

    def broken(rules: RuleSet, seats: int, rng: random.Random, thorough: Thorough) -> int:
        assert rng.getstate() != random.Random(7).getstate()
        return 1

    monkeypatch.setattr("tests.rules.invariants.checked_match", broken)
    again = r"^seed 7, .* again: make invariants SEED=7 DEALS=1$"
    with pytest.raises(BrokenMatchError, match=again):
        list(play_deals(5, 100, IN_BULK))
    assert list(play_deals(8, 2, IN_BULK)) == [(8, 1), (9, 2)]


@pytest.mark.parametrize(
    ("rules", "seats"),
    [
        pytest.param(rules, count, id=f"{rules.id}-{count}")
        for rules in presets()
        for count, _ in rules.seats
    ],
)
def test_matches_of_every_rule_set_end(rules: RuleSet, seats: int) -> None:
    """MATCH-1: moves at random come to the end of the match, whatever the rule set and table."""
    for seed in range(10):
        steps = list(islice(playout(rules, seats, random.Random(seed)), MOST_MOVES))
        assert engine.decide(steps[-1].after) == MatchOver(steps[-1].after.winners)


@settings(max_examples=60)
@given(MATCHES)
def test_matches_at_random(match: Match) -> None:
    """The same as with a seed, at every step; what breaks is made as small as it can be."""
    (rules, seats), seed = match
    checked_match(rules, seats, random.Random(seed), ALWAYS)


@settings(max_examples=60)
@given(MATCHES)
def test_position_holds_all_that_matters_for_the_future(match: Match) -> None:
    """A position written and read again goes on with the same events, views and legal moves."""
    (rules, seats), seed = match
    rng = random.Random(seed)
    shadow: MatchState | None = None
    for step in playout(rules, seats, rng):
        if shadow is not None:
            events = engine.apply(shadow, step.move)
            assert events == step.events
            shadow = engine.fold(shadow, events)
            same_for_all(shadow, step.after)
        decision = engine.decide(step.after)
        if not isinstance(decision, SeatsToAct) or decision.asked is not Asked.CARD:
            continue
        text = format_position(step.after)
        read = parse_position(text, rules)
        assert format_position(read) == text
        same_for_all(read, step.after)
        if shadow is None or rng.random() < 0.1:
            shadow = read


def same_for_all(one: MatchState, other: MatchState) -> None:
    """Compare what decides and what is seen."""
    assert engine.decide(one) == engine.decide(other)
    assert public_view(one) == public_view(other)
    for seat in range(one.seats):
        assert seat_view(one, seat) == seat_view(other, seat)
        assert engine.legal_moves(one, seat) == engine.legal_moves(other, seat)
        supported = engine.supported_announcements(one, seat)
        assert supported == engine.supported_announcements(other, seat)


@settings(max_examples=80)
@given(MATCHES)
def test_views_follow_from_observed_events(match: Match) -> None:
    """ANN-10: a client that folds what it may observe has the same view, after every move."""
    (rules, seats), seed = match
    watchers = [Watcher(rules, seat) for seat in (*range(seats), None)]
    state, events = engine.begin(rules, seats)
    watch(watchers, events, state)
    for step in playout(rules, seats, random.Random(seed)):
        watch(watchers, step.events, step.after)


def watch(watchers: list[Watcher], events: tuple[Event, ...], state: MatchState) -> None:
    """Show events to watchers and compare their views with the engine's."""
    for watcher in watchers:
        for event in events:
            watcher.see(observed(event, watcher.seat))
        assert watcher.public() == public_view(state)
        if watcher.seat is not None:
            assert watcher.own() == seat_view(state, watcher.seat)


@settings(max_examples=60)
@given(MATCHES)
def test_suits_never_decide(match: Match) -> None:
    """DEAL-1: exchanging the suits within each rank exchanges them in the events, no more."""
    (rules, seats), seed = match
    rng = random.Random(seed)
    other_suits = [rng.sample(range(4), 4) for _ in range(10)]
    twin = [other_suits[card % 10][card // 10] * 10 + card % 10 for card in range(40)]
    state, _ = engine.begin(rules, seats)
    for step in playout(rules, seats, rng):
        events = engine.apply(state, twin_move(step.move, twin))
        assert list(events) == [twin_event(event, twin) for event in step.events]
        state = engine.fold(state, events)


def twin_move(one: AnyMove, twin: list[int]) -> AnyMove:
    """Exchange the cards of a move."""
    match one:
        case Drawn(cards):
            return Drawn(tuple(twin[card] for card in cards))
        case SeatMove(seat, Play(card)):
            return SeatMove(seat, Play(twin[card]))
        case _:
            return one


def twin_event(event: Event, twin: list[int]) -> Event:
    """Exchange the cards of an event."""
    match event:
        case ev.CardPlayed() | ev.CardLaid():
            return dataclasses.replace(event, card=twin[event.card])
        case (
            ev.HandDealt()
            | ev.TableTurned()
            | ev.TableReturned()
            | ev.CardsCaptured()
            | ev.CardsHeld()
            | ev.LeftoversTaken()
        ):
            return dataclasses.replace(event, cards=tuple(twin[card] for card in event.cards))
        case ev.AnnouncementChallenged():
            hand = ascending(set_of(twin[card] for card in event.hand))
            return dataclasses.replace(event, hand=hand)
        case _:
            return event


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.sampled_from((2, 3, 4)))
def test_draws_that_chance_cannot_make_are_refused(seed: int, seats: int) -> None:
    """DEAL-4: every card outside the pack, a card twice, one too few and one too many."""
    rng = random.Random(seed)
    state, _ = engine.begin(MAGHRIBI, seats)
    for _ in range(60):
        decision = engine.decide(state)
        if isinstance(decision, engine.DrawCards):
            refused_draws(state, decision)
        if isinstance(decision, MatchOver):
            break
        state = engine.fold(state, engine.apply(state, some_move(rng, state)))


def refused_draws(state: MatchState, decision: engine.DrawCards) -> None:
    """Try draws that are not among those asked for."""
    pack = list(cards_of(decision.pack))
    good = pack[: decision.count]
    bad = [[*good[1:], outside] for outside in ALL_CARDS - set(pack)]
    bad += [good[1:], [*good, pack[decision.count]] if len(pack) > len(good) else []]
    bad += [[good[0], *good[:-1]]] if len(good) > 1 else []
    for cards in bad:
        with pytest.raises(DrawError):
            engine.apply(state, Drawn(tuple(cards)))
