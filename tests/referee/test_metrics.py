"""Metrics are served where they are asked for, count what happened, and give nothing away."""

import asyncio
import re
import socket
import sqlite3
import sys
from pathlib import Path

import grpc
import pytest

from ronda.v1 import card_pb2, log_pb2
from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.referee_service_pb2_grpc import RefereeServiceStub
from ronda_referee.errors import SettingsError
from ronda_referee.play import MatchPlay
from ronda_referee.server import serving
from ronda_referee.settings import Settings
from tests.referee.referee_process import RefereeProcess
from tests.referee.running import Table, play, refused, running

NO_PROMETHEUS = """
import sys
sys.modules["prometheus_client"] = None
from ronda_cli.main import main
sys.exit(main(sys.argv[1:]))
"""


async def scraped(address: str) -> str:
    """Read the metrics as Prometheus does, over a connection of its own."""
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"GET /metrics HTTP/1.0\r\nHost: {address}\r\n\r\n".encode())
    answer = (await reader.read()).decode()
    writer.close()
    assert answer.startswith("HTTP/1.0 200 OK"), answer
    return answer.partition("\r\n\r\n")[2]


def values(text: str) -> dict[str, float]:
    """Give the samples by name with labels, without the times of creation."""
    lines = [line.rpartition(" ") for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in lines if "_created" not in name}


async def test_what_happens_is_counted(tmp_path: Path) -> None:
    """Two matches, one watcher, three moves of which one is sent twice, and two refusals."""
    async with running(tmp_path, metrics_listen="127.0.0.1:0") as run:
        assert run.serving.metrics_address is not None
        address = run.serving.metrics_address
        empty = values(await scraped(address))
        assert empty["ronda_moves_accepted_total"] == 0
        assert empty["ronda_matches_open"] == 0
        assert empty["ronda_matches_restored"] == 0

        table = await run.table(2, "sarii")
        await run.table(2, "sarii", joined=False)
        watching = run.stub.WatchMatch(pb.WatchMatchRequest(match_id=table.match_id))
        await watching.read()
        await table.play_lowest()
        await table.play_lowest()
        seat, view, decision = await table.turn()
        request = table.request(seat, decision.decision_id, play(view.hand[0]))
        await run.stub.SubmitMove(request)
        await run.stub.SubmitMove(request)
        stale = table.request(seat, decision.decision_id, play(view.hand[0]))
        assert (await refused(lambda: run.stub.SubmitMove(stale))).reason == "STALE_DECISION"
        nobody = pb.GetViewRequest(match_id="nobody")
        assert (await refused(lambda: run.stub.GetView(nobody))).reason == "MATCH_NOT_FOUND"

        counted = values(await scraped(address))
        assert counted["ronda_moves_accepted_total"] == 3
        assert counted["ronda_move_seconds_count"] == 3
        assert 0 < counted["ronda_move_seconds_sum"] < 600
        assert counted["ronda_matches_open"] == 2
        assert counted["ronda_watchers"] == 1
        assert counted["ronda_play_streams"] == 0
        assert counted['ronda_refusals_total{reason="STALE_DECISION"}'] == 1
        assert counted['ronda_refusals_total{reason="MATCH_NOT_FOUND"}'] == 1
        # Two creations, two joinings and three moves, each by itself; the others' wait is over.
        assert counted["ronda_commit_matches_count"] == 7
        assert counted["ronda_commit_matches_sum"] == 7
        assert counted["ronda_commit_seconds_count"] == 7
        assert counted["ronda_commits_failed_total"] == 0
        assert counted["ronda_matches_frozen_total"] == 0
        watching.cancel()
    async with running(tmp_path, metrics_listen="127.0.0.1:0") as run:
        assert run.serving.metrics_address is not None
        counted = values(await scraped(run.serving.metrics_address))
        assert counted["ronda_matches_restored"] == 2
        assert counted["ronda_matches_open"] == 2
        assert counted["ronda_moves_accepted_total"] == 0


async def test_matches_at_once_share_a_commit(tmp_path: Path) -> None:
    """What eight matches want written in one turn of the loop is one commit of eight."""
    async with running(tmp_path, metrics_listen="127.0.0.1:0") as run:
        assert run.serving.metrics_address is not None
        rule_set = (await run.stub.GetRuleSet(pb.GetRuleSetRequest(id="sarii"))).rule_set
        wanted = log_pb2.LogHeader(rule_set=rule_set.rule_set, seats=2)
        await asyncio.gather(*(run.serving.referee.create(wanted) for _ in range(8)))
        counted = values(await scraped(run.serving.metrics_address))
        assert counted["ronda_commit_matches_sum"] == 8
        assert counted["ronda_commit_matches_count"] == 1
        assert counted['ronda_commit_matches_bucket{le="4.0"}'] == 0
        assert counted['ronda_commit_matches_bucket{le="8.0"}'] == 1


async def test_a_frozen_match_is_counted(tmp_path: Path) -> None:
    """A store that contradicts itself: one match comes back, the other is frozen."""
    async with running(tmp_path) as run:
        broken = await run.table(2)
        await run.table(2)
    store = sqlite3.connect(tmp_path / "matches.sqlite")
    store.execute("UPDATE match SET seed = zeroblob(32) WHERE match_id = ?", (broken.match_id,))
    store.commit()
    store.close()
    async with running(tmp_path, metrics_listen="127.0.0.1:0") as run:
        assert run.serving.metrics_address is not None
        counted = values(await scraped(run.serving.metrics_address))
        assert counted["ronda_matches_restored"] == 1
        assert counted["ronda_matches_frozen_total"] == 1


async def test_a_match_that_is_frozen_while_it_is_played_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, however often it is asked for a move afterwards."""

    def move(*_: object) -> None:
        raise ZeroDivisionError

    async with running(tmp_path, metrics_listen="127.0.0.1:0") as run:
        assert run.serving.metrics_address is not None
        table = await run.table(2)
        seat, view, decision = await table.turn()
        request = table.request(seat, decision.decision_id, play(view.hand[0]))
        with monkeypatch.context() as patched:
            patched.setattr(MatchPlay, "move", move)
            await refused(lambda: run.stub.SubmitMove(request))
        await refused(lambda: run.stub.SubmitMove(request))
        counted = values(await scraped(run.serving.metrics_address))
        assert counted["ronda_matches_frozen_total"] == 1
        assert counted['ronda_refusals_total{reason="REFEREE_FAULT"}'] == 2
        assert counted["ronda_moves_accepted_total"] == 0


async def test_metrics_hold_no_id_no_token_no_seed_and_no_card(tmp_path: Path) -> None:
    """A whole match is played, with refusals: the only label besides bounds is a known reason."""
    options = ("--metrics-listen", "127.0.0.1:0")
    async with (
        RefereeProcess(tmp_path / "data", *options) as referee,
        grpc.aio.insecure_channel(referee.address) as channel,
    ):
        assert referee.process.stdout is not None
        said = [(await referee.process.stdout.readline()).decode() for _ in range(4)]
        address = said[-1].removeprefix("metrics at http://").removesuffix("/metrics\n")
        stub = RefereeServiceStub(channel)
        created = await stub.CreateMatch(pb.CreateMatchRequest(rule_set_id="sarii", seats=2))
        table = Table(stub, created.match_id, list(created.seat_tokens))
        await table.join(0, name="Zineb")
        await table.join(1)
        wrong = table.request(0, 0, play(card_pb2.Card()))
        await refused(lambda: stub.SubmitMove(wrong))
        await table.play_to_the_end()
        text = await scraped(address)
        assert await referee.stop() == 0
    store = sqlite3.connect(tmp_path / "data" / "matches.sqlite")
    (seed,) = store.execute("SELECT seed FROM match").fetchone()
    store.close()
    for secret in (*table.tokens, table.match_id, seed.hex(), "Zineb", "sarii"):
        assert secret not in text
    labels = {name for line in text.splitlines() for name in re.findall(r'(\w+)="', line)}
    assert labels == {"le", "reason"}
    assert set(re.findall(r'reason="(\w+)"', text)) == {"MALFORMED_REQUEST"}
    assert values(text)["ronda_matches_open"] == 0


async def test_where_nobody_asks_nothing_is_served(tmp_path: Path) -> None:
    """Without the setting there is no second port."""
    async with running(tmp_path) as run:
        assert run.serving.metrics_address is None


async def test_metrics_stay_on_loopback(tmp_path: Path) -> None:
    """They are in the clear; the refusal says what to do instead."""
    with pytest.raises(SettingsError, match=r"beyond loopback.*127\.0\.0\.1"):
        async with serving(Settings(tmp_path, "127.0.0.1:0", metrics_listen="0.0.0.0:0"), {}):
            pytest.fail("it serves")


async def test_a_port_of_metrics_that_is_taken_is_a_clear_message(tmp_path: Path) -> None:
    """The referee does not start, and says which of its two addresses it is."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        settings = Settings(tmp_path, "127.0.0.1:0", metrics_listen=address)
        with pytest.raises(SettingsError, match=f"metrics_listen: {address} cannot be listened on"):
            async with serving(settings, {}):
                pytest.fail("it serves")


async def test_without_the_extra_the_message_says_how_to_get_it(tmp_path: Path) -> None:
    """And a referee that is asked for no metrics runs without the library."""
    command = (sys.executable, "-c", NO_PROMETHEUS, "serve", "--data", str(tmp_path))
    process = await asyncio.create_subprocess_exec(
        *(*command, "--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate()
    assert (process.returncode, output) == (2, b"")
    assert errors.decode().splitlines()[-1] == (
        'ronda serve: metrics_listen needs the extra "metrics": '
        "pip install 'ronda-referee[metrics]'"
    )
    process = await asyncio.create_subprocess_exec(
        *(*command, "--listen", "127.0.0.1:0"), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    assert (await process.stdout.readline()).startswith(b"listening on 127.0.0.1:")
    process.terminate()
    assert await process.wait() == 0
