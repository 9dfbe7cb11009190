"""What a refused call says (CALL-1), and calls that are made again where they came too soon."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar, cast

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

_Answer = TypeVar("_Answer")
# How often a call is made that comes too soon after others, and the longest wait between.
_ATTEMPTS = 100
_LONGEST_WAIT = 60.0


@dataclass(frozen=True)
class Refusal:
    """A refusal.

    Attributes:
        code: the status code by name, as `NOT_FOUND`.
        reason: the stable reason; empty where gRPC itself refused.
        domain: the domain of the reason.
        fields: the fields at fault.
        metadata: the values at fault.
        detail: the text for people.
    """

    code: str
    reason: str = ""
    domain: str = ""
    fields: tuple[str, ...] = ()
    metadata: dict[str, str] = field(default_factory=dict)
    detail: str = ""

    def text(self, *, with_field: bool = False) -> str:
        """Give code and reason in a line, and the field at fault where it is wanted."""
        words = [self.code, self.reason or "(no reason)"]
        if with_field:
            words += self.fields or ("(no field)",)
        return " ".join(words)

    @property
    def retry_after(self) -> float | None:
        """After how many seconds the call may be made again unchanged; None: never (CALL-3)."""
        if self.reason != "TOO_MANY_CALLS":
            return None
        milliseconds = self.metadata.get("retry_after_ms", "")
        seconds = int(milliseconds) / 1000 if milliseconds.isdecimal() else 0.1
        return seconds if seconds <= _LONGEST_WAIT else None

    @property
    def everything(self) -> str:
        """All its texts, to look for what may not be in them."""
        return "\n".join((self.detail, *self.fields, *self.metadata, *self.metadata.values()))


def refusal_of(error: grpc.aio.AioRpcError) -> Refusal:
    """Give what a refused call says; details that cannot be read are as if there were none."""
    code, detail = error.code().name, error.details() or ""
    try:
        status = rpc_status.from_call(cast("grpc.Call", error))
    except ValueError:
        # The status in the metadata is not that of the call.
        status = None
    if status is None:
        return Refusal(code, detail=detail)
    info = error_details_pb2.ErrorInfo()
    fields: list[str] = []
    for one in status.details:
        if one.Is(error_details_pb2.BadRequest.DESCRIPTOR):
            bad = error_details_pb2.BadRequest()
            one.Unpack(bad)
            fields += [violation.field for violation in bad.field_violations]
        elif one.Is(error_details_pb2.ErrorInfo.DESCRIPTOR):
            one.Unpack(info)
    return Refusal(code, info.reason, info.domain, tuple(fields), dict(info.metadata), detail)


async def patiently(call: Callable[[], Awaitable[_Answer]]) -> _Answer:
    """Make a call, again where it came too soon after others; give the answer.

    Raises:
        grpc.aio.AioRpcError: it was refused for another reason, or again and again.
    """
    for attempt in range(_ATTEMPTS):
        try:
            return await call()
        except grpc.aio.AioRpcError as error:
            pause = refusal_of(error).retry_after
            if pause is None or attempt == _ATTEMPTS - 1:
                raise
            await asyncio.sleep(pause)
    raise AssertionError("the last attempt returns or raises")
