"""The audit of play: the engine plays the match again, and every record is what it gives."""

from ronda.v1 import event_pb2, log_pb2
from ronda_referee.audit.hidden import Hidden
from ronda_referee.audit.records import Place, Records
from ronda_referee.audit.report import AuditReport, FindingKind
from ronda_referee.chain import HASH_SIZE
from ronda_referee.convert import MalformedMessage, event_to_proto, move_from_proto
from ronda_referee.event_text import event_text, printable
from ronda_referee.shuffle import FixedDrawsExhausted, MatchDraws
from ronda_rules.engine import DrawCards, DrawDealer, MatchOver, SeatsToAct, apply, begin, decide
from ronda_rules.errors import DrawError, IllegalMove
from ronda_rules.events import DealStarted, Event
from ronda_rules.evolve import evolve
from ronda_rules.moves import DealerDrawn, Drawn, SeatMove
from ronda_rules.rule_set import RuleSet
from ronda_rules.view import owner, public_part

# The clause that decides what an event of each kind says.
_CLAUSES = {
    "first_dealer_drawn": "DEAL-3",
    "deal_started": "DEAL-3",
    "batch_started": "DEAL-5",
    "hand_dealt": "DEAL-4",
    "table_turned": "DEAL-4",
    "table_returned": "DEAL-8",
    "announcement_made": "ANN-2",
    "announcement_passed": "ANN-2",
    "card_played": "CAP-1",
    "cards_captured": "CAP-3",
    "card_laid": "CAP-4",
    "announcements_revealed": "ANN-8",
    "announcements_awarded": "ANN-6",
    "false_announcement_penalised": "ANN-9",
    "leftovers_taken": "CAP-6",
    "piles_counted": "COUNT-1",
    "deal_ended": "MATCH-1",
    "match_ended": "MATCH-2",
}

_DRAWN = frozenset({"first_dealer_drawn", "hand_dealt", "table_turned"})


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
                case chance:
                    self._draw(chance, header)

    def _draw(self, chance: DrawDealer | DrawCards, header: Place) -> None:
        try:
            events = apply(self._state, self._chance(chance))
        except FixedDrawsExhausted as error:
            detail = f"the header fixes too few draws: {error}"
            header.find(FindingKind.FIXED_DRAWS_INVALID, detail, clause="DEAL-4")
        except DrawError as error:
            detail = f"the header fixes draws that cannot be made: {error.detail}"
            header.find(FindingKind.FIXED_DRAWS_INVALID, detail, clause=error.clause)
        self._play(events)

    def _chance(self, asked: DrawDealer | DrawCards) -> DealerDrawn | Drawn:
        match asked:
            case DrawDealer(seats):
                return DealerDrawn(self._draws.first_dealer(seats))
            case DrawCards(count, pack):
                return Drawn(self._draws.cards(self._state.deal, pack, count))

    def _play(self, events: tuple[Event, ...]) -> None:
        for event in events:
            self._take_event(event)
            self._state = evolve(self._state, event)

    def _take_event(self, event: Event) -> None:
        full = event_to_proto(event)
        place = self._records.take(
            "event_logged", lambda: f"the event “{event_text(full)}”", FindingKind.EVENT_MISSING
        )
        logged = place.record.event_logged
        if owner(event) is None:
            self._check_open(place, logged, full)
        else:
            self._check_hidden(place, logged, full, event_to_proto(public_part(event)))
        self._last_event = place.number
        if isinstance(event, DealStarted):
            self._report.deals += 1

    def _check_open(
        self, place: Place, logged: log_pb2.EventLogged, event: event_pb2.Event
    ) -> None:
        if logged.event != event:
            _find_event(place, logged.event, event)
        if logged.commitment:
            place.find(
                FindingKind.COMMITMENT_WRONG,
                "there is a commitment, and the event hides nothing",
                recorded=logged.commitment.hex(),
            )

    def _check_hidden(
        self,
        place: Place,
        logged: log_pb2.EventLogged,
        full: event_pb2.Event,
        public: event_pb2.Event,
    ) -> None:
        if logged.event != public:
            _find_event(place, logged.event, public)
        if len(logged.commitment) != HASH_SIZE:
            place.find(
                FindingKind.COMMITMENT_WRONG,
                "the event hides something, and there is no commitment of 32 bytes to it",
                recorded=f"{len(logged.commitment)} bytes",
                expected=f"{HASH_SIZE} bytes",
            )
        opened = self._hidden.opened(place.number, logged.commitment)
        if opened is not None and opened != full:
            _find_event(place, opened, full)
        self._hidden.seal(place.number, logged.commitment, full)

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
            move = move_from_proto(accepted.move)
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


def _find_event(place: Place, recorded: event_pb2.Event, expected: event_pb2.Event) -> None:
    """End the audit: another event stands here than the right one.

    Raises:
        Found: always.
    """
    which = expected.WhichOneof("event") or ""
    texts = event_text(recorded), event_text(expected)
    clause = _award_clause(recorded, expected) if which == "play_awarded" else _CLAUSES.get(which)
    if which in _DRAWN and recorded.WhichOneof("event") == which:
        kind, detail = FindingKind.DRAW_WRONG, "this is not what was to be drawn"
    else:
        kind, detail = FindingKind.EVENT_WRONG, "this is not what happened by the rules"
    place.find(kind, detail, recorded=texts[0], expected=texts[1], clause=clause or "")


def _award_clause(recorded: event_pb2.Event, expected: event_pb2.Event) -> str:
    if recorded.play_awarded.caida != expected.play_awarded.caida:
        return "CHAIN-1"
    if recorded.play_awarded.mesa != expected.play_awarded.mesa:
        return "MESA-1"
    return "MESA-2"
