"""Records are written without protobuf and are, byte for byte, what protobuf would write."""

import pytest

from ronda.v1 import card_pb2, event_pb2, log_pb2, move_pb2
from ronda_referee.chain import RecordBody, RecordWriter
from ronda_referee.clocks import Stamp

# One byte or more for each length and number: where another byte begins, and far beyond.
NUMBERS = (0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152, 1_700_000_000_000, 2**64 - 1)
BODIES: tuple[RecordBody, ...] = (
    log_pb2.LogHeader(),
    log_pb2.LogHeader(match_id="m-7", seats=2, engine_version="v" * 20_000),
    log_pb2.SeatJoined(seat=1, name="Amina", entropy=b"x" * 64),
    log_pb2.MoveAccepted(
        seat=1, decision_id=300, request_id="r", move=move_pb2.Move(play=move_pb2.Play())
    ),
    log_pb2.EventLogged(
        event=event_pb2.Event(
            card_played=event_pb2.CardPlayed(
                seat=1, card=card_pb2.Card(rank=card_pb2.RANK_7, suit=card_pb2.SUIT_OROS)
            )
        ),
        commitment=b"c" * 32,
    ),
    log_pb2.MatchResult(winners=[0, 1], scores=[41, 0], seed=b"s" * 32),
    log_pb2.CommitmentOpening(sequence=200, nonce=b"n" * 32, payload=b"p" * 127),
    log_pb2.ForfeitDeclared(seat=3, deadline_ms=0),
    log_pb2.Signature(signature=b"g" * 64),
)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_record_has_the_bytes_that_protobuf_gives_it(number: int) -> None:
    """Every kind of body, with every number of another length in the other fields."""
    for body in BODIES:
        writer = RecordWriter(sequence=number, head=bytes(range(32)))
        writer.stamp = Stamp(number, number)
        record = writer.write(body, Stamp(number, number))
        read = log_pb2.LogRecord.FromString(record)
        assert record == read.SerializeToString(deterministic=True)
        assert (read.sequence, read.time_ms, read.clock_ms) == (number, number, number)
        assert read.previous_hash == bytes(range(32))
        kind = read.WhichOneof("record")
        assert kind is not None
        assert getattr(read, kind) == body


def test_the_bytes_of_a_record_are_the_written_ones() -> None:
    """Field by field: 1 sequence, 2 hash before, 3 time, 5 the joining, 12 the match's clock."""
    record = RecordWriter(sequence=300).write(log_pb2.SeatJoined(seat=1), Stamp(5, 128))
    assert record.hex() == "08ac02" + "1220" + "00" * 32 + "1805" + "2a020801" + "608001"
