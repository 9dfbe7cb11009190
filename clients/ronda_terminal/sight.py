"""A match as one seat, or the public, has seen it so far."""

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ronda.v1 import log_pb2
from ronda.v1.event_pb2 import Event
from ronda.v1.referee_service_pb2 import SeatClock, Turn
from ronda.v1.rule_set_pb2 import RuleSet
from ronda_replay.steps import Step
from ronda_replay.table import MOST_SEATS, Card, Table, cards_of
from ronda_replay.telling import Language
from ronda_terminal.words import Words

_MOST_LINES = 500
# After these somebody else is to play.
_OPENERS = frozenset({"batch_started"})
# With these the card that was played has come to rest.
_RESTS = frozenset({"cards_captured", "card_laid", "cards_held", "leftovers_taken"})


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence about something that happened.

    Attributes:
        kind: the field of `ronda.v1.Event`, or else of the log's record.
        text: the sentence.
    """

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Clock:
    """A seat's time.

    Attributes:
        milliseconds: how much was left.
        running: whether it runs.
        since: when that was, in seconds of the local clock.
    """

    milliseconds: int
    running: bool
    since: float

    def left(self, now: float) -> int:
        """Give the whole seconds that are left, never less than none."""
        passed = (now - self.since) * 1000 if self.running else 0
        return max(0, int((self.milliseconds - passed) // 1000))


@dataclass(frozen=True, slots=True)
class Ended:
    """How a match ended.

    Attributes:
        winners: the side that won, or those that share a draw; empty: nobody.
        scores: total points, by side.
    """

    winners: tuple[int, ...]
    scores: tuple[int, ...]


class Sight:
    """What may be seen of a match, and what is asked.

    Attributes:
        language: in what it is told.
        seat: the seat whose view it is; None: the public's.
        rules: the rule set; an empty one before the match is known.
        seats: how many seats play; 0 before the match is known.
        table: the cards, piles and scores, by the events that may be seen.
        told: what happened, the newest last.
        next_seat: who plays the next card; None: nobody.
        played: the card that is being played, until it lies or has taken something.
        turn: what the seat is asked, and what it sees; None: nothing.
        sent: whether the answer is under way.
        clocks: the seats' time, by seat; empty: no clock runs.
        lost: what the connection is lost with; None: it stands.
        ended: how the match ended; None: it has not.
        log_ended: whether nothing more comes although the match is not over.
        failure: why it cannot go on; empty: it can.
    """

    def __init__(
        self,
        language: Language,
        seat: int | None = None,
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.language = language
        self.seat = seat
        self.rules = RuleSet()
        self.seats = 0
        self.names: dict[int, str] = {}
        self.table = Table()
        self.told: deque[Told] = deque(maxlen=_MOST_LINES)
        self.next_seat: int | None = None
        self.played: Card | None = None
        self.turn: Turn | None = None
        self.sent = False
        self.clocks: list[Clock] = []
        self.lost: str | None = None
        self.ended: Ended | None = None
        self.log_ended = False
        self.failure = ""
        self.now = now
        self.words = Words(language, log_pb2.LogHeader(), self.names)
        self._automatic: int | None = None

    def begin(self, rules: RuleSet, seats: int) -> None:
        """Take in what is played, before the first event."""
        # What it is told may come from a referee that nobody trusts; so everywhere here.
        seats = min(seats, MOST_SEATS)
        self.rules, self.seats = rules, seats
        self.table = Table()
        self.table.start(seats, rules.scoring)
        header = log_pb2.LogHeader(seats=seats, rule_set=rules)
        self.words = Words(self.language, header, self.names)

    def take_record(self, record: log_pb2.LogRecord, event: Event | None) -> None:
        """Take in a record of the log, with its event as it may be seen."""
        match record.WhichOneof("record"):
            case "header":
                self.begin(record.header.rule_set, record.header.seats)
                return
            case "seat_joined":
                if len(self.names) < MOST_SEATS:
                    self.names.setdefault(record.seat_joined.seat, record.seat_joined.name)
            case "move_accepted":
                accepted = record.move_accepted
                self._automatic = accepted.seat if accepted.automatic else None
            case "match_result":
                result = record.match_result
                self.ended = _ended(result.winners, result.scores)
                self._stop()
        if event is not None:
            self.take_event(event)
        else:
            self._tell(Step(record, record.sequence, record.WhichOneof("record") or ""))

    def take_event(self, event: Event) -> None:
        """Take in an event as it may be seen."""
        kind = event.WhichOneof("event") or ""
        self.table.follow(event)
        self._follow_turns(kind, event)
        seat = getattr(getattr(event, kind, None), "seat", None)
        automatic = self._automatic is not None and seat == self._automatic
        self._automatic = None
        self._tell(Step(log_pb2.LogRecord(), 0, kind, event, automatic))

    def ask(self, turn: Turn) -> None:
        """Take in what the seat is asked."""
        self.turn = turn
        self.sent = False
        self.seat = turn.decision.seat
        if turn.decision.HasField("milliseconds_left"):
            self.set_clock(turn.decision.seat, turn.decision.milliseconds_left)

    def answered(self) -> None:
        """Note that what was asked is not asked any more."""
        self.turn = None
        self.sent = False

    def set_clock(self, seat: int, milliseconds: int) -> None:
        """Take in a seat's running clock; of a seat that no match has there is none."""
        if seat >= MOST_SEATS:
            return
        missing = seat + 1 - len(self.clocks)
        self.clocks += [Clock(0, running=False, since=self.now())] * missing
        self.clocks[seat] = Clock(milliseconds, running=True, since=self.now())

    def take_clocks(self, clocks: Sequence[SeatClock]) -> None:
        """Take in all clocks, by seat."""
        now = self.now()
        seats = clocks[:MOST_SEATS]
        self.clocks = [Clock(one.milliseconds_left, one.running, now) for one in seats]

    def _follow_turns(self, kind: str, event: Event) -> None:
        if kind in _OPENERS and self.table.dealer is not None and self.seats:
            self.next_seat = (self.table.dealer + 1) % self.seats
        elif kind == "card_played":
            (self.played,) = cards_of([event.card_played.card])
            self._pass_on(event.card_played.seat)
        elif kind in _RESTS:
            self.played = None
        elif kind == "match_ended":
            ended = event.match_ended
            self.ended = _ended(ended.winners, ended.scores)
            self._stop()

    def _pass_on(self, seat: int) -> None:
        if self.seats:
            left = any(hand.count for hand in self.table.hands.values())
            self.next_seat = (seat + 1) % self.seats if left else None

    def _stop(self) -> None:
        self.next_seat = None
        self.played = None
        self.answered()
        self.clocks = []

    def _tell(self, step: Step) -> None:
        for text in self.words.told(step):
            self.told.append(Told(step.kind, self.words.directed(text)))


def _ended(winners: Sequence[int], scores: Sequence[int]) -> Ended:
    return Ended(tuple(winners[:MOST_SEATS]), tuple(scores[:MOST_SEATS]))
