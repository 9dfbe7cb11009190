"""The audit of play: the engine plays the match again, and every record is what it gives."""

from ronda.v1 import log_pb2
from ronda_referee.audit.events import check_hidden, check_open
from ronda_referee.audit.hidden import Hidden
from ronda_referee.audit.moves import recorded_move
from ronda_referee.audit.records import Place, Records
from ronda_referee.audit.report import AuditReport, FindingKind
from ronda_referee.convert import MalformedMessage, event_to_proto, move_from_proto
from ronda_referee.event_text import event_text, printable
from ronda_referee.shuffle import FixedDrawsExhausted, MatchDraws
from ronda_rules.engine import DrawCards, DrawDealer, MatchOver, SeatsToAct, apply, begin, decide
from ronda_rules.errors import DrawError, IllegalMove
from ronda_rules.events import DealStarted, Event
from ronda_rules.evolve import evolve
from ronda_rules.moves import SeatMove
from ronda_rules.rule_set import RuleSet
from ronda_rules.view import moves_are_hidden, owner, public_part


class Play:
    """The match, played again from the header and the accepted moves alone."""

    def __init__(
        self,
        records: Records,
        report: AuditReport,
        hidden: Hidden,
        draws: MatchDraws,
        rules: RuleSet,
        seats: int,
    ) -> None:
        """Begin before the first event."""
        self._records = records
        self._report = report
        self._hidden = hidden
        self._draws = draws
        self._state, self._beginning = begin(rules, seats)
        self._last_event = 0
        self._open: dict[int, int] = {}
        self._requests: dict[tuple[int, str], int] = {}

    @property
    def winners(self) -> tuple[int, ...]:
        """The side that won or those that share a draw."""
        return self._state.winners

    @property
    def scores(self) -> tuple[int, ...]:
        """Total points by side."""
        return self._state.scores

    def run(self, header: Place) -> None:
        """Play until the rules say that the match is over.

        Raises:
            Found: a record is not what the rules and the draws make of the moves; the header,
                where its fixed draws cannot be.
        """
        for event in self._beginning:
            self._take_event(event)
        while True:
            match decide(self._state):
                case MatchOver():
                    return
                case SeatsToAct(seats):
                    self._take_move(seats)
                case DrawDealer() | DrawCards():
                    self._draw(header)

    def _draw(self, header: Place) -> None:
        try:
            drawn = self._draws.answer(self._state)
            events = () if drawn is None else apply(self._state, drawn)
        except FixedDrawsExhausted as error:
            detail = f"the header fixes too few draws: {error}"
            header.find(FindingKind.FIXED_DRAWS_INVALID, detail, clause="DEAL-4")
        except DrawError as error:
            detail = f"the header fixes draws that cannot be made: {error.detail}"
            header.find(FindingKind.FIXED_DRAWS_INVALID, detail, clause=error.clause)
        self._play(events)

    def _play(self, events: tuple[Event, ...]) -> None:
        for event in events:
            self._take_event(event)
            self._state = evolve(self._state, event)

    def _take_event(self, event: Event) -> None:
        full = event_to_proto(event)
        place = self._records.take(
            "event_logged", lambda: f"the event “{event_text(full)}”", FindingKind.EVENT_MISSING
        )
        if owner(event) is None:
            check_open(place, full)
        else:
            check_hidden(place, full, event_to_proto(public_part(event)), self._hidden)
        self._last_event = place.number
        if isinstance(event, DealStarted):
            self._report.deals += 1

    def _take_move(self, seats: tuple[int, ...]) -> None:
        # A seat that must act and did not have to before was asked by the last event.
        self._open = {seat: self._open.get(seat, self._last_event) for seat in seats}
        place = self._records.take(
            "move_accepted",
            lambda: f"a move of seat {' or '.join(map(str, seats))}",
            FindingKind.MOVE_MISSING,
        )
        accepted = place.record.move_accepted
        self._check_request(place, accepted)
        try:
            recorded = recorded_move(
                place, self._hidden, must_be_hidden=moves_are_hidden(self._state)
            )
            move = move_from_proto(recorded)
            events = apply(self._state, SeatMove(accepted.seat, move))
        except MalformedMessage as error:
            detail = f"the move of seat {accepted.seat} is none: {error.detail}"
            place.find(FindingKind.MOVE_ILLEGAL, detail)
        except IllegalMove as error:
            detail = f"the move of seat {accepted.seat} is illegal: {error.detail}"
            place.find(FindingKind.MOVE_ILLEGAL, detail, recorded=error.reason, clause=error.clause)
        decision = self._open.pop(accepted.seat)
        if accepted.decision_id != decision:
            place.find(
                FindingKind.DECISION_WRONG,
                f"the move of seat {accepted.seat} answers another decision than the open one",
                recorded=str(accepted.decision_id),
                expected=str(decision),
            )
        self._report.moves += 1
        self._play(events)

    def _check_request(self, place: Place, accepted: log_pb2.MoveAccepted) -> None:
        request = (accepted.seat, accepted.request_id)
        earlier = self._requests.setdefault(request, place.number)
        if earlier != place.number:
            place.find(
                FindingKind.REQUEST_ID_REUSED,
                f"seat {accepted.seat} used this request id before, in record {earlier}",
                recorded=printable(accepted.request_id),
            )
