"""Seat tokens: 256 random bits each, kept only as hashes and compared in constant time."""

import base64
import hashlib
import hmac
from collections.abc import Callable, Sequence

from ronda_referee.convert import MalformedMessage

TOKEN_BYTES = 32
TOKEN_LENGTH = 43


def new_token(entropy: Callable[[int], bytes]) -> str:
    """Give a new token, 43 characters of base64url, made from `entropy`'s bytes."""
    return base64.urlsafe_b64encode(entropy(TOKEN_BYTES)).rstrip(b"=").decode()


def token_hash(token: str) -> bytes:
    """Give what is kept of a token: its SHA-256, 32 bytes."""
    return hashlib.sha256(token.encode(errors="surrogateescape")).digest()


def hash_of_new_token(token: str) -> bytes:
    """Give what is kept of a token that a client has drawn.

    Raises:
        MalformedMessage: it is not 256 bits as 43 characters of base64url.
    """
    try:
        drawn = base64.b64decode(f"{token}=", altchars=b"-_", validate=True)
    except ValueError:
        drawn = b""
    # Of several spellings of the same bits only one is a token.
    if len(drawn) != TOKEN_BYTES or new_token(lambda _: drawn) != token:
        detail = f"is not {TOKEN_BYTES} random bytes as {TOKEN_LENGTH} characters of base64url"
        raise MalformedMessage("new_seat_token", detail)
    return token_hash(token)


def seat_of(token: str, token_hashes: Sequence[bytes]) -> int | None:
    """Give the seat that a token opens, or None; it takes the same time for every token."""
    given = token_hash(token)
    found = None
    for seat, expected in enumerate(token_hashes):
        if hmac.compare_digest(given, expected):
            found = seat
    return found
