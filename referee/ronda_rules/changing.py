"""Changing a state: what `dataclasses.replace` does, in a tenth of its time.

Every event changes a state, which has many fields; half of the engine's time would go into that.
"""

from typing import TYPE_CHECKING

from ronda_rules.state import DECISION, MatchState

if TYPE_CHECKING:
    # A type checker looks at the fields and values given for this one alone.
    from dataclasses import replace as changed
else:

    def changed(state: MatchState, **changes: object) -> MatchState:
        """Give a copy of a state with other values for some fields."""
        copy = object.__new__(MatchState)
        # A frozen state refuses to be set; its dictionary does not.
        fields = vars(copy)
        fields.update(vars(state), **changes)
        fields.pop(DECISION, None)
        return copy


__all__ = ["changed"]
