"""The client for programs that are not async, against the real referee in its own process."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ronda.v1.decision_pb2 import Decision
from ronda.v1.move_pb2 import Move
from ronda.v1.referee_service_pb2 import MatchState, Turn
from ronda.v1.view_pb2 import SeatView
from ronda_bots import GreedyBot, RandomBot
from ronda_cli.demo_referee import RefereeProcess, serve_arguments
from ronda_client import RefereeError, SeatResult, read_records, sync
from tests.table.noting import NotingBot


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give where a referee listens that serves all tests of this file."""
    folder = tmp_path_factory.mktemp("referee")
    with RefereeProcess(serve_arguments(folder / "data"), folder / "output") as process:
        yield process.target


def test_a_match_is_created_played_and_its_log_kept(target: str, tmp_path: Path) -> None:
    """From a plain script: create, play every seat, read the log, find the match in the list."""
    with sync.connect(target) as referee:
        played = referee.play_match("sarii", [GreedyBot(1), RandomBot(2)], names=["Amina", "Ali"])
        assert max(played.scores) >= 25
        referee.save_match_log(played.match_id, tmp_path / "match.rlog")
        assert (tmp_path / "match.rlog").read_bytes() == played.log
        assert referee.get_match_log(played.match_id) == played.log
        (listed,) = [one for one in referee.list_matches() if one.match_id == played.match_id]
        assert list(listed.names) == ["Amina", "Ali"]
        assert listed.state == MatchState.MATCH_STATE_ENDED
        assert "sarii" in [one.rule_set.id for one in referee.list_rule_sets()]
        assert referee.get_rule_set("sarii").rule_set.target == 25
        assert referee.get_server_info().schema_version == "ronda.v1"


def test_a_seat_is_played_by_hand(target: str) -> None:
    """Join, look, move, watch and give up, one call after the other."""
    with sync.connect(target) as referee:
        match = referee.create_match("maghribi", 2)
        for seat, token in enumerate(match.seat_tokens):
            assert referee.join(match.match_id, token, name=f"seat {seat}") == seat
        current = referee.get_view(match.match_id, match.seat_tokens[0])
        assert isinstance(current.view, SeatView)
        assert current.decision is not None
        move = current.decision.legal_moves[-1]
        sequence = referee.submit_move(
            match.match_id, match.seat_tokens[0], current.decision.decision_id, move
        )
        with closing(referee.watch(match.match_id, match.seat_tokens[1])) as items:
            turn = next(item for item in items if isinstance(item, Turn))
            # Between two items there is time for other calls.
            assert referee.get_view(match.match_id).decision is None
        assert turn.decision.seat == 1
        token = referee.rotate_seat_token(match.match_id, match.seat_tokens[1])
        assert referee.resign(match.match_id, token) > sequence
        records = list(read_records(referee.get_match_log(match.match_id)))
        watched = [item for item in referee.watch(match.match_id) if not isinstance(item, Turn)]
        assert [item.sequence for item in watched] == [one.sequence for one in records]


def test_many_matches_are_played_at_once_over_one_stream_for_each_seat(target: str) -> None:
    """Plain bots for all of them, or a bot of its own for each; async ones play too."""

    class AsyncBot:
        async def choose(self, view: SeatView, decision: Decision) -> Move:
            await asyncio.sleep(0)
            return decision.legal_moves[-1]

    class Noting(NotingBot):
        def __init__(self) -> None:
            super().__init__(RandomBot(5))

    with sync.connect(target) as referee:
        rules = referee.get_rule_set("sarii").rule_set
        rules.id, rules.target = "short", 3
        first, second, third = referee.play_many(rules, [RandomBot(1), AsyncBot(), Noting], 12)
    assert first.keys() == second.keys() == third.keys()
    assert len(first) == 12
    for match_id, result in first.items():
        other = third[match_id]
        assert isinstance(result, SeatResult)
        assert isinstance(other, SeatResult)
        assert (result.seat, other.seat) == (0, 2)
        assert result.scores == other.scores


def test_a_refusal_is_raised_as_it_is(target: str) -> None:
    """With the referee's reason, and from many seats the error of the one that failed first."""
    with sync.connect(target) as referee:
        with pytest.raises(RefereeError) as unknown:
            referee.create_match("belote", 2)
        assert unknown.value.reason == "RULE_SET_NOT_FOUND"
        with pytest.raises(ValueError, match="NotingBot sees the events of one match"):
            referee.play_many("sarii", [NotingBot(RandomBot(1)), RandomBot(2)], 2)
        with pytest.raises(ValueError, match="there are 2 bots and 1 names"):
            referee.play_many("sarii", [RandomBot(1), RandomBot(2)], 2, names=["one"])


def test_a_client_that_is_not_open_says_so(target: str) -> None:
    """Before entering and after leaving."""
    referee = sync.connect(target)
    with pytest.raises(RuntimeError, match="use it within `with`"):
        referee.list_rule_sets()
    with referee:
        assert referee.list_rule_sets()
    with pytest.raises(RuntimeError, match="use it within `with`"):
        referee.list_rule_sets()


def test_within_an_event_loop_the_other_client_is_named(target: str) -> None:
    """It would stand still there."""

    async def calling(referee: sync.SyncClient) -> None:
        referee.list_rule_sets()

    with (
        sync.connect(target) as referee,
        pytest.raises(RuntimeError, match="use RefereeClient within it"),
    ):
        asyncio.run(calling(referee))
