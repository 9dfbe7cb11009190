"""The audit of play: the engine plays the match again, and every record is what it gives."""

from ronda.v1 import log_pb2
from ronda_referee.audit.dealt import Deal, Dealt
from ronda_referee.audit.events import check_hidden, check_open
from ronda_referee.audit.forfeits import check_automatic, check_forfeit, check_own
from ronda_referee.audit.hidden import Hidden
from ronda_referee.audit.moves import recorded_move
from ronda_referee.audit.records import Place, Records
from ronda_referee.audit.report import AuditReport, FindingKind
from ronda_referee.audit.timing import Timing
from ronda_referee.audit.views import Views
from ronda_referee.convert import (
    MalformedMessage,
    event_to_proto,
    move_from_proto,
    public_event_to_proto,
)
from ronda_referee.event_text import event_text, printable
from ronda_referee.shuffle import FixedDrawsExhausted, MatchDraws
from ronda_rules.engine import DrawCards, DrawDealer, MatchOver, SeatsToAct, advance, begin, decide
from ronda_rules.errors import DrawError, IllegalMove
from ronda_rules.events import DealStarted, Event
from ronda_rules.moves import Forfeit, Move, SeatMove
from ronda_rules.rule_set import RuleSet
from ronda_rules.state import MatchState
from ronda_rules.view import moves_are_hidden, owner, public_part


class Play:
    """The match, played again from the header, the moves and the forfeits alone."""

    def __init__(
        self,
        records: Records,
        report: AuditReport,
        hidden: Hidden,
        draws: MatchDraws,
        rules: RuleSet,
        timing: Timing,
        seats: int,
        deals: list[Deal] | None = None,
    ) -> None:
        """Begin before the first event; `deals` takes what every deal dealt, where it is wanted."""
        self._records = records
        self._report = report
        self._hidden = hidden
        self._draws = draws
        self._state, self._beginning = begin(rules, seats)
        self._timing = timing
        self._views = Views(rules, seats, report)
        self._dealt = None if deals is None else Dealt(deals, seats)
        self._last: Place | None = None
        self._cancelled = False
        self._last_event = 0
        self._open: dict[int, int] = {}
        self._requests: dict[tuple[int, str], int] = {}

    @property
    def winners(self) -> tuple[int, ...]:
        """The side that won or those that share a draw; empty where the match was cancelled."""
        return self._state.winners

    @property
    def scores(self) -> tuple[int, ...]:
        """Total points by side."""
        return self._state.scores

    @property
    def ended(self) -> log_pb2.EndReason.ValueType:
        """How the match ended."""
        if self._cancelled:
            return log_pb2.END_REASON_CANCELLED
        if len(self._state.sides_in_play) == 1:
            return log_pb2.END_REASON_FORFEITED
        return log_pb2.END_REASON_PLAYED

    def run(self, header: Place) -> None:
        """Play until the match is over or was cancelled.

        Raises:
            Found: a record is not what the rules and the draws make of the moves, or what the
                clocks make of the time; the header, where its fixed draws cannot be.
        """
        for event in self._beginning:
            self._take_event(event)
        while not self._cancelled:
            match decide(self._state):
                case MatchOver():
                    self._check_views()
                    return
                case SeatsToAct(seats):
                    self._check_views()
                    self._open_decisions(seats)
                    self._take_step(seats)
                case DrawDealer() | DrawCards():
                    self._draw(header)

    def _check_views(self) -> None:
        if self._last is not None:
            self._views.check(self._last, self._state)

    def _open_decisions(self, seats: tuple[int, ...]) -> None:
        """Ask who must act and did not have to before: the last event has asked them."""
        clock_ms = self._records.clock_ms
        for seat in seats:
            if seat not in self._open and seat not in self._state.forfeited:
                self._timing.open(seat, clock_ms)
        for seat in self._open.keys() - set(seats):
            self._timing.stop(seat)
        self._open = {seat: self._open.get(seat, self._last_event) for seat in seats}

    def _take_step(self, seats: tuple[int, ...]) -> None:
        """Take in what moves the match on: a move, a forfeit, or that it was cancelled."""
        waiting = [seat for seat in self._state.forfeited if seat in seats]
        match self._records.coming:
            case "forfeit_declared" if not waiting:
                self._take_forfeit()
            case "match_result" if not waiting:
                self._cancelled = True
            case _:
                self._take_move(seats, waiting)

    def _take_forfeit(self) -> None:
        place = self._records.take("forfeit_declared", "a forfeit")
        check_forfeit(place, self._state, self._open, self._timing)
        declared = place.record.forfeit_declared
        self._report.forfeits[declared.seat] = log_pb2.ForfeitReason.Name(
            declared.reason
        ).removeprefix("FORFEIT_REASON_")
        self._timing.stop(declared.seat)
        self._play(*advance(self._state, Forfeit(declared.seat)))

    def _draw(self, header: Place) -> None:
        try:
            drawn = self._draws.answer(self._state)
            after, events = (self._state, ()) if drawn is None else advance(self._state, drawn)
        except FixedDrawsExhausted as error:
            if self._take_while_waiting():
                return
            detail = f"the header fixes too few draws: {error}"
            header.find(FindingKind.FIXED_DRAWS_INVALID, detail, clause="DEAL-4")
        except DrawError as error:
            detail = f"the header fixes draws that cannot be made: {error.detail}"
            header.find(FindingKind.FIXED_DRAWS_INVALID, detail, clause=error.clause)
        self._play(after, events)

    def _take_while_waiting(self) -> bool:
        """Take in what moves a match on whose draws have run out: it waits for ever otherwise."""
        match self._records.coming:
            case "forfeit_declared":
                self._open_decisions(())
                self._take_forfeit()
            case "match_result":
                self._cancelled = True
            case _:
                return False
        return True

    def _play(self, after: MatchState, events: tuple[Event, ...]) -> None:
        for event in events:
            self._take_event(event)
        self._state = after

    def _take_event(self, event: Event) -> None:
        everyones = owner(event) is None
        full = public_event_to_proto(event) if everyones else event_to_proto(event)
        place = self._records.take(
            "event_logged", lambda: f"the event “{event_text(full)}”", FindingKind.EVENT_MISSING
        )
        if everyones:
            check_open(place, full, self._hidden)
            shown = True
        else:
            public = public_event_to_proto(public_part(event))
            shown = check_hidden(place, full, public, self._hidden)
        self._views.take(place, event, shown=shown)
        if self._dealt is not None:
            self._dealt.take(event)
        self._last = place
        self._last_event = place.number
        if isinstance(event, DealStarted):
            self._report.deals += 1

    def _take_move(self, seats: tuple[int, ...], waiting: list[int]) -> None:
        """Take in a move; seats that have forfeited and must act, `waiting`, come first."""
        last_clock_ms = self._records.clock_ms
        place = self._records.take(
            "move_accepted",
            lambda: f"a move of seat {' or '.join(map(str, waiting or seats))}",
            FindingKind.MOVE_MISSING,
        )
        accepted = place.record.move_accepted
        if waiting and accepted.seat != waiting[0]:
            place.find(
                FindingKind.MOVE_MISSING,
                f"the referee must move for seat {waiting[0]}, which has forfeited",
                recorded=f"a move of seat {accepted.seat}",
                expected=f"a move of seat {waiting[0]}",
            )
        if not accepted.automatic:
            self._check_request(place, accepted)
        try:
            recorded = recorded_move(
                place, self._hidden, must_be_hidden=moves_are_hidden(self._state)
            )
            move = move_from_proto(recorded)
            after, events = advance(self._state, SeatMove(accepted.seat, move))
        except MalformedMessage as error:
            detail = f"the move of seat {accepted.seat} is none: {error.detail}"
            place.find(FindingKind.MOVE_ILLEGAL, detail)
        except IllegalMove as error:
            detail = f"the move of seat {accepted.seat} is illegal: {error.detail}"
            place.find(FindingKind.MOVE_ILLEGAL, detail, recorded=error.reason, clause=error.clause)
        self._check_decision(place, accepted)
        self._check_time(place, accepted, move, last_clock_ms)
        self._report.moves += 1
        self._play(after, events)

    def _check_decision(self, place: Place, accepted: log_pb2.MoveAccepted) -> None:
        decision = self._open.pop(accepted.seat)
        if accepted.decision_id != decision:
            place.find(
                FindingKind.DECISION_WRONG,
                f"the move of seat {accepted.seat} answers another decision than the open one",
                recorded=str(accepted.decision_id),
                expected=str(decision),
            )

    def _check_time(
        self, place: Place, accepted: log_pb2.MoveAccepted, move: Move, last_clock_ms: int
    ) -> None:
        self._timing.check_deadline(place, accepted)
        if not accepted.automatic:
            check_own(place, self._state, self._timing)
            self._timing.answer(accepted.seat, place.record.clock_ms)
            return
        check_automatic(place, self._state, move, self._timing, last_clock_ms)
        if accepted.seat not in self._state.forfeited:
            self._timing.run_out(accepted.seat)

    def _check_request(self, place: Place, accepted: log_pb2.MoveAccepted) -> None:
        if not accepted.request_id:
            detail = f"the move of seat {accepted.seat} has no request id"
            place.find(FindingKind.REQUEST_ID_MISSING, detail)
        request = (accepted.seat, accepted.request_id)
        earlier = self._requests.setdefault(request, place.number)
        if earlier != place.number:
            place.find(
                FindingKind.REQUEST_ID_REUSED,
                f"seat {accepted.seat} used this request id before, in record {earlier}",
                recorded=printable(accepted.request_id),
            )
