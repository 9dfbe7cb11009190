"""Matches at random, checked at every step; each is given by a whole number, its seed.

Used by `test_invariants.py`, and by `tools/invariants.py` for long runs.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from ronda_referee.audit.watcher import Watcher
from ronda_rules import engine
from ronda_rules import events as ev
from ronda_rules.engine import Asked, MatchOver, SeatsToAct
from ronda_rules.errors import IllegalMove
from ronda_rules.events import Event
from ronda_rules.moves import Announce, AnyMove, Challenge, Claim, Move, Pass, Play, SeatMove
from ronda_rules.rule_set import AnnouncementKind, Bluff, DoubleRonda, RuleSet, TargetTie, Timing
from ronda_rules.state import MatchState, initial
from ronda_rules.view import SeatView, observed, public_view, seat_view
from tests.rules.bookkeeper import Bookkeeper
from tests.rules.playouts import MOST_DEALS, conceivable, some_draw, some_legal_move, some_rule_set
from tests.rules.rule_sets import presets


@dataclass(frozen=True)
class Thorough:
    """How often the dear checks are made: one time in so many.

    Attributes:
        history: of matches, folding all events again from the beginning.
        moves: of steps, trying every conceivable move for every seat.
        states: of steps, folding their events, comparing states with the books and views with what
            was observed.
    """

    history: int
    moves: int
    states: int


ALWAYS = Thorough(history=1, moves=50, states=1)
IN_BULK = Thorough(history=20, moves=5_000, states=4)


class Watchers:
    """What the seats and the public make of the events that they may observe.

    What everyone may see is folded once, a hand by its seat alone.
    """

    def __init__(self, rules: RuleSet, seats: int) -> None:
        """Start before the first event."""
        self.everyone = Watcher(rules, None)
        self.hands: list[list[int]] = [[] for _ in range(seats)]

    def see(self, event: Event) -> None:
        """Take one event in, for all."""
        public = observed(event, None)
        self.everyone.see(public)
        match event:
            case ev.HandDealt() | ev.AnnouncementSealed():
                for seat in range(len(self.hands)):
                    own = observed(event, seat)
                    assert own == (event if seat == event.seat else public)
                    if isinstance(own, ev.HandDealt):
                        self.hands[seat] += own.cards
            case ev.CardPlayed(seat, card):
                self.hands[seat].remove(card)
                assert public is event
            case _:
                assert public is event

    def agree_with(self, state: MatchState, seat: int | None) -> None:
        """Compare the view that a seat or the public is served."""
        public = self.everyone.public()
        if seat is None:
            assert public_view(state) == public
        else:
            own = SeatView(public, seat, tuple(self.hands[seat]))
            assert seat_view(state, seat) == own


@cache
def seat_counts_of_presets() -> list[tuple[RuleSet, int]]:
    """Give every rule set that is played by name with each of its seat counts."""
    return [(rules, count) for rules in presets() for count, _ in rules.seats]


def rule_set_of(seed: int) -> tuple[RuleSet, int]:
    """Give what the match of a seed plays: by turns a rule set with a name, and any other."""
    if seed % 2:
        return some_rule_set(random.Random(seed).choice)
    named = seat_counts_of_presets()
    return named[seed // 2 % len(named)]


class BrokenMatchError(AssertionError):
    """Something did not hold in the match of a seed; the cause says what."""

    def __init__(self, seed: int) -> None:
        """Say how to play it again."""
        rules, seats = rule_set_of(seed)
        again = f"make invariants SEED={seed} DEALS=1"
        super().__init__(f"seed {seed}, {rules.id} with {seats} seats; again: {again}")
        self.seed = seed


def play_match(seed: int, thorough: Thorough) -> int:
    """Play the match of a seed, checked; give how many deals it had.

    Raises:
        BrokenMatchError: something does not hold.
    """
    rules, seats = rule_set_of(seed)
    try:
        return checked_match(rules, seats, random.Random(seed), thorough)
    except Exception as error:
        raise BrokenMatchError(seed) from error


def play_deals(first_seed: int, deals: int, thorough: Thorough) -> Iterator[tuple[int, int]]:
    """Play the matches of one seed after the other, checked, until so many deals are played.

    Gives, after each match, its seed and how many deals have been played by then.

    Raises:
        BrokenMatchError: something does not hold.
    """
    played = 0
    seed = first_seed
    while played < deals:
        played += play_match(seed, thorough)
        yield seed, played
        seed += 1


def checked_match(rules: RuleSet, seats: int, rng: random.Random, thorough: Thorough) -> int:
    """Play a match at random to its end, and check all that always holds.

    Every card is always in one place; a table that is played on has no two equal ranks; piles make
    forty at a deal's end; scores move by shares alone; the events from the beginning give the same
    state as the moves one by one; legal moves are exactly those that are accepted, and refused
    ones change nothing; what is served to be seen follows from the events that may be observed;
    the match ends.

    Gives the number of deals, the last one played to its end or to that of the match.

    Raises:
        AssertionError: something does not hold.
    """
    state, events = engine.begin(rules, seats)
    book = Bookkeeper(rules, seats)
    watchers = Watchers(rules, seats)
    history: list[Event] = []
    fold_again = rng.randrange(thorough.history) == 0
    try_moves_at = rng.randrange(thorough.moves)
    step = 0
    while True:
        for event in events:
            book.see(event)
            watchers.see(event)
        if fold_again:
            history += events
        decision = engine.decide(state)
        step += 1
        compared = step % thorough.states == 0 or isinstance(decision, MatchOver)
        if compared:
            book.agrees_with(state)
            turn = step // thorough.states % (seats + 1)
            watchers.agree_with(state, turn if turn < seats else None)
        if step % thorough.moves == try_moves_at:
            moves_are_exactly_the_legal_ones(state)
        if isinstance(decision, MatchOver):
            break
        if isinstance(decision, SeatsToAct):
            book.no_two_equal_ranks()
            seat = rng.choice(decision.seats)
            legal = engine.legal_moves(state, seat)
            legal_moves_are_the_expected_ones(state, seat, decision.asked, legal)
            move: AnyMove = SeatMove(seat, some_legal_move(rng, legal))
        else:
            move = some_draw(rng, decision)
        assert state.deal < MOST_DEALS
        before = state
        state, events = engine.advance(before, move)
        assert events
        if compared:
            assert engine.fold(before, events) == state
    if fold_again:
        moves_are_exactly_the_legal_ones(state)
        assert engine.fold(initial(rules, seats), history) == state
    assert isinstance(events[-1], ev.MatchEnded)
    if not any(isinstance(event, ev.AnnouncementChallenged) for event in events[-2:]):
        winner_is_right(rules, state)
    assert book.deals == state.deal
    return book.deals


def winner_is_right(rules: RuleSet, state: MatchState) -> None:
    """MATCH-2 to MATCH-4: those at the highest total, at the target or over it."""
    best = max(state.scores)
    assert state.winners == tuple(s for s, score in enumerate(state.scores) if score == best)
    assert best >= rules.target
    if rules.target_tie is TargetTie.PLAY_ON:
        assert len(state.winners) == 1
    if rules.target == 0:
        assert state.deal == 1


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


def holds(state: MatchState, seat: int, kind: AnnouncementKind) -> bool:
    """ANN-1: whether a hand that no card has been played of makes an announcement true."""
    ranks = [card % 10 for card in state.hands[seat]]
    counts = sorted(ranks.count(rank) for rank in set(ranks))
    match kind:
        case AnnouncementKind.RONDA:
            return counts[-1] >= 2
        case AnnouncementKind.TRINGA:
            return 3 in counts
        case AnnouncementKind.DOUBLE_RONDA:
            everywhere = state.rules.double_ronda is DoubleRonda.ANY_FOUR_CARD_HAND
            return 4 in counts or (counts == [2, 2] and (everywhere or state.batch == 1))


FEWEST_CARDS = {
    AnnouncementKind.RONDA: 2,
    AnnouncementKind.TRINGA: 3,
    AnnouncementKind.DOUBLE_RONDA: 4,
}


def legal_moves_are_the_expected_ones(
    state: MatchState, seat: int, asked: Asked, legal: tuple[Move, ...]
) -> None:
    """CAP-1, ANN-2, ANN-4, WIN-1: the whole hand, or a pass; the kinds that may be said, once."""
    plays = [Play(card) for card in state.hands[seat]] if asked is Asked.CARD else []
    on_turn = len(plays) == state.hand_size and state.rules.timing is Timing.FIRST_TURN
    kinds: list[Announce] = []
    if on_turn or asked is Asked.ANNOUNCEMENT:
        said = [one for one in state.announcements if (one.batch, one.seat) == (state.batch, seat)]
        named = () if said else state.rules.kinds.named()
        kinds = [Announce(kind) for kind in named if FEWEST_CARDS[kind] <= state.hand_size]
        true = [one for one in kinds if holds(state, seat, one.kind)]
        assert engine.supported_announcements(state, seat) == tuple(one.kind for one in true)
        if state.rules.bluff is Bluff.REFUSED:
            kinds = true
    doubts = [one for one in legal if isinstance(one, Challenge | Claim)]
    passes = [] if asked is Asked.CARD else [Pass()]
    assert list(legal) == [*kinds, *doubts, *(plays or passes)]
    assert all(one.seat % len(state.scores) != seat % len(state.scores) for one in doubts)
