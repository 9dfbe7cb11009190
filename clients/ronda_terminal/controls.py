"""What keys and clicks do at a table."""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from ronda.v1.move_pb2 import Move
from ronda_replay.table import Card, cards_of
from ronda_terminal.actions import Action, actions_of, why_not
from ronda_terminal.sight import Sight

QUIT_KEY = "q"
HINTS_KEY = "h"
HELP_KEY = "?"
PAUSE_KEY = "space"
CHOOSE_KEY = "enter"
_ARABIC_QUESTION_MARK = "؟"
# They would choose, or play, a card that is hidden behind the help; so would digits.
_OF_CARDS = frozenset({"left", "right", CHOOSE_KEY})


class Leaving(Enum):
    """What a person may answer to whether the match is to be left."""

    RESIGN = "resign"
    LEAVE = "leave"
    STAY = "stay"


@dataclass(frozen=True, slots=True)
class Seating:
    """What a person is at a table.

    Attributes:
        plays: whether there is a seat to play; else one watches.
        resigns: whether to leave it one may resign at a referee.
        returns: whether one may leave it and come back.
        pauses: whether what is shown can be held up.
    """

    plays: bool = True
    resigns: bool = False
    returns: bool = False
    pauses: bool = False


class Controls:
    """The keys of a table, whatever shows it.

    Attributes:
        sight: what is seen.
        seating: what the person is.
        hints: whether hints are shown.
        place: which of the actions is chosen, from 0.
        message: what the last key has to be told.
        asking: whether it is asked if the match is to be left.
        helping: whether it is shown what the keys do.
        paused: whether what comes is held up.
    """

    def __init__(
        self,
        sight: Sight,
        seating: Seating,
        *,
        hints: bool = False,
        answer: Callable[[Move], None] | None = None,
        leave: Callable[[Leaving], None] | None = None,
        pause: Callable[[bool], None] | None = None,
    ) -> None:
        """Take what is seen, and what is called with a move, a way of leaving and a pause."""
        self.sight = sight
        self.seating = seating
        self.hints = hints
        self.place = 0
        self.message = ""
        self.asking = False
        self.helping = False
        self.paused = False
        self._answer = answer
        self._leave = leave
        self._pause = pause

    @property
    def actions(self) -> list[Action]:
        """What the seat may do now; nothing while its answer is under way."""
        turn = self.sight.turn
        if turn is None or self.sight.sent:
            return []
        return actions_of(turn, self.sight.words)

    @property
    def chosen(self) -> Action | None:
        """The action that enter does; None: there is none."""
        actions = self.actions
        return actions[min(self.place, len(actions) - 1)] if actions else None

    @property
    def hand(self) -> list[Card]:
        """The seat's cards, in the order dealt."""
        if self.sight.turn is not None and not self.sight.sent:
            return cards_of(self.sight.turn.view.hand)
        held = self.sight.table.hands.get(-1 if self.sight.seat is None else self.sight.seat)
        return list(held.cards or ()) if held is not None else []

    @property
    def leavings(self) -> dict[str, tuple[Leaving, str]]:
        """The keys that answer whether the match is to be left, and what they are called."""
        found: dict[str, tuple[Leaving, str]] = {}
        if self.seating.resigns:
            found["r"] = (Leaving.RESIGN, "resign")
        if self.seating.returns:
            found["l"] = (Leaving.LEAVE, "leave_seat")
        elif not self.seating.resigns:
            found["l"] = (Leaving.LEAVE, "leave")
        found["s"] = (Leaving.STAY, "stay")
        return found

    @property
    def over(self) -> bool:
        """Whether there is nothing to stay for but to look."""
        sight = self.sight
        return sight.ended is not None or sight.log_ended or bool(sight.failure)

    def press(self, key: str) -> None:
        """Do what a key does, or say why it does nothing.

        Args:
            key: its character, or `left`, `right`, `enter`, `escape`, `space`.
        """
        key = _plain(key)
        self.message = ""
        if self.asking:
            self._press_leaving(key)
        elif key == HELP_KEY:
            self.helping = not self.helping
        elif self.helping and (key in _OF_CARDS or key.isdigit()):
            self.helping = False
        else:
            self.helping = False
            self._press_at_table(key)

    def _press_at_table(self, key: str) -> None:
        if key == QUIT_KEY:
            self._quit()
        elif key == HINTS_KEY and self.seating.plays:
            self.hints = not self.hints
        elif key == PAUSE_KEY and self.seating.pauses:
            self.paused = not self.paused
            if self._pause is not None:
                self._pause(self.paused)
        elif key in {"left", "right"}:
            self._move(1 if key == "right" else -1)
        elif key == CHOOSE_KEY:
            self._do(self.chosen, key)
        elif key != "escape":
            self._do(next((one for one in self.actions if one.key == key), None), key)

    def _do(self, action: Action | None, key: str) -> None:
        sight = self.sight
        if action is not None and self._answer is not None:
            self.place = 0
            self._answer(action.move)
        elif not self.seating.plays or self.over:
            self.message = sight.words.say("unknown_key", key=key)
        elif key == CHOOSE_KEY or sight.sent:
            self.message = sight.words.say("not_asked")
        else:
            self.message = why_not(key, sight.turn, self.hand, sight.rules, sight.words)

    def _move(self, by: int) -> None:
        count = len(self.actions)
        if count:
            self.place = (min(self.place, count - 1) + by) % count

    def _quit(self) -> None:
        if self.over or not self.seating.plays:
            self._go(Leaving.LEAVE)
        else:
            self.asking = True

    def _press_leaving(self, key: str) -> None:
        if key == "escape":
            self.asking = False
        elif key in self.leavings:
            self.asking = False
            leaving = self.leavings[key][0]
            if leaving is not Leaving.STAY:
                self._go(leaving)
        else:
            self.message = self.sight.words.say("unknown_key", key=key)

    def _go(self, leaving: Leaving) -> None:
        if self._leave is not None:
            self._leave(leaving)


def _plain(key: str) -> str:
    """Give a key in small letters, and what another script has for a digit or `?` as these."""
    if key == _ARABIC_QUESTION_MARK:
        return HELP_KEY
    if len(key) == 1:
        digit = unicodedata.digit(key, None)
        return key.lower() if digit is None else str(digit)
    return key
