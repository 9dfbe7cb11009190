"""Checks of coming back: after a lost connection nothing is lost, and nothing comes twice."""

from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.referee_service_pb2_grpc import RefereeServiceStub
from ronda_conformance.service import rules
from ronda_conformance.service.checks import check
from ronda_conformance.service.matches import new_match
from ronda_conformance.service.played import plain_match
from ronda_conformance.service.session import Session


@check(
    "resume-same-bytes",
    "CALL-10",
    "From any record on the stream is what it was before, byte for byte",
)
async def same_bytes(session: Session) -> None:
    """Records and openings; from the first ones, around hands, the middle and the last."""
    played = await plain_match(session)
    length = len(played.records)
    starts = {1, 2, 5, 8, length // 2, length // 2 + 1, length - 2, length - 1}
    for seat in (None, 0, 2):
        before = played.streams[seat].entries
        for start in sorted(starts):
            stream = played.match.watch(seat, start, session.stub)
            await stream.to_end()
            who = "the public" if seat is None else f"seat {seat}"
            stream.judge_into(session, f"{who} from record {start}")
            session.expect(
                f"what {who} is sent from record {start} on is as before",
                stream.entries == before[start:],
            )
            session.expect(f"{who} from record {start}: ends said", stream.ends, [True])


@check("resume-dropped", "CALL-10", "After a connection that broke off a seat goes on where it was")
async def dropped(session: Session) -> None:
    """A connection of its own is closed at several points of a match; records come meanwhile."""
    match = await new_match(session, rules.plain())
    everything: list[pb.LogEntry] = []
    for _ in range(5):
        async with session.setup.connect() as channel:
            stream = match.watch(0, len(everything), RefereeServiceStub(channel))
            await stream.hears()
            length = (await match.view(0)).next_sequence
            await stream.reaches(length)
            stream.judge_into(session, f"seat 0 from record {len(everything)}")
            everything += stream.entries
        for _ in range(2):
            await match.step()
    whole = await match.entries(0)
    session.expect(
        "what came piece by piece is what a new stream gets",
        [(one.sequence, one.record, one.opening) for one in everything]
        == [(one.sequence, one.record, one.opening) for one in whole[: len(everything)]],
    )
    session.expect("records that came piece by piece", len(everything) > 10)  # noqa: PLR2004  # a few turns


@check(
    "resume-turn",
    "CALL-10 CALL-12",
    "A turn that was not answered is sent again, the same decision",
)
async def turn_again(session: Session) -> None:
    """Whoever crashes while it is asked must learn again what it is asked."""
    match = await new_match(session, rules.plain())
    seat, view = await match.turn()
    for start in (0, view.next_sequence):
        stream = match.watch(seat, start)
        turn = await stream.asked(f"the turn to who comes back from record {start}")
        session.expect(
            f"the decision that is sent from record {start}",
            turn.decision.decision_id,
            view.decision.decision_id,
        )
        session.expect("its view", turn.view == view.seat_view)
        await stream.cancel()
    request = match.request(seat, view.decision.decision_id, view.decision.legal_moves[-1])
    session.expect("the answer is taken", await match.submit(request) >= view.next_sequence)


@check("resume-other-seat", "CALL-10 CALL-17", "Who comes back is taken for the seat that it is")
async def other_seat(session: Session) -> None:
    """With its token it is the player, without it the public; neither is given the other's."""
    match = await new_match(session, rules.plain(), 3)
    length = (await match.view(0)).next_sequence
    for seat in match.watchers:
        stream = match.watch(seat, 1)
        await stream.reaches(length)
        opened = {one.sequence for one in stream.entries if one.HasField("opening")}
        hands = {
            one.sequence
            for one in stream.records
            if one.event_logged.event.HasField("hand_dealt")
            and one.event_logged.event.hand_dealt.seat == seat
        }
        who = "the public" if seat is None else f"seat {seat}"
        session.expect(f"openings that {who} is sent", sorted(opened), sorted(hands))
