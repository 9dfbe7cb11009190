"""What the bots share: which of the legal moves announce, and which of those are true."""

from collections.abc import Iterable

from ronda.v1.decision_pb2 import Decision
from ronda.v1.move_pb2 import Move
from ronda.v1.rule_set_pb2 import AnnouncementKind

# The best first: a tringa beats any ronda, and a double is worth more than a single.
KINDS_BEST_FIRST = (
    AnnouncementKind.ANNOUNCEMENT_KIND_TRINGA,
    AnnouncementKind.ANNOUNCEMENT_KIND_DOUBLE_RONDA,
    AnnouncementKind.ANNOUNCEMENT_KIND_RONDA,
)


def without_false_announcements(decision: Decision) -> list[Move]:
    """Return the legal moves without the announcements that the hand does not make true."""
    return [
        move
        for move in decision.legal_moves
        if not move.HasField("announce") or move.announce.kind in decision.true_announcements
    ]


def best_true_announcement(decision: Decision) -> Move | None:
    """Return the move that announces the best true kind; None where nothing true can be said."""
    for kind in KINDS_BEST_FIRST:
        for move in without_false_announcements(decision):
            if move.HasField("announce") and move.announce.kind == kind:
                return move
    return None


def moves_of(moves: Iterable[Move], what: str) -> list[Move]:
    """Return the moves of one sort: `announce`, `pass`, `play`, `challenge` or `claim`."""
    return [move for move in moves if move.WhichOneof("move") == what]
