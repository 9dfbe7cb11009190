"""Matches planned twice, so that whoever watches cannot know which of the two is played.

Both have the same visible moves. They differ in cards that the watcher cannot know (in a hand of
another seat, and in everything that is still to be drawn), and at the end of some plans in what it
is not shown yet: who has answered under seal, what and when, or the turns that a spectator is
behind. What a watcher may know is said here without the product's own ideas of it; the engine is
asked for nothing but legal moves and their effect.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

from ronda.v1 import rule_set_pb2 as rs
from ronda_referee.convert import rule_set_from_proto
from ronda_rules import engine
from ronda_rules.cards import cards_of
from ronda_rules.moves import Announce, Challenge, Claim, Drawn, Move, Play, SeatMove
from ronda_rules.rule_set import RuleSet, Settle, Timing, UndeclaredDetection
from ronda_rules.state import MatchState
from tests.referee.twin_families import FAMILIES

MOST_STAGES = 14
PER_MOVE_MS = 10_000_000

States: TypeAlias = tuple[MatchState, MatchState]


@dataclass(frozen=True)
class Act:
    """What a seat does, and how many milliseconds after what came before."""

    seat: int
    move: Move
    after_ms: int


class Interlude(Enum):
    """What happens to the referee before the watcher looks."""

    NOTHING = auto()
    RESTART = auto()
    SLEEP = auto()


@dataclass(frozen=True)
class Stage:
    """What is done in each of the two before the watcher looks.

    Attributes:
        acts: what seats do, in each.
        takes_ms: how long all of it takes.
        then: what happens to the referee.
    """

    acts: tuple[tuple[Act, ...], tuple[Act, ...]]
    takes_ms: int
    then: Interlude

    @property
    def hidden(self) -> bool:
        """Whether the watcher must not see what is done."""
        return self.acts[0] != self.acts[1]


@dataclass(frozen=True)
class Plan:
    """A match planned twice.

    Attributes:
        name: the name of its rule sets' family.
        rule_set: the rules.
        shipped: whether the match is created by the rule set's id.
        seats: how many seats play.
        watcher: the seat that watches, or None for one who watches without a seat.
        delay: by how many turns those without a seat are behind.
        timed: whether clocks run.
        draws: the cards that leave the pack, in each of the two.
        stages: what happens.
        resigns: whether the watcher resigns at the end.
        seed: what all other choices hang on; the same in both.
    """

    name: str
    rule_set: rs.RuleSet
    shipped: bool
    seats: int
    watcher: int | None
    delay: int
    timed: bool
    draws: tuple[tuple[int, ...], tuple[int, ...]]
    stages: tuple[Stage, ...]
    resigns: bool
    seed: int

    @property
    def same_calls(self) -> bool:
        """Whether the same calls are made in both, so that they count the same."""
        return all(len(stage.acts[0]) == len(stage.acts[1]) for stage in self.stages)


def engine_rules(of: Plan) -> RuleSet:
    """Give the rules of a plan as the engine takes them."""
    return rule_set_from_proto(of.rule_set)


def plan(name: str, seed: int) -> Plan:
    """Plan a match of a family's rule sets."""
    family = FAMILIES[name]
    rng = random.Random(f"{name} {seed}")
    seats = rng.choice(family.seats)
    watcher = rng.choice((None, *range(seats)))
    delay = rng.choice((0, 1, 2, 3)) if watcher is None else rng.choice((0, 0, 2))
    planner = _Planner(rule_set_from_proto(family.rule_set), seats, watcher, rng)
    planner.play(delay if watcher is None else 0)
    resigns = watcher is not None and rng.random() < 0.3
    # Once it is over with two or four seats everything is shown, and so is what was hidden.
    resigns = resigns and (seats == 3 or not planner.told_apart)
    if not resigns:
        planner.lay_out_what_is_to_come()
    return Plan(
        name,
        family.rule_set,
        not family.changes,
        seats,
        watcher,
        delay,
        planner.timed,
        (tuple(planner.draws[0]), tuple(planner.draws[1])),
        tuple(planner.stages),
        resigns,
        seed,
    )


class _Planner:
    """Plays both matches in the engine and writes down what happens."""

    def __init__(self, rules: RuleSet, seats: int, watcher: int | None, rng: random.Random) -> None:
        first = engine.begin(rules, seats)[0]
        self.states: States = (first, first)
        self.draws: tuple[list[int], list[int]] = ([], [])
        self.stages: list[Stage] = []
        self.told_apart = False
        self.timed = rng.random() < 0.5
        self._rules = rules
        self._watcher = watcher
        self._rng = rng
        # In the first batch that differs hands do; beyond the last that is played, the pack does.
        self._parting = rng.choice((1, 1, 1, 2, 99))
        self._combinations_show = rules.timing is Timing.AUTOMATIC or rules.settle is Settle.AT_ONCE
        self._deal()

    def play(self, delay: int) -> None:
        """Plan stages that look the same, and at the end some that are hidden whole."""
        common = self._rng.randrange(4, MOST_STAGES) - delay
        while len(self.stages) < common:
            if self._may_seal() and self._rng.random() < 0.8:
                self._answers_under_seal()
                return
            if not self._visible_act():
                break
        if delay:
            self._turns_behind(delay)

    def lay_out_what_is_to_come(self) -> None:
        """Draw further cards that nobody will see, other ones and not as many in each."""
        for state, draws in zip(self.states, self.draws, strict=True):
            pack = list(cards_of(state.pack))
            self._rng.shuffle(pack)
            draws.extend(pack[: self._rng.randrange(4, 13)])

    def _visible_act(self) -> bool:
        """Have a seat do the same in both; False: nothing can be done that looks the same."""
        first, second = self.states
        decision = engine.decide(first)
        assert decision == engine.decide(second), "who must act is the same in both"
        assert isinstance(decision, engine.SeatsToAct)
        seat = self._rng.choice(decision.seats)
        move = self._choice([one for one in _legal(first, seat) if self._looks_same(seat, one)])
        if move is None:
            return False
        after = [engine.apply(state, SeatMove(seat, move)) for state in self.states]
        states = tuple(map(engine.fold, self.states, after))
        if any(state.winners for state in states):
            return False
        self.states = (states[0], states[1])
        act = Act(seat, move, self._rng.randrange(5_000))
        self._stage((act,), (act,))
        self._deal()
        return True

    def _looks_same(self, seat: int, move: Move) -> bool:
        first, second = self.states
        if move not in _legal(second, seat):
            return False
        # A challenge shows a hand, and so the difference.
        return not isinstance(move, Challenge) or set(first.dealt[move.seat]) == set(
            second.dealt[move.seat]
        )

    def _choice(self, moves: Sequence[Move]) -> Move | None:
        claims = [one for one in moves if isinstance(one, Claim)]
        said = [one for one in moves if isinstance(one, Announce | Challenge)]
        others = [one for one in moves if one not in (*claims, *said)]
        if claims and self._rng.random() < 0.8:
            return self._rng.choice(claims)
        # Where something can be claimed it must first be kept quiet.
        often = 0.5 if self._rules.undeclared_detection is not UndeclaredDetection.CLAIM else 0.3
        if said and (not others or self._rng.random() < often):
            return self._rng.choice(said)
        return self._rng.choice(others) if others else None

    def _may_seal(self) -> bool:
        state = self.states[0]
        decision = engine.decide(state)
        asked = isinstance(decision, engine.SeatsToAct) and decision.asked
        return (
            self._rules.timing is Timing.SIMULTANEOUS
            and asked is engine.Asked.ANNOUNCEMENT
            and not state.sealed
        )

    def _answers_under_seal(self) -> None:
        """Have seats answer in another order, otherwise and at other times; never all of them."""
        self.told_apart = True
        asked = list(range(self.states[0].seats))
        others = [seat for seat in asked if seat != self._watcher]
        last = [self._rng.choice(others), self._rng.choice(others)]
        left = [[one for one in others if one != last[world]] for world in (0, 1)]
        counts = (0, len(left[1])) if self._rng.random() < 0.5 else (len(left[0]), 0)
        answers = self._watcher is not None and (len(others) > 1 or self._rng.random() < 0.5)
        if answers and len(others) == 1:
            counts = (0, 0)
        elif len(others) == 1:
            left = [list(others), list(others)]
            counts = (0, 1) if self._rng.random() < 0.5 else (1, 0)
        self._sealed_stage([left[world][: counts[world]] for world in (0, 1)])
        if answers:
            assert self._watcher is not None
            mine = self._choice(_legal(self.states[0], self._watcher))
            assert mine is not None
            act = Act(self._watcher, mine, self._rng.randrange(5_000))
            self._stage((act,), (act,))
            self._sealed_stage([left[world][counts[world] :] for world in (0, 1)])

    def _sealed_stage(self, seats: list[list[int]]) -> None:
        acts: list[tuple[Act, ...]] = []
        for world in (0, 1):
            self._rng.shuffle(seats[world])
            moves = [self._choice(_legal(self.states[world], seat)) for seat in seats[world]]
            acts.append(
                tuple(
                    Act(seat, move, self._rng.randrange(5_000))
                    for seat, move in zip(seats[world], moves, strict=True)
                    if move is not None
                )
            )
        self._stage(acts[0], acts[1])

    def _turns_behind(self, delay: int) -> None:
        """Play other turns in each, as many as a spectator is behind."""
        self.told_apart = True
        turns: list[list[tuple[Act, ...]]] = [[], []]
        for world in (0, 1):
            acts: list[Act] = []
            while len(turns[world]) < delay:
                self._finish_dealing(world)
                act = self._act_of_its_own(world, first=not turns[world])
                if act is None:
                    break
                acts.append(act)
                if isinstance(act.move, Play):
                    turns[world].append(tuple(acts))
                    acts = []
            self._finish_dealing(world)
        for one, other in zip(*turns, strict=False):
            self._stage(one, other)

    def _act_of_its_own(self, world: int, *, first: bool) -> Act | None:
        """Have a seat do anything in one of the two; None: the match would end with it."""
        state = self.states[world]
        decision = engine.decide(state)
        assert isinstance(decision, engine.SeatsToAct)
        seat = self._rng.choice(decision.seats)
        moves = _legal(state, seat)
        if first:
            # What comes before the next turn is shown with the one before it.
            moves = [one for one in moves if isinstance(one, Play)]
        move = self._choice(moves)
        if move is None:
            return None
        after = engine.fold(state, engine.apply(state, SeatMove(seat, move)))
        if after.winners:
            return None
        self.states = (after, self.states[1]) if world == 0 else (self.states[0], after)
        return Act(seat, move, self._rng.randrange(5_000))

    def _finish_dealing(self, world: int) -> None:
        state = self.states[world]
        while isinstance(decision := engine.decide(state), engine.DrawCards):
            drawn = self._rng.sample(list(cards_of(decision.pack)), decision.count)
            self.draws[world].extend(drawn)
            state = engine.fold(state, engine.apply(state, Drawn(tuple(drawn))))
        self.states = (state, self.states[1]) if world == 0 else (self.states[0], state)

    def _stage(self, one: tuple[Act, ...], other: tuple[Act, ...]) -> None:
        takes = max(sum(act.after_ms for act in acts) for acts in (one, other))
        then = self._rng.choices(list(Interlude), (80, 8, 20))[0]
        if then is Interlude.RESTART and self.timed and one != other:
            # The clocks go on from the last record, and so tell when a hidden one was written.
            then = Interlude.NOTHING
        self.stages.append(Stage((one, other), takes + self._rng.randrange(1_000), then))

    def _deal(self) -> None:
        """Draw in both whatever is to be drawn now."""
        while isinstance(decision := engine.decide(self.states[0]), engine.DrawCards):
            other = engine.decide(self.states[1])
            assert isinstance(other, engine.DrawCards)
            assert other.count == decision.count
            drawn = self._drawn(decision.count, (decision.pack, other.pack))
            events = [
                engine.apply(state, Drawn(cards))
                for state, cards in zip(self.states, drawn, strict=True)
            ]
            for draws, cards in zip(self.draws, drawn, strict=True):
                draws.extend(cards)
            folded = tuple(map(engine.fold, self.states, events))
            self.states = (folded[0], folded[1])

    def _drawn(self, count: int, packs: tuple[int, int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        state = self.states[0]
        to_hand = state.hands_dealt < state.seats
        receiver = state.in_order_of_play()[state.hands_dealt] if to_hand else None
        both = sorted(set(cards_of(packs[0])) & set(cards_of(packs[1])))
        if to_hand and receiver != self._watcher and state.batch == self._parting:
            keep = self._rng.choice((count - 1, count - 1, count - 2, 0))
            shared = self._rng.sample(both, min(len(both), keep))
            one = self._hand(packs[0], shared, count)
            for _ in range(300):
                other = self._hand(packs[1], shared, count)
                if not self._combinations_show or _combinations(one) == _combinations(other):
                    return one, other
        self._rng.shuffle(both)
        if to_hand and self._rng.random() < 0.3:
            # Something to announce, or to be claimed where it is not.
            rank = both[0] % 10
            both.sort(key=lambda card: card % 10 != rank)
        cards = tuple(both[:count])
        return cards, cards

    def _hand(self, pack: int, shared: list[int], count: int) -> tuple[int, ...]:
        """Draw the shared cards and others, often of the same ranks."""
        rest = [card for card in cards_of(pack) if card not in shared]
        self._rng.shuffle(rest)
        if self._rng.random() < 0.5:
            ranks = {card % 10 for card in shared}
            rest.sort(key=lambda card: card % 10 not in ranks)
        return (*shared, *rest[: count - len(shared)])


def _legal(state: MatchState, seat: int) -> list[Move]:
    return list(engine.legal_moves(state, seat))


def _combinations(hand: Sequence[int]) -> dict[int, int]:
    """Give the ranks that a hand holds more than once, and how often."""
    return {rank: n for rank, n in Counter(card % 10 for card in hand).items() if n > 1}
