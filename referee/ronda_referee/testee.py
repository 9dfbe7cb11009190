"""TesteeService: this referee's engine as a program under test.

One stateless call plays moves from a start and reports events and views after each, in full: it
is for checking engines and knows of no match that is being played.
"""

import asyncio
from collections.abc import Iterator, Sequence

from grpc.aio import ServicerContext

from ronda.conformance.v1 import testee_service_pb2 as pb
from ronda.conformance.v1.testee_service_pb2_grpc import TesteeServiceServicer
from ronda_referee.convert import (
    MalformedMessage,
    card_from_proto,
    event_to_proto,
    move_from_proto,
    public_view_to_proto,
    rule_set_from_proto,
    seat_view_to_proto,
)
from ronda_rules.engine import (
    DrawCards,
    DrawDealer,
    advance,
    begin,
    decide,
)
from ronda_rules.errors import RulesError
from ronda_rules.events import Event
from ronda_rules.moves import DealerDrawn, Drawn, SeatMove
from ronda_rules.position import parse_position
from ronda_rules.state import MatchState
from ronda_rules.view import public_view, seat_view

# A whole deal has at most forty cards and as many announcements.
MOST_MOVES = 2_000
_STEPS_AT_ONCE = 16


class TesteeService(TesteeServiceServicer):
    """The engine as the conformance suite calls it."""

    async def Run(
        self, request: pb.RunRequest, context: ServicerContext[pb.RunRequest, pb.RunResponse]
    ) -> pb.RunResponse:
        """Play the moves and report after each."""
        response = pb.RunResponse()
        for number, part in enumerate(run(request)):
            if part.HasField("refusal"):
                return part
            response.MergeFrom(part)
            # Matches are played in the same event loop: none must wait for a long run.
            if number % _STEPS_AT_ONCE == 0:
                await asyncio.sleep(0)
        return response


def run(request: pb.RunRequest) -> Iterator[pb.RunResponse]:
    """Play the moves of a request; give the parts of the answer, which are merged in order.

    A part with a refusal is the whole answer: the start or a draw was refused.
    """
    try:
        if len(request.moves) > MOST_MOVES:
            detail = f"has {len(request.moves)} elements; up to {MOST_MOVES} are played in one run"
            raise MalformedMessage("moves", detail)
        yield from _Run(request).parts()
    except RulesError as error:
        yield pb.RunResponse(refusal=_refusal(error))


class _Run:
    """One run: the state as it goes, and the cards that chance still has to give."""

    def __init__(self, request: pb.RunRequest) -> None:
        rules = rule_set_from_proto(request.rule_set)
        self._request = request
        self._draws = [card_from_proto(card, "draws") for card in request.draws]
        self._events: Sequence[Event] = ()
        if request.position:
            self._state = parse_position(request.position, rules)
        else:
            self._state, self._events = begin(rules, request.seats)

    def parts(self) -> Iterator[pb.RunResponse]:
        yield pb.RunResponse(start=self._unfold(self._events))
        for move in self._request.moves:
            yield pb.RunResponse(steps=[self._step(move)])

    def _step(self, seat_move: pb.SeatMove) -> pb.StepResult:
        try:
            move = move_from_proto(seat_move.move)
            self._state, events = advance(self._state, SeatMove(seat_move.seat, move))
        except RulesError as error:
            return pb.StepResult(refusal=_refusal(error), sight=_sight(self._state))
        return self._unfold(events)

    def _unfold(self, events: Sequence[Event]) -> pb.StepResult:
        """Go on through what chance decides, as far as the draws reach."""
        unfolded = list(events)
        while more := self._chance():
            unfolded += more
        return pb.StepResult(events=map(event_to_proto, unfolded), sight=_sight(self._state))

    def _chance(self) -> Sequence[Event]:
        drawn: DealerDrawn | Drawn
        match decide(self._state):
            case DrawDealer():
                drawn = DealerDrawn(self._request.drawn_dealer)
            case DrawCards(count, _) if len(self._draws) >= count:
                drawn = Drawn(tuple(self._draws[:count]))
                del self._draws[:count]
            case _:
                return ()
        self._state, events = advance(self._state, drawn)
        return events


def _sight(state: MatchState) -> pb.Sight:
    public = public_view(state)
    message = public_view_to_proto(public)
    views = (seat_view(state, seat, public) for seat in range(state.seats))
    return pb.Sight(public=message, seats=[seat_view_to_proto(view, message) for view in views])


def _refusal(error: RulesError) -> pb.Refusal:
    return pb.Refusal(reason=str(error.reason), detail=error.detail)
