"""Watching a match through whatever happens to the connection."""

from collections.abc import Sequence
from contextlib import AsyncExitStack, aclosing

import grpc
import pytest

from ronda.v1.referee_service_pb2 import SeatClock, Turn, WatchMatchResponse
from ronda_client import (
    Backoff,
    ForkedLog,
    RefereeClient,
    RefereeError,
    RefereeUnavailableError,
    SeenRecord,
)
from ronda_client.channels import WATCHERS_PER_CHANNEL
from tests.clients.fake_referee import Close, Fail, FakeReferee, Hold, WatchStep, serving
from tests.clients.scripted_log import Book, heartbeat, play, turn

QUICK = Backoff(first=0.001, cap=0.01, patience=20)
UNAVAILABLE = Fail(grpc.StatusCode.UNAVAILABLE)


async def watched(fake: FakeReferee, *, from_sequence: int = 0) -> list[str]:
    """Watch to the end and return what was seen: records by number, turns by decision."""
    seen = []
    async with serving(fake) as target, RefereeClient.connect(target, backoff=QUICK) as client:
        async for item in client.watch("m1", "token 0", from_sequence=from_sequence):
            match item:
                case SeenRecord():
                    seen.append(f"record {item.sequence}")
                case Turn():
                    seen.append(f"turn {item.decision.decision_id}")
    return seen


async def test_log_is_watched_to_its_end() -> None:
    """Records and turns come in the order sent; heartbeats are no news."""
    fake, book = FakeReferee(), Book()
    fake.watches.append(
        [book.header(), heartbeat(), turn(0, [play(1)]), book.result([0], [41, 3]), book.ended()]
    )
    assert await watched(fake) == ["record 0", "turn 0", "record 1"]
    assert fake.watched[0].match_id == "m1"
    assert fake.watched[0].seat_token == "token 0"
    assert fake.watched[0].from_sequence == 0


@pytest.mark.parametrize(
    "breach",
    [
        UNAVAILABLE,
        Fail(grpc.StatusCode.CANCELLED),
        Fail(grpc.StatusCode.UNAVAILABLE, "DRAINING"),
        Fail(grpc.StatusCode.RESOURCE_EXHAUSTED, "SLOW_WATCHER", {"resume_from": "2"}),
        Close(),
    ],
)
async def test_broken_stream_is_resumed_after_the_last_record(breach: WatchStep) -> None:
    """Whatever ends a stream early, the next one asks for the first record not seen."""
    fake, book = FakeReferee(), Book()
    fake.watches.append([book.header(), book.deal(1), breach])
    fake.watches.append([breach])
    fake.watches.append([book.deal(2), book.ended()])
    assert await watched(fake) == ["record 0", "record 1", "record 2"]
    assert [request.from_sequence for request in fake.watched] == [0, 2, 2]
    assert {request.seat_token for request in fake.watched} == {"token 0"}


async def test_referee_that_shuts_down_is_come_back_to() -> None:
    """An end that does not complete the log is no end."""
    fake, book = FakeReferee(), Book()
    fake.watches.append([book.header(), book.draining()])
    fake.watches.append([book.deal(1), book.ended()])
    assert await watched(fake) == ["record 0", "record 1"]
    assert [request.from_sequence for request in fake.watched] == [0, 1]


async def test_history_that_changes_between_streams_is_a_fork() -> None:
    """A referee that comes back with another past is found out at its first record."""
    fake, book, other = FakeReferee(), Book(), Book()
    fake.watches.append([book.header(seats=2), book.deal(1), UNAVAILABLE])
    other.header(seats=2)
    other.deal(7)
    fake.watches.append([other.deal(2), other.ended()])
    with pytest.raises(ForkedLog) as caught:
        await watched(fake)
    assert caught.value.sequence == 2


async def test_history_that_became_shorter_is_a_fork() -> None:
    """Records that were shown and are gone were not kept as promised."""
    fake, book = FakeReferee(), Book()
    fake.watches.append([book.header(), book.deal(1), UNAVAILABLE])
    fake.watches.append([Fail(grpc.StatusCode.OUT_OF_RANGE, "SEQUENCE_OUT_OF_RANGE")])
    with pytest.raises(ForkedLog, match="shorter than it was"):
        await watched(fake)


async def test_start_beyond_the_end_is_refused() -> None:
    """Whoever asks for records that were never shown is refused, which is no fork."""
    fake = FakeReferee()
    fake.watches.append([Fail(grpc.StatusCode.OUT_OF_RANGE, "SEQUENCE_OUT_OF_RANGE")])
    with pytest.raises(RefereeError) as caught:
        await watched(fake, from_sequence=1000)
    assert caught.value.reason == "SEQUENCE_OUT_OF_RANGE"


async def test_refusal_ends_the_watch() -> None:
    """A wrong token does not become right by asking again."""
    fake = FakeReferee()
    fake.watches.append([Fail(grpc.StatusCode.PERMISSION_DENIED, "WRONG_TOKEN")])
    with pytest.raises(RefereeError, match="WRONG_TOKEN"):
        await watched(fake)
    assert len(fake.watched) == 1


async def test_silent_stream_is_given_up_and_resumed() -> None:
    """A connection that died without a word is noticed by the missing heartbeats."""
    fake, book = FakeReferee(), Book()
    fake.watches.append([book.header(), Hold()])
    fake.watches.append([book.deal(1), book.ended()])
    seen = []
    async with serving(fake) as target:
        client = RefereeClient(target, backoff=QUICK, silence=0.2)
        async with client:
            async for item in client.watch("m1"):
                assert isinstance(item, SeenRecord)
                seen.append(item.sequence)
        await fake.let_go.wait()
    assert seen == [0, 1]


async def test_watch_that_is_left_early_lets_the_stream_go() -> None:
    """The referee is not left with a stream that nobody reads."""
    fake, book = FakeReferee(), Book()
    fake.watches.append([book.header(), Hold()])
    async with serving(fake) as target, RefereeClient.connect(target) as client:
        async with aclosing(client.watch("m1")) as items:
            async for _ in items:
                break
        await fake.let_go.wait()


async def test_referee_that_stays_away_is_given_up() -> None:
    """The stream was fine; then the referee is gone for longer than patience allows."""
    fake, book = FakeReferee(), Book()
    fake.watches.append([book.header(), Hold()])
    backoff = Backoff(first=0.001, cap=0.01, patience=0.1)
    async with AsyncExitStack() as stack:
        target = await stack.enter_async_context(serving(fake))
        async with RefereeClient.connect(target, backoff=backoff) as client:
            items = client.watch("m1")
            await anext(items)
            await stack.aclose()
            with pytest.raises(RefereeUnavailableError):
                await anext(items)


async def test_patience_begins_anew_with_every_record() -> None:
    """Fifty breaches in all would be too many; a single one after each record is not."""
    fake, book = FakeReferee(), Book()
    fake.watches.extend(
        [[book.header() if n == 0 else book.deal(n), UNAVAILABLE] for n in range(50)]
    )
    fake.watches.append([book.ended()])
    # Fifty waits take half a second at least, and each single one is within patience.
    backoff = Backoff(first=0.02, cap=0.02, patience=0.25)
    seen = []
    async with serving(fake) as target, RefereeClient.connect(target, backoff=backoff) as client:
        async for item in client.watch("m1"):
            assert isinstance(item, SeenRecord)
            seen.append(item.sequence)
    assert seen == list(range(50))


async def test_many_watchers_leave_room_for_calls() -> None:
    """A server that takes few streams a connection blocks neither watchers nor calls."""
    count = 2 * WATCHERS_PER_CHANNEL + 1
    fake, book = FakeReferee(), Book()
    header = book.header()
    fake.watches.extend([[header, Hold()] for _ in range(count)])
    fake.submits.append(5)
    options = [("grpc.max_concurrent_streams", WATCHERS_PER_CHANNEL)]
    async with (
        serving(fake, options=options) as target,
        RefereeClient.connect(target) as client,
    ):
        watchers = [client.watch("m1") for _ in range(count)]
        for watcher in watchers:
            await anext(watcher)
        assert await client.submit_move("m1", "token 0", 1, play(1)) == 5
        for watcher in watchers:
            await watcher.aclose()


async def test_who_reads_clocks_gets_them_as_they_come() -> None:
    """By seat, after what came with them; messages without clocks say nothing of them."""
    fake, book = FakeReferee(), Book()
    ticking = WatchMatchResponse(
        clocks=[
            SeatClock(milliseconds_left=900, running=True),
            SeatClock(milliseconds_left=5000),
        ]
    )
    fake.watches.append([book.header(), ticking, heartbeat(), book.ended()])
    told: list[list[tuple[int, bool]]] = []

    def read(clocks: Sequence[SeatClock]) -> None:
        told.append([(one.milliseconds_left, one.running) for one in clocks])

    async with (
        serving(fake) as target,
        RefereeClient.connect(target, backoff=QUICK) as client,
        aclosing(client.watch("m1", clocks=read)) as items,
    ):
        seen = [item async for item in items]
    assert len(seen) == 1
    assert told == [[(900, True), (5000, False)]]
