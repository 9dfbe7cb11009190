"""A person and spectators at a real referee on loopback."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ronda.v1.match_terms_pb2 import TIME_OUT_AUTOMATIC, MatchTerms, TimeControl
from ronda_client import (
    Backoff,
    CreatedMatch,
    RefereeClient,
    RefereeError,
    play_match,
    play_seat,
    read_records,
)
from ronda_conformance.rule_set_files import load_listed_rule_sets
from ronda_referee.server import serving
from ronda_referee.settings import Settings
from ronda_terminal.app import Seated, Session
from ronda_terminal.controls import Leaving, Seating
from ronda_terminal.referee_table import (
    noticed,
    play_person,
    resign_all,
    show_log,
    watch_match,
)
from tests.terminal.tables import QuietBot, Table, shown

QUICK = Backoff(first=0.01, cap=0.05, patience=60)
AT_REFEREE = Seating(resigns=True, returns=True)
WATCHING = Seating(plays=False, pauses=True)


@asynccontextmanager
async def referee(folder: Path, listen: str = "127.0.0.1:0") -> AsyncIterator[str]:
    """Run a referee on a folder; give where it listens."""
    settings = Settings(folder, listen, drain_seconds=1.0)
    async with serving(settings, load_listed_rule_sets()) as served:
        yield served.address


@dataclass
class Match:
    """A match with a quiet bot at seat 1, and the table of a person at seat 0."""

    table: Table
    created: CreatedMatch
    client: RefereeClient


@asynccontextmanager
async def seated(
    target: str, rule_set: str, terms: MatchTerms | None = None
) -> AsyncIterator[Match]:
    """Create a match, let the bot play, and show the table while the context lasts."""
    async with RefereeClient.connect(target, backoff=QUICK) as client:
        created = await client.create_match(rule_set, 2, terms=terms)
        match_id, tokens = created.match_id, created.seat_tokens

        async def session(seated: Seated) -> None:
            backoff = noticed(QUICK, seated.feed, target)
            async with RefereeClient.connect(target, backoff=backoff) as own:
                await play_person(own, match_id, tokens[0], seated.person, seated.feed, "Amina")

        async def leave(leaving: Leaving) -> None:
            if leaving is Leaving.RESIGN:
                await resign_all(client, match_id, tokens[:1])

        bot = asyncio.create_task(play_seat(client, match_id, tokens[1], QuietBot(), name="Brahim"))
        try:
            async with shown(session, AT_REFEREE, seat=None, leave=leave) as table:
                yield Match(table, created, client)
        finally:
            bot.cancel()
            with suppress(asyncio.CancelledError, RefereeError):
                await bot


def spectator(target: str, match_id: str) -> Session:
    """Give a session for a spectator of a match."""

    async def session(seated: Seated) -> None:
        async with RefereeClient.connect(target, backoff=QUICK) as client:
            await watch_match(client, match_id, seated.feed)

    return session


async def test_a_whole_match_on_a_referee_and_its_spectator(tmp_path: Path) -> None:
    """The person plays by keys to the end; who watches sees the same table, and no hand."""
    async with referee(tmp_path) as target, seated(target, "single-deal") as match:
        table = match.table
        await table.until_asked()
        watching = spectator(target, match.created.match_id)
        async with shown(watching, WATCHING, seat=None) as looking:
            await looking.until(lambda: looking.screen.table)
            assert looking.screen.table == table.screen.table
            assert looking.screen.hand is None
            assert all(one.cards is None for one in looking.app.sight.table.hands.values())
            assert [line.name for line in looking.screen.seats] == ["Amina (0)", "Brahim (1)"]
            assert [line.own for line in table.screen.seats] == [True, False]
            await looking.press("1")
            assert "the key 1 does nothing" in looking.text("prompt")
            for _ in range(18):
                await table.until_asked()
                await table.press("1")
            await table.until(lambda: table.app.controls.over)
            await looking.until(lambda: looking.app.controls.over)
            assert looking.screen.result[-1] == table.screen.result[-1]
            assert looking.told[-1] == table.told[-1]
        log = await match.client.get_match_log(match.created.match_id)
        result = next(one for one in read_records(log) if one.HasField("match_result"))
        assert table.app.sight.ended is not None
        assert table.app.sight.ended.scores == tuple(result.match_result.scores)
        moves = [one for one in read_records(log) if one.HasField("move_accepted")]
        assert len(moves) == 36


async def test_clocks_count_down_and_a_late_seat_is_told(tmp_path: Path) -> None:
    """The referee moves in its stead; the person's question is closed, and the next one asked."""
    time = TimeControl(per_move_ms=700)
    terms = MatchTerms(time_control=time, time_out=TIME_OUT_AUTOMATIC)
    async with referee(tmp_path) as target, seated(target, "single-deal", terms) as match:
        table = match.table
        await table.until_asked()
        clock = table.app.sight.clocks[0]
        assert clock.running
        assert clock.left(clock.since) == 0
        assert clock.milliseconds in range(1, 701)
        assert table.screen.seats[0].clock == "0:00"
        await table.until(
            lambda: any(
                one.startswith("Amina (0) plays ") and one.endswith(" (moved by the referee)")
                for one in table.told
            )
        )
        await table.until_asked()
        first = len(table.app.controls.hand)
        assert first == 2
        await table.press("1")
        await table.until(lambda: len(table.app.controls.hand) == 1)
        assert table.app.failure is None


async def test_a_referee_that_is_restarted_is_waited_for(tmp_path: Path) -> None:
    """The table says that the connection is lost; a card that is played meanwhile arrives."""
    stack = AsyncExitStack()
    target = await stack.enter_async_context(referee(tmp_path))
    async with seated(target, "single-deal") as match:
        table = match.table
        await table.until_asked()
        await stack.aclose()
        await table.until(lambda: table.app.sight.lost)
        lost = f"the connection to {target} is lost; it is tried again"
        assert lost in table.text("prompt")
        await table.press("2")
        assert table.screen.prompt == "sent; waiting for the referee"
        async with referee(tmp_path, target):
            await table.until(lambda: table.app.sight.lost is None)
            await table.until_asked()
            assert lost not in table.text("prompt")
            assert len(table.app.controls.hand) == 2
            await table.press("1")
            await table.until_asked()
            assert len(table.app.controls.hand) == 1


async def test_resigning_forfeits_the_match(tmp_path: Path) -> None:
    """`q` asks; `r` tells the referee, and the log has it."""
    async with referee(tmp_path) as target, seated(target, "maghribi") as match:
        table = match.table
        await table.until_asked()
        await table.press("q")
        assert [(one.key, one.label) for one in table.screen.buttons] == [
            ("r", "resign and leave"),
            ("l", "leave and come back later"),
            ("s", "stay"),
        ]
        await table.press("r")
        await table.until(lambda: not table.app.is_running or table.app.controls.over)
        view = (await match.client.get_view(match.created.match_id)).view
        assert list(view.winners) == [1]  # type: ignore[union-attr]  # the public's


async def test_who_left_comes_back_to_the_same_seat(tmp_path: Path) -> None:
    """The seat is joined already; its cards say which it is."""
    async with referee(tmp_path) as target, seated(target, "single-deal") as match:
        await match.table.until_asked()
        hand = match.table.app.controls.hand
        await match.table.press("q", "l")
        assert not match.table.app.is_running

        async def again(seated: Seated) -> None:
            async with RefereeClient.connect(target, backoff=QUICK) as client:
                token = match.created.seat_tokens[0]
                match_id = match.created.match_id
                await play_person(client, match_id, token, seated.person, seated.feed, "other")

        async with shown(again, AT_REFEREE, seat=None) as table:
            await table.until_asked()
            assert table.app.controls.hand == hand
            assert table.screen.seats[0].name == "you: Amina (0)"
            await table.press("1")
            await table.until_asked()
            assert len(table.app.controls.hand) == 2


async def test_a_match_that_is_not_there_is_shown_as_what_it_is(tmp_path: Path) -> None:
    """The referee's own words."""
    async with (
        referee(tmp_path) as target,
        shown(spectator(target, "nowhere"), WATCHING, seat=None) as table,
    ):
        await table.until(lambda: table.app.failure)
        assert "it cannot go on: MATCH_NOT_FOUND" in table.text("prompt")


async def test_a_log_is_watched_as_the_public_saw_it(tmp_path: Path) -> None:
    """Hands that the log has opened stay hidden; space holds it up."""
    async with referee(tmp_path) as target:
        played = await play_match(target, "single-deal", [QuietBot(), QuietBot()])
    records = list(read_records(played.log))
    assert any(one.HasField("opening") for one in records)

    async def session(seated: Seated) -> None:
        await show_log(records, seated.feed)

    async with shown(session, WATCHING, seat=None) as table:
        await table.until(lambda: table.app.controls.over)
        assert not any(" receives " in one for one in table.told)
        assert table.app.sight.ended is not None
        assert table.app.sight.ended.scores == played.scores
        assert table.screen.result[0].startswith(("win: ", "draw: "))


async def test_a_log_that_stops_says_so(tmp_path: Path) -> None:
    """As that of a match under way."""
    async with referee(tmp_path) as target:
        played = await play_match(target, "single-deal", [QuietBot(), QuietBot()])
    records = list(read_records(played.log))[:20]

    async def session(seated: Seated) -> None:
        seated.feed.pause(paused=True)
        await show_log(records, seated.feed)

    async with shown(session, WATCHING, seat=None) as table:
        table.app.controls.paused = True
        assert table.told == []
        await table.press("space")
        await table.until(lambda: table.app.controls.over)
        assert table.screen.prompt == "the log ends here; the match is not over"
        assert table.told
