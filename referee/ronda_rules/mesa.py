"""Mesa: a capture that leaves the table empty (clauses MESA-1 to MESA-4)."""

from ronda_rules.cards import CardSet
from ronda_rules.rule_set import MesaExcluded
from ronda_rules.state import MatchState


def mesa_points(state: MatchState, table: CardSet) -> int:
    """Give what a capture that leaves this table scores as a mesa; 0 where it is none.

    A held pile is not on the table (clause MESA-4).
    """
    return 0 if table or mesa_excluded(state) else state.rules.mesa


def mesa_excluded(state: MatchState) -> bool:
    """Whether the card that has just been played earns no mesa (clause MESA-3)."""
    match state.rules.mesa_excluded:
        case MesaExcluded.NONE:
            return False
        case MesaExcluded.LAST_CARD:
            return state.last_card_played
        case MesaExcluded.LAST_BATCH:
            return state.last_batch
