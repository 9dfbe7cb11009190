"""The audit of time: the clocks are run again from the records, and nobody was too late unseen."""

from ronda.v1 import log_pb2, match_terms_pb2
from ronda_referee.audit.records import Place
from ronda_referee.audit.report import FindingKind
from ronda_referee.clocks import Clocks


class Timing:
    """The clocks of a match as its records have them.

    Attributes:
        terms: the terms of the match.
    """

    def __init__(self, terms: match_terms_pb2.MatchTerms, seats: int) -> None:
        """Begin before anybody is asked anything."""
        self.terms = terms
        timed = terms.HasField("time_control")
        self._clocks = Clocks(terms.time_control, seats) if timed else None

    def open(self, seat: int, clock_ms: int) -> None:
        """Start a seat's clock."""
        if self._clocks is not None:
            self._clocks.open(seat, clock_ms)

    def stop(self, seat: int) -> None:
        """Stop a seat's clock without an answer of its own."""
        if self._clocks is not None:
            self._clocks.stop(seat)

    def deadline(self, seat: int) -> int | None:
        """Give the time from which a seat is too late; None: no clock of it runs."""
        return None if self._clocks is None else self._clocks.deadline(seat)

    def check_deadline(
        self, place: Place, record: log_pb2.MoveAccepted | log_pb2.ForfeitDeclared
    ) -> None:
        """Check that a record names the deadline of the decision that it is about.

        Raises:
            Found: it names another one.
        """
        expected = self.deadline(record.seat)
        recorded = record.deadline_ms if record.HasField("deadline_ms") else None
        if recorded != expected:
            place.find(
                FindingKind.CLOCK_WRONG,
                f"seat {record.seat} had another deadline",
                recorded=_time(recorded),
                expected=_time(expected),
            )

    def check_nobody_late(self, place: Place) -> None:
        """Check that no seat's time had run out before something else was recorded.

        Raises:
            Found: one was too late, and nothing was made of it.
        """
        clock = place.record.clock_ms
        for seat, standing in enumerate(self._clocks.standing() if self._clocks else ()):
            if standing.deadline is not None and standing.deadline <= clock:
                place.find(
                    FindingKind.CLOCK_WRONG,
                    f"the time of seat {seat} had run out, and nothing was made of it",
                    recorded=f"at {clock} ms",
                    expected=f"before {standing.deadline} ms",
                )

    def check_late(self, place: Place, seat: int, order: tuple[int, ...]) -> None:
        """Check that a seat's time had run out, and no other seat's before; `order`: of play.

        Raises:
            Found: it had time left, or another seat comes first.
        """
        clock = place.record.clock_ms
        deadline = self.deadline(seat)
        if deadline is None or clock < deadline:
            place.find(
                FindingKind.CLOCK_WRONG,
                f"the time of seat {seat} had not run out",
                recorded=f"at {clock} ms",
                expected=f"at {_time(deadline)} or later",
            )
        for other in order:
            before = self.deadline(other)
            if before is not None and (before, order.index(other)) < (deadline, order.index(seat)):
                place.find(
                    FindingKind.CLOCK_WRONG,
                    f"the time of seat {other} ran out before that of seat {seat}",
                    recorded=f"seat {seat}",
                    expected=f"seat {other}",
                )

    def answer(self, seat: int, clock_ms: int) -> None:
        """Stop a seat's clock at its own answer."""
        if self._clocks is not None:
            self._clocks.answer(seat, clock_ms)

    def run_out(self, seat: int) -> None:
        """Stop the clock of a seat whose time is up."""
        if self._clocks is not None:
            self._clocks.run_out(seat)


def _time(clock_ms: int | None) -> str:
    return "no time, for no clock ran" if clock_ms is None else f"{clock_ms} ms"
