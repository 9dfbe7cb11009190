"""What is written by others, made fit to be shown, and how seats and sides are called."""

import unicodedata
from collections.abc import Iterable, Mapping

from ronda_conformance.event_sentences import Sentences
from ronda_conformance.glossary import Glossary

LONGEST_NAME = 40
LONGEST_TEXT = 2000

_SEATS_IN_PAIRS = 4
_SEAT_COUNTS = (2, 3, 4)
# First strong isolate and its end: what stands between does not turn the text around it.
_ISOLATE, _END = "\u2068", "\u2069"
# Behind a name of the other direction, so that the numbers that follow keep the text's own.
_MARKS = {"ltr": "\u200e", "rtl": "\u200f"}
_DIRECTIONS = {"L": "ltr", "R": "rtl", "AL": "rtl"}


def direction_of(text: str, *, last: bool = False) -> str:
    """Give the direction of a text's first letter, or of its last; empty: it has none."""
    found = [_DIRECTIONS[one] for one in map(unicodedata.bidirectional, text) if one in _DIRECTIONS]
    return found[-1 if last else 0] if found else ""


def printable(text: str, longest: int = LONGEST_TEXT) -> str:
    """Give a text from outside on one line, not too long, and without anything that steers."""
    shown = "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text[: longest + 1]
    )
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def side_of(seat: int, seats: int) -> int:
    """Give a seat's side (clause DEAL-2)."""
    return seat % 2 if seats == _SEATS_IN_PAIRS else seat


def sides_of(seats: int) -> list[int]:
    """Give the sides of a match; none where it cannot have so many seats."""
    if seats not in _SEAT_COUNTS:
        return []
    return list(range(2 if seats == _SEATS_IN_PAIRS else seats))


class Names:
    """How the seats and sides of a match are called.

    Args:
        glossary: the language.
        seats: how many there are; 0: unknown.
        names: what the players of the seats call themselves.
        latin: whether everything but the names is said in Latin letters.
        isolated: whether names get the marks that keep their direction to themselves.
    """

    def __init__(
        self,
        glossary: Glossary,
        seats: int,
        names: Mapping[int, str],
        *,
        latin: bool = False,
        isolated: bool = False,
    ) -> None:
        self._plain = Sentences(glossary, latin=latin)
        self._seats = seats
        self._names = names
        self._isolated = isolated
        self._direction = "ltr" if latin else glossary.direction

    def player(self, seat: int) -> str:
        """Give the name alone, or a dash."""
        name = printable(self._names.get(seat, ""), LONGEST_NAME).strip() or "-"
        return f"{_ISOLATE}{name}{_END}" if self._isolated else name

    def seat(self, seat: int) -> str:
        """Give `Amina (0)`, or the seat's number where nobody has a name there."""
        if not self._names.get(seat, "").strip():
            return self._plain.seat(seat)
        name = self.player(seat)
        turned = not self._isolated and direction_of(name, last=True) not in {"", self._direction}
        return f"{name}{_MARKS[self._direction] if turned else ''} ({seat})"

    def side(self, side: int) -> str:
        """Give the names of a side's seats."""
        if self._seats == _SEATS_IN_PAIRS and side in sides_of(self._seats):
            both = {"first": self.seat(side), "second": self.seat(side + 2)}
            return self._plain.say("forms", "partners", **both)
        return self.seat(side) if side in sides_of(self._seats) else self._plain.side(side)


def names_in(joined: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Give each seat's name; where a log gives it two the first counts."""
    found: dict[int, str] = {}
    for seat, name in joined:
        found.setdefault(seat, name)
    return found
