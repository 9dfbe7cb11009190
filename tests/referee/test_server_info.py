"""What a referee says of itself, over gRPC and from the command line."""

import asyncio
import json
import sys
from pathlib import Path

from ronda.v1 import referee_service_pb2 as pb
from ronda.v1.match_terms_pb2 import MatchTerms
from ronda_referee.settings import Limits
from tests.referee.running import running


async def ronda(*arguments: str) -> tuple[int | None, str, str]:
    """Run a command; give its exit code and what it printed on either stream."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "ronda_cli", *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate()
    return process.returncode, output.decode(), errors.decode()


async def test_it_says_what_it_is(tmp_path: Path) -> None:
    """Version, schema, key, limits as they are in force, and the default terms."""
    limits = Limits(
        calls_per_second=1000,
        streams_per_peer=20,
        watchers_per_match=30,
        open_matches=40,
        moves_in_flight=50,
    )
    async with running(
        tmp_path,
        limits=limits,
        slow_watcher_seconds=12.5,
        allow_fixed_draws=True,
        allow_shared_shuffles=True,
    ) as run:
        info = await run.stub.GetServerInfo(pb.GetServerInfoRequest())
        assert info == pb.GetServerInfoResponse(
            version="0.1.0",
            schema_version="ronda.v1",
            public_key=run.serving.public_key,
            limits=pb.Limits(
                request_bytes=65536,
                open_matches=40,
                watchers_per_match=30,
                streams_per_peer=20,
                calls_per_second=1000,
                moves_in_flight=50,
                slow_watcher_ms=12_500,
            ),
            default_terms=MatchTerms(most_refusals=10, join_timeout_ms=3_600_000),
            fixed_draws_allowed=True,
            shared_shuffles_allowed=True,
        )


async def test_the_command_shows_it_for_people_and_for_machines(tmp_path: Path) -> None:
    """`ronda server info` prints a line for each thing, and with --json one object."""
    async with running(tmp_path) as run:
        target = ("--target", run.serving.address)
        key = run.serving.public_key.hex()
        code, text, _ = await ronda("server", "info", *target)
        assert code == 0
        assert text.splitlines() == [
            "version       0.1.0, schema ronda.v1",
            f"key           {key}",
            "request       65536 bytes at most",
            "open matches  10000 at most",
            "watchers      1000 of a match at most",
            "streams       4096 of one peer at most",
            "calls         no limit",
            "moves         1024 unanswered on one Play stream at most",
            "reading       a stream that is not read ends after 30000 ms",
            "clock         none unless the match says otherwise",
            "refusals      the seat forfeits after 10",
            "joining       cancelled after 3600000 ms",
            "fixed draws   not allowed",
            "shared draws  not allowed",
        ]
        code, text, _ = await ronda("server", "info", "--json", *target)
        assert code == 0
        assert json.loads(text) == {
            "version": "0.1.0",
            "schema_version": "ronda.v1",
            "public_key": key,
            "limits": {
                "request_bytes": 65536,
                "open_matches": 10000,
                "watchers_per_match": 1000,
                "streams_per_peer": 4096,
                "calls_per_second": 0,
                "moves_in_flight": 1024,
                "slow_watcher_ms": 30000,
            },
            "default_terms": {
                "time_control": None,
                "time_out": None,
                "most_refusals": 10,
                "join_timeout_ms": 3600000,
                "spectator_delay": 0,
            },
            "fixed_draws_allowed": False,
            "shared_shuffles_allowed": False,
        }


async def test_a_referee_that_is_not_there_is_a_message_and_exit_code_1() -> None:
    """Nothing listens on port 1."""
    code, text, errors = await ronda("server", "info", "--target", "127.0.0.1:1", "--patience", "0")
    assert (code, text) == (1, "")
    assert errors.startswith("ronda: no answer from 127.0.0.1:1 in ")
