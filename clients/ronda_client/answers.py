"""What the referee answers, where that is more than one value."""

from dataclasses import dataclass, field

from ronda.v1.decision_pb2 import Decision
from ronda.v1.view_pb2 import PublicView, SeatView


@dataclass(frozen=True, slots=True)
class CreatedMatch:
    """A match that was created.

    Attributes:
        match_id: Its id, which is public.
        seat_tokens: A token for each seat, by seat. Whoever has it plays the seat, and it is not
            to be had again; it is left out where the match is printed.
    """

    match_id: str
    seat_tokens: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class CurrentView:
    """What is to be seen of a match now.

    Attributes:
        next_sequence: The sequence number that the next record of the log will have.
        view: The seat's view, or the public one without a token.
        decision: What the seat is asked; None where it need not act.
    """

    next_sequence: int
    view: SeatView | PublicView
    decision: Decision | None
