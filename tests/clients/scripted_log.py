"""What a referee of the tests says: a log that is chained, turns, and news of matches.

The chain's formula is written down here once more, so that the client's own check is held against
a second one.
"""

import hashlib

from ronda.v1.card_pb2 import Card, Rank, Suit
from ronda.v1.decision_pb2 import Decision
from ronda.v1.event_pb2 import DealStarted, Event, HandDealt
from ronda.v1.log_pb2 import (
    CommitmentOpening,
    EndReason,
    EventLogged,
    LogHeader,
    LogRecord,
    MatchResult,
    MoveAccepted,
)
from ronda.v1.move_pb2 import Announce, Move, Play
from ronda.v1.referee_service_pb2 import (
    LogEntry,
    PlayResponse,
    PlayUpdate,
    Turn,
    WatchEnded,
    WatchMatchResponse,
)
from ronda.v1.rule_set_pb2 import AnnouncementKind
from ronda.v1.view_pb2 import PublicView, SeatView


class Book:
    """Writes a chained log."""

    def __init__(self) -> None:
        self.records: list[bytes] = []
        self._head = bytes(32)

    def add(self, record: LogRecord) -> WatchMatchResponse:
        """Chain a record and return it as a message of the stream."""
        record.sequence = len(self.records)
        record.previous_hash = self._head
        data = record.SerializeToString(deterministic=True)
        self._head = hashlib.sha256(b"\x00\x00\x00\x0fronda.v1 record" + data).digest()
        self.records.append(data)
        return WatchMatchResponse(entries=[LogEntry(sequence=record.sequence, record=data)])

    def header(self, seats: int = 2) -> WatchMatchResponse:
        """Add the first record."""
        return self.add(LogRecord(header=LogHeader(format_version=1, seats=seats)))

    def deal(self, number: int) -> WatchMatchResponse:
        """Add the record of a deal that began."""
        event = Event(deal_started=DealStarted(deal=number, dealer=1))
        return self.add(LogRecord(event_logged=EventLogged(event=event)))

    def hand(self, seat: int, cards: list[Card]) -> WatchMatchResponse:
        """Add the record of a hand, with the opening that its seat gets."""
        whole = Event(hand_dealt=HandDealt(seat=seat, card_count=len(cards), cards=cards))
        data = whole.SerializeToString(deterministic=True)
        nonce = bytes(range(32))
        commitment = hashlib.sha256(
            b"\x00\x00\x00\x15ronda.v1 hidden event" + nonce + data
        ).digest()
        public = Event(hand_dealt=HandDealt(seat=seat, card_count=len(cards)))
        message = self.add(LogRecord(event_logged=EventLogged(event=public, commitment=commitment)))
        message.entries[0].opening.CopyFrom(
            CommitmentOpening(sequence=message.entries[0].sequence, nonce=nonce, payload=data)
        )
        return message

    def sealed_move(self, seat: int, decision_id: int, move: Move) -> WatchMatchResponse:
        """Add the record of a move that is hidden from the others, with its seat's opening."""
        data = move.SerializeToString(deterministic=True)
        nonce = bytes(range(32))
        commitment = hashlib.sha256(
            b"\x00\x00\x00\x15ronda.v1 hidden event" + nonce + data
        ).digest()
        accepted = MoveAccepted(seat=seat, decision_id=decision_id, commitment=commitment)
        message = self.add(LogRecord(move_accepted=accepted))
        message.entries[0].opening.CopyFrom(
            CommitmentOpening(sequence=message.entries[0].sequence, nonce=nonce, payload=data)
        )
        return message

    def result(self, winners: list[int], scores: list[int]) -> WatchMatchResponse:
        """Add the record of the end."""
        result = MatchResult(
            reason=EndReason.END_REASON_PLAYED, winners=winners, scores=scores, seed=bytes(32)
        )
        return self.add(LogRecord(match_result=result))

    def ended(self) -> WatchMatchResponse:
        """Return the stream's last message."""
        return WatchMatchResponse(
            next_sequence=len(self.records), ended=WatchEnded(log_complete=True)
        )

    def draining(self) -> WatchMatchResponse:
        """Return the last message of a stream whose referee is shutting down."""
        return WatchMatchResponse(
            next_sequence=len(self.records), ended=WatchEnded(log_complete=False)
        )


def heartbeat() -> WatchMatchResponse:
    """Return a sign of life."""
    return WatchMatchResponse(next_sequence=0)


def card(rank: int, suit: Suit.ValueType = Suit.SUIT_OROS) -> Card:
    """Return a card by the number on it."""
    return Card(rank=Rank.Value(f"RANK_{rank}"), suit=suit)


def play(rank: int) -> Move:
    """Return the move that plays this card of oros."""
    return Move(play=Play(card=card(rank)))


def announce(kind: AnnouncementKind.ValueType) -> Move:
    """Return the move that announces a kind."""
    return Move(announce=Announce(kind=kind))


def of_match(match_id: str, *news: WatchMatchResponse, seat: int | None = None) -> PlayResponse:
    """Return a stream's message with this news of one match, in order."""
    updates = [PlayUpdate(match_id=match_id, news=one) for one in news]
    if seat is not None:
        updates[0].seat = seat
    return PlayResponse(updates=updates)


def turn(decision_id: int, moves: list[Move], seat: int = 0) -> WatchMatchResponse:
    """Return the message that asks a seat for one of these moves."""
    return WatchMatchResponse(
        turn=Turn(
            view=SeatView(public=PublicView(seats=2), seat=seat),
            decision=Decision(decision_id=decision_id, seat=seat, legal_moves=moves),
        )
    )
