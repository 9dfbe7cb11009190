"""Faults for the test vectors: logs that were damaged, and logs of a referee that cheats.

What a referee that cheats writes is numbered, chained and signed as it should be; only what it says
is wrong.
"""

from collections.abc import Callable, Sequence

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ronda.v1 import card_pb2, event_pb2, log_pb2
from ronda_referee.chain import commitment, record_hash, serialize, signed_message
from ronda_referee.log_file import MAGIC, frame
from ronda_referee.signing_key import SigningKey
from tools.vector_matches import KEY

Records = list[log_pb2.LogRecord]

FOREIGN_KEY = SigningKey(Ed25519PrivateKey.from_private_bytes(bytes(range(64, 96))))


def file_of(records: Sequence[bytes]) -> bytes:
    """Give the bytes of a file with these serialized records."""
    return MAGIC + b"".join(map(frame, records))


def written_anew(records: Records, key: SigningKey = KEY) -> list[bytes]:
    """Number, chain and sign records anew, whatever they say."""
    written: list[bytes] = []
    head = bytes(32)
    for number, record in enumerate(records):
        record.sequence = number
        record.previous_hash = head
        if record.HasField("signature"):
            record.signature.signature = key.sign(signed_message(head))
        data = serialize(record)
        head = record_hash(data)
        written.append(data)
    return written


def number_of(records: Records, kind: str, which: int = 0) -> int:
    """Give the number of a record of a kind, of an event by its own kind; `which` counts from 0."""
    found = [
        number
        for number, record in enumerate(records)
        if kind in (record.WhichOneof("record"), record.event_logged.event.WhichOneof("event"))
    ]
    return found[which]


def _opening_of(records: Records, number: int) -> log_pb2.CommitmentOpening:
    return next(one.opening for one in records if one.opening.sequence == number and number)


def _cheat(change: Callable[[Records], None]) -> Callable[[Records], bytes]:
    def cheated(records: Records) -> bytes:
        change(records)
        return file_of(written_anew(records))

    return cheated


def _damage(change: Callable[[list[bytes]], bytes]) -> Callable[[Records], bytes]:
    return lambda records: change([serialize(record) for record in records])


# Damage to the file.


def _changed_name(records: list[bytes]) -> bytes:
    records[1] = records[1].replace(b"Chama", b"Chana").replace(b"Brahim", b"Brahin")
    return file_of(records)


def _longer_length(records: list[bytes]) -> bytes:
    data = file_of(records[:2])
    return data + b"\xff\x00" + bytes(127)


def _unknown_field(records: list[bytes]) -> bytes:
    records[2] += b"\xf8\x01\x01"
    return file_of(records)


def _written_twice(records: list[bytes]) -> bytes:
    # Field 12, the match's clock, stands once more.
    records[2] += b"\x60\x01"
    return file_of(records)


def _left_out(records: list[bytes]) -> bytes:
    del records[4]
    return file_of(records)


# What a referee says that cheats.


def _time_back(records: Records) -> None:
    records[3].time_ms -= 100


def _event_later_than_its_move(records: Records) -> None:
    first = number_of(records, "card_played")
    for record in records[first:]:
        record.clock_ms += 1_000
        record.time_ms += 1_000


def _joins_twice(records: Records) -> None:
    records[2].seat_joined.seat = records[1].seat_joined.seat


def _no_public_key(records: Records) -> None:
    records[0].header.ClearField("public_key")


def _other_format(records: Records) -> None:
    records[0].header.format_version = 2


def _hand_of_other_cards(records: Records) -> None:
    number = number_of(records, "hand_dealt")
    opening = _opening_of(records, number)
    event = event_pb2.Event.FromString(opening.payload)
    cards = event.hand_dealt.cards
    swapped = [cards[1], cards[0], *cards[2:]]
    dealt = event_pb2.HandDealt(
        seat=event.hand_dealt.seat, card_count=event.hand_dealt.card_count, cards=swapped
    )
    event.hand_dealt.CopyFrom(dealt)
    opening.payload = event.SerializeToString(deterministic=True)
    sealed = commitment(opening.nonce, opening.payload)
    records[number].event_logged.commitment = sealed


def _table_of_other_cards(records: Records) -> None:
    turned = records[number_of(records, "table_turned")].event_logged.event.table_turned
    turned.cards[3].suit = (
        card_pb2.SUIT_BASTOS if turned.cards[3].suit != card_pb2.SUIT_BASTOS else card_pb2.SUIT_OROS
    )


def _other_dealer(records: Records) -> None:
    drawn = records[number_of(records, "first_dealer_drawn")].event_logged.event
    drawn.first_dealer_drawn.seat = (drawn.first_dealer_drawn.seat + 1) % 3


def _hand_shown(records: Records) -> None:
    number = number_of(records, "hand_dealt")
    opening = _opening_of(records, number)
    records[number].event_logged.event.CopyFrom(event_pb2.Event.FromString(opening.payload))


def _no_commitment(records: Records) -> None:
    records[number_of(records, "hand_dealt")].event_logged.ClearField("commitment")


def _other_nonce(records: Records) -> None:
    records[number_of(records, "opening", 1)].opening.nonce = bytes(32)


def _opening_left_out(records: Records) -> None:
    del records[number_of(records, "opening", 1)]


def _answer_changed(records: Records) -> None:
    hidden = next(one for one in records if one.move_accepted.commitment)
    opening = _opening_of(records, hidden.sequence)
    opening.payload += b"\xf8\x01\x01"
    hidden.move_accepted.commitment = commitment(opening.nonce, opening.payload)


def _no_request_id(records: Records) -> None:
    records[number_of(records, "move_accepted")].move_accepted.ClearField("request_id")


def _request_id_again(records: Records) -> None:
    first = records[number_of(records, "move_accepted")].move_accepted
    other = next(
        one.move_accepted
        for one in records
        if one.move_accepted.request_id not in {"", first.request_id}
        and one.move_accepted.seat == first.seat
    )
    other.request_id = first.request_id


def _other_decision(records: Records) -> None:
    records[number_of(records, "move_accepted", 2)].move_accepted.decision_id -= 1


def _other_deadline(records: Records) -> None:
    records[number_of(records, "move_accepted", 1)].move_accepted.deadline_ms += 1


def _late(records: Records) -> None:
    move = number_of(records, "move_accepted")
    later = records[move].move_accepted.deadline_ms - records[move].clock_ms
    for record in records[move:]:
        record.clock_ms += later


def _forfeit_too_early(records: Records) -> None:
    forfeit = number_of(records, "forfeit_declared")
    for record in records[forfeit:]:
        record.clock_ms -= 1


def _forfeit_for_no_reason(records: Records) -> None:
    forfeit = number_of(records, "forfeit_declared")
    records[forfeit].forfeit_declared.reason = log_pb2.FORFEIT_REASON_TIME_OUT


def _referee_moves_for_a_seat_in_time(records: Records) -> None:
    moved = records[number_of(records, "move_accepted")].move_accepted
    moved.automatic = True
    moved.ClearField("request_id")


def _other_winner(records: Records) -> None:
    records[number_of(records, "match_result")].match_result.winners[:] = [1]


def _ended_otherwise(records: Records) -> None:
    result = records[number_of(records, "match_result")].match_result
    result.reason = log_pb2.END_REASON_NOT_JOINED


def _other_seed(records: Records) -> None:
    records[number_of(records, "match_result")].match_result.seed = bytes(32)


def _other_fixed_draws(records: Records) -> None:
    shown = records[number_of(records, "match_result")].match_result.fixed_draws
    shown.cards[9].rank = card_pb2.RANK_11


def _other_shuffle_id(records: Records) -> None:
    records[0].header.shared_shuffle_id = "round 2, table 2"


def _share_denied(records: Records) -> None:
    records[0].header.ClearField("shared_shuffle_id")


def _shared_and_fixed(records: Records) -> None:
    records[0].header.shared_shuffle_id = "round 1, table 2"


def _other_award(records: Records) -> None:
    awarded = records[number_of(records, "play_awarded")].event_logged.event.play_awarded
    awarded.shares[0].points += 1


def _other_automatic_move(records: Records) -> None:
    number = next(
        one.sequence
        for one in records
        if one.move_accepted.automatic and one.move_accepted.move.HasField("play")
    )
    moved = records[number].move_accepted
    hands = [
        event_pb2.Event.FromString(_opening_of(records, one.sequence).payload).hand_dealt
        for one in records
        if one.event_logged.event.hand_dealt.card_count
    ]
    hand = next(hand.cards for hand in hands if hand.seat == moved.seat)
    highest = max(hand, key=lambda card: card.rank)
    moved.move.play.card.CopyFrom(highest)
    records[number + 1].event_logged.event.card_played.card.CopyFrom(highest)


def _foreign_signature(records: Records) -> bytes:
    written = written_anew(records)
    last = records[-1]
    last.signature.signature = FOREIGN_KEY.sign(signed_message(last.previous_hash))
    return file_of([*written[:-1], serialize(last)])


def _foreign_key(records: Records) -> bytes:
    records[0].header.public_key = FOREIGN_KEY.public_key
    return file_of(written_anew(records, FOREIGN_KEY))


# Each fault by its id: the honest log that it is made from, and how.
FAULTS: dict[str, tuple[str, Callable[[Records], bytes]]] = {
    "no-log": ("not-joined", _damage(lambda records: b"RONDALOx" + file_of(records)[8:])),
    "cut-in-a-record": ("sealed-answers", _damage(lambda records: file_of(records)[:1_500])),
    "cut-between-records": ("sealed-answers", _damage(lambda records: file_of(records[:20]))),
    "length-of-two-bytes": ("not-joined", _damage(_longer_length)),
    "empty-record": ("not-joined", _damage(lambda records: file_of(records[:2]) + b"\x00")),
    "byte-after-the-signature": ("not-joined", _damage(lambda records: file_of(records) + b"\x01")),
    "unknown-field": ("not-joined", _damage(_unknown_field)),
    "field-written-twice": ("not-joined", _damage(_written_twice)),
    "record-changed": ("sealed-answers", _damage(_changed_name)),
    "record-left-out": ("sealed-answers", _damage(_left_out)),
    "time-goes-back": ("sealed-answers", _cheat(_time_back)),
    "event-later-than-its-move": ("timed-out", _cheat(_event_later_than_its_move)),
    "seat-joins-twice": ("sealed-answers", _cheat(_joins_twice)),
    "no-public-key": ("not-joined", _cheat(_no_public_key)),
    "format-version-2": ("not-joined", _cheat(_other_format)),
    "hand-of-other-cards": ("timed-out", _cheat(_hand_of_other_cards)),
    "table-of-other-cards": ("timed-out", _cheat(_table_of_other_cards)),
    "other-dealer": ("table-returned", _cheat(_other_dealer)),
    "hand-shown": ("timed-out", _cheat(_hand_shown)),
    "no-commitment": ("timed-out", _cheat(_no_commitment)),
    "other-nonce": ("timed-out", _cheat(_other_nonce)),
    "opening-left-out": ("timed-out", _cheat(_opening_left_out)),
    "answer-with-more-bytes": ("sealed-answers", _cheat(_answer_changed)),
    "no-request-id": ("fixed-draws", _cheat(_no_request_id)),
    "request-id-again": ("fixed-draws", _cheat(_request_id_again)),
    "other-decision": ("fixed-draws", _cheat(_other_decision)),
    "other-deadline": ("timed-out", _cheat(_other_deadline)),
    "late-move": ("timed-out", _cheat(_late)),
    "forfeit-too-early": ("timed-out", _cheat(_forfeit_too_early)),
    "forfeit-for-no-reason": ("sealed-answers", _cheat(_forfeit_for_no_reason)),
    "referee-moves-in-time": ("fixed-draws", _cheat(_referee_moves_for_a_seat_in_time)),
    "other-winner": ("timed-out", _cheat(_other_winner)),
    "ended-otherwise": ("cancelled-before-start", _cheat(_ended_otherwise)),
    "other-seed": ("timed-out", _cheat(_other_seed)),
    "other-fixed-draws": ("fixed-draws", _cheat(_other_fixed_draws)),
    "foreign-signature": ("not-joined", _foreign_signature),
    "foreign-key": ("not-joined", _foreign_key),
    "other-award": ("fixed-draws", _cheat(_other_award)),
    "other-automatic-move": ("automatic", _cheat(_other_automatic_move)),
    "group-table-of-other-cards": ("shared-shuffle", _cheat(_table_of_other_cards)),
    "group-of-another-id": ("shared-shuffle", _cheat(_other_shuffle_id)),
    "group-not-named": ("shared-shuffle", _cheat(_share_denied)),
    "shared-and-fixed": ("fixed-draws", _cheat(_shared_and_fixed)),
}

# Those that only a verifier finds that knows the rules of the game.
NEED_RULES = frozenset({"other-award", "other-automatic-move"})
