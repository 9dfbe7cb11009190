"""The TypeScript client: strict, as generated, and it plays real matches on a real referee."""

import asyncio
import json
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from ronda.v1.decision_pb2 import Decision
from ronda.v1.log_pb2 import EndReason, MatchResult
from ronda.v1.move_pb2 import Move
from ronda.v1.view_pb2 import SeatView
from ronda_bots import GreedyBot
from ronda_client import (
    Backoff,
    Bot,
    CreatedMatch,
    RefereeClient,
    SeatResult,
    play_seat,
    read_records,
    tls_credentials,
)
from ronda_referee.audit import audit_file
from tests.clients.command import Ran
from tests.referee.certificates import Authority
from tests.referee.referee_process import RefereeProcess
from tests.referee.second_verifier import node_program
from tools import generate_typescript
from tools.node_packages import WORKSPACE, NoNpmError, ensure

QUICK = Backoff(first=0.01, cap=0.2, patience=60)
# Points that win a match of maghribi as of classic.
TARGET = 41


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    """Install the packages, where that was not done, and compile everything, strictly."""
    try:
        ensure()
    except NoNpmError as error:
        pytest.skip(f"NOT TESTED: {error}")
    compiler = WORKSPACE / "node_modules" / ".bin" / "tsc"
    ran = subprocess.run(
        [compiler, "--build"], cwd=WORKSPACE, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_its_own_tests_pass() -> None:
    """Every test file that stands in the folder is compiled, and each of its tests passes."""
    files = sorted(
        path.parent.parent / "dist" / "test" / f"{path.stem}.js"
        for path in WORKSPACE.glob("*/test/*.test.ts")
    )
    assert {"client.test.js", "seat.test.js", "bots.test.js"} < {path.name for path in files}
    # In one process, which `node --test` would start anew for each file.
    all_of_them = "for (const file of process.argv.slice(1)) await import(file);"
    ran = subprocess.run(
        [node_program(), "--input-type=module", "--eval", all_of_them, *files],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout


def test_the_compiler_is_strict() -> None:
    """Nothing is left to chance: the settings that find mistakes are on, for both packages."""
    options = json.loads((WORKSPACE / "tsconfig.base.json").read_text())["compilerOptions"]
    for setting in ("strict", "noUncheckedIndexedAccess", "exactOptionalPropertyTypes"):
        assert options[setting] is True
    for package in ("client", "bots"):
        settings = json.loads((WORKSPACE / package / "tsconfig.json").read_text())
        assert settings["extends"] == "../tsconfig.base.json"
        assert settings["compilerOptions"].keys() == {"rootDir", "outDir", "tsBuildInfoFile"}


def test_the_generated_code_is_as_generated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of what is committed nothing differs but the one file that was edited by hand."""
    copy = tmp_path / "gen"
    shutil.copytree(generate_typescript.GENERATED, copy)
    (copy / "ronda" / "v1" / "card.ts").write_text("", encoding="utf-8")
    assert generate_typescript.main([str(copy), "--check"]) == 1
    first, last = capsys.readouterr().err.splitlines()
    assert first == "different: ronda/v1/card.ts"
    assert last.endswith("is not what the .proto files generate; `make proto` mends it.")


def test_versions_are_pinned_and_no_registry_is_named() -> None:
    """Each package of others has its hash in the lock, none its address; versions are exact."""
    lock = json.loads((WORKSPACE / "package-lock.json").read_text())
    others = {
        name: entry
        for name, entry in lock["packages"].items()
        if name.startswith("node_modules/") and not entry.get("link")
    }
    assert len(others) > 20
    for name, entry in others.items():
        assert entry["integrity"].startswith("sha512-"), name
        assert "resolved" not in entry, name
    for path in WORKSPACE.glob("**/package.json"):
        if "node_modules" in path.parts:
            continue
        package = json.loads(path.read_text())
        assert package["private"] is True
        for group in ("dependencies", "devDependencies"):
            for version in package.get(group, {}).values():
                assert version.replace(".", "").isdecimal(), (path, version)


def test_the_readme_shows_code_that_is_compiled() -> None:
    """Each block of TypeScript in it stands in a source file, to the letter."""
    text = (WORKSPACE / "README.md").read_text(encoding="utf-8")
    sources = [path.read_text(encoding="utf-8") for path in WORKSPACE.glob("bots/src/*.ts")]
    shown = re.findall(r"^```ts\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(shown) == 2
    for block in shown:
        assert any(block in source for source in sources), block


async def node(script: str, *arguments: str, **environment: str) -> Ran:
    """Run a script of the bots, as a process of its own, to its end."""
    process = await asyncio.create_subprocess_exec(
        *(node_program(), str(WORKSPACE / "bots" / "dist" / "src" / script), *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **environment},
    )
    out, err = await process.communicate()
    assert process.returncode is not None
    return Ran(process.returncode, out.decode(), err.decode())


async def typescript_bot(target: str, match_id: str, token: str, *options: str) -> Ran:
    """Play one seat with the script."""
    return await node("bot.js", target, match_id, "--json", *options, RONDA_SEAT_TOKEN=token)


@dataclass(frozen=True)
class Played:
    """One match that has ended: what its players were told, and its log."""

    match: CreatedMatch
    typescript: dict[int, Ran]
    python: list[SeatResult]
    log: bytes


async def played(
    client: RefereeClient,
    match: CreatedMatch,
    typescript: dict[int, Sequence[str]],
    python: dict[int, Bot],
) -> Played:
    """Play a match to its end: some seats with the script and these options, the others here."""
    ran, results = await asyncio.gather(
        asyncio.gather(
            *(
                typescript_bot(client.target, match.match_id, match.seat_tokens[seat], *options)
                for seat, options in typescript.items()
            )
        ),
        asyncio.gather(
            *(
                play_seat(client, match.match_id, match.seat_tokens[seat], bot)
                for seat, bot in python.items()
            )
        ),
    )
    log = await client.get_match_log(match.match_id)
    return Played(match, dict(zip(typescript, ran, strict=True)), list(results), log)


def check(match: Played, folder: Path, names: dict[int, str]) -> None:
    """Hold what the script said against the log, the log against the audit and the rules."""
    file = folder / f"{match.match.match_id}.rlog"
    file.write_bytes(match.log)
    assert audit_file(file).finding is None
    records = list(read_records(match.log))
    (result,) = (r.match_result for r in records if r.WhichOneof("record") == "match_result")
    assert result.reason == EndReason.END_REASON_PLAYED
    assert max(result.scores) >= TARGET
    joined = {r.seat_joined.seat: r.seat_joined for r in records if r.HasField("seat_joined")}
    for seat, ran in match.typescript.items():
        assert ran.code == 0, ran.err
        assert ran.err == ""
        moves = [r for r in records if r.HasField("move_accepted") and r.move_accepted.seat == seat]
        assert len(moves) > 5
        side = seat % 2
        assert ran.json == {
            "match_id": match.match.match_id,
            "seat": seat,
            "side": side,
            "outcome": outcome(result, side),
            "winners": list(result.winners),
            "scores": list(result.scores),
            "reason": "PLAYED",
            "moves": len(moves),
        }
        assert joined[seat].name == names[seat]
        assert len(joined[seat].entropy) == 32
    for seated in match.python:
        assert (seated.winners, seated.scores) == (tuple(result.winners), tuple(result.scores))


def outcome(result: MatchResult, side: int) -> str:
    """Give the word for how a match of two sides has ended for one of them."""
    if side not in result.winners:
        return "lost"
    return "won" if len(result.winners) == 1 else "drawn"


async def test_matches_against_python_bots_are_played_to_the_end(tmp_path: Path) -> None:
    """Two and four seats, two games, at once: each ends by the rules and audits.

    A wrong token ends the script with exit code 1 and the reason, and is not shown. The example
    that plays a whole match says how it ended.
    """
    async with (
        RefereeProcess(tmp_path / "data") as referee,
        RefereeClient.connect(referee.address, backoff=QUICK) as client,
    ):
        match = await client.create_match("maghribi", 2)
        refused, example, maghribi, classic = await asyncio.gather(
            typescript_bot(client.target, match.match_id, "A" * 43),
            node("whole_match.js", client.target),
            played(client, match, {0: ()}, {1: GreedyBot(1)}),
            played(
                client,
                await client.create_match("classic", 4),
                {2: ("--bot", "lowest", "--name", "Ada")},
                {0: GreedyBot(3), 1: GreedyBot(4), 3: GreedyBot(5)},
            ),
        )
    check(maghribi, tmp_path, {0: "RandomBot"})
    check(classic, tmp_path, {2: "Ada"})
    assert (example.code, example.err) == (0, "")
    assert re.fullmatch(r"\d+ : \d+, winner: (0|1|0, 1)\n", example.out)
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith("bot: WRONG_TOKEN: ")
    assert "A" * 43 not in refused.err


class Noticing:
    """Plays as another bot, and notices when it is asked for the tenth time."""

    def __init__(self, bot: GreedyBot) -> None:
        self.tenth = asyncio.Event()
        self._bot = bot
        self._asked = 0

    def choose(self, view: SeatView, decision: Decision) -> Move:
        """Return the move of the other bot."""
        self._asked += 1
        if self._asked == 10:
            self.tenth.set()
        return self._bot.choose(view, decision)


async def test_a_seat_is_played_on_after_the_referee_was_killed(tmp_path: Path) -> None:
    """The referee is killed in mid-match and comes back: no move is lost, none is made twice.

    All of it over TLS, with certificates on both sides.
    """
    noticing = Noticing(GreedyBot(1))
    authority = Authority(tmp_path)
    server, ours = authority.pair("server"), authority.pair("client")
    serve = ("--tls-certificate", str(server.certificate), "--tls-key", str(server.key))
    tls = (*("--tls-ca", str(authority.root)), *("--tls-client-certificate", str(ours.certificate)))
    credentials = tls_credentials(authority.root, ours.certificate, ours.key)
    async with (
        RefereeProcess(
            tmp_path / "data", *serve, "--tls-client-ca", str(authority.root)
        ) as referee,
        RefereeClient.connect(
            # By name: Node warns of an address that is held against a certificate.
            f"localhost:{referee.address.rpartition(':')[2]}",
            credentials=credentials,
            backoff=QUICK,
        ) as client,
    ):
        match = await client.create_match("maghribi", 4)
        python: dict[int, Bot] = {0: noticing, 2: GreedyBot(2), 3: GreedyBot(3)}
        playing = asyncio.ensure_future(
            played(client, match, {1: (*tls, "--tls-client-key", str(ours.key))}, python)
        )
        await noticing.tenth.wait()
        await referee.kill()
        await referee.start()
        over = await playing
    check(over, tmp_path, {1: "RandomBot"})
    # Two runs of the referee have written these lines, and the second found the match open.
    lines = [json.loads(line) for line in referee.log.read_text().splitlines()]
    assert [line["restored"] for line in lines if line["event"] == "serving"] == [0, 1]
