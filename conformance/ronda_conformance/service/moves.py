"""Checks of moves: what is taken, what is refused, and that what is refused changes nothing."""

import asyncio
import contextlib

import grpc

from ronda.v1 import card_pb2, match_terms_pb2, move_pb2, rule_set_pb2
from ronda_conformance.service import rules
from ronda_conformance.service.checks import check
from ronda_conformance.service.matches import Match, new_match
from ronda_conformance.service.session import Session

# Many wrong moves are made on purpose.
_PATIENT = match_terms_pb2.MatchTerms(most_refusals=1000)
_STALE = "FAILED_PRECONDITION STALE_DECISION"
_MALFORMED = "INVALID_ARGUMENT MALFORMED_REQUEST"
_PRECONDITION = "FAILED_PRECONDITION"


def _play(card: card_pb2.Card) -> move_pb2.Move:
    return move_pb2.Move(play=move_pb2.Play(card=card))


def _pass() -> move_pb2.Move:
    move = move_pb2.Move()
    getattr(move, "pass").SetInParent()
    return move


async def _refused_and_nothing_changed(
    session: Session, match: Match, cases: list[tuple[str, int, int, move_pb2.Move, str]]
) -> None:
    """Make moves that must be refused; hold all that anyone sees against what it was."""
    before = await match.everything()
    for what, seat, decision_id, move, expected in cases:
        request = match.request(seat, decision_id, move)
        await session.refused(what, session.stub.SubmitMove, request, expected)
        session.expect(f"{what}: nothing has changed", await match.everything() == before)


@check(
    "move-illegal",
    "CALL-15 CALL-1",
    "An illegal move is refused with its reason, and nothing changes",
)
async def illegal(session: Session) -> None:
    """One fault each, on the first turn of a deal; then the right move is taken."""
    match = await new_match(session, rules.plain(), terms=_PATIENT)
    seat, view = await match.turn()
    now, other = view.decision.decision_id, 1 - seat
    foreign = _play((await match.view(other)).seat_view.hand[0])
    double = move_pb2.Move(
        announce=move_pb2.Announce(kind=rule_set_pb2.ANNOUNCEMENT_KIND_DOUBLE_RONDA)
    )
    challenge = move_pb2.Move(challenge=move_pb2.Challenge(seat=other))
    claim = move_pb2.Move(claim=move_pb2.Claim(seat=other))
    await _refused_and_nothing_changed(
        session,
        match,
        [
            ("a card of another hand", seat, now, foreign, f"{_PRECONDITION} CARD_NOT_IN_HAND"),
            ("a kind without a value", seat, now, double, f"{_PRECONDITION} KIND_WITHOUT_VALUE"),
            (
                "a pass where a card is asked",
                seat,
                now,
                _pass(),
                f"{_PRECONDITION} NOTHING_TO_PASS",
            ),
            ("a challenge", seat, now, challenge, f"{_PRECONDITION} CHALLENGE_NOT_ALLOWED"),
            ("a claim", seat, now, claim, f"{_PRECONDITION} CLAIM_NOT_ALLOWED"),
        ],
    )
    right = match.request(seat, now, view.decision.legal_moves[-1])
    session.expect("the right move's record", await match.submit(right), view.next_sequence)


@check(
    "move-malformed",
    "CALL-2 CALL-15",
    "A move that is none is refused as malformed, and nothing changes",
)
async def malformed(session: Session) -> None:
    """Nothing in it, a card without a suit, a rank that there is not, an unknown field."""
    match = await new_match(session, rules.plain(), terms=_PATIENT)
    seat, view = await match.turn()
    now = view.decision.decision_id
    unknown = move_pb2.Move()
    unknown.CopyFrom(view.decision.legal_moves[-1])
    # Field 500, a varint of 1.
    unknown.MergeFromString(b"\xa0\x1f\x01")
    no_rank = move_pb2.Move()
    no_rank.play.card.MergeFromString(b"\x08\x09\x10\x01")
    no_kind = move_pb2.Move(announce=move_pb2.Announce())
    await _refused_and_nothing_changed(
        session,
        match,
        [
            ("an empty move", seat, now, move_pb2.Move(), _MALFORMED),
            (
                "a card without a suit",
                seat,
                now,
                _play(card_pb2.Card(rank=card_pb2.RANK_7)),
                _MALFORMED,
            ),
            ("a rank that there is not", seat, now, no_rank, _MALFORMED),
            ("an announcement of no kind", seat, now, no_kind, _MALFORMED),
            ("a move with field 500", seat, now, unknown, _MALFORMED),
        ],
    )
    for name in ("", "x" * 65):
        request = match.request(seat, now, view.decision.legal_moves[-1], name)
        await session.refused(
            f"a request id of {len(name)} characters",
            session.stub.SubmitMove,
            request,
            f"{_MALFORMED} request_id",
        )


@check("move-not-yours", "CALL-15 CALL-12", "A seat that is asked nothing cannot move")
async def not_yours(session: Session) -> None:
    """It names the decision that is open, and plays a card that it holds."""
    match = await new_match(session, rules.plain(), 3, terms=_PATIENT)
    seat, view = await match.turn()
    cases = []
    for other in range(3):
        if other != seat:
            own = _play((await match.view(other)).seat_view.hand[0])
            expected = f"{_PRECONDITION} NOT_YOUR_TURN | {_STALE}"
            what = f"a card of seat {other}'s own"
            cases.append((what, other, view.decision.decision_id, own, expected))
    await _refused_and_nothing_changed(session, match, cases)


@check(
    "move-stale",
    "CALL-12",
    "A move for another decision than the open one is refused, never applied",
)
async def stale(session: Session) -> None:
    """One that is past, one to come, none; each with a move that is right for the open one."""
    match = await new_match(session, rules.plain(), terms=_PATIENT)
    past = (await match.step(lambda decision: decision.legal_moves[-1]))[0].decision_id
    await match.step(lambda decision: decision.legal_moves[-1])
    seat, view = await match.turn()
    now, right = view.decision.decision_id, view.decision.legal_moves[-1]
    await _refused_and_nothing_changed(
        session,
        match,
        [
            (f"a right move for decision {number}", seat, number, right, _STALE)
            for number in (past, now + 1, now - 1, 0)
        ],
    )
    session.expect("the decision stays", (await match.view(seat)).decision.decision_id, now)


@check("move-again", "CALL-14", "The same request gets the same answer, and is one move")
async def again(session: Session) -> None:
    """At once, after other moves, and after the end."""
    match = await new_match(session, rules.plain())
    request, first = await match.step()
    session.expect("the answer, asked again at once", await match.submit(request), first)
    await match.step()
    session.expect("the answer, asked again later", await match.submit(request), first)
    await match.play_out(lambda decision: decision.legal_moves[-1])
    length = (await match.view(None)).next_sequence
    session.expect("the answer, asked again after the end", await match.submit(request), first)
    session.expect("records", (await match.view(None)).next_sequence, length)
    taken = [
        record.move_accepted.request_id
        for record in await match.records()
        if record.HasField("move_accepted")
    ]
    session.expect("moves with this request id", taken.count(request.request_id), 1)


@check("move-at-once", "CALL-14", "The same request many times at once is one move")
async def at_once(session: Session) -> None:
    """A client that hears nothing sends again before the first is answered."""
    match = await new_match(session, rules.plain())
    seat, view = await match.turn()
    request = match.request(seat, view.decision.decision_id, view.decision.legal_moves[-1])
    answers = await asyncio.gather(*(match.submit(request) for _ in range(5)))
    session.expect("different answers", len(set(answers)), 1)
    moves = [one for one in await match.records() if one.HasField("move_accepted")]
    session.expect("moves recorded", len(moves), 1)


@check(
    "move-id-reused", "CALL-14", "A request id with other contents is refused, and nothing changes"
)
async def id_reused(session: Session) -> None:
    """Another move, another decision; another seat may use the same id."""
    match = await new_match(session, rules.plain(), terms=_PATIENT)
    request, _ = await match.step(lambda decision: decision.legal_moves[-1])
    seat = match.tokens.index(request.seat_token)
    other = match.request(
        seat, request.decision_id, _play((await match.view(seat)).seat_view.hand[0]), "r-1"
    )
    later = match.request(seat, request.decision_id + 1, request.move, "r-1")
    before = await match.everything()
    for what, one in (("another move", other), ("another decision", later)):
        one.request_id = request.request_id
        await session.refused(
            f"{what} with a request id that was used",
            session.stub.SubmitMove,
            one,
            "ALREADY_EXISTS REQUEST_ID_REUSED",
        )
    session.expect("nothing has changed", await match.everything() == before)
    next_seat, view = await match.turn()
    session.need("the other seat is asked", next_seat, 1 - seat)
    same = match.request(
        next_seat, view.decision.decision_id, view.decision.legal_moves[-1], request.request_id
    )
    session.expect("another seat's own id", await match.submit(same), view.next_sequence)


@check("move-id-of-refused", "CALL-14", "The id of a refused move can be used again")
async def id_of_refused(session: Session) -> None:
    """The refusal was the answer; a right move may follow under the same id."""
    match = await new_match(session, rules.plain(), terms=_PATIENT)
    seat, view = await match.turn()
    now = view.decision.decision_id
    foreign = _play((await match.view(1 - seat)).seat_view.hand[0])
    await session.refused(
        "a card of another hand",
        session.stub.SubmitMove,
        match.request(seat, now, foreign, "once"),
        f"{_PRECONDITION} CARD_NOT_IN_HAND",
    )
    right = match.request(seat, now, view.decision.legal_moves[-1], "once")
    session.expect("the right move's record", await match.submit(right), view.next_sequence)


@check(
    "move-abandoned", "CALL-13", "A move whose caller has gone is asked again for, and is one move"
)
async def abandoned(session: Session) -> None:
    """The call is given up at once; whatever became of it, the same request says."""
    match = await new_match(session, rules.plain())
    seat, view = await match.turn()
    request = match.request(seat, view.decision.decision_id, view.decision.legal_moves[-1])
    call = session.stub.SubmitMove(request)
    await asyncio.sleep(0)
    call.cancel()
    with contextlib.suppress(asyncio.CancelledError, grpc.aio.AioRpcError):
        await call
    session.expect("the answer, asked again", await match.submit(request), view.next_sequence)
    moves = [one for one in await match.records() if one.HasField("move_accepted")]
    session.expect("moves recorded", len(moves), 1)


@check("move-after-end", "CALL-15", "After the end no move is taken")
async def after_end(session: Session) -> None:
    """Whatever decision it names; nor can anybody resign."""
    match = await new_match(session, rules.plain())
    seat, view = await match.turn()
    await match.play_out(lambda decision: decision.legal_moves[-1])
    late = match.request(seat, view.decision.decision_id, view.decision.legal_moves[-1])
    await session.refused(
        "a move after the end", session.stub.SubmitMove, late, f"{_PRECONDITION} MATCH_OVER"
    )
    await session.refused(
        "resigning after the end",
        session.stub.Resign,
        match.resignation(0),
        f"{_PRECONDITION} MATCH_OVER",
    )
