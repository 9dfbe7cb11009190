"""A soak of forty matches, and that its judge finds what it is there to find."""

from pathlib import Path

import pytest

from ronda.v1.log_pb2 import (
    END_REASON_CANCELLED,
    END_REASON_PLAYED,
    FORFEIT_REASON_REFUSALS,
    CommitmentOpening,
    ForfeitDeclared,
    LogRecord,
    MatchResult,
    MoveAccepted,
)
from ronda.v1.match_terms_pb2 import MatchTerms
from ronda.v1.move_pb2 import Challenge, Move
from tests.soak.judging import Story, faults
from tests.soak.ledger import Ledger
from tests.soak.plan import SMALL, Clock, Expected, Manner, MatchPlan, Organiser, Way, plans
from tests.soak.referee import log_levels
from tests.soak.report import as_json, as_text
from tests.soak.soak import Soak

# The moves of the made-up matches; what they are is nobody's business here.
_MOVE = Move(challenge=Challenge(seat=1))
_OTHER = Move(challenge=Challenge(seat=0))


async def test_forty_matches_through_three_kills_end_as_their_plans_say(tmp_path: Path) -> None:
    """Two rounds of all twenty stories, and every acknowledged move is in its log once."""
    figures = await Soak(40, 3, 1, SMALL, tmp_path / "data").run()
    assert figures.ledger.faults == []
    assert figures.matches == 40
    assert figures.stops.killed == 3
    assert figures.store_sound
    # Those that end by the plan alone: two of each; the rest are played or forfeited.
    assert figures.outcomes["NOT_JOINED"] == 2
    assert figures.outcomes["CANCELLED"] == 6 + figures.lost_creations
    # Forty, and four harmless ones before.
    assert figures.audited == 44 + figures.lost_creations
    assert figures.ledger.acknowledgements > 500
    said = as_json(figures, {"seed": 1})
    assert (said["settings"], said["kills"], said["faults"]) == ({"seed": 1}, 3, [])
    assert "        3  kills (SIGKILL)" in as_text(said)


def test_the_same_seed_gives_the_same_plans() -> None:
    """Another one gives others."""
    assert plans(60, 5, SMALL) == plans(60, 5, SMALL)
    assert plans(60, 5, SMALL) != plans(60, 6, SMALL)


@pytest.mark.parametrize(
    ("seats", "clock", "manner", "organiser", "expected"),
    [
        (2, Clock.NONE, Manner.WELL, Organiser.NOTHING, Expected("PLAYED")),
        (2, Clock.FORFEIT, Manner.HANGS, Organiser.NOTHING, Expected("FORFEITED", {1: "TIME_OUT"})),
        (3, Clock.FORFEIT, Manner.LATE, Organiser.NOTHING, Expected("PLAYED", {1: "TIME_OUT"})),
        (4, Clock.AUTOMATIC, Manner.CRASHES, Organiser.NOTHING, Expected("PLAYED")),
        (4, Clock.NONE, Manner.HANGS, Organiser.RESIGNS, Expected("FORFEITED", {1: "RESIGNED"})),
        (3, Clock.NONE, Manner.CRASHES, Organiser.RESIGNS, Expected("PLAYED", {1: "RESIGNED"})),
        (2, Clock.NONE, Manner.CRASHES, Organiser.CANCELS, Expected("CANCELLED")),
        (2, Clock.NONE, Manner.ABSENT, Organiser.NOTHING, Expected("NOT_JOINED")),
        (2, Clock.NONE, Manner.ABSENT, Organiser.CANCELS, Expected("CANCELLED")),
        (
            2,
            Clock.NONE,
            Manner.GARBAGE_ONLY,
            Organiser.NOTHING,
            Expected("FORFEITED", {1: "REFUSALS"}),
        ),
    ],
)
def test_what_a_plan_must_come_to(
    seats: int, clock: Clock, manner: Manner, organiser: Organiser, expected: Expected
) -> None:
    """With two or four seats a forfeit ends the match, with three the others play on."""
    manners = [Manner.WELL, manner, Manner.TWICE, Manner.RETURNS][:seats]
    assert _plan(seats, clock, manners, organiser).expected == expected


def _plan(
    seats: int, clock: Clock, manners: list[Manner], organiser: Organiser = Organiser.NOTHING
) -> MatchPlan:
    return MatchPlan(
        number=0,
        rule_set="sarii",
        target=None,
        seats=seats,
        clock=clock,
        terms=MatchTerms(),
        way=Way.CALLS,
        manners=manners,
        patience=0,
        organiser=organiser,
        spectator=False,
    )


def _accepted(sequence: int, request_id: str = "0-1", decision: int = 4) -> LogRecord:
    accepted = MoveAccepted(seat=0, decision_id=decision, request_id=request_id, move=_MOVE)
    return LogRecord(sequence=sequence, move_accepted=accepted)


_PLAYED = LogRecord(sequence=9, match_result=MatchResult(reason=END_REASON_PLAYED))
_CANCELLED = LogRecord(sequence=9, match_result=MatchResult(reason=END_REASON_CANCELLED))
_FORFEIT = LogRecord(
    sequence=8, forfeit_declared=ForfeitDeclared(seat=0, reason=FORFEIT_REASON_REFUSALS)
)


@pytest.mark.parametrize(
    ("records", "found"),
    [
        ([_accepted(5), _PLAYED], []),
        ([_PLAYED], ["an acknowledged move is not in the log as it was acknowledged"]),
        ([_accepted(6), _PLAYED], ["an acknowledged move is not in the log as it was"]),
        ([_accepted(5, decision=3), _PLAYED], ["an acknowledged move is not in the log as it was"]),
        (
            [_accepted(5), _accepted(6, decision=5), _PLAYED],
            ["seat 0's request 0-1 is in the log 2 times"],
        ),
        ([_accepted(5), _accepted(6, "0-2"), _PLAYED], ["seat 0 answered decision 4 2 times"]),
        (
            [_accepted(5), _accepted(6, "0-3", 5), _PLAYED],
            ["seat 0's request 0-3 was refused and is in the log"],
        ),
        (
            [_accepted(5), _accepted(6, "0-4", 5), _PLAYED],
            ["seat 0 never sent the request 0-4 that is in the log"],
        ),
        ([_accepted(5)], ["ended  with forfeits {}; its story is PLAYED"]),
        ([_accepted(5), _CANCELLED], ["ended CANCELLED with forfeits {}; its story is PLAYED"]),
        (
            [_accepted(5), _FORFEIT, _PLAYED],
            ["ended PLAYED with forfeits {0: 'REFUSALS'}; its story is PLAYED with {}"],
        ),
    ],
)
def test_the_judge_finds_what_is_not_as_it_was_told(
    records: list[LogRecord], found: list[str]
) -> None:
    """Seat 0 was told that its request 0-1 is record 5; 0-2 is unknown and 0-3 was refused."""
    ledger = Ledger()
    for request_id in ("0-1", "0-2", "0-3"):
        ledger.sends("m", 0, request_id)
    ledger.acknowledges("m", 0, "0-1", 4, 5, _MOVE)
    ledger.refuses("m", 0, "0-3", "STALE_DECISION")
    plan = _plan(2, Clock.NONE, [Manner.WELL, Manner.WELL])
    said = list(faults(plan, Story(records), ledger, "m"))
    assert len(said) == len(found)
    for one, beginning in zip(said, found, strict=True):
        assert one.startswith(beginning)


def test_a_hidden_move_is_judged_by_what_opens_it() -> None:
    """Another move behind the commitment is not the one that was acknowledged."""
    ledger = Ledger()
    ledger.sends("m", 0, "0-1")
    ledger.acknowledges("m", 0, "0-1", 4, 5, _MOVE)
    plan = _plan(2, Clock.NONE, [Manner.WELL, Manner.WELL])
    hidden = _accepted(5)
    hidden.move_accepted.ClearField("move")
    hidden.move_accepted.commitment = bytes(32)
    said = []
    for move in (_MOVE, _OTHER):
        opening = CommitmentOpening(sequence=5, payload=move.SerializeToString())
        records = [hidden, _PLAYED, LogRecord(sequence=10, opening=opening)]
        said.append(len(list(faults(plan, Story(records), ledger, "m"))))
    assert said == [0, 1]


def test_a_match_of_which_nobody_knows_must_have_been_cancelled_untouched() -> None:
    """Its creation was never answered, so nobody has played it."""
    ledger = Ledger()
    assert list(faults(None, Story([_CANCELLED]), ledger, "m")) == []
    assert len(list(faults(None, Story([_PLAYED]), ledger, "m"))) == 1
    assert len(list(faults(None, Story([_accepted(5), _CANCELLED]), ledger, "m"))) == 1


def test_the_referees_log_must_have_no_errors_and_nothing_but_log_lines(tmp_path: Path) -> None:
    """Warnings are counted; an error, and a line that is no JSON, are faults."""
    log = tmp_path / "log"
    log.write_text('{"level": "info"}\n{"level": "warning"}\n')
    ledger = Ledger()
    assert log_levels(log, ledger.fault) == {"info": 1, "warning": 1}
    assert ledger.faults == []
    log.write_text('{"level": "error", "event": "commit failed"}\nTraceback\n')
    assert log_levels(log, ledger.fault) == {"error": 1, "not JSON": 1}
    assert ledger.faults == [
        'the referee\'s log: {"level": "error", "event": "commit failed"}',
        "the referee's log: Traceback",
    ]
