"""Checks of tokens: what opens a seat, and what does not."""

import re

from ronda.v1 import referee_service_pb2 as pb
from ronda_conformance.service import rules
from ronda_conformance.service.checks import check
from ronda_conformance.service.matches import Match, new_match
from ronda_conformance.service.session import Session

_DENIED = "PERMISSION_DENIED WRONG_TOKEN"
_SHAPE = re.compile(r"[A-Za-z0-9_-]{43}")


async def _opens_nothing(session: Session, match: Match, what: str, token: str) -> None:
    """Try a token on every call that needs a seat; then on those that the public has too."""
    stub, match_id = session.stub, match.match_id
    calls = [
        ("JoinMatch", stub.JoinMatch, pb.JoinMatchRequest(match_id=match_id, seat_token=token)),
        ("Resign", stub.Resign, pb.ResignRequest(match_id=match_id, seat_token=token)),
        (
            "RotateSeatToken",
            stub.RotateSeatToken,
            pb.RotateSeatTokenRequest(match_id=match_id, seat_token=token, new_seat_token="A" * 43),
        ),
    ]
    _, view = await match.turn()
    move = pb.SubmitMoveRequest(
        match_id=match_id,
        seat_token=token,
        decision_id=view.decision.decision_id,
        request_id="stolen",
        move=view.decision.legal_moves[0],
    )
    calls.append(("SubmitMove", stub.SubmitMove, move))
    if token:
        calls.append(
            ("GetView", stub.GetView, pb.GetViewRequest(match_id=match_id, seat_token=token))
        )
    for name, method, request in calls:
        await session.refused(f"{name} with {what}", method, request, _DENIED)
    if token:
        stream = match.session.stub.WatchMatch(
            pb.WatchMatchRequest(match_id=match_id, seat_token=token)
        )
        await stream_refused(session, f"WatchMatch with {what}", stream, _DENIED)
        log = match.session.stub.GetMatchLog(
            pb.GetMatchLogRequest(match_id=match_id, seat_token=token)
        )
        await stream_refused(session, f"GetMatchLog with {what}", log, _DENIED)


async def stream_refused(session: Session, what: str, stream: object, expected: str) -> None:
    """Read a stream that must be refused."""
    await session.refused(what, _first, stream, expected)


async def _first(stream: object, metadata: object) -> str:  # noqa: ARG001  # as a call takes it
    async for message in stream:  # type: ignore[attr-defined]  # a stream of any call
        getattr(stream, "cancel")()  # noqa: B009  # as above
        return str(message)
    return "an empty stream"


@check(
    "token-shape", "CALL-4 CALL-6", "Each seat has a token of its own, 43 characters of base64url"
)
async def shape(session: Session) -> None:
    """Fewer characters could be guessed; two seats with one token could play each other's cards."""
    first = await new_match(session, rules.plain(), 4, joined=False)
    second = await new_match(session, rules.plain(), 3, joined=False)
    tokens = [*first.tokens, *second.tokens]
    session.expect("tokens all different", len(set(tokens)), 7)
    wrong = [len(token) for token in tokens if not _SHAPE.fullmatch(token)]
    session.expect("lengths of tokens that are not 43 characters of base64url", wrong, [])
    session.expect("match ids that differ", first.match_id != second.match_id)
    session.expect("a token in a match's id", any(one in first.match_id for one in tokens), False)  # noqa: FBT003  # what is expected


@check("token-own-seat", "CALL-4 CALL-7", "A token opens the seat of its place, for every call")
async def own_seat(session: Session) -> None:
    """The tokens are tried in another order than that of the seats."""
    match = await new_match(session, rules.plain(), 3, joined=False)
    for seat in (2, 0, 1):
        session.expect(f"the seat of token {seat}", await match.join(seat), seat)
    for seat in (1, 2, 0):
        view = await match.view(seat)
        session.expect(f"the view with token {seat}", view.seat_view.seat, seat)
        session.expect(f"the view with token {seat}", view.WhichOneof("view"), "seat_view")


@check("token-wrong", "CALL-4", "A text that is no token opens no seat, by any call")
async def wrong(session: Session) -> None:
    """A right token without its last character, and one that nobody was given."""
    match = await new_match(session, rules.plain())
    await _opens_nothing(session, match, "a token that nobody was given", "B" * 42 + "A")
    await _opens_nothing(session, match, "a token cut short", match.tokens[0][:-1])


@check("token-match-id", "CALL-4", "The match's id opens no seat, by any call")
async def match_id(session: Session) -> None:
    """The id is public: it stands in lists and logs."""
    match = await new_match(session, rules.plain())
    await _opens_nothing(session, match, "the match's id as token", match.match_id)


@check("token-other-match", "CALL-4", "A token of another match opens no seat, by any call")
async def other_match(session: Session) -> None:
    """Whoever plays in one match must not play in another."""
    match, other = await new_match(session, rules.plain()), await new_match(session, rules.plain())
    for seat in range(2):
        what = f"the token of seat {seat} of another match"
        await _opens_nothing(session, match, what, other.tokens[seat])


@check("token-empty", "CALL-4", "No token is no seat, and only the public's calls are answered")
async def empty(session: Session) -> None:
    """To join, to move, to resign and to change a token need a seat."""
    match = await new_match(session, rules.plain())
    await _opens_nothing(session, match, "no token", "")
    session.expect(
        "the view without a token", (await match.view(None)).WhichOneof("view"), "public_view"
    )


@check("token-other-seat", "CALL-4 CALL-12", "A seat cannot answer another seat's decision")
async def other_seat(session: Session) -> None:
    """Its token is right, the decision and the move are another's."""
    match = await new_match(session, rules.plain(), 3)
    before = await match.everything()
    seat, view = await match.turn()
    for other in range(3):
        if other != seat:
            request = match.request(other, view.decision.decision_id, view.decision.legal_moves[-1])
            await session.refused(
                f"a move of seat {other} for the decision of seat {seat}",
                session.stub.SubmitMove,
                request,
                "FAILED_PRECONDITION NOT_YOUR_TURN | FAILED_PRECONDITION STALE_DECISION",
            )
    session.expect("nothing has changed", await match.everything() == before)
