"""A match as the referee plays it: the engine, the shuffle, the clocks and the log, without I/O.

Each call gives the log rows that it added; the caller puts them on disk before anybody hears of
them. What happens is a function of the header, the seed, and what is asked of the match and when,
so a match that comes back from the store is played again (`ronda_referee.restoring`).
"""

from collections.abc import Callable, Iterable, Sequence

from ronda.v1 import log_pb2, match_terms_pb2
from ronda_referee.answers import Answers
from ronda_referee.automatic import automatic_move
from ronda_referee.chain import Sealer
from ronda_referee.chance import Chance, Joined
from ronda_referee.clocks import Clocks, Stamp
from ronda_referee.convert import (
    card_from_proto,
    event_to_proto,
    move_from_proto,
    move_to_proto,
    public_event_bytes,
    rule_set_from_proto,
)
from ronda_referee.decisions import check_open, decisions_of
from ronda_referee.errors import ServiceError, ServiceReason
from ronda_referee.match_log import LogRow, MatchLog, ObservedEvent
from ronda_referee.shuffle import key_of
from ronda_referee.snapshots import Delay, Snapshot
from ronda_rules.engine import advance, begin
from ronda_rules.events import CardPlayed, Event
from ronda_rules.moves import Forfeit, SeatMove
from ronda_rules.rule_set import RuleSet
from ronda_rules.state import MatchState
from ronda_rules.view import moves_are_hidden, owner, public_part

__all__ = ["Joined", "MatchPlay", "Sign", "Snapshot", "observed_event"]

Sign = Callable[[bytes], bytes]


class MatchPlay:
    """One match: what was said, what it is now, and the log of both.

    Attributes:
        match_id: its id.
        rules: its rule set.
        seats: how many seats play.
        terms: the terms that it was created with.
        state: the state, or None until every seat is taken.
        decisions: names the open decision of each seat that must act.
        joined: the seats taken so far.
        ended: how it has ended, or None.
        visible: what may be shown now. While answers are sealed that is the match before the
            first of them: the order in which seats answer is theirs alone (clause ANN-2).
        delayed: what those may be shown who watch without a seat.
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
        # A copy: the header would stay with it, and with the header its rule set.
        self.terms = match_terms_pb2.MatchTerms.FromString(header.terms.SerializeToString())
        self.state: MatchState | None = None
        self.decisions: dict[int, int] = {}
        self.joined: dict[int, Joined] = {}
        self.ended: log_pb2.EndReason.ValueType | None = None
        self._seed = seed
        self._shuffle_id = header.shared_shuffle_id
        self._fixed = (
            None if fixed_draws is None else [card_from_proto(card) for card in fixed_draws.cards]
        )
        self._chance: Chance | None = None
        self._log = log
        self._sign = sign
        self._answers = Answers()
        self._forfeits: dict[int, int] = {}
        self._turns = 0
        timed = header.terms.HasField("time_control")
        self._clocks = Clocks(self.terms.time_control, header.seats) if timed else None
        self._delay = Delay(self.terms.spectator_delay) if self.terms.spectator_delay else None
        self.visible = Snapshot(log.sequence, None)
        self.delayed = self.visible

    @property
    def sequence(self) -> int:
        """The sequence number that the next log record will have."""
        return self._log.sequence

    @property
    def stamp(self) -> Stamp:
        """When the last record was written."""
        return self._log.stamp

    @property
    def over(self) -> bool:
        """Whether the match has ended, and with it its log."""
        return self.ended is not None

    @classmethod
    def create(
        cls,
        header: log_pb2.LogHeader,
        seed: bytes,
        sealer: Sealer,
        sign: Sign,
        stamp: Stamp,
        fixed_draws: log_pb2.FixedDraws | None = None,
    ) -> tuple["MatchPlay", list[LogRow]]:
        """Begin a new match; its rule set and terms must have been checked.

        Raises:
            RuleSetError: the header's rule set has an enum that is unset or unknown.
        """
        log = MatchLog(sealer)
        row = log.header(header, stamp, fixed_draws)
        return cls(header, seed, log, sign, fixed_draws), [row]

    def go_on_with(self, sealer: Sealer, sign: Sign) -> None:
        """Seal and sign with these from now on, after the match was played again."""
        self._log.sealer = sealer
        self._sign = sign

    def join(self, seat: int, joined: Joined, stamp: Stamp) -> list[LogRow]:
        """Take a seat; with the last one the match starts. No rows: it was taken like this before.

        Raises:
            ServiceError: the seat was taken with other contents, or the match was cancelled.
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
        self._refuse_when_cancelled()
        self.joined[seat] = joined
        rows = [self._log.seat_joined(seat, joined.name, joined.entropy, stamp)]
        if len(self.joined) == self.seats:
            rows += self._record(self._start(), stamp)
        return self._unit(rows)

    def answered(self, accepted: log_pb2.MoveAccepted) -> int | None:
        """Give the record of a move that was accepted under this request id before, or None.

        Raises:
            ServiceError: the request id was used for another move.
        """
        return self._answers.given(accepted)

    def move(self, accepted: log_pb2.MoveAccepted, stamp: Stamp) -> list[LogRow]:
        """Apply a seat's move, given as its record. Nothing has changed where it raises.

        Whoever is late must have been told so before (`run_out`).

        Raises:
            MalformedMessage: the move has a field that is missing or unknown.
            ServiceError: the match has not started or was cancelled, the seat has forfeited, or
                the decision is not an open one.
            IllegalMove: the rules do not allow the move now.
        """
        move = SeatMove(accepted.seat, move_from_proto(accepted.move))
        state = self._started()
        if not state.winners:
            self._refuse_when_cancelled()
            check_open(accepted, self.decisions, state)
        after, events = advance(state, move)
        row = self._log.move_accepted(
            self._with_deadline(accepted), stamp, hidden=moves_are_hidden(state)
        )
        self._answers.give(accepted, self._known_as(row))
        self.decisions.pop(accepted.seat, None)
        if self._clocks is not None:
            self._clocks.answer(accepted.seat, stamp.clock_ms)
        return self._unit([row, *self._record(self._unfold(after, events), stamp)], stamp)

    def resign(self, seat: int, stamp: Stamp) -> tuple[list[LogRow], int]:
        """Give the match up for a seat; give the rows and the number of the forfeit's record.

        No rows: the seat has forfeited before.

        Raises:
            ServiceError: the match has not started, or was cancelled.
            IllegalMove: the match is over.
        """
        if seat in self._forfeits:
            return [], self._forfeits[seat]
        self._refuse_when_cancelled()
        self._started()
        rows = self.forfeit(seat, log_pb2.FORFEIT_REASON_RESIGNED, stamp)
        return rows, self._forfeits[seat]

    def forfeit(
        self, seat: int, reason: log_pb2.ForfeitReason.ValueType, stamp: Stamp
    ) -> list[LogRow]:
        """Let a seat forfeit the match that is being played, and all that follows from it.

        Raises:
            ServiceError: the match has not started, or was cancelled.
            IllegalMove: the match is over, or the seat has forfeited before.
        """
        state = self._started()
        self._refuse_when_cancelled()
        after, events = advance(state, Forfeit(seat))
        declared = log_pb2.ForfeitDeclared(
            seat=seat,
            reason=reason,
            decision_id=self.decisions.get(seat, 0),
            deadline_ms=self._deadline(seat),
        )
        row = self._log.forfeit_declared(declared, stamp)
        self._forfeits[seat] = self._known_as(row)
        if self._clocks is not None:
            self._clocks.stop(seat)
        return self._unit([row, *self._record(self._unfold(after, events), stamp)], stamp)

    def cancel(self, reason: log_pb2.EndReason.ValueType, stamp: Stamp) -> list[LogRow]:
        """End the match with nobody having won. No rows: it was cancelled before.

        Raises:
            ServiceError: it is over already.
        """
        if self.ended is not None:
            if self.ended == reason:
                return []
            detail = "the match is over already"
            raise ServiceError(ServiceReason.MATCH_OVER, detail, match_id=self.match_id)
        return self._unit(self._finish(reason, stamp))

    def run_out(self, stamp: Stamp) -> list[LogRow]:
        """Do what is due by now: where a seat is too late, or not every seat has joined in time.

        Several seats that are late at once are taken in the order of their deadlines, and of one
        deadline in order of play from the seat after the dealer.
        """
        deadline = self.deadline
        if deadline is None or stamp.clock_ms < deadline:
            return []
        if self.state is None or self._clocks is None:
            return self.cancel(log_pb2.END_REASON_NOT_JOINED, stamp)
        rows: list[LogRow] = []
        order = self.state.in_order_of_play()
        for seat in self._clocks.late(self.decisions, order, stamp.clock_ms):
            if seat not in self.decisions:
                break
            if self.terms.time_out == match_terms_pb2.TIME_OUT_AUTOMATIC:
                rows += self._unit(self._automatic(seat, stamp), stamp)
            else:
                rows += self.forfeit(seat, log_pb2.FORFEIT_REASON_TIME_OUT, stamp)
        return rows

    @property
    def deadline(self) -> int | None:
        """The match's time at which `run_out` has something to do next; None: never."""
        if self.over:
            return None
        if self.state is None:
            return self.terms.join_timeout_ms or None
        return None if self._clocks is None else self._clocks.first_deadline(self.decisions)

    def _known_as(self, row: LogRow) -> int:
        """Give the number by which the seat that a record comes from may know it.

        While answers are sealed that is the first of theirs: a record's own number would tell how
        many have answered before (clause ANN-2).
        """
        return min(row.sequence, self.visible.sequence)

    def _deadline(self, seat: int) -> int | None:
        return None if self._clocks is None else self._clocks.deadline(seat)

    def _with_deadline(self, accepted: log_pb2.MoveAccepted) -> log_pb2.MoveAccepted:
        deadline = self._deadline(accepted.seat)
        if deadline is None:
            return accepted
        timed = log_pb2.MoveAccepted(deadline_ms=deadline)
        timed.MergeFrom(accepted)
        return timed

    def _refuse_when_cancelled(self) -> None:
        if self.ended in {log_pb2.END_REASON_NOT_JOINED, log_pb2.END_REASON_CANCELLED}:
            detail = "the match was cancelled"
            raise ServiceError(ServiceReason.MATCH_CANCELLED, detail, match_id=self.match_id)

    def _started(self) -> MatchState:
        if self.state is None:
            self._refuse_when_cancelled()
            missing = [seat for seat in range(self.seats) if seat not in self.joined]
            raise ServiceError(
                ServiceReason.MATCH_NOT_STARTED,
                f"the match has not started: seats {missing} have not joined",
                seats=missing,
            )
        return self.state

    def _start(self) -> Sequence[Event]:
        entropies = [self.joined[seat].entropy for seat in range(self.seats)]
        key = key_of(self._seed, self.match_id, self._shuffle_id, entropies)
        self._chance = Chance(self.match_id, key, self._fixed)
        return self._unfold(*begin(self.rules, self.seats))

    def _unfold(self, state: MatchState, events: Iterable[Event]) -> Sequence[Event]:
        """Go on from events through all that chance decides, up to a seat's decision or the end.

        `state` is the one after the events.
        """
        if self._chance is None:
            raise AssertionError("chance decides nothing before the match has started")
        self.state, unfolded = self._chance.unfold(state, events)
        self._turns += sum(isinstance(event, CardPlayed) for event in unfolded)
        return unfolded

    def _record(self, events: Sequence[Event], stamp: Stamp) -> list[LogRow]:
        rows = self._log.events(map(observed_event, events), stamp)
        state = self._started()
        self._open_decisions(rows[-1].sequence, stamp.clock_ms)
        if state.winners:
            one_left = len(state.sides_in_play) == 1
            reason = log_pb2.END_REASON_FORFEITED if one_left else log_pb2.END_REASON_PLAYED
            rows += self._finish(reason, stamp)
        return rows

    def _finish(self, reason: log_pb2.EndReason.ValueType, stamp: Stamp) -> list[LogRow]:
        winners, scores = (
            ((), ()) if self.state is None else (self.state.winners, self.state.scores)
        )
        self.ended = reason
        self.decisions = {}
        return self._log.finish(reason, winners, scores, self._seed, self._sign, stamp)

    def _open_decisions(self, last_event: int, clock_ms: int) -> None:
        """Name the decisions: who must act already is asked what it was asked before."""
        state = self._started()
        asked = decisions_of(state, self.decisions, last_event)
        if self._clocks is not None:
            for seat in asked.keys() - self.decisions.keys() - set(state.forfeited):
                self._clocks.open(seat, clock_ms)
            for seat in self.decisions.keys() - asked.keys():
                self._clocks.stop(seat)
        self.decisions = asked

    def _automatic(self, seat: int, stamp: Stamp) -> list[LogRow]:
        """Move in a seat's stead: it is too late, or has forfeited."""
        state = self._started()
        move = automatic_move(state, seat)
        after, events = advance(state, SeatMove(seat, move))
        accepted = log_pb2.MoveAccepted(
            seat=seat,
            decision_id=self.decisions.pop(seat),
            move=move_to_proto(move),
            automatic=True,
            deadline_ms=self._deadline(seat),
        )
        row = self._log.move_accepted(accepted, stamp, hidden=moves_are_hidden(state))
        if self._clocks is not None and seat not in state.forfeited:
            self._clocks.run_out(seat)
        return [row, *self._record(self._unfold(after, events), stamp)]

    def _unit(self, rows: list[LogRow], stamp: Stamp | None = None) -> list[LogRow]:
        """Add the moves of seats that have forfeited, and keep what may be shown now."""
        while stamp is not None and self.state is not None and not self.over:
            forfeited = [seat for seat in self.state.forfeited if seat in self.decisions]
            if not forfeited:
                break
            rows += self._automatic(forfeited[0], stamp)
        self._show()
        return rows

    def _show(self) -> None:
        if self.state is not None and self.state.sealed and not self.over:
            return
        clocks = () if self._clocks is None else self._clocks.standing()
        self.visible = Snapshot(self.sequence, self.state, clocks, self._turns)
        if self._delay is None or self.over or self.state is None:
            self.delayed = self.visible
        else:
            self.delayed = self._delay.after(self.visible) or self.delayed


def observed_event(event: Event) -> ObservedEvent:
    """Give an event as the log takes it: in full, as everyone may see it, and who sees it all."""
    seat = owner(event)
    if seat is None:
        public = public_event_bytes(event)
        return ObservedEvent(public, public)
    full = event_to_proto(event).SerializeToString(deterministic=True)
    return ObservedEvent(full, public_event_bytes(public_part(event)), seat)
