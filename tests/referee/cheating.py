"""Logs of a referee that cheats and signs what it says.

Every one is numbered, chained and signed as it should be, under the right key.
"""

from functools import cache

from ronda.v1 import event_pb2, log_pb2
from ronda_referee.audit import Finding
from tests.referee.played_logs import (
    FIXED,
    PlayedMatch,
    audit,
    first_card,
    maghribi,
    rewrite,
)

Records = list[log_pb2.LogRecord]

# Records of the log of FIXED: 0 header, 1 and 2 joins, 3 match, 4 deal, 5 batch, 6 and 7 hands,
# 8 table, then turns of three records each and, in the second turn, an award.
FIRST_HAND, SECOND_HAND, TABLE, FIRST_MOVE, FIRST_AWARD = 6, 7, 8, 9, 15
RESULT, FIRST_OPENING, SIGNATURE = 137, 138, 150


def played() -> Records:
    """Give the records of one deal of fixed draws."""
    return [log_pb2.LogRecord.FromString(data) for data in _played()]


@cache
def _played() -> list[bytes]:
    match = PlayedMatch(maghribi(1), fixed=FIXED, policy=first_card)
    return [row.record for row in match.rows]


@cache
def bluffed_match() -> PlayedMatch:
    """Play a match of three seats with all sorts of announcements."""
    return PlayedMatch(maghribi(25), 3)


def bluffed() -> Records:
    """Give the records of a match of three seats with all sorts of announcements."""
    return bluffed_match().records


def found(records: Records) -> Finding:
    """Write the records as a cheating referee would and give what the audit finds."""
    report = audit(rewrite(records))
    assert report.finding is not None
    return report.finding


def event(record: log_pb2.LogRecord) -> event_pb2.Event:
    """Give the event that a record logs, to be changed in place."""
    return record.event_logged.event


def lay_another(e: event_pb2.Event) -> None:
    """Lay a card of another suit."""
    e.card_laid.card.suit = e.card_laid.card.suit % 4 + 1  # type: ignore[assignment]  # 1 to 4
