"""Messages made up from descriptors: each field valid, at a bound, huge, unset or unknown."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

_UNSET = 0.3
_KNOWN = 0.7
_UNKNOWN_FIELD = 0.02
_LONGEST_LIST = 4
_MANY = 0.01
_HOW_MANY = 400

_TEXTS = (
    "",
    " ",
    "0",
    "null",
    "../../etc",
    "'; DROP TABLE match; --",
    "a\nb",
    "\x00",
    "\u202e",
    "é",
    "\U0001f0a1" * 64,
    "\ufffd",
    "%s%n{0}",
    "A" * 42,
    "\u0661",
)

_BITS = {
    FieldDescriptor.CPPTYPE_INT32: (-(1 << 31), (1 << 31) - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(1 << 63), (1 << 63) - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, (1 << 32) - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, (1 << 64) - 1),
}


@dataclass
class Known:
    """Values that mean something to the referee, by the name of the field that they stand in.

    Attributes:
        texts: texts for a field of that name.
        numbers: numbers for a field of that name.
        messages: whole messages, by their full name.
    """

    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    numbers: Mapping[str, Sequence[int]] = field(default_factory=dict)
    messages: Mapping[str, Sequence[Message]] = field(default_factory=dict)


def made_up(rng: random.Random, descriptor: Descriptor, known: Known, depth: int = 0) -> Message:
    """Give a message of a type."""
    whole = known.messages.get(descriptor.full_name)
    if whole and rng.random() < _KNOWN:
        message = GetMessageClass(descriptor)()
        message.CopyFrom(rng.choice(whole))
        if rng.random() < _KNOWN:
            alter(rng, message, known)
        return message
    message = GetMessageClass(descriptor)()
    for one in _fields(descriptor):
        if rng.random() >= _UNSET:
            _fill(rng, message, one, known, depth)
    if rng.random() < _UNKNOWN_FIELD:
        add_unknown(rng, message)
    return message


def alter(rng: random.Random, message: Message, known: Known) -> None:
    """Change one field of a message, anywhere in it."""
    while True:
        parts: list[Message] = [
            part
            for one, value in message.ListFields()
            if one.type == FieldDescriptor.TYPE_MESSAGE
            for part in (value if one.is_repeated else (value,))
        ]
        if not parts or rng.random() < 0.4:
            break
        message = rng.choice(parts)
    if not message.DESCRIPTOR.fields or rng.random() < _UNKNOWN_FIELD:
        add_unknown(rng, message)
        return
    one = rng.choice(_fields(cast("Descriptor", message.DESCRIPTOR)))
    message.ClearField(one.name)
    if rng.random() >= _UNSET / 2:
        _fill(rng, message, one, known, 0)


def _fields(descriptor: Descriptor) -> list[FieldDescriptor]:
    # Two classes stand for a descriptor in the stubs, of which one lacks its fields' type.
    return cast("list[FieldDescriptor]", list(descriptor.fields))


def add_unknown(rng: random.Random, message: Message) -> None:
    """Add a field to a message that its type does not have."""
    number = rng.choice((99, 1_000, 18_999, (1 << 29) - 1))
    message.MergeFromString(varint(number << 3) + varint(rng.getrandbits(rng.randrange(1, 64))))


def varint(value: int) -> bytes:
    """Give a number as protobuf writes it."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _fill(
    rng: random.Random, message: Message, one: FieldDescriptor, known: Known, depth: int
) -> None:
    if one.is_repeated:
        count = _HOW_MANY if rng.random() < _MANY else rng.randint(0, _LONGEST_LIST)
        if one.message_type is not None:
            for _ in range(count):
                part = made_up(rng, one.message_type, known, depth + 1)
                getattr(message, one.name).add().CopyFrom(part)
        else:
            getattr(message, one.name).extend(_scalar(rng, one, known) for _ in range(count))
    elif one.message_type is not None:
        getattr(message, one.name).CopyFrom(made_up(rng, one.message_type, known, depth + 1))
    else:
        setattr(message, one.name, _scalar(rng, one, known))


def _scalar(rng: random.Random, one: FieldDescriptor, known: Known) -> Any:  # noqa: ANN401 - its type is the field's
    kind = one.cpp_type
    if kind == FieldDescriptor.CPPTYPE_STRING:
        if one.type == FieldDescriptor.TYPE_BYTES:
            return rng.randbytes(rng.choice((0, 1, 32, 64, 65, 1_000)))
        return text(rng, known.texts.get(one.name, ()))
    if kind == FieldDescriptor.CPPTYPE_BOOL:
        return rng.random() < 0.5
    if kind == FieldDescriptor.CPPTYPE_ENUM:
        values = [value.number for value in one.enum_type.values] if one.enum_type else [0]
        if rng.random() < _KNOWN:
            return rng.choice(values)
        return rng.choice((-1, max(values) + 1, 99, (1 << 31) - 1, -(1 << 31)))
    if kind in _BITS:
        return number(rng, *_BITS[kind], known.numbers.get(one.name, ()))
    return rng.choice((0.0, -1.5, float("inf"), float("nan")))


def text(rng: random.Random, known: Sequence[str]) -> str:
    """Give a text: a known one, one that is often trouble, or a long one."""
    draw = rng.random()
    if known and draw < _KNOWN:
        chosen = rng.choice(known)
        return chosen if rng.random() < _KNOWN else _nearly(rng, chosen)
    if draw < 0.9:
        return rng.choice(_TEXTS)
    return rng.choice("xé\u4e2d\U0001f0a1\n") * rng.choice((63, 64, 65, 400, 5_000))


def _nearly(rng: random.Random, chosen: str) -> str:
    ways: tuple[Callable[[], str], ...] = (
        chosen.upper,
        lambda: chosen[:-1],
        lambda: chosen + rng.choice("=x \n\x00"),
        lambda: chosen + chosen,
        lambda: " " + chosen,
        lambda: chosen[::-1],
    )
    return rng.choice(ways)()


def number(rng: random.Random, lowest: int, highest: int, known: Sequence[int] = ()) -> int:
    """Give a number: a known one, a small one, one at a bound, or any."""
    draw = rng.random()
    if known and draw < _KNOWN:
        return min(highest, max(lowest, rng.choice(known) + rng.choice((0, 0, 0, -1, 1))))
    if draw < 0.85:
        return max(lowest, rng.choice((0, 1, 2, 3, 4, 5, 10, 21, 40)))
    if draw < 0.95:
        return rng.choice((lowest, highest, highest - 1, highest // 2, highest // 2 + 1))
    return rng.randint(lowest, highest)
