"""The Play stream: seats, turns and moves of many matches over one call."""

from pathlib import Path
from typing import cast

import grpc
import pytest

from ronda.v1 import move_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_referee.tokens import token_hash
from tests.referee.running import Running, Table, play, refusal, refused, running
from tests.referee.streaming import Streaming, last_legal, move_of, seat_of

PASS = move_pb2.Move()
getattr(PASS, "pass").SetInParent()


async def play_out(table: Table, *streams: Streaming) -> None:
    """Answer every turn of a match, seat by seat, each over its own stream."""
    answered = [0] * len(streams)
    while not all(stream.of(table.match_id).ended for stream in streams):
        for seat, stream in enumerate(streams):
            news = stream.of(table.match_id)
            # The seat that must act has its turn; the others have theirs before or at the end.
            if not news.ended and (await table.view(None)).public_view.to_act[:1] == [seat]:
                turn = await stream.turn(table, answered[seat] + 1)
                answered[seat] += 1
                (answer,) = await stream.answer(last_legal(turn, table))
                assert answer.HasField("sequence"), answer
            elif (await table.view(None)).public_view.over:
                await stream.ended(table)


async def test_a_match_is_joined_and_played_over_two_streams(tmp_path: Path) -> None:
    """Each seat takes its place, follows the log byte for byte as a watcher does, and ends it."""
    async with running(tmp_path) as run:
        table = await run.table(2, "sarii", joined=False)
        streams = [Streaming(run.stub), Streaming(run.stub)]
        for seat, stream in enumerate(streams):
            await stream.send(
                [
                    pb.PlaySeat(
                        match_id=table.match_id,
                        seat_token=table.tokens[seat],
                        join=pb.JoinMatchRequest(name=f"seat {seat}", entropy=b"salt"),
                        from_sequence=0,
                    )
                ]
            )
            assert await stream.taken(table) == seat
        await play_out(table, *streams)
        for seat, stream in enumerate(streams):
            news = stream.of(table.match_id)
            assert news.ended == [True]
            request = pb.WatchMatchRequest(match_id=table.match_id, seat_token=table.tokens[seat])
            watched = [
                entry async for message in run.stub.WatchMatch(request) for entry in message.entries
            ]
            assert news.entries == watched
            assert await stream.rest() is grpc.StatusCode.OK


async def test_without_a_sequence_only_turns_and_the_end_come(tmp_path: Path) -> None:
    """Who does not ask for the log gets none of it."""
    async with running(tmp_path) as run:
        table = await run.table(2, "sarii")
        streams = [Streaming(run.stub), Streaming(run.stub)]
        for seat, stream in enumerate(streams):
            await stream.send([seat_of(table, seat)])
        await play_out(table, *streams)
        for stream in streams:
            news = stream.of(table.match_id)
            assert (news.entries, news.ended) == ([], [True])
            assert len(news.turns) > 3


async def refused_both_ways(
    run: Running, stream: Streaming, request: pb.SubmitMoveRequest
) -> pb.PlayRefusal:
    """Have a move refused over the stream and by the simple call, and compare what they say."""
    (answer,) = await stream.answer(move_of(request))
    assert answer.match_id == request.match_id
    simple = await refused(lambda: run.stub.SubmitMove(request))
    said = answer.refusal
    code = {code.value[0]: code.name for code in grpc.StatusCode}[said.code]
    assert (code, said.reason, said.detail) == (simple.status, simple.reason, simple.detail)
    assert said.metadata.get("clause", "") == simple.clause
    return said


async def test_moves_are_refused_as_by_the_simple_call_and_nothing_else_is_harmed(
    tmp_path: Path,
) -> None:
    """Illegal, malformed, stale, for no match: each has its reason, and the match goes on."""
    async with running(tmp_path) as run:
        table, other = await run.table(2), await run.table(2)
        stream, watching = Streaming(run.stub), Streaming(run.stub)
        await stream.send([seat_of(table, 0)])
        await watching.send([seat_of(table, 1)])
        turn = await stream.turn(table)
        before = await table.view(0)
        decision = turn.decision.decision_id
        foreign = (await table.view(1)).seat_view.hand[0]
        legal = turn.decision.legal_moves[-1]

        said = await refused_both_ways(run, stream, table.request(0, decision, play(foreign)))
        assert (said.reason, said.metadata["clause"]) == ("CARD_NOT_IN_HAND", "CAP-1")
        assert said.code == 9
        said = await refused_both_ways(run, stream, table.request(0, decision, move_pb2.Move()))
        assert (said.code, said.reason) == (3, "MALFORMED_REQUEST")
        said = await refused_both_ways(run, stream, table.request(0, decision - 1, legal))
        assert (said.code, said.reason) == (9, "STALE_DECISION")
        assert said.metadata["open_decision_id"] == str(decision)
        said = await refused_both_ways(run, stream, table.request(0, decision, legal, "i" * 65))
        assert (said.code, said.reason) == (3, "MALFORMED_REQUEST")
        assert said.metadata["field"] == "request_id"
        nowhere = table.request(0, decision, legal)
        nowhere.match_id = "nowhere"
        said = await refused_both_ways(run, stream, nowhere)
        assert (said.code, said.reason) == (5, "MATCH_NOT_FOUND")

        # The simple call has a token where the stream has a seat.
        (answer,) = await stream.answer(move_of(other.request(0, decision, legal)))
        assert (answer.refusal.code, answer.refusal.reason) == (7, "WRONG_TOKEN")
        unknown = move_of(table.request(0, decision, legal))
        unknown.MergeFromString(b"\x7a\x01x")
        (answer,) = await stream.answer(unknown)
        assert (answer.refusal.code, answer.refusal.reason) == (3, "MALFORMED_REQUEST")
        assert await table.view(0) == before

        (answer,) = await stream.answer(last_legal(turn, table))
        assert answer.sequence == before.next_sequence
        await watching.turn(table)
        assert await stream.rest() is grpc.StatusCode.OK


async def test_a_move_that_was_sent_before_gets_the_same_answer(tmp_path: Path) -> None:
    """Twice in one message, in another message, over another stream: one record; else an error."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        stream = Streaming(run.stub)
        await stream.send([seat_of(table, 0)])
        turn = await stream.turn(table)
        move = last_legal(turn, table, "mine")
        place = (await table.view(None)).next_sequence
        first, second = await stream.answer(move, move)
        (third,) = await stream.answer(move)
        again = Streaming(run.stub)
        await again.send([seat_of(table, 0)], [move])
        await again.until(lambda: again.answers)
        expected = pb.PlayAnswer(match_id=table.match_id, request_id="mine", sequence=place)
        assert [first, second, third, *again.answers] == [expected] * 4
        move.move.CopyFrom(turn.decision.legal_moves[0])
        (answer,) = await stream.answer(move)
        assert (answer.refusal.code, answer.refusal.reason) == (6, "REQUEST_ID_REUSED")


async def test_moves_of_one_match_are_taken_in_order(tmp_path: Path) -> None:
    """Of two answers to one decision in one message the first counts, after the joining."""
    async with running(tmp_path) as run:
        table = await run.table(2, joined=False)
        await table.join(1)
        stream = Streaming(run.stub)
        early = move_of(table.request(0, 0, PASS))
        join = pb.JoinMatchRequest(name="Amina")
        seat = pb.PlaySeat(match_id=table.match_id, seat_token=table.tokens[0], join=join)
        await stream.send([seat], [early])
        await stream.until(lambda: stream.answers and stream.of(table.match_id).turns)
        # Had it come before the joining, the match would not have started.
        assert stream.answers[0].refusal.reason == "STALE_DECISION"
        turn = stream.of(table.match_id).turns[0]
        moves = [last_legal(turn, table, f"r{number}") for number in range(3)]
        answers = await stream.answer(*moves)
        assert [answer.request_id for answer in answers] == ["r0", "r1", "r2"]
        assert [answer.HasField("sequence") for answer in answers] == [True, False, False]
        assert {answer.refusal.reason for answer in answers[1:]} == {"STALE_DECISION"}


async def test_a_seat_that_cannot_be_taken_is_refused_alone(tmp_path: Path) -> None:
    """Wrong token, no match, too far, joined otherwise, named twice; a good one beside them."""
    async with running(tmp_path) as run:
        tables = {name: await run.table(2) for name in ("good", "token", "far", "otherwise")}
        apart = await run.table(2, joined=False)
        unnamed = await run.table(2, joined=False)
        stream = Streaming(run.stub)
        wrong_token = seat_of(tables["token"], 0)
        wrong_token.seat_token = tables["good"].tokens[0]
        otherwise = seat_of(tables["otherwise"], 0)
        otherwise.join.name = "somebody else"
        other_match = seat_of(apart, 0)
        other_match.join.match_id = tables["good"].match_id
        long_name = seat_of(unnamed, 0)
        long_name.join.name = "n" * 65
        nowhere = pb.PlaySeat(match_id="nowhere", seat_token=tables["good"].tokens[0])
        far = seat_of(tables["far"], 0, 1000)
        seats = [wrong_token, otherwise, other_match, long_name, nowhere, far]
        await stream.send([*seats, seat_of(tables["good"], 0)])
        expected = {
            tables["token"].match_id: (7, "WRONG_TOKEN"),
            tables["otherwise"].match_id: (9, "ALREADY_JOINED"),
            apart.match_id: (3, "MALFORMED_REQUEST"),
            unnamed.match_id: (3, "MALFORMED_REQUEST"),
            "nowhere": (5, "MATCH_NOT_FOUND"),
            tables["far"].match_id: (11, "SEQUENCE_OUT_OF_RANGE"),
        }
        await stream.until(lambda: all(stream.of(match_id).refusals for match_id in expected))
        for match_id, said in expected.items():
            news = stream.of(match_id)
            assert [(one.code, one.reason) for one in news.refusals] == [said]
            assert news.seats == []
        await stream.turn(tables["good"])
        # A seat that was refused can be taken rightly.
        await stream.send([seat_of(tables["token"], 0)])
        await stream.turn(tables["token"])


async def test_a_match_is_taken_once_in_a_stream(tmp_path: Path) -> None:
    """The second seat is refused, the same one or another; the first plays on."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        stream = Streaming(run.stub)
        await stream.send([seat_of(table, 0), seat_of(table, 0), seat_of(table, 1)])
        news = stream.of(table.match_id)
        await stream.until(lambda: len(news.refusals) == 2 and news.turns)
        assert news.seats == [0]
        assert {(one.code, one.reason) for one in news.refusals} == {(3, "MALFORMED_REQUEST")}
        assert "has taken seat 0 of the match already" in news.refusals[0].detail
        (answer,) = await stream.answer(last_legal(news.turns[0], table))
        assert answer.HasField("sequence")


async def test_a_seat_comes_back_over_another_stream_and_has_its_turn_again(
    tmp_path: Path,
) -> None:
    """Both streams are asked, the earlier one may still be there; either may answer."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        streams = [Streaming(run.stub), Streaming(run.stub)]
        for stream in streams:
            await stream.send([seat_of(table, 0)])
            await stream.turn(table)
        view = await table.view(0)
        turn = pb.Turn(view=view.seat_view, decision=view.decision)
        assert [stream.of(table.match_id).turns for stream in streams] == [[turn], [turn]]
        (answer,) = await streams[0].answer(last_legal(turn, table))
        assert answer.HasField("sequence")
        await table.play_lowest()
        for stream in streams:
            await stream.turn(table, 2)
        (answer,) = await streams[1].answer(
            last_legal(streams[1].of(table.match_id).turns[1], table)
        )
        assert answer.HasField("sequence")


async def test_a_token_that_was_replaced_opens_nothing_over_a_stream_either(
    tmp_path: Path,
) -> None:
    """The seat taken with it is refused its moves and its news, and can be taken anew."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        stream = Streaming(run.stub)
        await stream.send([seat_of(table, 1)])
        await stream.taken(table)
        match = run.serving.referee.match(table.match_id)
        await match.change_token(table.tokens[1], token_hash("a new one"))
        (answer,) = await stream.answer(move_of(table.request(1, 0, PASS)))
        assert (answer.refusal.code, answer.refusal.reason) == (7, "WRONG_TOKEN")
        await table.play_lowest()
        news = stream.of(table.match_id)
        await stream.until(lambda: news.refusals)
        assert (news.refusals[0].reason, news.turns) == ("WRONG_TOKEN", [])
        await stream.send([pb.PlaySeat(match_id=table.match_id, seat_token="a new one")])
        await stream.turn(table)


async def test_a_match_that_is_over_says_so_to_a_late_move(tmp_path: Path) -> None:
    """Also where the stream has been told of its end."""
    async with running(tmp_path) as run:
        table = await run.table(2, "single-deal")
        stream = Streaming(run.stub)
        await stream.send([seat_of(table, 0)])
        await table.play_to_the_end()
        await stream.ended(table)
        late = move_of(table.request(0, 5, PASS))
        (answer,) = await stream.answer(late)
        assert (answer.refusal.code, answer.refusal.reason) == (9, "MATCH_OVER")


async def test_a_stream_gets_signs_of_life(tmp_path: Path) -> None:
    """With no seat and with one that waits, an empty message comes now and then."""
    async with running(tmp_path, heartbeat_seconds=0.01) as run:
        table = await run.table(2, joined=False)
        stream = Streaming(run.stub)
        await stream.until(lambda: stream.beats == 2)
        await stream.send([seat_of(table, 0)])
        await stream.taken(table)
        beats = stream.beats
        await stream.until(lambda: stream.beats == beats + 2)


@pytest.mark.parametrize("garbage", [b"\xff\xff\xff", b"\x7a\x01x"])
async def test_a_message_that_is_none_ends_the_stream_after_the_answers(
    tmp_path: Path, garbage: bytes
) -> None:
    """Bytes that are no request, or hold what this version does not know: what came is answered."""
    async with running(tmp_path) as run, grpc.aio.insecure_channel(run.serving.address) as channel:
        table = await run.table(2)
        view = await table.view(0)
        call: grpc.aio.StreamStreamCall[bytes, pb.PlayResponse] = channel.stream_stream(
            "/ronda.v1.RefereeService/Play", None, pb.PlayResponse.FromString
        )()
        stream = Streaming(run.stub)
        stream.call.cancel()
        stream.call = cast("grpc.aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]", call)
        move = move_of(table.request(0, view.decision.decision_id, view.decision.legal_moves[-1]))
        message = pb.PlayRequest(seats=[seat_of(table, 0)], moves=[move])
        await call.write(message.SerializeToString())
        await call.write(garbage)
        assert await stream.end() is grpc.StatusCode.INVALID_ARGUMENT
        assert [answer.sequence for answer in stream.answers] == [view.next_sequence]
        assert stream.of(table.match_id).seats == [0]


async def test_no_stream_shows_what_its_garbage_met(tmp_path: Path) -> None:
    """What reflection cannot read is malformed too, and no fault with a name from inside."""
    async with running(tmp_path) as run, grpc.aio.insecure_channel(run.serving.address) as channel:
        call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(
            "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
        )()
        await call.write(b"\xff\xff\xff")
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call.read()
        assert refusal(caught.value).reason == "MALFORMED_REQUEST"
        assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
