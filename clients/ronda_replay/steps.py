"""A log as the steps of a match: its events and what the referee recorded beside them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ronda.v1 import event_pb2, log_pb2
from ronda_replay.names import names_in
from ronda_replay.table import Table

Opened = Callable[[int, bytes], event_pb2.Event | None]
"""Gives the event behind the commitment of a record; None where no opening fits."""

# Only its own seat sees these in full.
_HIDDEN = ("hand_dealt", "announcement_sealed")

# Events that follow from what a seat did; they belong to its turn.
OF_A_TURN = frozenset(
    {
        "cards_captured",
        "card_laid",
        "cards_held",
        "chain_closed",
        "play_awarded",
        "cards_due",
        "cards_paid",
        "award_withdrawn",
        "announcements_awarded",
        "false_announcement_penalised",
        "duty_awarded",
    }
)


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that a log tells.

    Attributes:
        record: the record of the log that tells it.
        number: that record's place in the log, from 0.
        kind: the field of `ronda.v1.Event` where it is an event, else that of the record.
        event: the event, opened where that is possible; None where it is none.
        automatic: whether the referee moved in the seat's stead.
        openings: how many openings have come before.
    """

    record: log_pb2.LogRecord
    number: int
    kind: str
    event: event_pb2.Event | None = None
    automatic: bool = False
    openings: int = 0

    def seen_by(self, seat: int | None) -> event_pb2.Event | None:
        """Give the event as a seat saw it when it happened, None for nothing at all.

        A seat sees no hand but its own, and of the others' sealed answers not even that they have
        come. `seat` None: whoever sees everything.
        """
        if self.event is None or seat is None or self.kind not in _HIDDEN:
            return self.event
        if getattr(self.event, self.kind).seat == seat:
            return self.event
        if self.kind == "announcement_sealed":
            return None
        dealt = self.event.hand_dealt
        shown = event_pb2.HandDealt(
            seat=dealt.seat, card_count=dealt.card_count or len(dealt.cards)
        )
        return event_pb2.Event(hand_dealt=shown)


@dataclass(frozen=True, slots=True)
class Match:
    """What a log says of a match as a whole.

    Attributes:
        header: its header; an empty one where the log has none.
        names: the names of its players by seat.
        opened: whether what was hidden has been opened.
    """

    header: log_pb2.LogHeader
    names: dict[int, str]
    opened: bool


def match_of(records: Sequence[log_pb2.LogRecord]) -> Match:
    """Give what a log's records say of the match as a whole."""
    headers = (record.header for record in records if record.HasField("header"))
    joined = [record.seat_joined for record in records if record.HasField("seat_joined")]
    return Match(
        next(headers, log_pb2.LogHeader()),
        names_in((one.seat, one.name) for one in joined),
        any(record.HasField("opening") for record in records),
    )


def new_table(match: Match) -> Table:
    """Give the table before the first step."""
    table = Table()
    table.start(match.header.seats, match.header.rule_set.scoring)
    return table


def steps_of(records: Sequence[log_pb2.LogRecord], opened: Opened) -> Iterator[Step]:
    """Give a log's steps in order; moves and openings are none, for events tell what came of them.

    Args:
        records: the log, as far as it can be read.
        opened: finds what stands behind a commitment.
    """
    openings = 0
    automatic: int | None = None
    for number, record in enumerate(records):
        which = record.WhichOneof("record") or ""
        match which:
            case "event_logged":
                event = _opened(record, opened)
                kind = event.WhichOneof("event") or ""
                by_referee = automatic is not None and _is_of(event, kind, automatic)
                yield Step(record, number, kind, event, by_referee)
                automatic = None
            case "move_accepted":
                accepted = record.move_accepted
                automatic = accepted.seat if accepted.automatic else None
            case "opening":
                openings += 1
            case _:
                automatic = None
                yield Step(record, number, which, openings=openings)


def _is_of(event: event_pb2.Event, kind: str, seat: int) -> bool:
    """Tell whether an event is what a seat's move brought about first."""
    message = getattr(event, kind, None)
    fields = message.DESCRIPTOR.fields_by_name if message is not None else {}
    return "seat" in fields and getattr(message, "seat", None) == seat


def _opened(record: log_pb2.LogRecord, opened: Opened) -> event_pb2.Event:
    """Give an event in full; where the opening is another event, as everyone may see it."""
    logged = record.event_logged
    kind = logged.event.WhichOneof("event")
    if not logged.commitment or kind not in _HIDDEN:
        return logged.event
    event = opened(record.sequence, logged.commitment)
    if event is None or event.WhichOneof("event") != kind:
        return logged.event
    same_seat = getattr(event, kind).seat == getattr(logged.event, kind).seat
    return event if same_seat else logged.event
