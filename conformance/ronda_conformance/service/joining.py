"""Checks of joining: who takes which seat, with which bytes, and when the match starts."""

from ronda.v1 import log_pb2, match_terms_pb2, move_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_conformance.service import rules
from ronda_conformance.service.checks import check
from ronda_conformance.service.matches import new_match
from ronda_conformance.service.session import Session

_NOT_STARTED = "FAILED_PRECONDITION MATCH_NOT_STARTED"


@check("join-recorded", "CALL-7", "A seat's name and bytes are recorded as they were sent")
async def recorded(session: Session) -> None:
    """Its bytes enter the shuffle; were others recorded, it could not verify its own cards."""
    match = await new_match(session, rules.plain(), 3, joined=False)
    await match.join(1, "Zineb زينب", b"\x00salt\xff")
    await match.join(2, "", b"")
    await match.join(0, "a" * 64, bytes(range(64)))
    joined = [one.seat_joined for one in await match.records() if one.HasField("seat_joined")]
    session.expect(
        "the joinings recorded",
        [(one.seat, one.name, bytes(one.entropy)) for one in joined],
        [(1, "Zineb زينب", b"\x00salt\xff"), (2, "", b""), (0, "a" * 64, bytes(range(64)))],
    )


@check(
    "join-again",
    "CALL-7",
    "Joining again with the same contents is answered the same, once recorded",
)
async def again(session: Session) -> None:
    """Whoever lost the answer asks again; another name or other bytes are refused."""
    match = await new_match(session, rules.plain(), joined=False)
    await match.join(0, "Zineb", b"salt")
    session.expect("the seat, asked again", await match.join(0, "Zineb", b"salt"), 0)
    for name, entropy in (("Zineb", b"pepper"), ("Amina", b"salt")):
        request = pb.JoinMatchRequest(
            match_id=match.match_id, seat_token=match.tokens[0], name=name, entropy=entropy
        )
        await session.refused(
            f"joining again as {name} with {entropy!r}",
            session.stub.JoinMatch,
            request,
            "FAILED_PRECONDITION ALREADY_JOINED",
        )
    stream = match.watch(None)
    await match.join(1)
    await stream.reaches(4, "the first deal")
    joined = [one.seat_joined.seat for one in stream.records if one.HasField("seat_joined")]
    session.expect("joinings recorded", joined, [0, 1])


@check("join-limits", "CALL-2 CALL-7", "Names and bytes have limits, and the field is named")
async def limits(session: Session) -> None:
    """One too many of each, and a name with a line break."""
    match = await new_match(session, rules.plain(), joined=False)
    for name, entropy, field in (
        ("x" * 65, b"", "name"),
        ("a\nb", b"", "name"),
        ("", bytes(65), "entropy"),
    ):
        request = pb.JoinMatchRequest(
            match_id=match.match_id, seat_token=match.tokens[0], name=name, entropy=entropy
        )
        await session.refused(
            f"a {field} that is not allowed",
            session.stub.JoinMatch,
            request,
            f"INVALID_ARGUMENT MALFORMED_REQUEST {field}",
        )
    session.expect("the seat can be joined still", await match.join(0), 0)


@check("join-starts", "CALL-7", "The match starts with the last seat, and not before")
async def starts(session: Session) -> None:
    """Before that there is nothing to see, to move or to resign."""
    match = await new_match(session, rules.plain(), 3, joined=False)
    await match.join(0)
    await match.join(2)
    for seat in (None, 0):
        await session.refused(
            "a view before the start", session.stub.GetView, match.view_request(seat), _NOT_STARTED
        )
    await session.refused(
        "resigning before the start", session.stub.Resign, match.resignation(0), _NOT_STARTED
    )
    move = match.request(0, 1, move_pb2.Move(claim=move_pb2.Claim(seat=1)))
    await session.refused("a move before the start", session.stub.SubmitMove, move, _NOT_STARTED)
    await match.join(1)
    view = (await match.view(0)).seat_view
    session.expect("cards in hand after the start", len(view.hand), 3)
    session.expect("seats that are asked", len(view.public.to_act), 1)


@check(
    "join-timeout",
    "CALL-7 CALL-22",
    "A match that is not joined in time ends by itself, won by nobody",
)
async def timeout(session: Session) -> None:
    """Nobody calls; whoever watches sees the end come, and nobody can join any more."""
    terms = match_terms_pb2.MatchTerms(join_timeout_ms=100)
    match = await new_match(session, rules.plain(), terms=terms, joined=False)
    stream = match.watch(None)
    await stream.to_end()
    results = [one.match_result for one in stream.records if one.HasField("match_result")]
    session.need("results", len(results), 1)
    session.expect("its reason", results[0].reason, log_pb2.END_REASON_NOT_JOINED)
    session.expect("winners", list(results[0].winners), [])
    request = pb.JoinMatchRequest(match_id=match.match_id, seat_token=match.tokens[0])
    await session.refused(
        "joining too late",
        session.stub.JoinMatch,
        request,
        "FAILED_PRECONDITION MATCH_CANCELLED",
    )
