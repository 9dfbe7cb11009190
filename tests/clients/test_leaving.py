"""Resigning, changing a token, and what a bot hears of a match that ends without its moves."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest

from ronda.v1.decision_pb2 import Decision
from ronda.v1.log_pb2 import END_REASON_CANCELLED, END_REASON_FORFEITED, END_REASON_PLAYED
from ronda.v1.match_terms_pb2 import TIME_OUT_AUTOMATIC, TIME_OUT_FORFEIT, MatchTerms, TimeControl
from ronda.v1.move_pb2 import Move
from ronda.v1.view_pb2 import SeatView
from ronda_bots import by_name
from ronda_client import Bot, Outcome, RefereeClient, SeatResult, play_seat
from tests.clients.fake_referee import Fail, FakeReferee, serving
from tests.referee.running import running

OLD = "A" * 43


class Waiting:
    """Waits for something before its first move, and tells that it has begun to."""

    def __init__(self) -> None:
        """Wait for `go_on`."""
        self.asked = asyncio.Event()
        self.go_on = asyncio.Event()

    async def choose(self, view: SeatView, decision: Decision) -> Move:
        """Take the last legal move."""
        self.asked.set()
        await self.go_on.wait()
        return decision.legal_moves[-1]


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[RefereeClient]:
    """Give a client of a fresh referee, with its own user's organiser's token."""
    async with running(tmp_path) as run:
        token = run.serving.organiser_token_file.read_text().split()[0]
        async with RefereeClient.connect(run.serving.address, organiser_token=token) as client:
            yield client


async def played(
    client: RefereeClient, match_id: str, tokens: tuple[str, ...], bots: list[Bot]
) -> list[SeatResult]:
    """Play every seat with its bot."""
    return await asyncio.gather(
        *(play_seat(client, match_id, token, bot) for token, bot in zip(tokens, bots, strict=True))
    )


async def test_a_token_whose_change_was_lost_on_the_way_back_is_the_new_one() -> None:
    """The old one opens nothing any more: the new one is tried, and opens the seat."""
    fake = FakeReferee()
    fake.rotations += [Fail(grpc.StatusCode.PERMISSION_DENIED, "WRONG_TOKEN"), None]
    async with serving(fake) as address, RefereeClient.connect(address) as client:
        new = await client.rotate_seat_token("m-7", OLD)
    first, second = fake.rotated
    assert (first.seat_token, first.new_seat_token) == (OLD, new)
    assert (second.seat_token, second.new_seat_token) == (new, new)
    assert len(new) == 43
    assert new != OLD


async def test_a_token_is_drawn_anew_each_time(client: RefereeClient) -> None:
    """The last one opens the seat."""
    created = await client.create_match("maghribi", 2)
    tokens = [created.seat_tokens[0]]
    for _ in range(3):
        tokens.append(await client.rotate_seat_token(created.match_id, tokens[-1]))
    assert len(set(tokens)) == 4
    assert await client.join(created.match_id, tokens[-1]) == 0


async def test_a_bot_whose_opponent_resigns_has_won(client: RefereeClient) -> None:
    """Whoever still thinks hears the end, not an error."""
    created = await client.create_match("maghribi", 2)
    bots = [Waiting(), Waiting()]
    playing = asyncio.create_task(played(client, created.match_id, created.seat_tokens, [*bots]))
    await bots[0].asked.wait()
    await client.resign(created.match_id, created.seat_tokens[1])
    bots[0].go_on.set()
    won, lost = await playing
    assert (won.outcome, lost.outcome) == (Outcome.WON, Outcome.LOST)
    assert won.reason == lost.reason == END_REASON_FORFEITED


async def test_a_bot_hears_that_its_match_was_cancelled(client: RefereeClient) -> None:
    """Nobody has won, and that is no error of the bot's."""
    created = await client.create_match("maghribi", 2)
    bots = [Waiting(), Waiting()]
    playing = asyncio.create_task(played(client, created.match_id, created.seat_tokens, [*bots]))
    await bots[0].asked.wait()
    await client.cancel_match(created.match_id)
    bots[0].go_on.set()
    results = await playing
    assert [result.outcome for result in results] == [Outcome.CANCELLED, Outcome.CANCELLED]
    assert {result.reason for result in results} == {END_REASON_CANCELLED}
    assert results[0].winners == ()


async def test_a_bot_that_is_too_slow_loses_and_is_told(client: RefereeClient) -> None:
    """It answers when its time has run out."""
    control = TimeControl(per_move_ms=40)
    terms = MatchTerms(time_control=control, time_out=TIME_OUT_FORFEIT)
    created = await client.create_match("maghribi", 2, terms=terms)
    bots = [Waiting(), Waiting()]
    playing = asyncio.create_task(played(client, created.match_id, created.seat_tokens, [*bots]))
    other = client.watch(created.match_id)
    async for _ in other:
        pass
    bots[0].go_on.set()
    lost, won = await playing
    assert (won.outcome, lost.outcome) == (Outcome.WON, Outcome.LOST)


async def test_the_referee_plays_for_a_bot_that_is_too_slow_and_it_plays_on(
    client: RefereeClient,
) -> None:
    """Late answers are dropped; the match goes on to its end by the rules."""
    control = TimeControl(per_move_ms=15)
    terms = MatchTerms(time_control=control, time_out=TIME_OUT_AUTOMATIC)
    created = await client.create_match("sarii", 3, terms=terms)

    class Slow:
        def __init__(self) -> None:
            self.decisions = 0

        async def choose(self, view: SeatView, decision: Decision) -> Move:
            self.decisions += 1
            if self.decisions % 4 == 0:
                # Longer than it has; what counts is that it comes too late at all.
                await asyncio.sleep((decision.milliseconds_left + 15) / 1000)
            return decision.legal_moves[-1]

    bots: list[Bot] = [Slow(), by_name("random", 1), by_name("greedy", 2)]
    results = await played(client, created.match_id, created.seat_tokens, bots)
    assert {result.reason for result in results} == {END_REASON_PLAYED}


async def test_with_three_seats_a_bot_that_resigned_watches_the_others_play_on(
    client: RefereeClient,
) -> None:
    """Its seat is played by the referee and has not won."""
    created = await client.create_match("maghribi", 3)
    waiting = Waiting()
    bots: list[Bot] = [waiting, by_name("random", 1), by_name("greedy", 2)]
    playing = asyncio.create_task(played(client, created.match_id, created.seat_tokens, bots))
    await waiting.asked.wait()
    await client.resign(created.match_id, created.seat_tokens[0])
    waiting.go_on.set()
    first, *others = await playing
    assert first.outcome is Outcome.LOST
    assert {result.reason for result in (first, *others)} == {END_REASON_PLAYED}
