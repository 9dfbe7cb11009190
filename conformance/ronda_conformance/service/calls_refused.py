"""Checks of all calls: bytes that are no message, and requests above the limit (CALL-2, CALL-3)."""

import grpc

from ronda.v1 import referee_service_pb2 as pb
from ronda_conformance.refusals import refusal_of
from ronda_conformance.service import rules
from ronda_conformance.service.checks import check
from ronda_conformance.service.matches import new_match
from ronda_conformance.service.session import Session

_SERVICE = "/ronda.v1.RefereeService"
_METHODS = ("CreateMatch", "JoinMatch", "SubmitMove", "GetView", "ListMatches")


def _as_is(data: bytes) -> bytes:
    return data


@check(
    "call-undecodable",
    "CALL-2",
    "Bytes that are no message are refused as malformed, and harm nothing",
)
async def undecodable(session: Session) -> None:
    """Five calls; the match that goes on meanwhile is as it was."""
    match = await new_match(session, rules.plain())
    before = await match.everything()
    for method in _METHODS:
        call = session.setup.channel.unary_unary(f"{_SERVICE}/{method}", _as_is, _as_is)
        await session.refused(
            f"{method} with bytes that are no message",
            call,
            b"\xff\xff\xff garbage",
            "INVALID_ARGUMENT MALFORMED_REQUEST",
        )
    session.expect("nothing has changed", await match.everything() == before)


@check(
    "call-oversized",
    "CALL-3 CALL-25",
    "A request above the limit is refused, and the connection goes on",
)
async def oversized(session: Session) -> None:
    """The limit is that of GetServerInfo."""
    info = await session.call(session.stub.GetServerInfo, pb.GetServerInfoRequest())
    size = info.limits.request_bytes
    session.need("a limit of requests is told", size > 0)
    request = pb.GetRuleSetRequest(id="x" * (size + 1000))
    try:
        await session.stub.GetRuleSet(request)
    except grpc.aio.AioRpcError as error:
        session.expect(
            "a request above the limit is refused", refusal_of(error).code, "RESOURCE_EXHAUSTED"
        )
    else:
        session.expect("a request above the limit is refused", "accepted", "RESOURCE_EXHAUSTED")
    answer = await session.call(session.stub.ListRuleSets, pb.ListRuleSetsRequest())
    session.expect("the next call is answered", answer is not None)


@check("call-error-details", "CALL-1", "A refusal names the clause of the rules, and no token")
async def details(session: Session) -> None:
    """A card that is not in the hand is against a clause; a token sent as an id is not repeated."""
    match = await new_match(session, rules.plain())
    seat, view = await match.turn()
    foreign = (await match.view(1 - seat)).seat_view.hand[0]
    move = view.decision.legal_moves[-1]
    move.play.card.CopyFrom(foreign)
    request = match.request(seat, view.decision.decision_id, move)
    refusal = await session.refused(
        "a card of another hand",
        session.stub.SubmitMove,
        request,
        "FAILED_PRECONDITION CARD_NOT_IN_HAND",
    )
    if refusal is not None:
        session.expect("a text for people", bool(refusal.detail))
        session.expect("metadata `clause` is there", bool(refusal.metadata.get("clause")))
    await session.refused(
        "a token as a match's id",
        session.stub.GetView,
        pb.GetViewRequest(match_id=match.tokens[0]),
        "NOT_FOUND MATCH_NOT_FOUND",
    )
    await session.refused(
        "a token as a rule set's id",
        session.stub.GetRuleSet,
        pb.GetRuleSetRequest(id=match.tokens[0]),
        "NOT_FOUND RULE_SET_NOT_FOUND",
    )
