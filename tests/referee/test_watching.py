"""Watching a match: complete, resumable, each watcher with its own secrets only."""

from pathlib import Path

from ronda.v1 import event_pb2, log_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda_referee.chain import commitment, record_hash
from tests.referee.running import Table, refused, running


async def whole_stream(table: Table, seat: int | None, start: int = 0) -> list[pb.LogEntry]:
    """Give all records of a match that has ended, and check how the stream ends."""
    token = "" if seat is None else table.tokens[seat]
    request = pb.WatchMatchRequest(match_id=table.match_id, seat_token=token, from_sequence=start)
    messages = [message async for message in table.stub.WatchMatch(request)]
    entries = [entry for message in messages for entry in message.entries]
    assert messages[-1].ended.log_complete
    assert messages[-1].next_sequence == start + len(entries)
    return entries


async def test_a_watcher_gets_the_whole_chain_and_only_its_own_openings(tmp_path: Path) -> None:
    """Every record covers the one before; each hand is opened to its seat alone."""
    async with running(tmp_path) as run:
        table = await run.table(3, "sarii")
        await table.play_to_the_end()
        for watcher in (None, 0, 1, 2):
            previous = bytes(32)
            for number, entry in enumerate(await whole_stream(table, watcher)):
                record = log_pb2.LogRecord.FromString(entry.record)
                assert (entry.sequence, record.sequence) == (number, number)
                assert record.previous_hash == previous
                previous = record_hash(entry.record)
                logged = record.event_logged
                dealt_to = logged.event.hand_dealt.seat if logged.commitment else None
                assert logged.event.WhichOneof("event") == "hand_dealt" or dealt_to is None
                assert entry.HasField("opening") == (watcher is not None and watcher == dealt_to)
                if entry.HasField("opening"):
                    opening = entry.opening
                    assert logged.commitment == commitment(opening.nonce, opening.payload)
                    hand = event_pb2.Event.FromString(opening.payload).hand_dealt
                    assert (hand.seat, len(hand.cards)) == (watcher, 3)


async def test_a_stream_can_be_resumed_from_any_record(tmp_path: Path) -> None:
    """What comes from record n on is what came after the first n before, byte for byte."""
    async with running(tmp_path) as run:
        table = await run.table(2, "sarii")
        await table.play_to_the_end()
        whole = await whole_stream(table, 1)
        for start in (1, 7, len(whole) - 1, len(whole)):
            assert await whole_stream(table, 1, start) == whole[start:]


async def test_a_stream_cannot_begin_beyond_the_log(tmp_path: Path) -> None:
    """A watcher that believes in records that are not there is told how many there are."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        length = (await table.view(None)).next_sequence
        request = pb.WatchMatchRequest(match_id=table.match_id, from_sequence=length + 1)

        async def watch() -> None:
            async for _ in run.stub.WatchMatch(request):
                pass

        answer = await refused(watch)
        assert (answer.status, answer.reason) == ("OUT_OF_RANGE", "SEQUENCE_OUT_OF_RANGE")
        assert str(length) in answer.detail


async def test_a_seat_is_asked_and_asked_again_when_it_comes_back(tmp_path: Path) -> None:
    """A disconnection never loses the decision in flight."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        asked = []
        for _ in range(2):
            request = pb.WatchMatchRequest(match_id=table.match_id, seat_token=table.tokens[0])
            watching = run.stub.WatchMatch(request)
            async for message in watching:
                if message.HasField("turn"):
                    asked.append(message.turn)
                    break
            watching.cancel()
        view = await table.view(0)
        assert asked == [pb.Turn(view=view.seat_view, decision=view.decision)] * 2


async def test_a_watcher_gets_signs_of_life(tmp_path: Path) -> None:
    """While nobody joins, heartbeats say how long the log is."""
    async with running(tmp_path, heartbeat_seconds=0.01) as run:
        table = await run.table(2, joined=False)
        watching = run.stub.WatchMatch(pb.WatchMatchRequest(match_id=table.match_id))
        beats = 0
        async for message in watching:
            assert message.next_sequence == 1
            if not message.entries:
                beats += 1
                if beats == 3:
                    break
        watching.cancel()


async def test_who_comes_back_to_a_quiet_match_hears_from_the_referee_at_once(
    tmp_path: Path,
) -> None:
    """Long before the first heartbeat, also where there is no record that it has not seen."""
    async with running(tmp_path, heartbeat_seconds=3600) as run:
        table = await run.table(2, joined=False)
        request = pb.WatchMatchRequest(match_id=table.match_id, from_sequence=1)
        watching = run.stub.WatchMatch(request)
        assert await watching.read() == pb.WatchMatchResponse(next_sequence=1)
        await table.join(0)
        message = await watching.read()
        assert isinstance(message, pb.WatchMatchResponse)
        assert [entry.sequence for entry in message.entries] == [1]
        watching.cancel()


async def test_a_watcher_that_does_not_read_holds_nobody_up(tmp_path: Path) -> None:
    """The match is played to its end while one stream is never read."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        idle = run.stub.WatchMatch(
            pb.WatchMatchRequest(match_id=table.match_id, seat_token=table.tokens[1])
        )
        await table.play_to_the_end()
        assert (await table.view(None)).public_view.over
        idle.cancel()


async def test_what_was_written_last_is_kept_for_watchers_alone(tmp_path: Path) -> None:
    """A move with its events is at hand while somebody watches; then the store has it."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        match = run.serving.referee.match(table.match_id)
        with match.watched():
            sequence = (await table.view(None)).next_sequence
            await table.play_lowest()
            assert match._recent[0].sequence == sequence
            seen = match.rows(sequence, 2)
        assert match._recent == []
        assert match.rows(sequence, 2) == seen
