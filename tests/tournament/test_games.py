"""One match of a tournament at a referee that says what it likes, and what is noted of it."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, cast

import pytest
from grpc.aio import ServicerContext

from ronda.v1.log_pb2 import EndReason, LogRecord, SeatJoined
from ronda.v1.referee_service_pb2 import CreateMatchRequest, CreateMatchResponse
from ronda_client import MatchIdError, RefereeClient
from ronda_tournament.folder import journal_of
from ronda_tournament.games import Context, GroupFailed, play_game
from ronda_tournament.journal import Journal
from ronda_tournament.players import Player, Report
from ronda_tournament.recovery import recover
from ronda_tournament.results import Failure, FailureKind, Results
from ronda_tournament.schedule import Group, Meeting
from tests.clients.fake_referee import FakeReferee, serving
from tests.tournament.made import config
from tests.tournament.test_match_log import log, result

PLAYED = EndReason.END_REASON_PLAYED
CONFIG = config(entrants=2)
GROUP = Group(Meeting(1, 1, ((0,), (1,))), 1, 0)


class Saying:
    """Stands in for a player's program: says at once that a match is over."""

    life = "run 1, start 1"

    def play(self, match_id: str, seat: int, seat_token: str) -> asyncio.Future[Report]:
        """Say so."""
        future: asyncio.Future[Report] = asyncio.get_running_loop().create_future()
        future.set_result(Report(played=True))
        return future

    def forget(self, match_id: str) -> None:
        """There is nothing to forget."""


class NamingReferee(FakeReferee):
    """Calls its matches what a test likes."""

    match_id = "m1"

    async def CreateMatch(
        self,
        request: CreateMatchRequest,
        context: ServicerContext[CreateMatchRequest, CreateMatchResponse],
    ) -> CreateMatchResponse:
        """Make one."""
        return CreateMatchResponse(match_id=self.match_id, seat_tokens=["one", "two"])


def joined(*names: str) -> list[LogRecord]:
    """Give the records of seats that are taken under these names."""
    return [
        LogRecord(seat_joined=SeatJoined(seat=seat, name=name)) for seat, name in enumerate(names)
    ]


async def context_at(folder: Path, fake: FakeReferee, stack: AsyncExitStack) -> Context:
    """Give a tournament of two that begins, at this referee."""
    target = await stack.enter_async_context(serving(fake))
    client = await stack.enter_async_context(RefereeClient.connect(target))
    (folder / "logs").mkdir()
    journal = Journal(folder / "journal.jsonl", lambda _: None)
    stack.callback(journal.close)
    journal.note("begun")
    player = cast("Player", Saying())
    players = {(entrant, game): player for entrant in (0, 1) for game in (0, 1)}
    return Context(CONFIG, client, bytes(32), journal, folder / "logs", players)


async def played(
    folder: Path, records: Sequence[LogRecord], fake: FakeReferee | None = None
) -> list[dict[str, Any]]:
    """Play a match of which the referee has these records; give what is noted after its making."""
    fake = fake or FakeReferee()
    # As it is looked at, and as it is kept where it does not count.
    fake.logs.extend([[log(*records)]] * 2)
    async with AsyncExitStack() as stack:
        context = await context_at(folder, fake, stack)
        try:
            await play_game(context, GROUP, 1)
        finally:
            noted = journal_of(folder)[1:]
    assert noted[0] == {
        "type": "created",
        "group": "r1-m1-p1",
        "game": 1,
        "match_id": "m1",
        "seats": [1, 0],
    }
    return noted[1:]


async def test_a_match_that_was_played_counts(tmp_path: Path) -> None:
    """In the second game of a pair entrant 1, called b, sits at seat 0."""
    (line,) = await played(tmp_path, [*joined("b", "a"), result(PLAYED)])
    assert (line["type"], line["seats"], line["scores"]) == ("ended", [1, 0], [3, 0])
    assert (tmp_path / "logs" / "m1.rlog").exists()


async def test_a_bot_that_takes_its_seat_under_another_name_has_failed(tmp_path: Path) -> None:
    """By the log nobody could tell who sat there; the other has done nothing."""
    with pytest.raises(GroupFailed) as raised:
        await played(tmp_path, [*joined("b", "b\x1b"), result(PLAYED)])
    assert raised.value.failures == (
        Failure(
            0,
            FailureKind.RUBBISH,
            'it took its seat as "b\\x1b" and not as "a"',
            "match m1",
            "r1-m1-p1",
            "m1",
        ),
    )
    (abandoned,) = journal_of(tmp_path)[2:]
    assert (abandoned["type"], abandoned["why"]) == (
        "abandoned",
        'it took its seat as "b\\x1b" and not as "a"',
    )


async def test_nor_does_it_count_where_nobody_looked(tmp_path: Path) -> None:
    """The runner was away when it ended; it is played again."""
    fake = FakeReferee()
    results = Results(CONFIG)
    place = {"group": "r1-m1-p1", "game": 1, "seats": [1, 0]}
    for match_id, names in (("m1", "aa"), ("m2", "ba")):
        results.apply({"type": "created", "match_id": match_id, **place})
        fake.logs.extend([[log(*joined(*names), result(PLAYED))]] * (2 if names == "aa" else 1))
    async with AsyncExitStack() as stack:
        context = await context_at(tmp_path, fake, stack)
        await recover(context, results)
    noted = [(line["type"], line["match_id"]) for line in journal_of(tmp_path)[1:]]
    assert noted == [("abandoned", "m1"), ("ended", "m2")]


@pytest.mark.parametrize(
    ("reason", "why"),
    [
        (2, "the match ended by forfeit, and its log names no seat for it"),
        (3, "the match never began, and its log lacks no seat"),
        (4, "the match was cancelled by somebody else"),
        (7, "the match ended for the unknown reason 7"),
        (0, "the match ended for the unknown reason 0"),
    ],
)
async def test_a_match_that_was_not_played_says_why(tmp_path: Path, reason: int, why: str) -> None:
    """No bot has failed, and the group is void; a newer referee's reason is told by its number."""
    records = [*joined("b", "a"), result(EndReason.ValueType(reason))]
    with pytest.raises(GroupFailed) as raised:
        await played(tmp_path, records)
    assert (raised.value.failures, raised.value.why) == ((), why)


async def test_a_match_whose_id_leads_elsewhere_is_not_played(tmp_path: Path) -> None:
    """Nothing is noted of it, and nothing written anywhere."""
    fake = NamingReferee()
    fake.match_id = "../outside"
    with pytest.raises(MatchIdError) as raised:
        await played(tmp_path, [*joined("b", "a"), result(PLAYED)], fake)
    assert str(raised.value) == (
        "the match id '../outside' is no file name; 1 to 100 letters, digits and -_. of ASCII "
        "are, not beginning with a dot"
    )
    assert [line["type"] for line in journal_of(tmp_path)] == ["begun"]
    assert not list(tmp_path.rglob("*.rlog"))
