"""Everything that can go wrong for a client, each as a class of its own."""

import traceback
from collections.abc import Mapping
from typing import cast

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from ronda.v1.referee_service_pb2 import PlayRefusal

ERROR_DOMAIN = "ronda.v1"

_STATUS_CODES: dict[int, grpc.StatusCode] = {code.value[0]: code for code in grpc.StatusCode}


class ClientError(Exception):
    """What every error of this package is."""


class RefereeError(ClientError):
    """The referee refused a request; nothing has changed.

    Attributes:
        reason: The stable reason, a name of `ronda.v1.ErrorReason` without its prefix, as
            `CARD_NOT_IN_HAND`; empty where whoever answered gave none.
        clause: The clause of the rules behind it, as `CAP-1`; empty where there is none.
        metadata: The values at fault, by name.
        code: The gRPC status code.
        detail: The message for people.
    """

    def __init__(
        self, code: grpc.StatusCode, reason: str, detail: str, metadata: Mapping[str, str]
    ) -> None:
        self.code = code
        self.reason = reason
        self.detail = detail
        self.metadata = dict(metadata)
        self.clause = self.metadata.get("clause", "")
        clause = f" ({self.clause})" if self.clause else ""
        super().__init__(f"{reason or code.name}{clause}: {detail}")

    @classmethod
    def from_rpc(cls, error: grpc.aio.AioRpcError) -> "RefereeError":
        """Return what a failed call says, with the reason that travels in its ErrorInfo."""
        info = _error_info(error)
        detail = error.details() or "no message was given"
        if info is None:
            return cls(error.code(), "", detail, {})
        return cls(error.code(), info.reason, detail, info.metadata)

    @classmethod
    def from_refusal(cls, refusal: PlayRefusal) -> "RefereeError":
        """Return what a refusal within a stream says: the same as the simple call's status."""
        code = _STATUS_CODES.get(refusal.code, grpc.StatusCode.UNKNOWN)
        return cls(code, refusal.reason, refusal.detail, refusal.metadata)


class RefereeUnavailableError(ClientError):
    """The referee could not be reached for as long as the client was told to be patient.

    Whether a request that was under way took effect is unknown.

    Attributes:
        target: Where the referee was looked for.
        seconds: How long it was tried.
        detail: What the last attempt met with.
    """

    def __init__(self, target: str, seconds: float, detail: str) -> None:
        self.target = target
        self.seconds = seconds
        self.detail = detail
        super().__init__(f"no answer from {target} in {seconds:.1f} s: {detail}")


class FalseRecord(ClientError):
    """The log says something of a seat that the seat did not do.

    Attributes:
        match_id: The match.
        sequence: The sequence number of the record.
        detail: What is not true.
    """

    def __init__(self, match_id: str, sequence: int, detail: str) -> None:
        self.match_id = match_id
        self.sequence = sequence
        self.detail = detail
        super().__init__(f"match {match_id}, record {sequence} is false: {detail}")


class ForkedLog(ClientError):
    """The log that the referee sends does not continue what it sent before.

    Attributes:
        match_id: The match.
        sequence: The sequence number of the first record that does not fit.
        detail: What does not fit.
    """

    def __init__(self, match_id: str, sequence: int, detail: str) -> None:
        self.match_id = match_id
        self.sequence = sequence
        self.detail = detail
        super().__init__(f"match {match_id}, record {sequence}: {detail}")


class LogFileError(ClientError):
    """The bytes are no complete log file.

    Attributes:
        offset: Where in the file, in bytes, reading failed.
        detail: What was found there.
    """

    def __init__(self, offset: int, detail: str) -> None:
        self.offset = offset
        self.detail = detail
        super().__init__(f"at byte {offset}: {detail}")


class MatchIdError(ClientError):
    """A match's id is no name for its log file.

    Attributes:
        match_id: The id, as the referee says it.
    """

    def __init__(self, match_id: str) -> None:
        self.match_id = match_id
        super().__init__(
            f"the match id {match_id[:100]!a} is no file name; 1 to 100 letters, digits and "
            "-_. of ASCII are, not beginning with a dot"
        )


class CredentialsError(ClientError):
    """A file for TLS cannot be used; the message names it and says what is wrong."""


class BotError(ClientError):
    """A bot raised, exited, or chose what is no move. What it raised is the `__cause__`.

    Attributes:
        match_id: The match.
        seat: The seat that it plays; None: it joined in an earlier run and has no cards yet.
        decision_id: The decision that it was asked for; None: it was told of an event.
        detail: What it did.
    """

    def __init__(
        self, match_id: str, seat: int | None, decision_id: int | None, detail: str
    ) -> None:
        self.match_id = match_id
        self.seat = seat
        self.decision_id = decision_id
        self.detail = detail
        at = "" if seat is None else f" at seat {seat}"
        asked = "" if decision_id is None else f", decision {decision_id}"
        super().__init__(f"the bot{at} of match {match_id}{asked}: {detail}")


def description(error: BaseException) -> str:
    """Return what was raised and where, as `KeyError: 'nine' (/bots/mine.py:7)`.

    The place is the innermost one, or that of a syntax error. It is left out where the frame
    that caught the error called what raised it without any code in between, as with arguments
    that do not fit.
    """
    # A syntax error's own text names its place too, in part.
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    what = f"{type(error).__name__}: {text}".removesuffix(": ")
    where = _place(error)
    return f"{what} ({where})" if where else what


def _place(error: BaseException) -> str:
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)[1:]
        if not frame.filename.startswith("<frozen ")
    ]
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""


def outcome_unknown(error: grpc.aio.AioRpcError) -> bool:
    """Tell whether a failed call may have taken effect all the same.

    The connection was lost, the referee stopped while it answered, or the time for one attempt
    ran out. A call that cannot be repeated unchanged must not be repeated then.
    """
    return error.code() in {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.DEADLINE_EXCEEDED,
    }


def stream_lost(error: grpc.aio.AioRpcError) -> bool:
    """Tell whether a stream that was written to has ended without the referee's having refused it.

    Where a message was being written as the connection was lost, gRPC itself may say INTERNAL. A
    referee that is at fault says so with a reason.
    """
    if error.code() is grpc.StatusCode.INTERNAL:
        return _error_info(error) is None
    return outcome_unknown(error)


def retry_after(refusal: RefereeError) -> float | None:
    """Return after how many seconds a refused call may be made again unchanged; None: never.

    A call that came too soon after others has done nothing, and the referee says when to come
    again.
    """
    if refusal.reason != "TOO_MANY_CALLS":
        return None
    milliseconds = refusal.metadata.get("retry_after_ms", "")
    return int(milliseconds) / 1000 if milliseconds.isdecimal() else 0.0


def _error_info(error: grpc.aio.AioRpcError) -> error_details_pb2.ErrorInfo | None:
    """Return the ErrorInfo of our domain among a status's details, if there is one."""
    try:
        # An AioRpcError has all of a call that is read here, without being one.
        status = rpc_status.from_call(cast("grpc.Call", error))
        if status is None:
            return None
        for detail in status.details:
            info = error_details_pb2.ErrorInfo()
            if detail.Unpack(info) and info.domain == ERROR_DOMAIN:
                return info
    except (ValueError, DecodeError):
        # Details that contradict the status, or that cannot be read, say nothing.
        return None
    return None
