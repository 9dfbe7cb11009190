"""The Play stream where something does not keep pace, goes away, fails or shuts down."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing
from pathlib import Path

import grpc
import pytest

from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.referee_service_pb2_grpc import RefereeServiceStub
from ronda_bots import RandomBot
from ronda_client import RefereeClient, play_seats
from ronda_referee.match import Match
from ronda_referee.play import MatchPlay
from ronda_referee.play_stream import PlayStream, _Taken
from ronda_referee.referee import Referee
from ronda_referee.store import SqliteStore, Write
from tests.referee.running import Running, Table, running
from tests.referee.streaming import Streaming, last_legal, move_of, seat_of

# A client whose connection takes 64 KiB ahead of its reading, and not the megabytes that gRPC
# allows on a fast one.
NARROW = (("grpc.http2.lookahead_bytes", 65_536), ("grpc.http2.bdp_probe", 0))


class Requests:
    """What a client sends, without a connection: goes on when it is told to, and counts."""

    def __init__(self, *requests: pb.PlayRequest) -> None:
        self.read = 0
        self._requests = requests
        self._closed = asyncio.Event()

    def close(self) -> None:
        """Close the client's side."""
        self._closed.set()

    async def __aiter__(self) -> AsyncIterator[pb.PlayRequest]:
        """Give the requests, then wait until the client's side is closed."""
        for request in self._requests:
            self.read += 1
            yield request
        await self._closed.wait()


async def test_what_is_not_read_is_not_made(tmp_path: Path) -> None:
    """A turn that was overtaken is never sent, and what was missed comes in one message."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        requests = Requests(pb.PlayRequest(seats=[seat_of(table, 0, 0)]))
        stream = PlayStream(run.serving.referee, 15.0, 1024)
        async with aclosing(stream.messages(requests.__aiter__())) as messages:
            first = await anext(messages)
            assert first.updates[0].news.HasField("turn")
            seen = first.updates[0].news.next_sequence
            for _ in range(40):
                await table.play_lowest()
            while await table.seat_to_act() != 0:
                await table.play_lowest()
            view = await table.view(0)
            second = await anext(messages)
        (update,) = second.updates
        entries = update.news.entries
        assert [entry.sequence for entry in entries] == list(range(seen, view.next_sequence))
        assert update.news.turn == pb.Turn(view=view.seat_view, decision=view.decision)


async def test_no_more_is_taken_in_than_can_be_answered(tmp_path: Path) -> None:
    """Of sixty moves in three messages eight are read while none of their answers is."""
    async with running(tmp_path) as run:
        table, other = await run.table(2), await run.table(2)
        moves = [pb.PlayMove(match_id=table.match_id, request_id=f"{n}") for n in range(60)]
        requests = Requests(*(pb.PlayRequest(moves=moves[n : n + 20]) for n in (0, 20, 40)))
        stream = PlayStream(run.serving.referee, 15.0, 8)
        async with aclosing(stream.messages(requests.__aiter__())) as messages:
            answers = list((await anext(messages)).answers)
            assert len(answers) <= 8
            # The whole of another match is played meanwhile, so there was time to read on.
            await other.play_to_the_end()
            assert (requests.read, stream._unanswered) == (1, 8)
            requests.close()
            async for message in messages:
                assert len(message.answers) <= 8
                answers += message.answers
        assert requests.read == 3
        assert [answer.request_id for answer in answers] == [str(number) for number in range(60)]
        assert {answer.refusal.reason for answer in answers} == {"WRONG_TOKEN"}


async def ended_matches(run: Running, count: int) -> list[Table]:
    """Play matches to their ends, over two streams of other connections."""
    tables = [await run.table(2, "sarii", joined=False) for _ in range(count)]
    async with (
        RefereeClient.connect(run.serving.address) as first,
        RefereeClient.connect(run.serving.address) as second,
    ):
        await asyncio.gather(
            *(
                play_seats(client, [(t.match_id, t.tokens[seat]) for t in tables], RandomBot(seat))
                for seat, client in enumerate((first, second))
            )
        )
    return tables


class Watched:
    """Counts what the stream made for its client that was opened last.

    Attributes:
        stream: the stream, once it is opened.
        opened: set when it is.
        made: the bytes of its messages.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Count from the next stream on."""
        self.opened = asyncio.Event()
        self.made = 0
        self.stream: PlayStream | None = None
        make, begin = PlayStream._message, PlayStream.__init__

        def message(stream: PlayStream) -> pb.PlayResponse:
            answer = make(stream)
            assert answer.ByteSize() < 256 * 1024
            if stream is self.stream:
                self.made += answer.ByteSize()
            return answer

        def init(
            stream: PlayStream, referee: Referee, heartbeat_seconds: float, moves_in_flight: int
        ) -> None:
            begin(stream, referee, heartbeat_seconds, moves_in_flight)
            if self.stream is None:
                self.stream = stream
                self.opened.set()

        monkeypatch.setattr(PlayStream, "_message", message)
        monkeypatch.setattr(PlayStream, "__init__", init)


async def test_a_stream_that_is_never_read_takes_little_and_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the referee makes ahead for it is what fits into the connection, of much more.

    Other matches are played to their ends meanwhile, and when it is read at last nothing is
    missing.
    """
    async with (
        running(tmp_path) as run,
        grpc.aio.insecure_channel(run.serving.address, options=NARROW) as channel,
    ):
        tables = await ended_matches(run, 24)
        watched = Watched(monkeypatch)
        idle = Streaming(RefereeServiceStub(channel))
        await idle.send([seat_of(table, 0, 0) for table in tables])
        await watched.opened.wait()
        await ended_matches(run, 4)
        blocked_at = watched.made
        await ended_matches(run, 4)
        assert watched.made == blocked_at > 0
        await idle.until(lambda: sum(len(news.ended) for news in idle.news.values()) == 24)
        for table in tables:
            entries = idle.of(table.match_id).entries
            assert [entry.sequence for entry in entries] == list(range(len(entries)))
        assert watched.made > 3 * blocked_at
        print(f"{blocked_at} of {watched.made} bytes were made while nobody read")
        assert await idle.rest() is grpc.StatusCode.OK


async def test_a_client_that_goes_without_having_read_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The referee is blocked in the middle of the logs when it goes; then it watches nothing."""
    async with (
        running(tmp_path) as run,
        grpc.aio.insecure_channel(run.serving.address, options=NARROW) as channel,
    ):
        tables = await ended_matches(run, 8)
        watched = Watched(monkeypatch)
        gone = asyncio.Event()
        leave = PlayStream._leave

        def leaving(stream: PlayStream, taken: _Taken) -> None:
            leave(stream, taken)
            if stream is watched.stream and not any(match._watchers for match in matches):
                gone.set()

        monkeypatch.setattr(PlayStream, "_leave", leaving)
        matches = [run.serving.referee.match(table.match_id) for table in tables]
        idle = Streaming(RefereeServiceStub(channel))
        await idle.send([seat_of(table, 0, 0) for table in tables])
        await watched.opened.wait()
        await ended_matches(run, 2)
        assert any(match._watchers for match in matches)
        assert not gone.is_set()
        idle.call.cancel()
        await gone.wait()


async def test_a_client_that_goes_loses_no_move_under_way_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stream is cancelled during the commit: the move counts, and nobody watches any more."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        stream = Streaming(run.stub)
        await stream.send([seat_of(table, 0)])
        turn = await stream.turn(table)
        match = run.serving.referee.match(table.match_id)
        assert match.watchers == 1
        left = asyncio.Event()
        written, unwatched = SqliteStore.write, Match.unwatch

        def write(store: SqliteStore, writes: Sequence[Write]) -> None:
            stream.call.cancel()
            written(store, writes)

        def unwatch(match: Match, wake: Callable[[], None]) -> None:
            unwatched(match, wake)
            left.set()

        monkeypatch.setattr(SqliteStore, "write", write)
        monkeypatch.setattr(Match, "unwatch", unwatch)
        move = last_legal(turn, table, "mine")
        place = (await table.view(None)).next_sequence
        await stream.send(moves=[move])
        await left.wait()
        assert not match._watchers
        monkeypatch.undo()
        again = Streaming(run.stub)
        await again.send([seat_of(table, 0)])
        (answer,) = await again.answer(move)
        assert answer.sequence == place
        assert await table.seat_to_act() == 1


async def test_a_side_that_is_closed_ends_the_stream_when_everything_is_answered(
    tmp_path: Path,
) -> None:
    """Moves that were sent before are answered, and the status is OK."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        view = await table.view(0)
        stream = Streaming(run.stub)
        request = table.request(0, view.decision.decision_id, view.decision.legal_moves[-1])
        await stream.send([seat_of(table, 0)], [move_of(request)] * 50)
        assert await stream.rest() is grpc.StatusCode.OK
        assert [answer.sequence for answer in stream.answers] == [view.next_sequence] * 50
        nothing = Streaming(run.stub)
        assert await nothing.rest() is grpc.StatusCode.OK


async def test_a_referee_that_shuts_down_says_where_to_go_on(tmp_path: Path) -> None:
    """Every seat gets a last message, then the stream ends with UNAVAILABLE, also an empty one."""
    async with running(tmp_path) as run:
        tables = [await run.table(2), await run.table(2, joined=False)]
        stream, empty = Streaming(run.stub), Streaming(run.stub)
        await empty.send()
        await stream.send([seat_of(tables[0], 0, 0), seat_of(tables[1], 1)])
        await stream.turn(tables[0])
        await stream.taken(tables[1])
        length = (await tables[0].view(None)).next_sequence
        await run.serving.referee.drain()
        assert await stream.end() is grpc.StatusCode.UNAVAILABLE
        assert await stream.call.details() == "the referee is shutting down; try again later"
        assert await empty.end() is grpc.StatusCode.UNAVAILABLE
        assert stream.of(tables[0].match_id).ended == [False]
        assert stream.of(tables[1].match_id).ended == [False]
        assert len(stream.of(tables[0].match_id).entries) == length
        late = Streaming(run.stub)
        await late.send([seat_of(tables[0], 0)])
        assert await late.end() is grpc.StatusCode.UNAVAILABLE


async def test_moves_under_way_are_answered_before_the_referee_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It begins to shut down while a move is being written: the answer still comes."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        stream = Streaming(run.stub)
        await stream.send([seat_of(table, 0)])
        await stream.turn(table)
        written = SqliteStore.write
        draining: list[asyncio.Task[None]] = []

        def write(store: SqliteStore, writes: Sequence[Write]) -> None:
            draining.append(asyncio.create_task(run.serving.referee.drain()))
            run.serving.referee.draining = True
            written(store, writes)

        monkeypatch.setattr(SqliteStore, "write", write)
        place = (await table.view(None)).next_sequence
        await stream.send(moves=[last_legal(stream.of(table.match_id).turns[0], table)])
        assert await stream.end() is grpc.StatusCode.UNAVAILABLE
        assert [answer.sequence for answer in stream.answers] == [place]
        await draining[0]


async def test_a_fault_of_the_referee_ends_its_match_in_the_stream_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The move and the match are refused as INTERNAL; a frozen match says so when it is taken."""
    async with running(tmp_path) as run:
        broken, sound = await run.table(2), await run.table(2)
        stream = Streaming(run.stub)
        await stream.send([seat_of(broken, 0, 0), seat_of(sound, 0)])
        await stream.turn(broken)
        await stream.turn(sound)
        length = (await broken.view(None)).next_sequence

        def move(*_: object) -> None:
            raise ZeroDivisionError("a secret of the engine")

        with monkeypatch.context() as patched:
            patched.setattr(MatchPlay, "move", move)
            turn = stream.of(broken.match_id).turns[0]
            (answer,) = await stream.answer(last_legal(turn, broken))
        await stream.until(lambda: stream.of(broken.match_id).refusals)
        again = Streaming(run.stub)
        await again.send([seat_of(broken, 0, 0)])
        await again.until(lambda: again.of(broken.match_id).refusals)
        # What there is of its log comes first.
        assert len(again.of(broken.match_id).entries) == length
        for said in (
            answer.refusal,
            *stream.of(broken.match_id).refusals,
            *again.of(broken.match_id).refusals,
        ):
            assert (said.code, said.reason) == (13, "REFEREE_FAULT")
            assert "secret" not in said.detail
        (answer,) = await stream.answer(last_legal(stream.of(sound.match_id).turns[0], sound))
        assert answer.HasField("sequence")


async def test_a_disk_that_refuses_holds_up_its_match_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Moves of two matches in one message: one is refused as UNAVAILABLE, and can be sent again."""
    async with running(tmp_path) as run:
        broken, sound = await run.table(2), await run.table(2)
        stream = Streaming(run.stub)
        await stream.send([seat_of(broken, 0), seat_of(sound, 0)])
        await stream.until(lambda: all(stream.of(t.match_id).turns for t in (broken, sound)))
        moves = [last_legal(stream.of(t.match_id).turns[0], t) for t in (broken, sound)]
        written = SqliteStore.write

        def write(store: SqliteStore, writes: Sequence[Write]) -> None:
            if any(one.match_id == broken.match_id for one in writes):
                raise OSError("the disk is full")
            written(store, writes)

        with monkeypatch.context() as patched:
            patched.setattr(SqliteStore, "write", write)
            answers = {answer.match_id: answer for answer in await stream.answer(*moves)}
        refusal = answers[broken.match_id].refusal
        assert (refusal.code, refusal.reason) == (14, "STORE_UNAVAILABLE")
        assert answers[sound.match_id].HasField("sequence")
        (answer,) = await stream.answer(moves[0])
        assert answer.HasField("sequence")


async def test_news_of_a_match_are_its_own(tmp_path: Path) -> None:
    """Each seat of a stream sees what it alone may see, and nothing of the other seats'."""
    async with running(tmp_path) as run:
        tables = [await run.table(3), await run.table(3)]
        stream = Streaming(run.stub)
        await stream.send([seat_of(tables[0], 1, 0), seat_of(tables[1], 2, 0)])
        for table, seat in zip(tables, (1, 2), strict=True):
            length = (await table.view(None)).next_sequence
            entries = await stream.records(table, length)
            assert entries == await table.records(seat)
            assert sum(entry.HasField("opening") for entry in entries) == 1


async def test_a_move_whose_seat_was_refused_by_the_shutdown_is_to_be_sent_again(
    tmp_path: Path,
) -> None:
    """It is told why, and not that its stream has taken no seat."""
    async with running(tmp_path) as run:
        table = await run.table(2)
        stream = PlayStream(run.serving.referee, 15.0, 8)
        move = pb.PlayMove(match_id=table.match_id, decision_id=1, request_id="1")
        run.serving.referee.draining = True
        stream._submit(move)
        assert [answer.refusal.reason for answer in stream._answers] == ["DRAINING"]
