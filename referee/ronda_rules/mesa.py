"""Mesa: a capture that leaves the table empty (clauses MESA-1 to MESA-3)."""

from ronda_rules.rule_set import MesaExcluded
from ronda_rules.state import MatchState


def mesa_points(state: MatchState) -> int:
    """Give what the capture that led to this state scores as a mesa; 0 where it is none."""
    if state.table or _excluded(state):
        return 0
    return state.rules.mesa


def _excluded(state: MatchState) -> bool:
    match state.rules.mesa_excluded:
        case MesaExcluded.NONE:
            return False
        case MesaExcluded.LAST_CARD:
            return state.last_batch and state.hands_empty
        case MesaExcluded.LAST_BATCH:
            return state.last_batch
