"""What a log hides while the match lasts, and the openings that show it afterwards (LOG-17)."""

from collections import deque
from dataclasses import dataclass
from typing import Protocol

from google.protobuf.message import DecodeError

from ronda.v1 import event_pb2, log_pb2, move_pb2
from ronda_referee.audit.records import Records
from ronda_referee.audit.report import FindingKind
from ronda_referee.chain import NONCE_SIZE, commitment
from ronda_referee.event_text import event_text


class Openings(Protocol):
    """The openings of a log, by the record that each opens."""

    def get(self, sequence: int, /) -> log_pb2.CommitmentOpening | None:
        """Give what opens a record's commitment; None: there is nothing that does."""
        ...


@dataclass(frozen=True, slots=True)
class _Sealed:
    sequence: int
    commitment: bytes
    payload: bytes
    move: bool = False

    @property
    def text(self) -> str:
        return "the move as it was played" if self.move else _shown(self.payload)


class Hidden:
    """The commitments of a log that are to be opened, and its openings."""

    def __init__(self, openings: Openings) -> None:
        """Take the openings as they stand in the log; whether they are right comes later."""
        self._openings = openings
        self._sealed: deque[_Sealed] = deque()

    def seal(self, sequence: int, commitment: bytes, event: event_pb2.Event) -> None:
        """Remember that a record's commitment must be opened with an event."""
        payload = event.SerializeToString(deterministic=True)
        self._sealed.append(_Sealed(sequence, commitment, payload))

    def seal_move(self, sequence: int, commitment: bytes, move: move_pb2.Move) -> None:
        """Remember that a record's commitment must be opened with a move, and nothing beside it."""
        known = move_pb2.Move()
        known.CopyFrom(move)
        known.DiscardUnknownFields()
        payload = known.SerializeToString(deterministic=True)
        self._sealed.append(_Sealed(sequence, commitment, payload, move=True))

    def opened(self, sequence: int, commitment: bytes) -> event_pb2.Event | None:
        """Give the event that a record's commitment holds; None where no opening fits it."""
        payload = self._payload(sequence, commitment)
        try:
            return None if payload is None else event_pb2.Event.FromString(payload)
        except DecodeError:
            return None

    def opened_move(self, sequence: int, commitment: bytes) -> move_pb2.Move | None:
        """Give the move that a record's commitment holds; None where no opening fits it."""
        payload = self._payload(sequence, commitment)
        try:
            return None if payload is None else move_pb2.Move.FromString(payload)
        except DecodeError:
            return None

    def _payload(self, sequence: int, commitment: bytes) -> bytes | None:
        opening = self._openings.get(sequence)
        return opening.payload if opening is not None and _fits(opening, commitment) else None

    def check_openings(self, records: Records) -> None:
        """Take the openings of all commitments, each once and in order.

        Raises:
            Found: an opening is missing, out of order or not the one of its commitment.
        """
        while self._sealed:
            sealed = self._sealed.popleft()
            wanted = f"the opening of record {sealed.sequence}"
            place = records.take("opening", wanted)
            opening = place.record.opening
            if opening.sequence != sealed.sequence:
                place.find(
                    FindingKind.OPENING_WRONG,
                    f"{wanted} must stand here, and there is that of record {opening.sequence}",
                    recorded=f"record {opening.sequence}",
                    expected=f"record {sealed.sequence}",
                )
            if not _fits(opening, sealed.commitment):
                place.find(
                    FindingKind.OPENING_WRONG,
                    f"what is shown here is not what record {sealed.sequence} committed to",
                    recorded=_shown(opening.payload),
                    expected=sealed.text,
                )
            if opening.payload != sealed.payload:
                place.find(
                    FindingKind.OPENING_WRONG,
                    f"record {sealed.sequence} committed to something else than the right bytes",
                    recorded=_shown(opening.payload),
                    expected=sealed.text,
                )


def _fits(opening: log_pb2.CommitmentOpening, sealed: bytes) -> bool:
    return len(opening.nonce) == NONCE_SIZE and commitment(opening.nonce, opening.payload) == sealed


def _shown(data: bytes) -> str:
    try:
        return event_text(event_pb2.Event.FromString(data))
    except DecodeError:
        return "no event"
