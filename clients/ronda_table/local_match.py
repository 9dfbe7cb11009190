"""A match without a referee: what each seat sees and is asked, exactly as the referee sends it."""

import random
from collections.abc import Sequence
from functools import cache
from typing import Self

from ronda.v1.card_pb2 import Card
from ronda.v1.decision_pb2 import Decision
from ronda.v1.event_pb2 import Event
from ronda.v1.move_pb2 import Move
from ronda.v1.rule_set_pb2 import RuleSet
from ronda.v1.view_pb2 import PublicView, SeatView
from ronda_conformance.rule_set_files import load_rule_set
from ronda_referee.convert import (
    card_from_proto,
    decision_to_proto,
    event_to_proto,
    move_from_proto,
    public_view_to_proto,
    rule_set_from_proto,
    seat_view_to_proto,
)
from ronda_referee.errors import ServiceError, ServiceReason
from ronda_rules import events as engine_events
from ronda_rules.moves import SeatMove
from ronda_rules.view import observed, public_view, seat_view
from ronda_table.course import Course, RandomDraws, fixed_draws, shuffled_draws
from ronda_table.play_outs import Horizon, Policy, play_out

Seed = int | bytes


def rule_set_of(rule_set: str | RuleSet) -> RuleSet:
    """Return a rule set in full, where its id is given one of those that are shipped.

    Raises:
        RuleSetUnknownError: There is none of that id.
    """
    if not isinstance(rule_set, str):
        return rule_set
    copy = RuleSet()
    copy.CopyFrom(_shipped(rule_set))
    return copy


# Thousands of matches are played with the same few.
_shipped = cache(load_rule_set)


class LocalMatch:
    """A match in this process, move by move.

    It is used as::

        match = LocalMatch("maghribi", seats=2, seed=7)
        while not match.over:
            seat = match.to_act[0]
            view, decision = match.view(seat), match.decision(seat)
            match.submit(seat, bot.choose(view, decision))

    Views, decisions and events are those that a referee would send, to the byte, but for a
    decision's time: no clock runs. Every seat is joined and nothing is kept on disk.
    """

    def __init__(
        self,
        rule_set: str | RuleSet,
        seats: int,
        seed: Seed = 0,
        *,
        match_id: str = "",
        entropies: Sequence[bytes] = (),
        draws: Sequence[Card] | None = None,
    ) -> None:
        """Begin a match, which stands at its first decision then.

        The cards follow from the seed by the referee's own shuffle, the same ones each time.

        Args:
            rule_set: The id of a rule set that is shipped, or one in full.
            seats: How many seats play: 2, 3 or 4, as the rule set allows.
            seed: A number from 0 to 2**256 - 1, or 32 bytes.
            match_id: With the seed and `entropies` that its log reveals, the id of a match that a
                referee has played: its cards are dealt again.
            entropies: What each seat brought to the shuffle, by seat; empty: nothing.
            draws: Cards that stand in for the shuffle, in the order of leaving the pack. When
                they run out nobody must act any more.

        Raises:
            RuleSetUnknownError: There is no rule set of that id.
            RuleSetError: The rule set or the seat count cannot be played.
            DrawError: A card of `draws` is drawn that is not in the pack then.
            ValueError: The seed or the entropies are none.
        """
        self._rules = rule_set_of(rule_set)
        chance = (
            shuffled_draws(seed, seats, match_id, tuple(entropies))
            if draws is None
            else fixed_draws(tuple(card_from_proto(card) for card in draws))
        )
        course, events = Course.begin(rule_set_from_proto(self._rules), seats, chance)
        self._set_up(course)
        self._record(events)

    @classmethod
    def standing(cls, rule_set: str | RuleSet, course: Course) -> Self:
        """Return a match that goes on from where it stands in the engine; it has no events yet.

        Raises:
            RuleSetUnknownError: There is no rule set of that id.
        """
        match = object.__new__(cls)
        match._rules = rule_set_of(rule_set)
        match._set_up(course)
        match._record(())
        return match

    def _set_up(self, course: Course) -> None:
        self._course = course
        self._events: list[engine_events.Event] = []
        self._shown: list[Event | None] = []
        self._visible = 0
        self._decisions: dict[int, int] = {}
        # The log of a referee's match has its header and its seats before the first event.
        self._sequence = 1 + course.state.seats
        self._moves = 0

    @property
    def rule_set(self) -> RuleSet:
        """The rule set that is played; not to be changed."""
        return self._rules

    @property
    def seats(self) -> int:
        """How many seats play."""
        return self._course.state.seats

    @property
    def course(self) -> Course:
        """The match in the engine, with everything hidden; for tools, not for bots."""
        return self._course

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that must act, ascending; empty: the match is over, or its draws are.

        Where all answer at once, those that have not answered yet; each may answer first.
        """
        return tuple(sorted(self._decisions))

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return bool(self._course.state.winners)

    @property
    def winners(self) -> tuple[int, ...]:
        """The side that won, or the sides that share a draw; empty: it is not over."""
        return self._course.state.winners

    @property
    def scores(self) -> tuple[int, ...]:
        """Total points, by side."""
        return self._course.state.scores

    @property
    def moves(self) -> int:
        """How many moves were made, those in the stead of seats that forfeited too."""
        return self._moves

    def side(self, seat: int) -> int:
        """Return the side of a seat: the seat itself, or with four seats 0, 1, 0, 1."""
        return self._course.state.side(self._checked(seat))

    def view(self, seat: int) -> SeatView:
        """Return what a seat sees.

        Raises:
            ValueError: There is no such seat.
        """
        return seat_view_to_proto(seat_view(self._course.visible, self._checked(seat)))

    def public_view(self) -> PublicView:
        """Return what everyone sees."""
        return public_view_to_proto(public_view(self._course.visible))

    def decision(self, seat: int) -> Decision | None:
        """Return what a seat is asked, with its legal moves; None: it need not act.

        Raises:
            ValueError: There is no such seat.
        """
        decision_id = self._decisions.get(self._checked(seat))
        if decision_id is None:
            return None
        return decision_to_proto(self._course.visible, seat, decision_id)

    def submit(self, seat: int, move: Move, decision_id: int | None = None) -> list[Event]:
        """Make a seat's move.

        Args:
            seat: The seat.
            move: The move.
            decision_id: The decision that it answers; None: whichever is open.

        Returns:
            the events that it brought about, as the seat sees them; of a sealed answer none until
            all have answered.

        Raises:
            MalformedMessage: The move is empty, or has a field that is unset or unknown.
            IllegalMove: The rules do not allow it; its `reason` and `clause` say why.
            ServiceError: `STALE_DECISION`: another decision is open; `SEAT_FORFEITED`.
            ValueError: There is no such seat.
        """
        made = SeatMove(self._checked(seat), move_from_proto(move))
        if not self.over:
            self._check_decision(seat, decision_id)
        start = self._visible
        events = self._course.move(made)
        self._decisions.pop(seat, None)
        self._moved(events)
        return self.events(seat, start)

    def forfeit(self, seat: int) -> None:
        """Let a seat give the match up; where it goes on, its moves are made in its stead.

        Raises:
            IllegalMove: The match is over, or the seat has forfeited before.
            ValueError: There is no such seat.
        """
        events = self._course.forfeit(self._checked(seat))
        self._sequence += 1
        self._record(events)
        self._move_for_forfeited()

    def events(self, seat: int | None = None, start: int = 0) -> list[Event]:
        """Return the events from the one numbered `start`, from 0, as a seat may see them.

        Of sealed answers nothing is shown before all have answered.

        Args:
            seat: The seat; None: the public.
            start: The first event wanted; `event_count` before is the first that is new.

        Raises:
            ValueError: There is no such seat.
        """
        if seat is not None:
            self._checked(seat)
        return [self._event(number, seat) for number in range(start, self._visible)]

    @property
    def event_count(self) -> int:
        """How many events may be seen so far, by whomever."""
        return self._visible

    def clone(self) -> Self:
        """Return a copy that goes on by itself, with the same cards to come."""
        copy = object.__new__(type(self))
        vars(copy).update(vars(self))
        copy._course = self._course.clone()
        copy._events = list(self._events)
        copy._shown = list(self._shown)
        copy._decisions = dict(self._decisions)
        return copy

    def play_out(
        self, policy: Policy, generator: random.Random, *, until: Horizon = Horizon.DEAL
    ) -> "LocalMatch":
        """Return the match as it stands when it was played on quickly, without events.

        The cards to come are drawn with the generator; this match stays as it is.

        Args:
            policy: What every seat does, as `quick_policy`.
            generator: Where chance comes from.
            until: How far: to the end of the batch, of the deal, or of the match.
        """
        state = play_out(self._course.state, policy, generator, until=until)
        return LocalMatch.standing(self._rules, Course(state, RandomDraws(generator)))

    def _event(self, number: int, seat: int | None) -> Event:
        event = self._events[number]
        seen = observed(event, seat)
        if seen is not event:
            return event_to_proto(seen)
        message = self._shown[number]
        if message is None:
            message = self._shown[number] = event_to_proto(event)
        return message

    def _moved(self, events: Sequence[engine_events.Event]) -> None:
        self._moves += 1
        self._sequence += 1
        self._record(events)
        self._move_for_forfeited()

    def _move_for_forfeited(self) -> None:
        forfeited = self._course.state.forfeited
        while late := [seat for seat in forfeited if seat in self._decisions]:
            events = self._course.move(self._course.in_its_stead(late[0]))
            del self._decisions[late[0]]
            self._moves += 1
            self._sequence += 1
            self._record(events)

    def _record(self, events: Sequence[engine_events.Event]) -> None:
        """Keep the events and name the decisions, after the log record that opened them."""
        self._events += events
        self._shown += [None] * len(events)
        self._sequence += len(events)
        if self._course.visible is self._course.state:
            self._visible = len(self._events)
        last_event = self._sequence - 1
        self._decisions = {
            seat: self._decisions.get(seat, last_event) for seat in self._course.to_act()
        }

    def _check_decision(self, seat: int, decision_id: int | None) -> None:
        if seat in self._course.state.forfeited:
            detail = f"seat {seat} has forfeited; its moves are made in its stead"
            raise ServiceError(ServiceReason.SEAT_FORFEITED, detail, seat=seat)
        own = self._decisions.get(seat)
        open_ids = set(self._decisions.values()) if own is None else {own}
        if decision_id is not None and decision_id not in open_ids:
            now_open = min(open_ids, default=0)
            raise ServiceError(
                ServiceReason.STALE_DECISION,
                f"decision {decision_id} is not open; {now_open} is",
                decision_id=decision_id,
                open_decision_id=now_open,
            )

    def _checked(self, seat: int) -> int:
        if not 0 <= seat < self.seats:
            raise ValueError(f"there is no seat {seat}: the seats are 0 to {self.seats - 1}")
        return seat
