"""What each watcher may know of a match at each record, from the log after its end (CALL-17)."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from google.protobuf.message import DecodeError, Message

from ronda.v1 import card_pb2, event_pb2, log_pb2, move_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_conformance.cards import MalformedCardError, card_text


@dataclass
class Knowledge:
    """Who may know which card when.

    Attributes:
        last: the number of the last record before the end; from the next one on all is open.
        hidden: for each record that hides something: whose it is, the nonce and what is hidden.
    """

    last: int
    hidden: dict[int, tuple[int, bytes, bytes]]
    _public: list[frozenset[str]] = field(default_factory=list)
    _own: dict[int, list[frozenset[str]]] = field(default_factory=dict)

    def cards(self, seat: int | None, sequence: int) -> frozenset[str]:
        """Give the cards of this deal that a watcher may know after a record."""
        number = max(0, min(sequence, len(self._public) - 1))
        known = self._public[number]
        return known if seat is None else known | self._own[seat][number]


def knowledge_of(records: list[log_pb2.LogRecord], seats: int) -> Knowledge:
    """Work out what may be known, from a whole log."""
    openings = {one.opening.sequence: one.opening for one in records if one.HasField("opening")}
    result = next(one.sequence for one in records if one.HasField("match_result"))
    hidden: dict[int, tuple[int, bytes, bytes]] = {}
    knowledge = Knowledge(result - 1, hidden)
    public: set[str] = set()
    own: dict[int, set[str]] = {seat: set() for seat in range(seats)}
    knowledge._own = {seat: [] for seat in range(seats)}  # noqa: SLF001  # being made
    for record in records[:result]:
        event = record.event_logged.event
        kind = event.WhichOneof("event") or ""
        opening = openings.get(record.sequence)
        if opening is not None:
            owner = getattr(event, kind).seat if kind else record.move_accepted.seat
            hidden[record.sequence] = (owner, opening.nonce, opening.payload)
        if kind == "deal_started":
            public.clear()
            for cards in own.values():
                cards.clear()
        elif kind == "hand_dealt" and opening is not None:
            full = event_pb2.Event.FromString(opening.payload).hand_dealt
            own[full.seat] |= {card_text(card) for card in full.cards}
        # A move stands before the event that says so.
        public |= set(cards_in(event)) | set(cards_in(record.move_accepted.move))
        knowledge._public.append(frozenset(public))  # noqa: SLF001  # being made
        for seat, cards in own.items():
            knowledge._own[seat].append(frozenset(cards))  # noqa: SLF001  # being made
    return knowledge


def cards_in(message: Message) -> Iterator[str]:
    """Give every card in a message at any depth, also in records and openings within it."""
    if isinstance(message, card_pb2.Card):
        try:
            yield card_text(message)
        except MalformedCardError:
            yield f"no card: rank {int(message.rank)} suit {int(message.suit)}"
        return
    if isinstance(message, pb.LogEntry):
        yield from cards_in(log_pb2.LogRecord.FromString(message.record))
    if isinstance(message, log_pb2.CommitmentOpening):
        yield from _cards_of_payload(message.payload)
    for descriptor, value in message.ListFields():
        if descriptor.message_type is not None:
            for one in value if descriptor.is_repeated else (value,):
                yield from cards_in(one)


def _cards_of_payload(payload: bytes) -> Iterator[str]:
    # Both are tried: what opens a commitment does not say which of them it is.
    for kind in (event_pb2.Event, move_pb2.Move):
        try:
            yield from cards_in(kind.FromString(payload))
        except DecodeError:
            continue


def leaks(knowledge: Knowledge, seat: int | None, message: Message, sequence: int) -> Iterator[str]:
    """Give what a message to a watcher tells that it may not know.

    Args:
        knowledge: who may know what.
        seat: the watcher; None: the public.
        message: what it was sent.
        sequence: the number of the last record that it has been sent, with this message.
    """
    if sequence > knowledge.last:
        return
    allowed = knowledge.cards(seat, sequence)
    foreign = sorted(set(cards_in(message)) - allowed)
    if foreign:
        yield f"cards {' '.join(foreign)}"
    data = message.SerializeToString()
    for number, (owner, nonce, payload) in knowledge.hidden.items():
        if owner != seat and nonce in data:
            yield f"the nonce of record {number}, which is seat {owner}'s"
        # A short payload, as that of a pass, may stand in other bytes by chance.
        if owner != seat and len(payload) > 8 and payload in data:  # noqa: PLR2004  # see above
            yield f"what record {number} hides, which is seat {owner}'s"
