"""Checks of ends beside play: resigning, too many refusals, cancelling (CALL-21, CALL-22)."""

from ronda.v1 import log_pb2, match_terms_pb2, move_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_conformance.service import rules
from ronda_conformance.service.checks import Needs, check
from ronda_conformance.service.log_files import chain_faults, records_of
from ronda_conformance.service.matches import Match, as_organiser, new_match, quiet
from ronda_conformance.service.session import Session

_ORGANISERS = "PERMISSION_DENIED ORGANISER_ONLY"


async def _result(session: Session, match: Match) -> log_pb2.MatchResult:
    """Watch a match to its end; give its result, and hold its log's chain."""
    stream = match.watch(None)
    await stream.to_end()
    session.expect("the stream's last word", stream.ends, [True])
    results = [one.match_result for one in stream.records if one.HasField("match_result")]
    session.need("results", len(results), 1)
    for fault in chain_faults(records_of((await match.log(None)).data)):
        session.expect("the chain of the log", fault, "sound")
    return results[0]


@check("resign", "CALL-21", "A seat that resigns forfeits, and with two seats the other has won")
async def resign(session: Session) -> None:
    """Not on its own turn; again it gets the same answer, the other is told that it is over."""
    match = await new_match(session, rules.plain())
    seat, _ = await match.turn()
    first = await match.resign(1 - seat)
    session.expect("the answer, asked again", await match.resign(1 - seat), first)
    await session.refused(
        "the other seat resigning",
        session.stub.Resign,
        match.resignation(seat),
        "FAILED_PRECONDITION MATCH_OVER",
    )
    result = await _result(session, match)
    session.expect("how it ended", result.reason, log_pb2.END_REASON_FORFEITED)
    session.expect("who won", list(result.winners), [seat])
    declared = [one for one in await match.records() if one.HasField("forfeit_declared")]
    session.expect("the forfeit's record", [one.sequence for one in declared], [first])
    forfeit = declared[0].forfeit_declared
    session.expect("who forfeited", forfeit.seat, 1 - seat)
    session.expect("why", forfeit.reason, log_pb2.FORFEIT_REASON_RESIGNED)


@check(
    "resign-three",
    "CALL-21 CALL-15",
    "With three seats the referee plays on for the one that resigned",
)
async def resign_three(session: Session) -> None:
    """It takes no move of its own any more, and cannot win; the others play to the end."""
    match = await new_match(session, rules.plain(), 3)
    seat, view = await match.turn()
    await match.resign(seat)
    late = match.request(seat, view.decision.decision_id, view.decision.legal_moves[-1])
    await session.refused(
        "a move of a seat that has resigned",
        session.stub.SubmitMove,
        late,
        "FAILED_PRECONDITION SEAT_FORFEITED",
    )
    await match.play_out(quiet)
    result = await _result(session, match)
    session.expect("how it ended", result.reason, log_pb2.END_REASON_PLAYED)
    session.expect("the seat that resigned has won", seat in result.winners, False)  # noqa: FBT003  # what is expected
    moves = [one.move_accepted for one in await match.records() if one.HasField("move_accepted")]
    automatic = {one.seat for one in moves if one.automatic}
    session.expect("seats that the referee moved for", automatic, {seat})


@check(
    "refusals-forfeit", "CALL-21", "With the last refusal that the terms allow the seat forfeits"
)
async def refusals(session: Session) -> None:
    """Illegal and malformed moves count, stale decisions do not."""
    match = await new_match(
        session, rules.plain(), terms=match_terms_pb2.MatchTerms(most_refusals=3)
    )
    seat, view = await match.turn()
    now, right = view.decision.decision_id, view.decision.legal_moves[-1]
    foreign = (await match.view(1 - seat)).seat_view.hand[0]
    illegal = move_pb2.Move(play=move_pb2.Play(card=foreign))
    not_held = "FAILED_PRECONDITION CARD_NOT_IN_HAND"
    for decision_id, move, expected in (
        (now, illegal, not_held),
        (now + 7, right, "FAILED_PRECONDITION STALE_DECISION"),
        (now, move_pb2.Move(), "INVALID_ARGUMENT MALFORMED_REQUEST"),
    ):
        request = match.request(seat, decision_id, move)
        await session.refused("a wrong move", session.stub.SubmitMove, request, expected)
    over = (await match.view(seat)).seat_view.public.over
    session.expect("the match is over after two of three refusals", over, False)  # noqa: FBT003  # what is expected
    request = match.request(seat, now, illegal)
    await session.refused("the third", session.stub.SubmitMove, request, not_held)
    result = await _result(session, match)
    session.expect("how it ended", result.reason, log_pb2.END_REASON_FORFEITED)
    session.expect("who won", list(result.winners), [1 - seat])
    declared = [
        one.forfeit_declared for one in await match.records() if one.HasField("forfeit_declared")
    ]
    session.expect("why", [one.reason for one in declared], [log_pb2.FORFEIT_REASON_REFUSALS])


@check("cancel-organisers", "CALL-22", "Only an organiser can cancel a match or copy the store")
async def organisers(session: Session) -> None:
    """Without a token, with one that is none, and with a seat's token."""
    match = await new_match(session, rules.plain())
    cancel = pb.CancelMatchRequest(match_id=match.match_id)
    for what, metadata in (
        ("nobody", ()),
        ("who has no organiser's token", (("authorization", "Bearer " + "A" * 43),)),
        ("a seat", (("authorization", f"Bearer {match.tokens[0]}"),)),
    ):
        await session.refused(
            f"cancelling by {what}",
            session.stub.CancelMatch,
            cancel,
            _ORGANISERS,
            metadata=metadata,
        )
        await session.refused(
            f"a copy for {what}",
            session.stub.BackupStore,
            pb.BackupStoreRequest(),
            _ORGANISERS,
            metadata=metadata,
        )
    over = (await match.view(None)).public_view.over
    session.expect("the match is over", over, False)  # noqa: FBT003  # what is expected


@check(
    "cancel",
    "CALL-22",
    "An organiser cancels a match, and nobody has won it",
    needs=Needs.ORGANISER,
)
async def cancel(session: Session) -> None:
    """In play and before it; again it is the same; one that has a result is refused."""
    playing = await new_match(session, rules.plain())
    await playing.step(quiet)
    waiting = await new_match(session, rules.plain(), joined=False)
    over = await new_match(session, rules.plain())
    await over.resign(0)
    metadata = as_organiser(session)
    for match in (playing, waiting):
        request = pb.CancelMatchRequest(match_id=match.match_id)
        for _ in range(2):
            await session.call(session.stub.CancelMatch, request, metadata)
        result = await _result(session, match)
        session.expect("how it ended", result.reason, log_pb2.END_REASON_CANCELLED)
        session.expect("winners", list(result.winners), [])
        session.expect("bytes of the seed that is shown", len(result.seed), 32)
    await session.refused(
        "cancelling a match that has a result",
        session.stub.CancelMatch,
        pb.CancelMatchRequest(match_id=over.match_id),
        "FAILED_PRECONDITION MATCH_OVER",
        metadata=metadata,
    )
    late = playing.request(0, 1, move_pb2.Move(claim=move_pb2.Claim(seat=1)))
    await session.refused(
        "a move in a cancelled match",
        session.stub.SubmitMove,
        late,
        "FAILED_PRECONDITION MATCH_CANCELLED",
    )
    await session.refused(
        "resigning from a cancelled match",
        session.stub.Resign,
        playing.resignation(0),
        "FAILED_PRECONDITION MATCH_CANCELLED",
    )
