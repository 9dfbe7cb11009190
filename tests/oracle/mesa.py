"""MESA-1 and MESA-3: emptying the table, and the cards that earn nothing by it."""

from ronda.v1 import rule_set_pb2
from tests.oracle.match import Match


def is_excluded(m: Match) -> bool:
    """Tell whether the card that has just left its hand earns no mesa (MESA-3)."""
    if m.rules.mesa_excluded == rule_set_pb2.MESA_EXCLUDED_LAST_CARD:
        return m.last_batch and not any(m.hands)
    if m.rules.mesa_excluded == rule_set_pb2.MESA_EXCLUDED_LAST_BATCH:
        return m.last_batch
    return False


def earned(m: Match) -> int:
    """Tell the points of a mesa that the capture just made earns (MESA-1)."""
    return 0 if m.table or is_excluded(m) else m.rules.mesa
