"""The hash chain, the commitments and the message that is signed are the written ones.

The literals were computed with Node's own hashes, outside this code.
"""

import subprocess

import pytest

from ronda.v1 import log_pb2
from ronda_referee.chain import (
    NonceSealer,
    RecordWriter,
    commitment,
    record_hash,
    signed_message,
)
from ronda_referee.clocks import Stamp
from tests.referee.second_verifier import node_program

# prefixed(domain) + the parts, hashed by Node alone.
NODE_HASH = """
const { createHash } = require("node:crypto");
const [domain, ...parts] = process.argv.slice(1);
const length = Buffer.alloc(4);
length.writeUInt32BE(domain.length);
const bytes = parts.map((part) => Buffer.from(part, "hex"));
const input = Buffer.concat([length, Buffer.from(domain), ...bytes]);
console.log(createHash("sha256").update(input).digest("hex"));
"""


def node_hash(domain: str, *parts: bytes) -> str:
    """Give what Node hashes for a domain and some parts."""
    arguments = [node_program(), "-e", NODE_HASH, domain, *(part.hex() for part in parts)]
    return subprocess.run(arguments, capture_output=True, text=True, check=True).stdout.strip()


def test_record_hash_is_the_domain_separated_hash_of_the_bytes() -> None:
    """The hash covers the domain with its length, then the record."""
    literal = "e31a9e86fe3c46c28001b8630cd89b71fa681461b53c4642b8de6285febdac05"
    assert record_hash(b"\x08\x01").hex() == literal
    assert node_hash("ronda.v1 record", b"\x08\x01") == literal


def test_commitment_is_the_domain_separated_hash_of_nonce_and_event() -> None:
    """The commitment covers the domain with its length, the nonce, then the event."""
    nonce = bytes(range(32))
    literal = "700669e809421ef2f02902aed0bfe2906d544b07f2d2d03bcb133798306b46ae"
    assert commitment(nonce, b"event").hex() == literal
    assert node_hash("ronda.v1 hidden event", nonce, b"event") == literal


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_nonce_of_another_size_is_refused(size: int) -> None:
    """Bytes cannot wander between the nonce and the event."""
    with pytest.raises(ValueError, match=f"the nonce has {size} bytes; 32 are needed"):
        commitment(bytes(size), b"event")


def test_signed_message_holds_domain_and_head() -> None:
    """What is signed is the domain with its length and the head, nothing else."""
    assert signed_message(b"\xaa" * 32) == b"\x00\x00\x00\x11ronda.v1 log head" + b"\xaa" * 32


def test_nonce_sealer_takes_a_fresh_nonce_for_each_record() -> None:
    """Two equal events get two nonces, and so two commitments that tell nothing."""
    given = iter([b"\x01" * 32, b"\x02" * 32])
    sealer = NonceSealer(lambda size: next(given)[:size])
    assert sealer.seal(3, b"event") == (b"\x01" * 32, commitment(b"\x01" * 32, b"event"))
    assert sealer.seal(4, b"event") == (b"\x02" * 32, commitment(b"\x02" * 32, b"event"))


def test_nonce_sealer_draws_from_the_operating_system_by_default() -> None:
    """Nothing has to be given, and no nonce comes twice."""
    sealer = NonceSealer()
    nonces = {sealer.seal(0, b"event")[0] for _ in range(100)}
    assert len(nonces) == 100
    assert {len(nonce) for nonce in nonces} == {32}


def test_writer_chains_each_record_to_the_one_before() -> None:
    """The first record holds zeros, each later one the hash of the one before it."""
    writer = RecordWriter()
    first = writer.write(log_pb2.LogHeader(match_id="m"), Stamp(1000, 0))
    second = writer.write(log_pb2.SeatJoined(seat=1), Stamp(1001, 1))
    assert log_pb2.LogRecord.FromString(first) == log_pb2.LogRecord(
        sequence=0,
        previous_hash=bytes(32),
        time_ms=1000,
        header=log_pb2.LogHeader(match_id="m"),
    )
    assert log_pb2.LogRecord.FromString(second) == log_pb2.LogRecord(
        sequence=1,
        previous_hash=record_hash(first),
        time_ms=1001,
        clock_ms=1,
        seat_joined=log_pb2.SeatJoined(seat=1),
    )
    assert writer.head == record_hash(second)
    assert writer.sequence == 2


def test_time_never_goes_back() -> None:
    """Where the clock goes back, the record has the time of the one before."""
    writer = RecordWriter()
    times = [
        log_pb2.LogRecord.FromString(writer.write(log_pb2.SeatJoined(), Stamp(time_ms, 0))).time_ms
        for time_ms in (1000, 900, 1001, 0)
    ]
    assert times == [1000, 1000, 1001, 1001]


def test_signature_has_the_time_of_the_record_before() -> None:
    """Nothing covers the last record's hash, so its time is not free."""
    writer = RecordWriter()
    writer.write(log_pb2.SeatJoined(), Stamp(1000, 7))
    record = log_pb2.LogRecord.FromString(
        writer.write(log_pb2.Signature(signature=b"s"), Stamp(2000, 9))
    )
    assert (record.time_ms, record.clock_ms) == (1000, 7)


def test_a_body_without_content_is_still_that_record() -> None:
    """A record of an empty message says which it is."""
    record = log_pb2.LogRecord.FromString(RecordWriter().write(log_pb2.SeatJoined(), Stamp(0, 0)))
    assert record.WhichOneof("record") == "seat_joined"
