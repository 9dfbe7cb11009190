"""Checking requests before anything is done with them.

What the schema says of a field (required, how long) is checked here; what the rules say is the
engine's business. Fields that this version does not know are refused rather than ignored: a rule
set or a move would mean something else to whoever sent it.
"""

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from ronda.v1 import log_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_referee.convert import MalformedMessage
from ronda_referee.shuffle import SEED_SIZE

LONGEST_REQUEST_ID = 64
LONGEST_NAME = 64
LONGEST_ENTROPY = 64
LONGEST_SHUFFLE_ID = 64


def check_length(field: str, value: str | bytes, lowest: int, highest: int) -> None:
    """Refuse a text (counted in characters) or bytes that are too short or too long.

    Raises:
        MalformedMessage: with the lengths that are allowed.
    """
    if not lowest <= len(value) <= highest:
        unit = "characters" if isinstance(value, str) else "bytes"
        raise MalformedMessage(
            field, f"has {len(value)} {unit}; from {lowest} to {highest} are allowed"
        )


def check_printable(field: str, value: str) -> None:
    """Refuse a text with characters that cannot be shown on one line.

    Raises:
        MalformedMessage: the text holds such a character.
    """
    if not value.isprintable():
        raise MalformedMessage(field, "holds a character that cannot be printed on one line")


def shared_shuffle_of(request: pb.CreateMatchRequest) -> log_pb2.SharedShuffle | None:
    """Give the shuffle that a new match is to share with others; None: it has its own.

    The refusal never quotes the seed: it is a secret.

    Raises:
        MalformedMessage: the seed or the id is not as it must be, or draws are fixed too.
    """
    if not request.HasField("shared_shuffle"):
        return None
    if request.HasField("fixed_draws"):
        detail = "stands beside fixed_draws; a match has one of the two or neither"
        raise MalformedMessage("shared_shuffle", detail)
    shared = request.shared_shuffle
    if len(shared.seed) != SEED_SIZE:
        detail = f"has {len(shared.seed)} bytes; {SEED_SIZE} are needed, which nobody can guess"
        raise MalformedMessage("shared_shuffle.seed", detail)
    check_length("shared_shuffle.shuffle_id", shared.shuffle_id, 1, LONGEST_SHUFFLE_ID)
    check_printable("shared_shuffle.shuffle_id", shared.shuffle_id)
    return shared


def check_known(message: Message, path: str = "") -> None:
    """Refuse a message that holds a field which its schema does not know, at any depth.

    Raises:
        MalformedMessage: with the path of the message and the number of the field.
    """
    # Protobuf says at once whether there is one at all; where it is, is sought where there is.
    known = type(message)()
    known.CopyFrom(message)
    known.DiscardUnknownFields()
    if known.ByteSize() != message.ByteSize():
        _refuse_unknown(message, path)


def _refuse_unknown(message: Message, path: str) -> None:
    unknown = UnknownFieldSet(message)
    if len(unknown):
        detail = f"field number {unknown[0].field_number} is not known to this version"
        raise MalformedMessage(path or message.DESCRIPTOR.name, detail)
    for field, value in message.ListFields():
        if field.type != FieldDescriptor.TYPE_MESSAGE:
            continue
        for part in value if field.is_repeated else (value,):
            _refuse_unknown(part, f"{path}.{field.name}" if path else field.name)
