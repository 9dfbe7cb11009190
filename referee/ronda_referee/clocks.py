"""The seats' clocks: how long a decision is open, and what an answer takes from the bank (LOG-13).

Everything is reckoned in the match's own time, milliseconds since the match was created without
those in which the referee was down, and from the log alone: the record that opens a decision and
the one that answers it. So a replay runs out of time exactly where the match did.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ronda.v1 import match_terms_pb2


@dataclass(frozen=True, slots=True)
class Stamp:
    """When something happens.

    Attributes:
        time_ms: the referee's clock, milliseconds since 1970 UTC.
        clock_ms: the match's own clock, milliseconds since it was created.
    """

    time_ms: int
    clock_ms: int


@dataclass(frozen=True, slots=True)
class Clock:
    """A seat's clock, as it stands.

    Attributes:
        bank_ms: what is in its bank.
        deadline: the match's time from which it is too late; None: it is asked nothing.
    """

    bank_ms: int
    deadline: int | None

    def milliseconds_left(self, clock_ms: int) -> int:
        """Give those until its deadline while the seat must act, otherwise those in its bank."""
        return self.bank_ms if self.deadline is None else max(0, self.deadline - clock_ms)


class Clocks:
    """The clocks of one match's seats."""

    def __init__(self, control: match_terms_pb2.TimeControl, seats: int) -> None:
        """Fill each seat's bank; no clock runs yet."""
        self._per_move = control.per_move_ms
        self._increment = control.increment_ms
        self._banks = [control.bank_ms] * seats
        self._opened: dict[int, int] = {}

    def open(self, seat: int, clock_ms: int) -> None:
        """Start a seat's clock: it is asked something."""
        self._opened[seat] = clock_ms

    def deadline(self, seat: int) -> int | None:
        """Give the match's time from which a seat is too late, or None where it is asked nothing.

        An answer at the deadline itself is too late.
        """
        opened = self._opened.get(seat)
        return None if opened is None else opened + self._per_move + self._banks[seat]

    def first_deadline(self, seats: Iterable[int]) -> int | None:
        """Give the match's time from which one of these seats is too late first; None: never."""
        first = None
        for seat in seats:
            deadline = self.deadline(seat)
            if deadline is not None and (first is None or deadline < first):
                first = deadline
        return first

    def late(self, seats: Iterable[int], order: Sequence[int], clock_ms: int) -> list[int]:
        """Give those of these seats that are too late by now, the earliest deadline first.

        Of one deadline the seat comes first that does so in `order`.
        """
        deadlines = ((self.deadline(seat), order.index(seat), seat) for seat in seats)
        late = [one for one in deadlines if one[0] is not None and one[0] <= clock_ms]
        return [seat for _, _, seat in sorted(late)]

    def answer(self, seat: int, clock_ms: int) -> None:
        """Stop a seat's clock at its own answer: it pays from its bank and gets the increment."""
        over = clock_ms - self._opened.pop(seat) - self._per_move
        self._banks[seat] += self._increment - max(0, over)

    def run_out(self, seat: int) -> None:
        """Stop the clock of a seat whose time is up: nothing is left in its bank."""
        self._opened.pop(seat)
        self._banks[seat] = 0

    def stop(self, seat: int) -> None:
        """Stop a seat's clock without an answer of its own; its bank stays."""
        self._opened.pop(seat, None)

    def standing(self) -> tuple[Clock, ...]:
        """Give every seat's clock, by seat."""
        return tuple(Clock(bank, self.deadline(seat)) for seat, bank in enumerate(self._banks))
