"""Requests that are no message at all: answered INVALID_ARGUMENT like everything malformed.

By itself gRPC would answer UNKNOWN and show the peer which exception it met.
"""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from google.protobuf.message import DecodeError

from ronda_referee.convert import MalformedMessage

Decode: TypeAlias = Callable[[bytes], Any]


class _Undecodable:
    """Stands for a request whose bytes are no message of its type."""


_UNDECODABLE: Final = _Undecodable()


class UndecodableRequests:
    """Refuses requests that cannot be decoded, in every call."""

    def tolerant(self, decode: Decode | None) -> Decode:
        """Give what decodes requests and puts something else in the place of those it cannot."""
        if decode is None:
            raise AssertionError("generated handlers decode their requests")

        def tolerant(data: bytes) -> object:
            try:
                return decode(data)
            except DecodeError:
                return _UNDECODABLE

        return tolerant

    def refuse(self, request: object) -> None:
        """Refuse what stands in the place of a request.

        Raises:
            MalformedMessage: the request could not be decoded.
        """
        if request is _UNDECODABLE:
            detail = "its bytes are no message of the type that this call takes"
            raise MalformedMessage("request", detail)
