"""Many matches over one stream each for their bots, against the real referee in its own process."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from ronda.v1.decision_pb2 import Decision
from ronda.v1.move_pb2 import Move
from ronda.v1.rule_set_pb2 import RuleSet
from ronda.v1.view_pb2 import SeatView
from ronda_bots import RandomBot
from ronda_client import (
    Backoff,
    ClientError,
    CreatedMatch,
    RefereeClient,
    RefereeError,
    SeatResult,
    play_seats,
    read_records,
)
from ronda_referee.audit import audit_file
from tests.clients.scripted_log import card, play
from tests.referee.referee_process import RefereeProcess

QUICK = Backoff(first=0.01, cap=0.2, patience=60)


async def created(
    client: RefereeClient, rule_set: str | RuleSet, seats: list[int]
) -> list[CreatedMatch]:
    """Create a match for each number of seats."""
    return [await client.create_match(rule_set, number) for number in seats]


def tokens(matches: list[CreatedMatch], seat: int) -> list[tuple[str, str]]:
    """Give this seat of every match that has one."""
    return [(m.match_id, m.seat_tokens[seat]) for m in matches if seat < len(m.seat_tokens)]


def results_of(played: list[dict[str, SeatResult | ClientError]]) -> list[SeatResult]:
    """Give the results, none of which may be an error."""
    results = []
    for one in played:
        for result in one.values():
            assert isinstance(result, SeatResult), result
            results.append(result)
    return results


async def check_logs(
    client: RefereeClient, matches: list[CreatedMatch], results: list[SeatResult], folder: Path
) -> None:
    """Audit every log; the moves in it are those that the seats count, each decision once."""
    moves = Counter[str]()
    for result in results:
        moves[result.match_id] += result.moves
    for match in matches:
        path = folder / f"{match.match_id}.rlog"
        await client.save_match_log(match.match_id, path)
        report = audit_file(path)
        assert report.ok, report
        records = list(read_records(path.read_bytes()))
        answered = [
            (record.move_accepted.seat, record.move_accepted.decision_id)
            for record in records
            if record.HasField("move_accepted")
        ]
        assert len(answered) == len(set(answered)) == moves[match.match_id]


@pytest.mark.parametrize("verify", [True, False])
async def test_hundreds_of_matches_over_one_stream_for_each_bot(
    tmp_path: Path, verify: bool
) -> None:
    """Matches of two, three and four seats; all of them end, and every log audits."""
    async with (
        RefereeProcess(tmp_path / "data") as referee,
        RefereeClient.connect(referee.address) as client,
    ):
        rule_set = (await client.get_rule_set("sarii")).rule_set
        rule_set.id, rule_set.target = "short", 3
        matches = await created(client, rule_set, [2, 3, 4] * 70)
        played = await asyncio.gather(
            *(
                play_seats(client, tokens(matches, seat), RandomBot(seat), verify=verify)
                for seat in range(4)
            )
        )
        assert [len(one) for one in played] == [210, 210, 140, 70]
        await check_logs(client, matches, results_of(played), tmp_path)


class CountingBot:
    """A random bot that keeps what it was asked, and says when it was asked so many times."""

    def __init__(self, seat: int, milestones: list[int]) -> None:
        self.reached = {milestone: asyncio.Event() for milestone in milestones}
        self.asked: list[tuple[bytes, int]] = []
        self._bot = RandomBot(seat)

    def choose(self, view: SeatView, decision: Decision) -> Move:
        """Return the random bot's move."""
        self.asked.append((view.SerializeToString(deterministic=True), decision.decision_id))
        if len(self.asked) in self.reached:
            self.reached[len(self.asked)].set()
        return self._bot.choose(view, decision)


@pytest.mark.parametrize("verify", [True, False])
async def test_streams_go_on_through_kills_of_the_referee(tmp_path: Path, verify: bool) -> None:
    """Twelve matches; the referee is killed twice and stopped once, and comes back each time.

    No bot notices: no decision is put to it twice, and every move that it made stands in the log
    once.
    """
    milestones = [60, 200, 350]
    bots = [CountingBot(0, milestones), CountingBot(1, [])]
    async with (
        RefereeProcess(tmp_path / "data") as referee,
        RefereeClient.connect(referee.address, backoff=QUICK) as client,
    ):
        matches = await created(client, "sarii", [2] * 12)
        playing = asyncio.gather(
            *(
                play_seats(client, tokens(matches, seat), bot, verify=verify)
                for seat, bot in enumerate(bots)
            )
        )
        for milestone in milestones:
            await bots[0].reached[milestone].wait()
            if milestone == 200:
                assert await referee.stop() == 0
            else:
                await referee.kill()
            await referee.start()
        results = results_of(await playing)
        await check_logs(client, matches, results, tmp_path)
    for bot, asked in zip(bots, (results[:12], results[12:]), strict=True):
        assert len(bot.asked) == sum(result.moves for result in asked)


async def test_seat_that_cannot_be_played_ends_no_other(tmp_path: Path) -> None:
    """A wrong token, no match, and a bot that plays a card which it does not hold."""

    class CheatingBot:
        def choose(self, view: SeatView, decision: Decision) -> Move:
            if view.public.seats == 2:
                return RandomBot(0).choose(view, decision)
            held = {(card.rank, card.suit) for card in view.hand}
            return play(next(rank for rank in (1, 2, 3, 4) if (rank, card(rank).suit) not in held))

    async with (
        RefereeProcess(tmp_path / "data") as referee,
        RefereeClient.connect(referee.address) as client,
    ):
        sound, cheated, stolen = await created(client, "sarii", [2, 3, 2])
        seats = [
            *tokens([sound, cheated], 0),
            (stolen.match_id, sound.seat_tokens[0]),
            ("nowhere", sound.seat_tokens[0]),
        ]
        async with asyncio.TaskGroup() as group:
            others = [
                group.create_task(play_seats(client, tokens([sound], 1), RandomBot(1))),
            ]
            for seat in (1, 2):
                await client.join(cheated.match_id, cheated.seat_tokens[seat])
            results = await play_seats(client, seats, CheatingBot())
    ours = results[sound.match_id]
    theirs = others[0].result()[sound.match_id]
    assert isinstance(ours, SeatResult)
    assert isinstance(theirs, SeatResult)
    assert ours.scores == theirs.scores
    reasons = {}
    for match_id in (cheated.match_id, stolen.match_id, "nowhere"):
        error = results[match_id]
        assert isinstance(error, RefereeError)
        reasons[match_id] = (error.reason, error.clause)
    assert reasons == {
        cheated.match_id: ("CARD_NOT_IN_HAND", "CAP-1"),
        stolen.match_id: ("WRONG_TOKEN", ""),
        "nowhere": ("MATCH_NOT_FOUND", ""),
    }
