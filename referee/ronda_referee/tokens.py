"""Seat tokens: 256 random bits each, kept only as hashes and compared in constant time."""

import base64
import hashlib
import hmac
from collections.abc import Callable, Sequence

TOKEN_BYTES = 32
TOKEN_LENGTH = 43


def new_token(entropy: Callable[[int], bytes]) -> str:
    """Give a new token, 43 characters of base64url, made from `entropy`'s bytes."""
    return base64.urlsafe_b64encode(entropy(TOKEN_BYTES)).rstrip(b"=").decode()


def token_hash(token: str) -> bytes:
    """Give what is kept of a token: its SHA-256, 32 bytes."""
    return hashlib.sha256(token.encode(errors="surrogateescape")).digest()


def seat_of(token: str, token_hashes: Sequence[bytes]) -> int | None:
    """Give the seat that a token opens, or None; it takes the same time for every token."""
    given = token_hash(token)
    found = None
    for seat, expected in enumerate(token_hashes):
        if hmac.compare_digest(given, expected):
            found = seat
    return found
