"""Checks that stop the referee: by SIGKILL in mid-match, and by SIGTERM (CALL-28, CALL-29)."""

import asyncio

import grpc

from ronda.v1 import match_terms_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_conformance.service import rules
from ronda_conformance.service.checks import Needs, check
from ronda_conformance.service.log_files import chain_faults, parsed, records_of
from ronda_conformance.service.matches import Match, card_move, new_match
from ronda_conformance.service.server_command import ServerProcess
from ronda_conformance.service.session import Session
from ronda_conformance.service.streams import Stream

_HOUR_MS = 3_600_000


def _process(session: Session) -> ServerProcess:
    process = session.setup.process
    session.need("the referee was started by this run", process is not None)
    assert process is not None  # noqa: S101  # it is needed
    return process


async def _back(session: Session) -> None:
    """Start the referee again and wait until the connection is there."""
    await _process(session).start()
    async with asyncio.timeout(session.setup.seconds):
        await session.setup.channel.channel_ready()
        while True:
            try:
                await session.stub.GetServerInfo(pb.GetServerInfoRequest(), wait_for_ready=True)
            except grpc.aio.AioRpcError as error:
                # The connection to the one before may be found broken only now.
                if error.code() is not grpc.StatusCode.UNAVAILABLE:
                    raise
                await asyncio.sleep(0.05)
            else:
                return


async def _goes_on(session: Session, match: Match, streams: dict[int | None, Stream]) -> None:
    """Watch from where each stream was, play to the end; hold the whole against what was sent."""
    resumed = {seat: match.watch(seat, one.next_sequence) for seat, one in streams.items()}
    await match.play_out(lambda decision: card_move(decision.legal_moves))
    file = await match.log(None)
    whole = records_of(file.data)
    session.expect("faults of the chain", list(chain_faults(whole)), [])
    for seat, before in streams.items():
        who = "the public" if seat is None else f"seat {seat}"
        after = resumed[seat]
        await after.to_end()
        after.judge_into(session, who)
        session.expect(f"{who}: the stream's last word", after.ends, [True])
        sent = [entry.record for entry in (*before.entries, *after.entries)]
        session.expect(f"{who}: before and after the stop make the whole log", sent == whole)


@check(
    "restart-kill",
    "CALL-29 CALL-13 CALL-14",
    "A kill loses no move that was answered, and every watcher goes on",
    needs=Needs.RESTARTS,
)
async def kill(session: Session) -> None:
    """SIGKILL right after an answer, with another move under way.

    The answered requests get the same answers, the records that were sent are there byte for byte,
    decisions stay, and no clock has run; the match is played to its end.
    """
    process = _process(session)
    control = match_terms_pb2.TimeControl(per_move_ms=_HOUR_MS)
    match = await new_match(
        session, rules.plain(), 3, terms=match_terms_pb2.MatchTerms(time_control=control)
    )
    waiting = await new_match(session, rules.plain(), joined=False)
    await waiting.join(1, "Zineb", b"salt")
    streams = {seat: match.watch(seat) for seat in match.watchers}
    answered = [
        await match.step(lambda decision: card_move(decision.legal_moves)) for _ in range(7)
    ]
    for stream in streams.values():
        await stream.reaches(answered[-1][1] + 1)
    seat, view = await match.turn()
    last = match.request(seat, view.decision.decision_id, card_move(view.decision.legal_moves))
    under_way = session.stub.SubmitMove(last)
    await asyncio.sleep(0)
    await process.kill()
    outcome = await asyncio.gather(under_way, return_exceptions=True)
    await _back(session)
    for request, sequence in answered:
        session.expect(
            f"the answer to {request.request_id}, asked again",
            await match.submit(request),
            sequence,
        )
    again = await match.submit(last)
    if isinstance(outcome[0], pb.SubmitMoveResponse):
        session.expect("the answer to the move under way", again, outcome[0].sequence)
    session.expect("the move under way is one move", again >= view.next_sequence)
    left = (await match.turn())[1].decision.milliseconds_left
    session.expect("no clock has run while it was down", left > _HOUR_MS - 60_000)
    await _goes_on(session, match, streams)
    records = [parsed(record) for record in records_of((await waiting.log(None)).data)]
    joined = [one.seat_joined for one in records if one.HasField("seat_joined")]
    session.expect("who had joined", [(one.seat, one.name) for one in joined], [(1, "Zineb")])


@check(
    "restart-drain",
    "CALL-28 CALL-29",
    "Asked to stop, it says so to all that watch, takes nothing new, and ends with 0",
    needs=Needs.RESTARTS,
)
async def drain(session: Session) -> None:
    """SIGTERM in mid-match: each stream's last message says where to go on.

    What would change something is UNAVAILABLE; started again, the match goes on from there.
    """
    process = _process(session)
    match = await new_match(session, rules.plain())
    streams = {seat: match.watch(seat) for seat in match.watchers}
    for _ in range(3):
        await match.step(lambda decision: card_move(decision.legal_moves))
    length = (await match.view(0)).next_sequence
    seat, view = await match.turn()
    for stream in streams.values():
        await stream.reaches(length)
    await process.terminate()
    for watcher, stream in streams.items():
        who = "the public" if watcher is None else f"seat {watcher}"
        await stream.to_end()
        session.expect(f"{who}: the stream's last word", stream.ends, [False])
        session.expect(f"{who}: where to go on", stream.next_sequence, length)
    late = match.request(seat, view.decision.decision_id, view.decision.legal_moves[-1])
    try:
        sequence = (await session.stub.SubmitMove(late)).sequence
    except grpc.aio.AioRpcError as error:
        session.expect("a move while it stops", error.code().name, "UNAVAILABLE")
    else:
        session.expect("a move while it stops", f"accepted as record {sequence}", "UNAVAILABLE")
    session.expect("the exit code", await process.ended(), 0)
    await _back(session)
    session.expect("the view after the stop", (await match.view(seat)).seat_view == view.seat_view)
    await _goes_on(session, match, streams)
