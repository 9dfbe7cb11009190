"""What chance decides in a match, as it follows from the seed and from what the seats brought."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ronda_referee.errors import StoreDamaged
from ronda_referee.shuffle import FixedDrawsExhausted, MatchDraws
from ronda_rules.cards import Card
from ronda_rules.engine import advance
from ronda_rules.errors import DrawError
from ronda_rules.events import Event
from ronda_rules.state import MatchState


@dataclass(frozen=True, slots=True)
class Joined:
    """What a seat brought when it was taken: a name, and bytes of its own for the shuffle."""

    name: str
    entropy: bytes


class Chance:
    """Draws for one match that has started."""

    __slots__ = ("_draws", "_match_id")

    def __init__(self, match_id: str, key: bytes, fixed: Sequence[Card] | None) -> None:
        """Draw by a match key of 32 bytes, or what an organiser has fixed."""
        self._match_id = match_id
        self._draws = MatchDraws(key, fixed)

    def unfold(
        self, state: MatchState, events: Iterable[Event]
    ) -> tuple[MatchState, Sequence[Event]]:
        """Go on from events through all that chance decides, up to a seat's decision or the end.

        `state` is the one after the events. Where fixed draws are used up it ends too.

        Raises:
            StoreDamaged: the draws cannot be made. No seat is to blame for it, so it must not pass
                as the refusal of a move.
        """
        unfolded = list(events)
        try:
            while (drawn := self._draws.answer(state)) is not None:
                state, events = advance(state, drawn)
                unfolded += events
        except FixedDrawsExhausted:
            pass
        except DrawError as error:
            raise StoreDamaged(self._match_id, f"its draws cannot be made: {error}") from error
        return state, unfolded
