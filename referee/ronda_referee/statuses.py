"""The one place where errors become gRPC statuses.

Every refusal carries a google.rpc.ErrorInfo with the stable reason; where a field is at fault, a
google.rpc.BadRequest names it too.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from functools import wraps
from typing import Any, NoReturn, TypeAlias, TypeVar, cast

import grpc
import structlog
from google.protobuf import any_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc.aio import ServicerContext
from grpc_status import rpc_status

from ronda.v1 import error_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_referee.errors import ServiceError, ServiceReason
from ronda_referee.observing import observer
from ronda_referee.tokens import TOKEN_LENGTH
from ronda_rules.errors import Reason, RulesError

ERROR_DOMAIN = "ronda.v1"

_LONGEST_TEXT = 400
_MAY_BE_A_TOKEN = re.compile(rf"[A-Za-z0-9_-]{{{TOKEN_LENGTH},}}")

_Service = TypeVar("_Service")
_Request = TypeVar("_Request")
# What a handler is given: a request, or an iterator of them.
_Sent = TypeVar("_Sent")
_Response = TypeVar("_Response")
_Handler: TypeAlias = (
    "Callable[[_Service, _Request, ServicerContext[_Request, _Response]], Awaitable[_Response]]"
)
_StreamHandler: TypeAlias = (
    "Callable[[_Service, _Sent, ServicerContext[_Request, _Response]], AsyncIterator[_Response]]"
)

_log = structlog.get_logger(__name__)

_CODES: dict[str, int] = {
    **dict.fromkeys(
        (
            Reason.MALFORMED_REQUEST,
            Reason.RULE_SET_INVALID,
            Reason.POSITION_INVALID,
            Reason.DRAW_INVALID,
        ),
        code_pb2.INVALID_ARGUMENT,
    ),
    ServiceReason.MATCH_NOT_FOUND: code_pb2.NOT_FOUND,
    ServiceReason.RULE_SET_NOT_FOUND: code_pb2.NOT_FOUND,
    ServiceReason.WRONG_TOKEN: code_pb2.PERMISSION_DENIED,
    ServiceReason.FIXED_DRAWS_REFUSED: code_pb2.PERMISSION_DENIED,
    ServiceReason.SHARED_SHUFFLE_REFUSED: code_pb2.PERMISSION_DENIED,
    ServiceReason.REQUEST_ID_REUSED: code_pb2.ALREADY_EXISTS,
    ServiceReason.SEQUENCE_OUT_OF_RANGE: code_pb2.OUT_OF_RANGE,
    ServiceReason.SLOW_WATCHER: code_pb2.RESOURCE_EXHAUSTED,
    ServiceReason.DRAINING: code_pb2.UNAVAILABLE,
    ServiceReason.REFEREE_FAULT: code_pb2.INTERNAL,
    ServiceReason.STORE_UNAVAILABLE: code_pb2.UNAVAILABLE,
    ServiceReason.ORGANISER_ONLY: code_pb2.PERMISSION_DENIED,
    ServiceReason.TOO_MANY_CALLS: code_pb2.RESOURCE_EXHAUSTED,
    ServiceReason.TOO_MANY_MATCHES: code_pb2.RESOURCE_EXHAUSTED,
    ServiceReason.TOO_MANY_STREAMS: code_pb2.RESOURCE_EXHAUSTED,
}

# Who calls too often must not fill the log as well; its limit logs that once in a while.
_UNLOGGED = {ServiceReason.TOO_MANY_CALLS, ServiceReason.TOO_MANY_STREAMS}


async def refuse(context: grpc.aio.ServicerContext[Any, Any], error: Exception) -> NoReturn:
    """End a call with the right status for an error in its handler; call it where that is caught.

    An error that is no refusal is the referee's own fault: it is logged and answered INTERNAL.
    """
    if isinstance(error, grpc.aio.AbortError | grpc.aio.InternalError):
        # The call was ended here, or could not be: its peer is gone, which gRPC knows.
        raise error
    status = rpc_status.to_status(_status(refusal(error)))
    try:
        await context.abort_with_status(status)
    except grpc.aio.InternalError:
        # The status goes to nobody any more: the peer has gone, and with it the call.
        raise asyncio.CancelledError from None
    raise AssertionError("a refused call is aborted")


@asynccontextmanager
async def refusals(context: grpc.aio.ServicerContext[Any, Any]) -> AsyncIterator[None]:
    """End the call with the right status where what is done inside is refused."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - answered INTERNAL, never a traceback to the peer
        await refuse(context, error)


async def end_with(context: grpc.aio.ServicerContext[Any, Any], error: Exception) -> None:
    """End a call from outside its handler; returns when its client knows, or has gone.

    What the handler has sent before goes first. The handler itself must be stopped besides.
    """
    status = rpc_status.to_status(_status(refusal(error)))
    # gRPC raises in either case, and where the client has gone that is nobody's fault.
    with suppress(Exception):
        await context.abort_with_status(status)


def refusal(error: Exception) -> pb.PlayRefusal:
    """Give what a peer is told of an error, in a stream or as a status, and log that it is told.

    An error that is no refusal is the referee's own fault: it is logged with its traceback and
    answered INTERNAL.
    """
    if isinstance(error, RulesError | ServiceError):
        observer().refused(str(error.reason))
        if error.reason not in _UNLOGGED:
            _log.info("request refused", reason=str(error.reason))
        return _refusal(error)
    observer().refused(str(ServiceReason.REFEREE_FAULT))
    _log.error("request failed", exc_info=error)
    return _refusal(ServiceError(ServiceReason.REFEREE_FAULT, "the referee is at fault"))


def refusing(
    handler: "_Handler[_Service, _Request, _Response]",
) -> "_Handler[_Service, _Request, _Response]":
    """Make a handler with one answer end refused calls with the right status."""

    @wraps(handler)
    async def answering(
        service: _Service, request: _Request, context: ServicerContext[_Request, _Response]
    ) -> _Response:
        try:
            return await handler(service, request, context)
        except Exception as error:  # noqa: BLE001 - answered INTERNAL, never a traceback
            await refuse(context, error)

    return answering


def refusing_stream(
    handler: "_StreamHandler[_Service, _Sent, _Request, _Response]",
) -> "_StreamHandler[_Service, _Sent, _Request, _Response]":
    """Make a handler with a stream of answers end refused calls with the right status."""

    @wraps(handler)
    async def answering(
        service: _Service, sent: _Sent, context: ServicerContext[_Request, _Response]
    ) -> AsyncIterator[_Response]:
        # Closed at once where the peer goes away, and not when the collector comes by.
        generator = cast("AsyncGenerator[_Response]", handler(service, sent, context))
        async with refusals(context), aclosing(generator) as messages:
            async for message in messages:
                yield message

    return answering


def _refusal(error: RulesError | ServiceError) -> pb.PlayRefusal:
    # What the protocol does not list must not reach a client.
    error_pb2.ErrorReason.Value(f"ERROR_REASON_{error.reason}")
    metadata = {name: clipped(without_tokens(value)) for name, value in error.values.items()}
    if isinstance(error, RulesError) and error.clause:
        metadata["clause"] = error.clause
    return pb.PlayRefusal(
        code=_CODES.get(error.reason, code_pb2.FAILED_PRECONDITION),
        reason=str(error.reason),
        detail=clipped(without_tokens(error.detail)),
        metadata=metadata,
    )


def _status(refused: pb.PlayRefusal) -> status_pb2.Status:
    details = [
        error_details_pb2.ErrorInfo(
            reason=refused.reason, domain=ERROR_DOMAIN, metadata=dict(refused.metadata)
        )
    ]
    if "field" in refused.metadata:
        violation = error_details_pb2.BadRequest.FieldViolation(
            field=refused.metadata["field"], description=refused.detail
        )
        details.append(error_details_pb2.BadRequest(field_violations=[violation]))
    status = status_pb2.Status(code=refused.code, message=refused.detail)
    for detail in details:
        packed = any_pb2.Any()
        packed.Pack(detail)
        status.details.append(packed)
    return status


def without_tokens(text: str) -> str:
    """Leave out of a text whatever may be a token.

    Who mistakes a token for an id sends it where it is repeated; clients log what they are told.
    """
    return _MAY_BE_A_TOKEN.sub("(what may be a token)", text)


def clipped(text: str, longest: int = _LONGEST_TEXT) -> str:
    """Shorten what a peer may have sent: a status travels in headers, which have a limit."""
    return text if len(text) <= longest else text[:longest] + "…"
