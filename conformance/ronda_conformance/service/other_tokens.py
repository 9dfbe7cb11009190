"""Checks of changing a seat's token (CALL-26)."""

import base64
import secrets

from ronda.v1 import referee_service_pb2 as pb
from ronda_conformance.service import rules
from ronda_conformance.service.checks import check
from ronda_conformance.service.matches import new_match
from ronda_conformance.service.session import Session

_DENIED = "PERMISSION_DENIED WRONG_TOKEN"


def _new_token() -> str:
    return base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode()


@check(
    "rotate-token",
    "CALL-26 CALL-4",
    "The new token opens the seat, and the old one nothing any more",
)
async def rotate(session: Session) -> None:
    """Streams that the old one opened end, in the way a wrong token ends a call."""
    match = await new_match(session, rules.plain())
    old, new = match.tokens[0], _new_token()
    session.tokens.add(new)
    stream, other = match.watch(0), match.watch(1)
    await stream.until("the records", lambda: stream.entries)
    await other.until("the records", lambda: other.entries)
    request = pb.RotateSeatTokenRequest(match_id=match.match_id, seat_token=old, new_seat_token=new)
    await session.call(session.stub.RotateSeatToken, request)
    await stream.to_end()
    session.expect(
        "how a stream of the old token ends",
        stream.code and stream.code.name,
        "PERMISSION_DENIED",
    )
    await session.refused(
        "a view with the old token", session.stub.GetView, match.view_request(0), _DENIED
    )
    await session.refused("the old token again", session.stub.RotateSeatToken, request, _DENIED)
    match.tokens[0] = new
    session.expect("the seat of the new token", (await match.view(0)).seat_view.seat, 0)
    request_of, sequence = await match.step()
    await other.until("a move to the other seat", lambda: other.next_sequence > sequence)
    session.expect("the other seat's stream goes on", other.code, None)
    session.expect("the move was taken", bool(request_of.request_id))


@check(
    "rotate-token-weak",
    "CALL-26 CALL-2",
    "A new token that is not 256 bits is refused, and the old one stays",
)
async def weak(session: Session) -> None:
    """None, too short, too long, another spelling of the same bits, a letter that is none."""
    match = await new_match(session, rules.plain())
    for new in ("", "A" * 42, "A" * 44, "A" * 42 + "B", "A" * 42 + "*"):
        request = pb.RotateSeatTokenRequest(
            match_id=match.match_id, seat_token=match.tokens[0], new_seat_token=new
        )
        await session.refused(
            f"the new token {new[-3:]!r} of {len(new)} characters",
            session.stub.RotateSeatToken,
            request,
            "INVALID_ARGUMENT MALFORMED_REQUEST new_seat_token",
        )
    session.expect("the seat of the old token", (await match.view(0)).seat_view.seat, 0)
