"""Damage to the bytes of a message: what no library would write, and a peer may send."""

import random
from collections.abc import Callable

from tests.fuzz.messages import varint

_NOT_UTF8 = (b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x80")
_GROUPS = (50, 99, 100, 101, 10_000)


def damaged(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """Give the bytes of a message with one kind of damage; `other` is another message's."""
    ways: tuple[Callable[[], bytes], ...] = (
        lambda: data[: rng.randrange(len(data) + 1)],
        lambda: _flipped(rng, data),
        lambda: _flipped(rng, _flipped(rng, data)),
        lambda: _inserted(rng, data, rng.randbytes(rng.choice((1, 2, 5, 40)))),
        lambda: _inserted(rng, data, rng.choice(_NOT_UTF8)),
        # The last of several values counts, and of a oneof the last member: both are here.
        lambda: data + other,
        lambda: other + data,
        lambda: data + data,
        lambda: rng.randbytes(rng.choice((1, 7, 100, 5_000))),
        # A field as text that is no UTF-8, whatever the field is.
        lambda: data + _text_field(rng.randint(1, 6), rng.choice(_NOT_UTF8) * 3),
        # Groups in one another, as deep as the reader goes and deeper.
        lambda: data + varint(15 << 3 | 3) * (depth := rng.choice(_GROUPS)) + b"\x7c" * depth,
        lambda: data + varint(1 << 3 | 3) * rng.choice(_GROUPS),
        # A length of more than there is, and one of more than there can be.
        lambda: data + varint(1 << 3 | 2) + varint(rng.choice((100, 1 << 31, (1 << 64) - 1))),
        lambda: data + b"\x80" * 11,
        # Field number 0, and a wire type that does not exist.
        lambda: data + b"\x00\x00",
        lambda: data + b"\x0f",
    )
    return rng.choice(ways)()


def _text_field(number: int, value: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(value)) + value


def _flipped(rng: random.Random, data: bytes) -> bytes:
    if not data:
        return rng.randbytes(1)
    place = rng.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]


def _inserted(rng: random.Random, data: bytes, more: bytes) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + more + data[place:]
