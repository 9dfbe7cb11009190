"""What holds in every match, whatever is drawn and played."""

import dataclasses
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ronda_rules import engine
from ronda_rules import events as ev
from ronda_rules.cards import ascending, cards_of, set_of
from ronda_rules.engine import Asked, MatchOver, SeatsToAct
from ronda_rules.errors import DrawError, IllegalMove
from ronda_rules.events import Event
from ronda_rules.moves import Announce, AnyMove, Challenge, Claim, Drawn, Pass, Play, SeatMove
from ronda_rules.position import format_position, parse_position
from ronda_rules.rule_set import AnnouncementKind, Bluff, RuleSet, Scoring, TargetTie, Timing
from ronda_rules.state import MatchState, initial
from ronda_rules.view import observed, public_view, seat_view
from tests.rules.playouts import MATCHES, conceivable, playout, some_move
from tests.rules.rule_sets import MAGHRIBI
from tests.rules.view_fold import Watcher

ALL_CARDS = frozenset(range(40))
Match = tuple[tuple[RuleSet, int], int]


class Bookkeeper:
    """Follows every single card and point by the events alone."""

    def __init__(self, rules: RuleSet, seats: int) -> None:
        """Start before the first event."""
        self.in_cards = rules.scoring is Scoring.CARD_TRANSFER
        self.sides = 3 if seats == 3 else 2
        self.hands: list[set[int]] = [set() for _ in range(seats)]
        self.scores = [0] * self.sides
        self.deals = 0
        self._new_deal()

    def _new_deal(self) -> None:
        self.pack = set(ALL_CARDS)
        self.aside: set[int] = set()
        self.table: set[int] = set()
        self.played: set[int] = set()
        self.held: set[int] = set()
        self.piles: list[set[int]] = [set() for _ in range(self.sides)]

    def see(self, event: Event) -> None:  # noqa: C901, PLR0915 - one case per event
        """Take one event in; every card must come from where it is."""
        match event:
            case ev.DealStarted(deal, _):
                self.deals += 1
                assert deal == self.deals
                self._new_deal()
            case ev.HandDealt(seat, card_count, cards):
                assert len(set(cards)) == card_count
                assert not self.hands[seat]
                move(cards, self.pack, self.hands[seat])
            case ev.TableTurned(cards):
                move(cards, self.pack, self.table)
                move(tuple(self.aside), self.aside, self.pack)
            case ev.TableReturned(_, cards):
                move(cards, self.table, self.aside)
            case ev.CardPlayed(seat, card):
                move((card,), self.hands[seat], self.played)
            case ev.CardLaid(_, card):
                move((card,), self.played, self.table)
            case ev.CardsCaptured(seat, cards):
                pile = self.piles[seat % self.sides]
                move(cards, self.table, pile)
                move(tuple(self.played), self.played, pile)
            case ev.CardsHeld(seat, _, cards, _):
                move(cards, self.table, self.held)
                move(tuple(self.played), self.played, self.held)
            case ev.ChainClosed(seat, _, card_count):
                assert len(self.held) == card_count
                move(tuple(self.held), self.held, self.piles[seat % self.sides])
            case ev.CardsPaid(payer, receiver, count):
                assert count >= 1
                paid = tuple(self.piles[payer])[:count]
                assert len(paid) == count
                move(paid, self.piles[payer], self.piles[receiver])
            case ev.LeftoversTaken(seat, cards):
                move(cards, self.table, self.piles[seat % self.sides])
            case ev.PilesCounted(piles, _):
                assert list(piles) == [len(pile) for pile in self.piles]
            case ev.DealEnded(_, scores):
                assert sum(len(pile) for pile in self.piles) == 40
                assert list(scores) == self.scores
            case ev.MatchEnded(_, scores):
                assert list(scores) == self.scores
        sign = -1 if isinstance(event, ev.AwardWithdrawn) else 1
        for side, points in getattr(event, "shares", ()):
            assert points >= 1
            if isinstance(event, ev.PilesCounted) or not self.in_cards:
                self.scores[side] += sign * points
        places = [self.pack, self.aside, self.table, self.played, self.held]
        places += [*self.hands, *self.piles]
        assert sum(map(len, places)) == 40
        assert set().union(*places) == ALL_CARDS

    def agrees_with(self, state: MatchState) -> None:
        """See that a state holds every card where the events have brought it."""
        assert [set(hand) for hand in state.hands] == self.hands
        assert set(cards_of(state.table)) == self.table
        assert set(cards_of(state.pack)) == self.pack
        assert set(cards_of(state.returned)) == self.aside
        assert list(state.piles) == [len(pile) for pile in self.piles]
        assert list(state.scores) == self.scores
        assert (state.held.cards if state.held else 0) == len(self.held)
        # Whoever owes has nothing to pay with.
        assert all(state.piles[debt.payer] == 0 for debt in state.debts)


def move(cards: tuple[int, ...], source: set[int], target: set[int]) -> None:
    """Move cards that must be where they are taken from."""
    assert set(cards) <= source
    source -= set(cards)
    target |= set(cards)


def moves_are_exactly_the_legal_ones(state: MatchState) -> None:
    """Try every conceivable move for every seat: legal ones pass, all others change nothing."""
    for seat in range(state.seats):
        legal = engine.legal_moves(state, seat)
        assert len(set(legal)) == len(legal)
        accepted = set()
        for one in conceivable(state.seats):
            try:
                events = engine.apply(state, SeatMove(seat, one))
            except IllegalMove:
                continue
            accepted.add(one)
            assert events
        assert accepted == set(legal)
        decision = engine.decide(state)
        assert bool(accepted) == (isinstance(decision, SeatsToAct) and seat in decision.seats)


def legal_moves_are_the_expected_ones(state: MatchState, seat: int, asked: Asked) -> None:
    """CAP-1, ANN-2, ANN-4, WIN-1: the whole hand, or a pass; the kinds that may be said, once."""
    plays = [Play(card) for card in state.hands[seat]] if asked is Asked.CARD else []
    said = [one for one in state.announcements if (one.batch, one.seat) == (state.batch, seat)]
    most = {AnnouncementKind.RONDA: 2, AnnouncementKind.TRINGA: 3, AnnouncementKind.DOUBLE_RONDA: 4}
    named = state.rules.kinds.named()
    kinds = [Announce(kind) for kind in named if most[kind] <= state.hand_size]
    on_turn = state.rules.timing is Timing.FIRST_TURN and len(plays) == state.hand_size
    if said or not (on_turn or asked is Asked.ANNOUNCEMENT):
        kinds = []
    if state.rules.bluff is Bluff.REFUSED:
        supported = engine.supported_announcements(state, seat)
        kinds = [one for one in kinds if one.kind in supported]
    legal = engine.legal_moves(state, seat)
    doubts = [one for one in legal if isinstance(one, Challenge | Claim)]
    passes = [] if asked is Asked.CARD else [Pass()]
    assert list(legal) == [*kinds, *doubts, *(plays or passes)]
    assert all(one.seat % len(state.scores) != seat % len(state.scores) for one in doubts)


def test_matches_at_random() -> None:
    """Cards, points, legal moves, states and ends hold together in thousands of deals.

    Every card is always in one place; a table that is played on has no two equal ranks; piles make
    forty at a deal's end; scores move by shares alone; the events from the beginning give the same
    state as the moves one by one; legal moves are exactly those that are accepted, and refused
    ones change nothing; every match ends.
    """
    deals = 0

    @settings(max_examples=600)
    @given(MATCHES)
    def play(match: Match) -> None:
        nonlocal deals
        (rules, seats), seed = match
        rng = random.Random(seed)
        state, events = engine.begin(rules, seats)
        history = list(events)
        book = Bookkeeper(rules, seats)
        for event in events:
            book.see(event)
        for step in playout(rules, seats, rng):
            for event in step.events:
                book.see(event)
            history += step.events
            state = step.after
            book.agrees_with(state)
            decision = engine.decide(state)
            if isinstance(decision, SeatsToAct):
                ranks = [card % 10 for card in book.table]
                assert len(set(ranks)) == len(ranks)
                for seat in decision.seats:
                    legal_moves_are_the_expected_ones(state, seat, decision.asked)
            if random.Random(len(history)).random() < 0.02:
                kept = dataclasses.replace(state)
                moves_are_exactly_the_legal_ones(state)
                assert state == kept
        assert isinstance(engine.decide(state), MatchOver)
        moves_are_exactly_the_legal_ones(state)
        assert engine.fold(initial(rules, seats), history) == state
        ends = [event for event in history if isinstance(event, ev.MatchEnded)]
        assert ends == [history[-1]]
        if not any(isinstance(event, ev.AnnouncementChallenged) for event in history[-2:]):
            winner_is_right(rules, state)
        deals += state.deal

    play()
    assert deals >= 2_000


def winner_is_right(rules: RuleSet, state: MatchState) -> None:
    """MATCH-2 to MATCH-4: those at the highest total, at the target or over it."""
    best = max(state.scores)
    assert state.winners == tuple(s for s, score in enumerate(state.scores) if score == best)
    assert best >= rules.target
    if rules.target_tie is TargetTie.PLAY_ON:
        assert len(state.winners) == 1
    if rules.target == 0:
        assert state.deal == 1


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
