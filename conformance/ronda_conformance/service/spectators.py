"""Checks of spectators: what they see, and how far they are behind (CALL-19)."""

from ronda.v1 import match_terms_pb2, view_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_conformance.service import rules
from ronda_conformance.service.checks import check
from ronda_conformance.service.log_files import MAGIC, frame, records_of
from ronda_conformance.service.matches import card_move, new_match
from ronda_conformance.service.session import Session
from ronda_conformance.service.tokens import stream_refused

_DELAY = 2


@check(
    "spectator-delayed",
    "CALL-19",
    "Who watches without a seat is as many turns behind as the terms say",
)
async def delayed(session: Session) -> None:
    """View, stream and log of the public are those of two cards ago, after every card."""
    terms = match_terms_pb2.MatchTerms(spectator_delay=_DELAY)
    match = await new_match(session, rules.plain(), terms=terms)
    await session.refused(
        "a public view before two cards were played",
        session.stub.GetView,
        match.view_request(None),
        "FAILED_PRECONDITION MATCH_NOT_STARTED",
    )
    spectator = match.watch(None)
    seen: list[tuple[int, view_pb2.PublicView]] = []
    for number in range(6):
        seat, view = await match.turn()
        seen.append((view.next_sequence, view.seat_view.public))
        await match.submit(
            match.request(seat, view.decision.decision_id, card_move(view.decision.legal_moves))
        )
        if number < _DELAY:
            continue
        sequence, public = seen[number - _DELAY + 1]
        behind = await match.view(None)
        session.expect("the public's next_sequence", behind.next_sequence, sequence)
        session.expect("the public view is that of two cards ago", behind.public_view == public)
        log = await match.log(None)
        session.expect("records of the public's log", len(records_of(log.data)), sequence)
        await spectator.reaches(sequence, "the records to the public")
        session.expect("records sent to the public", spectator.next_sequence, sequence)
    ahead = (await match.view(0)).next_sequence
    request = pb.WatchMatchRequest(match_id=match.match_id, from_sequence=ahead)
    await stream_refused(
        session,
        "watching from where the seats are",
        session.stub.WatchMatch(request),
        "OUT_OF_RANGE SEQUENCE_OUT_OF_RANGE",
    )
    own = match.watch(0)
    await own.reaches(ahead, "the records to a seat")


@check(
    "spectator-end",
    "CALL-19 CALL-9",
    "When the match has ended, those who were behind see all of it",
)
async def end(session: Session) -> None:
    """The same records, to the last; no record is left out at the jump."""
    terms = match_terms_pb2.MatchTerms(spectator_delay=_DELAY)
    match = await new_match(session, rules.plain(), terms=terms)
    spectator, own = match.watch(None), match.watch(0)
    for _ in range(4):
        await match.step(lambda decision: card_move(decision.legal_moves))
    await match.resign(0)
    await spectator.to_end()
    await own.to_end()
    spectator.judge_into(session, "the public")
    session.expect("the stream's last word", spectator.ends, [True])
    session.expect(
        "the public gets the records of a seat",
        [one.record for one in spectator.entries] == [one.record for one in own.entries],
    )
    data = MAGIC + b"".join(frame(one.record) for one in spectator.entries)
    session.expect("the file is the stream", (await match.log(None)).data == data)
