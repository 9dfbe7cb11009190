"""A match as the referee plays it: the engine, the shuffle and the log, without any I/O.

Each call gives the log rows that it added; the caller puts them on disk before anybody hears of
them. What happened is a function of the header, the seed, the joins and the moves, so a match
that comes back from the store is played again and compared with its rows.
"""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ronda.v1 import log_pb2
from ronda_referee.chain import NONCE_SIZE, Sealer, commitment
from ronda_referee.convert import (
    card_from_proto,
    event_to_proto,
    move_from_proto,
    rule_set_from_proto,
)
from ronda_referee.errors import ServiceError, ServiceReason, StoreDamaged
from ronda_referee.match_log import LogRow, MatchLog, ObservedEvent
from ronda_referee.shuffle import FixedDrawsExhausted, MatchDraws, match_key
from ronda_rules.engine import SeatsToAct, apply, begin, decide, fold
from ronda_rules.errors import DrawError
from ronda_rules.events import Event
from ronda_rules.moves import SeatMove
from ronda_rules.rule_set import RuleSet
from ronda_rules.state import MatchState, initial
from ronda_rules.view import moves_are_hidden, owner, public_part

Sign = Callable[[bytes], bytes]


@dataclass(frozen=True, slots=True)
class Joined:
    """What a seat brought when it was taken: a name, and bytes of its own for the shuffle."""

    name: str
    entropy: bytes


@dataclass(frozen=True, slots=True)
class Answered:
    """A move that was accepted: all that it said, and the sequence number of its record."""

    content: bytes
    sequence: int


class MatchPlay:
    """One match: what was said, what it is now, and the log of both.

    Attributes:
        match_id: its id.
        rules: its rule set.
        seats: how many seats play.
        state: the state, or None until every seat is taken.
        decisions: names the open decision of each seat that must act.
        joined: the seats taken so far.
    """

    def __init__(
        self,
        header: log_pb2.LogHeader,
        seed: bytes,
        log: MatchLog,
        sign: Sign,
        fixed_draws: log_pb2.FixedDraws | None = None,
    ) -> None:
        """Set the match up before anybody has joined; `log` holds its header."""
        self.match_id = header.match_id
        self.rules: RuleSet = rule_set_from_proto(header.rule_set)
        self.seats = header.seats
        self.state: MatchState | None = None
        self.decisions: dict[int, int] = {}
        self.joined: dict[int, Joined] = {}
        self._seed = seed
        self._fixed = (
            None if fixed_draws is None else [card_from_proto(card) for card in fixed_draws.cards]
        )
        self._draws: MatchDraws | None = None
        self._log = log
        self._sign = sign
        self._answers: dict[tuple[int, str], Answered] = {}

    @property
    def sequence(self) -> int:
        """The sequence number that the next log record will have."""
        return self._log.sequence

    @property
    def over(self) -> bool:
        """Whether the match has ended, and with it its log."""
        return self.state is not None and bool(self.state.winners)

    @classmethod
    def create(
        cls,
        header: log_pb2.LogHeader,
        seed: bytes,
        sealer: Sealer,
        sign: Sign,
        now_ms: int,
        fixed_draws: log_pb2.FixedDraws | None = None,
    ) -> tuple["MatchPlay", list[LogRow]]:
        """Begin a new match; its rule set must have been checked.

        Raises:
            RuleSetError: the header's rule set has an enum that is unset or unknown.
        """
        log = MatchLog(sealer)
        row = log.header(header, now_ms, fixed_draws)
        return cls(header, seed, log, sign, fixed_draws), [row]

    @classmethod
    def restore(
        cls, match_id: str, seed: bytes, rows: list[LogRow], sealer: Sealer, sign: Sign
    ) -> "MatchPlay":
        """Bring a match back from all of its rows.

        Raises:
            StoreDamaged: the rows are not what the seed, the joins and the moves bring about.
        """
        records = [log_pb2.LogRecord.FromString(row.record) for row in rows]
        if not records or records[0].WhichOneof("record") != "header":
            raise StoreDamaged(match_id, "its first row is not a header")
        log = MatchLog.resume(rows, sealer)
        play = cls(records[0].header, seed, log, sign, _fixed_draws(rows[0]))
        expected: deque[Event] = deque()
        for row, record in zip(rows[1:], records[1:], strict=True):
            if record.HasField("event_logged"):
                play._replay_event(row, record, expected)
            else:
                play._replay(record, row, expected)
        if expected:
            raise StoreDamaged(match_id, f"{len(expected)} events are missing at its end")
        return play

    def join(self, seat: int, joined: Joined, now_ms: int) -> list[LogRow]:
        """Take a seat; with the last one the match starts. No rows: it was taken like this before.

        Raises:
            ServiceError: the seat was taken with other contents.
        """
        before = self.joined.get(seat)
        if before == joined:
            return []
        if before is not None:
            raise ServiceError(
                ServiceReason.ALREADY_JOINED,
                f"seat {seat} was taken before with another name or other entropy",
                seat=seat,
            )
        self.joined[seat] = joined
        rows = [self._log.seat_joined(seat, joined.name, joined.entropy, now_ms)]
        if len(self.joined) == self.seats:
            rows += self._record(self._start(), now_ms)
        return rows

    def answered(self, accepted: log_pb2.MoveAccepted) -> int | None:
        """Give the record of a move that was accepted under this request id before, or None.

        Raises:
            ServiceError: the request id was used for another move.
        """
        before = self._answers.get((accepted.seat, accepted.request_id))
        if before is None:
            return None
        if before.content != _content(accepted):
            raise ServiceError(
                ServiceReason.REQUEST_ID_REUSED,
                f"the request id {accepted.request_id!r} was used for another move; take a new one",
                request_id=accepted.request_id,
            )
        return before.sequence

    def move(self, accepted: log_pb2.MoveAccepted, now_ms: int) -> list[LogRow]:
        """Apply a seat's move, given as its record. Nothing has changed where it raises.

        Raises:
            MalformedMessage: the move has a field that is missing or unknown.
            ServiceError: the match has not started, or the decision is not an open one.
            IllegalMove: the rules do not allow the move now.
        """
        move = SeatMove(accepted.seat, move_from_proto(accepted.move))
        state = self._started()
        if not state.winners:
            self._check_decision(accepted)
        unfolded = self._unfold(state, apply(state, move))
        row = self._log.move_accepted(accepted, now_ms, hidden=moves_are_hidden(state))
        self._remember(accepted, row.sequence)
        self.decisions.pop(accepted.seat, None)
        return [row, *self._record(unfolded, now_ms)]

    def _check_decision(self, accepted: log_pb2.MoveAccepted) -> None:
        """Refuse a decision that is not open; a seat that need not act names another seat's."""
        own = self.decisions.get(accepted.seat)
        open_ids = set(self.decisions.values()) if own is None else {own}
        if accepted.decision_id not in open_ids:
            now_open = min(open_ids, default=0)
            raise ServiceError(
                ServiceReason.STALE_DECISION,
                f"decision {accepted.decision_id} is not open; {now_open} is",
                decision_id=accepted.decision_id,
                open_decision_id=now_open,
            )

    def _started(self) -> MatchState:
        if self.state is None:
            missing = [seat for seat in range(self.seats) if seat not in self.joined]
            raise ServiceError(
                ServiceReason.MATCH_NOT_STARTED,
                f"the match has not started: seats {missing} have not joined",
                seats=missing,
            )
        return self.state

    def _start(self) -> list[Event]:
        entropies = [self.joined[seat].entropy for seat in range(self.seats)]
        key = match_key(self._seed, self.match_id, entropies)
        self._draws = MatchDraws(key, self._fixed)
        _, events = begin(self.rules, self.seats)
        return self._unfold(initial(self.rules, self.seats), events)

    def _unfold(self, state: MatchState, events: Iterable[Event]) -> list[Event]:
        """Go on from events through all that chance decides, up to a seat's decision or the end."""
        unfolded: list[Event] = []
        while events:
            unfolded += events
            state = fold(state, events)
            events = self._chance(state)
        self.state = state
        return unfolded

    def _chance(self, state: MatchState) -> tuple[Event, ...]:
        if self._draws is None:
            raise AssertionError("chance decides nothing before the match has started")
        try:
            drawn = self._draws.answer(state)
            return () if drawn is None else apply(state, drawn)
        except FixedDrawsExhausted:
            return ()
        except DrawError as error:
            # No seat is to blame for it, so it must not pass as the refusal of a move.
            raise StoreDamaged(self.match_id, f"its draws cannot be made: {error}") from error

    def _record(self, events: list[Event], now_ms: int) -> list[LogRow]:
        rows = self._log.events(map(observed_event, events), now_ms)
        state = self._started()
        self._open_decisions(rows[-1].sequence)
        if state.winners:
            rows += self._log.finish(state.winners, state.scores, self._seed, self._sign, now_ms)
        return rows

    def _open_decisions(self, last_event: int) -> None:
        """Name the decisions: who must act already is asked what it was asked before."""
        match decide(self._started()):
            case SeatsToAct(seats):
                self.decisions = {seat: self.decisions.get(seat, last_event) for seat in seats}
            case _:
                self.decisions = {}

    def _replay_event(self, row: LogRow, record: log_pb2.LogRecord, expected: deque[Event]) -> None:
        """Take in a stored event, which must be the next one expected, with its secret part."""
        detail = f"record {record.sequence} does not follow from the ones before it"
        if not expected:
            raise StoreDamaged(self.match_id, detail)
        observed = observed_event(expected.popleft())
        logged = record.event_logged
        if observed.public != logged.event or observed.visible_to != row.visible_to:
            raise StoreDamaged(self.match_id, detail)
        if observed.visible_to is not None:
            full = observed.full.SerializeToString(deterministic=True)
            if self._opened(row, logged.commitment) != full:
                detail = f"what record {record.sequence} hides is not what it should be"
                raise StoreDamaged(self.match_id, detail)
        if not expected:
            self._open_decisions(record.sequence)

    def _replay(self, record: log_pb2.LogRecord, row: LogRow, expected: deque[Event]) -> None:
        """Take in one stored record; `expected` holds the events that must still follow."""
        kind = record.WhichOneof("record")
        if expected and kind in {"seat_joined", "move_accepted", "match_result"}:
            raise StoreDamaged(self.match_id, f"record {record.sequence} comes before its time")
        if kind == "seat_joined":
            joined = record.seat_joined
            self.joined[joined.seat] = Joined(joined.name, joined.entropy)
            if len(self.joined) == self.seats:
                expected.extend(self._start())
        elif kind == "move_accepted":
            accepted = record.move_accepted
            if accepted.commitment:
                accepted = _as_received(accepted, self._opened(row, accepted.commitment))
            self.decisions.pop(accepted.seat, None)
            move = SeatMove(accepted.seat, move_from_proto(accepted.move))
            state = self._started()
            expected.extend(self._unfold(state, apply(state, move)))
            self._remember(accepted, record.sequence)

    def _opened(self, row: LogRow, sealed: bytes) -> bytes:
        """Give what a row's record hides, where its opening is the one of its commitment."""
        opening = log_pb2.CommitmentOpening.FromString(row.opening or b"")
        if len(opening.nonce) != NONCE_SIZE or commitment(opening.nonce, opening.event) != sealed:
            detail = f"what record {row.sequence} hides is not what it committed to"
            raise StoreDamaged(self.match_id, detail)
        return opening.event

    def _remember(self, accepted: log_pb2.MoveAccepted, sequence: int) -> None:
        answered = Answered(_content(accepted), sequence)
        self._answers[accepted.seat, accepted.request_id] = answered


def observed_event(event: Event) -> ObservedEvent:
    """Give an event as the log takes it: in full, as everyone may see it, and who sees it all."""
    full = event_to_proto(event)
    seat = owner(event)
    public = full if seat is None else event_to_proto(public_part(event))
    return ObservedEvent(full, public, seat)


def _fixed_draws(header: LogRow) -> log_pb2.FixedDraws | None:
    if header.opening is None:
        return None
    return log_pb2.FixedDraws.FromString(log_pb2.CommitmentOpening.FromString(header.opening).event)


def _as_received(accepted: log_pb2.MoveAccepted, hidden: bytes) -> log_pb2.MoveAccepted:
    """Give the record of a hidden move with the move itself."""
    received = log_pb2.MoveAccepted()
    received.CopyFrom(accepted)
    received.ClearField("commitment")
    received.move.MergeFromString(hidden)
    return received


def _content(accepted: log_pb2.MoveAccepted) -> bytes:
    return accepted.SerializeToString(deterministic=True)
