"""Checks of the stream: order, the same bytes for all, turns, the explicit end."""

import grpc

from ronda.v1 import referee_service_pb2 as pb
from ronda_conformance.service import rules
from ronda_conformance.service.checks import check
from ronda_conformance.service.log_files import records_of
from ronda_conformance.service.matches import new_match
from ronda_conformance.service.played import plain_match, sealed_match
from ronda_conformance.service.session import Session
from ronda_conformance.service.tokens import stream_refused


def _who(seat: int | None) -> str:
    return "the public" if seat is None else f"seat {seat}"


@check("watch-order", "CALL-8", "Every watcher gets every record once, in order, without a gap")
async def order(session: Session) -> None:
    """Four watchers follow a match from its first record to its last."""
    played = await plain_match(session)
    for seat, stream in played.streams.items():
        stream.judge_into(session, _who(seat))
        session.expect(f"{_who(seat)}: records", len(stream.entries), len(played.records))


@check("watch-same-bytes", "CALL-8 CALL-23", "Every watcher gets the bytes that stand in the file")
async def same_bytes(session: Session) -> None:
    """Otherwise two seats that compare heads could not agree on what has happened."""
    played = await plain_match(session)
    whole = [entry.record for entry in played.streams[None].entries]
    for seat, stream in played.streams.items():
        same = [entry.record for entry in stream.entries] == whole
        session.expect(f"{_who(seat)} gets the bytes that the public gets", same)
        same = played.final[seat].data == played.final[None].data
        session.expect(f"{_who(seat)} gets the file that the public gets", same)
    in_file = records_of(played.final[None].data)
    session.expect("the file holds the bytes of the stream", in_file == whole)


@check(
    "watch-end",
    "CALL-9",
    "After the last record the stream says that the log is complete, and ends with OK",
)
async def end(session: Session) -> None:
    """Without the word nobody could tell an end from a lost connection."""
    for played in (await plain_match(session), await sealed_match(session)):
        for seat, stream in played.streams.items():
            session.expect(f"{_who(seat)}: ends said", stream.ends, [True])
            session.expect(
                f"{_who(seat)}: the stream's status", stream.code and stream.code.name, "OK"
            )
            session.expect(
                f"{_who(seat)}: the last record is the signature",
                stream.records[-1].WhichOneof("record"),
                "signature",
            )


@check("watch-end-again", "CALL-9", "Who watches a match that is over gets all of it and the end")
async def end_again(session: Session) -> None:
    """From the first record, from the last one and from behind it."""
    played = await plain_match(session)
    length = len(played.records)
    for start in (0, length - 1, length):
        for seat in (None, 1):
            request = pb.WatchMatchRequest(
                match_id=played.match.match_id,
                seat_token=played.match.token(seat),
                from_sequence=start,
            )
            messages = await session.within(
                f"the end of a stream from record {start}",
                _all_of(session.stub.WatchMatch(request)),
            )
            count = sum(len(message.entries) for message in messages)
            session.expect(f"{_who(seat)}: records from {start} on", count, length - start)
            session.expect(
                f"{_who(seat)}: the last message says that the log is complete",
                bool(messages) and messages[-1].ended.log_complete,
            )


async def _all_of(
    call: grpc.aio.UnaryStreamCall[pb.WatchMatchRequest, pb.WatchMatchResponse],
) -> list[pb.WatchMatchResponse]:
    return [message async for message in call]


@check("watch-turns", "CALL-8 CALL-11", "A seat is sent each of its turns once, and nobody else is")
async def turns(session: Session) -> None:
    """The turn shows the view and the decision that GetView shows at that time."""
    played = await plain_match(session)
    session.expect("turns that the public is sent", len(played.streams[None].turns), 0)
    for seat in range(played.match.seats):
        views = [one.views[seat] for one in played.moments if one.views[seat].HasField("decision")]
        asked: dict[int, pb.GetViewResponse] = {}
        for view in views:
            asked.setdefault(view.decision.decision_id, view)
        got = played.streams[seat].turns
        session.expect(
            f"decisions that seat {seat} is sent",
            [turn.decision.decision_id for turn in got],
            list(asked),
        )
        for turn in got:
            one = asked.get(turn.decision.decision_id)
            if one is None:
                continue
            for decision in (turn.decision, one.decision):
                decision.ClearField("milliseconds_left")
            name = f"turn {turn.decision.decision_id} of seat {seat}"
            session.expect(f"{name} shows the view of GetView", turn.view == one.seat_view)
            session.expect(f"{name} asks what GetView asks", turn.decision == one.decision)


@check(
    "watch-beyond", "CALL-8", "A record that there is not cannot be watched from, the next one can"
)
async def beyond(session: Session) -> None:
    """A watcher that believes in such records has another match in mind."""
    match = await new_match(session, rules.plain())
    length = (await match.view(None)).next_sequence
    request = pb.WatchMatchRequest(match_id=match.match_id, from_sequence=length + 1)
    await stream_refused(
        session,
        "watching from beyond the next record",
        session.stub.WatchMatch(request),
        "OUT_OF_RANGE SEQUENCE_OUT_OF_RANGE",
    )
    stream = match.watch(None, length)
    await stream.until("a sign of life", lambda: stream.messages)
    session.expect("records before anything happens", stream.entries, [])
    session.expect("next_sequence", stream.next_sequence, length)


@check(
    "watch-live", "CALL-8 CALL-13", "What happens comes to those that watch without being asked for"
)
async def live(session: Session) -> None:
    """Two watch from different records; one more does not read, and holds nobody up."""
    match = await new_match(session, rules.plain())
    length = (await match.view(None)).next_sequence
    unread = match.watch(1)
    whole, late = match.watch(None), match.watch(0, length)
    request, sequence = await match.step()
    for name, stream in (("who watches from the start", whole), ("who watches from now", late)):
        await stream.reaches(sequence + 1, f"the move to {name}")
        stream.judge_into(session, name)
        (record,) = [one for one in stream.records if one.sequence == sequence]
        session.expect(f"{name} gets the move", record.move_accepted.request_id, request.request_id)
    await unread.reaches(sequence + 1, "the move to who did not read until now")
    unread.judge_into(session, "who did not read until now")


@check("watch-unknown-match", "CALL-1", "A match that there is not is NOT_FOUND, by every call")
async def unknown_match(session: Session) -> None:
    """Also where a token goes along."""
    expected, nowhere = "NOT_FOUND MATCH_NOT_FOUND", "no such match"
    token = "A" * 43
    stub = session.stub
    for name, method, request in (
        ("GetView", stub.GetView, pb.GetViewRequest(match_id=nowhere)),
        ("JoinMatch", stub.JoinMatch, pb.JoinMatchRequest(match_id=nowhere, seat_token=token)),
        ("Resign", stub.Resign, pb.ResignRequest(match_id=nowhere, seat_token=token)),
        (
            "RotateSeatToken",
            stub.RotateSeatToken,
            pb.RotateSeatTokenRequest(match_id=nowhere, seat_token=token, new_seat_token=token),
        ),
    ):
        await session.refused(f"{name} of no match", method, request, expected)
    for name, call in (
        ("WatchMatch", stub.WatchMatch(pb.WatchMatchRequest(match_id=nowhere))),
        ("GetMatchLog", stub.GetMatchLog(pb.GetMatchLogRequest(match_id=nowhere))),
    ):
        await stream_refused(session, f"{name} of no match", call, expected)
