"""Matches of any course: whatever seats and clocks do, the log comes back and audits."""

import contextlib
import io
import os
import random
from dataclasses import dataclass

import pytest

from ronda.v1 import log_pb2, match_terms_pb2, rule_set_pb2
from ronda_conformance.rule_set_files import load_rule_sets
from ronda_referee.audit import audit_stream
from ronda_referee.clocks import Stamp
from ronda_referee.convert import move_to_proto
from ronda_referee.errors import ServiceError
from ronda_referee.match_log import LogRow
from ronda_referee.play import Joined, MatchPlay, Snapshot
from ronda_referee.restoring import restore
from ronda_rules.engine import legal_moves
from ronda_rules.errors import RulesError
from ronda_rules.moves import Pass
from tests.referee.played_by_hand import ByHand, at, sealer
from tests.referee.played_logs import KEY, SEED
from tests.referee.test_sealed_moves import simultaneous

COURSES = int(os.environ.get("RONDA_COURSES", "24"))

_RULE_SETS = {
    **load_rule_sets(),
    "sealed": simultaneous(),
    "sealed with bluffs": simultaneous(bluffs=True),
}


def terms_of(draw: random.Random) -> match_terms_pb2.MatchTerms:
    """Draw terms, with clocks that give little or nothing."""
    terms = match_terms_pb2.MatchTerms(
        most_refusals=draw.choice((1, 3)),
        join_timeout_ms=draw.choice((0, 50)),
        spectator_delay=draw.choice((0, 3)),
    )
    if draw.random() < 0.8:
        terms.time_control.per_move_ms = draw.choice((0, 5, 100))
        terms.time_control.bank_ms = draw.choice((1, 40, 1000))
        terms.time_control.increment_ms = draw.choice((0, 2))
        terms.time_out = draw.choice(
            (match_terms_pb2.TIME_OUT_FORFEIT, match_terms_pb2.TIME_OUT_AUTOMATIC)
        )
    return terms


@dataclass(frozen=True)
class Stand:
    """How a match stands when so many rows are on disk."""

    rows: int
    visible: Snapshot
    delayed: Snapshot
    decisions: dict[int, int]
    deadline: int | None

    @classmethod
    def of(cls, play: MatchPlay, rows: int) -> "Stand":
        """Give how a match stands."""
        return cls(rows, play.visible, play.delayed, dict(play.decisions), play.deadline)


class Course:
    """One match that goes as the dice fall, command by command as the referee takes them.

    Attributes:
        match: the match.
        stands: how it stood after each commit.
    """

    def __init__(self, seed: int) -> None:
        """Create it, of any rule set and any terms, and play it until it is over."""
        self._draw = random.Random(seed)
        rules = _RULE_SETS[self._draw.choice(sorted(_RULE_SETS))]
        seats = self._draw.choice([2, 3, 4])
        if seats not in {allowed.count for allowed in rules.seats}:
            seats = rules.seats[0].count
        self.match = ByHand.begin(terms_of(self._draw), seats, rules, joined=False)
        self.stands = [Stand.of(self.match.play, 1)]
        self._seats = seats
        self._clock = 0
        # Matches that nobody leaves and nobody cancels are long.
        self._leaving = self._draw.choice((0.0, 0.01, 0.1))
        while not self.match.play.over:
            self._command()

    def _command(self) -> None:
        self._clock += self._draw.choice((0, 0, 1, 3, 20, 200))
        play, stamp = self.match.play, at(self._clock)
        while late := play.run_out(stamp):
            self._commit(late)
        # A refusal changes nothing, and what comes back shows whether that is so.
        with contextlib.suppress(RulesError, ServiceError):
            if play.state is None:
                seat = self._draw.randrange(self._seats)
                self._commit(play.join(seat, Joined(f"seat {seat}", b""), stamp))
            elif self._draw.random() < self._leaving:
                self._leave(stamp)
            else:
                self._move(stamp)

    def _leave(self, stamp: Stamp) -> None:
        seat = self._draw.randrange(self._seats)
        match self._draw.choice(("resign", "refused", "cancel", "wait")):
            case "resign":
                self._commit(self.match.play.resign(seat, stamp)[0])
            case "refused":
                reason = log_pb2.FORFEIT_REASON_REFUSALS
                self._commit(self.match.play.forfeit(seat, reason, stamp))
            case "cancel" if self._draw.random() < 0.2:
                self._commit(self.match.play.cancel(log_pb2.END_REASON_CANCELLED, stamp))
            case _:
                self._clock += 5000

    def _move(self, stamp: Stamp) -> None:
        play = self.match.play
        assert play.state is not None
        seat = self._draw.choice([*play.decisions, self._draw.randrange(self._seats)])
        moves = legal_moves(play.state, seat) or (Pass(),)
        accepted = log_pb2.MoveAccepted(
            seat=seat,
            decision_id=play.decisions.get(seat, 0),
            request_id=f"r-{len(self.match.rows)}",
            move=move_to_proto(self._draw.choice(moves)),
        )
        self._commit(play.move(accepted, stamp))

    def _commit(self, rows: list[LogRow]) -> None:
        self.match.rows += rows
        if rows:
            self.stands.append(Stand.of(self.match.play, len(self.match.rows)))


@pytest.mark.parametrize("seed", range(COURSES))
def test_a_match_of_any_course_comes_back_and_audits(seed: int) -> None:
    """At any commit the rows give the match as it stood, and the whole log is all right."""
    course = Course(seed)
    report = audit_stream(io.BytesIO(course.match.data()), KEY.public_key)
    assert report.finding is None
    stands = [*random.Random(seed).sample(course.stands, min(3, len(course.stands)))]
    for stand in [*stands, course.stands[-1]]:
        play = restore("m-7", SEED, course.match.rows[: stand.rows], sealer(), KEY.sign)
        assert Stand.of(play, stand.rows) == stand


def test_nobody_is_asked_to_doubt_a_seat_that_has_forfeited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A seat forfeits in the window of challenges with three seats: the log audits (CHALL-1)."""
    rules = load_rule_sets()["classic"]
    rules.timing = rule_set_pb2.TIMING_IN_ORDER
    monkeypatch.setitem(globals(), "_RULE_SETS", {"classic in order": rules})
    course = Course(63)
    assert course.match.play.state is not None
    assert course.match.play.state.forfeited
    report = audit_stream(io.BytesIO(course.match.data()), KEY.public_key)
    assert report.finding is None
