"""Bots, client and command against the real referee, which runs as a process of its own."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from ronda.v1.decision_pb2 import Decision
from ronda.v1.log_pb2 import EndReason
from ronda.v1.move_pb2 import Move
from ronda.v1.referee_service_pb2 import Turn
from ronda.v1.view_pb2 import PublicView, SeatView
from ronda_bots import GreedyBot, RandomBot, by_name
from ronda_cli.demo_referee import RefereeProcess, serve_arguments
from ronda_client import (
    Backoff,
    Bot,
    Outcome,
    RefereeClient,
    RefereeError,
    play_match,
    play_seat,
    read_records,
)
from ronda_referee.audit import audit_file
from tests.clients.scripted_log import card, play

QUICK = Backoff(first=0.01, cap=0.2, patience=60)


@asynccontextmanager
async def referee_process(
    folder: Path, listen: str = "127.0.0.1:0", rule_sets: Sequence[Path] = ()
) -> AsyncIterator[RefereeProcess]:
    """Run a referee on this folder, with these house rules, while the context lasts."""
    await asyncio.to_thread(folder.mkdir, exist_ok=True)
    arguments = serve_arguments(folder / "data", listen, rule_sets)
    process = RefereeProcess(arguments, folder / "output")
    await asyncio.to_thread(process.__enter__)
    try:
        yield process
    finally:
        await asyncio.to_thread(process.__exit__, None, None, None)


@pytest.fixture
async def target(tmp_path: Path) -> AsyncIterator[str]:
    """Give where a fresh referee listens."""
    async with referee_process(tmp_path / "referee") as process:
        yield process.target


def audited(log: bytes, file: Path) -> str | None:
    """Return what the audit finds wrong with a log; None: nothing."""
    file.write_bytes(log)
    finding = audit_file(file).finding
    return None if finding is None else str(finding)


@pytest.mark.parametrize("rule_set", ["maghribi", "sarii"])
@pytest.mark.parametrize("seats", [2, 3, 4])
async def test_bots_finish_a_match(target: str, tmp_path: Path, rule_set: str, seats: int) -> None:
    """The winner has reached the target, the log says so too, and its audit finds nothing."""
    bots: list[Bot] = [by_name(("greedy", "random")[seat % 2], seat) for seat in range(seats)]
    played = await play_match(target, rule_set, bots)
    goal = {"maghribi": 41, "sarii": 25}[rule_set]
    assert max(played.scores) >= goal
    assert [played.scores[side] for side in played.winners] == [max(played.scores)] * len(
        played.winners
    )
    assert len(played.scores) == {2: 2, 3: 3, 4: 2}[seats]
    assert [result.seat for result in played.seats] == list(range(seats))
    for result in played.seats:
        assert result.reason == EndReason.END_REASON_PLAYED
        assert (result.outcome is Outcome.LOST) == (result.side not in played.winners)
    records = list(read_records(played.log))
    assert records[0].header.rule_set.id == rule_set
    joined = [record.seat_joined for record in records if record.HasField("seat_joined")]
    assert {one.seat: one.name for one in joined} == {
        seat: type(bot).__name__ for seat, bot in enumerate(bots)
    }
    moves = sum(record.HasField("move_accepted") for record in records)
    assert moves == sum(result.moves for result in played.seats)
    assert audited(played.log, tmp_path / "match.rlog") is None


async def test_bots_finish_a_match_of_every_rule_set_with_every_seat_count(
    target: str, tmp_path: Path
) -> None:
    """All 18 that are listed, 48 matches, at once; the audit finds nothing in any of them."""
    async with RefereeClient.connect(target) as client:
        listed = [one.rule_set for one in await client.list_rule_sets()]
        every = [(rules.id, seats.count) for rules in listed for seats in rules.seats]
        assert (len(listed), len(every)) == (18, 48)
        playing = [
            play_match(client, rule_set, [RandomBot(seat) for seat in range(seats)])
            for rule_set, seats in every
        ]
        matches = await asyncio.gather(*playing)
    for (rule_set, seats), played in zip(every, matches, strict=True):
        assert played.winners, (rule_set, seats)
        assert audited(played.log, tmp_path / f"{rule_set}-{seats}.rlog") is None, (rule_set, seats)


async def test_matches_are_played_at_once_over_one_client(target: str) -> None:
    """Twenty matches of two to four seats share the client's connections."""
    async with RefereeClient.connect(target) as client, asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(
                play_match(client, "sarii", [RandomBot(seat) for seat in range(2 + number % 3)])
            )
            for number in range(20)
        ]
    assert all(max(task.result().scores) >= 25 for task in tasks)
    assert len({task.result().match_id for task in tasks}) == 20


class MilestoneBot:
    """A greedy bot that says when it is asked for the n-th time, for several n."""

    def __init__(self, milestones: list[int]) -> None:
        self.reached = {milestone: asyncio.Event() for milestone in milestones}
        self.asked: list[int] = []
        self._bot = GreedyBot(0)

    def choose(self, view: SeatView, decision: Decision) -> Move:
        """Return the greedy bot's move."""
        self.asked.append(decision.decision_id)
        if len(self.asked) in self.reached:
            self.reached[len(self.asked)].set()
        return self._bot.choose(view, decision)


async def test_bots_play_on_through_kills_of_the_referee(tmp_path: Path) -> None:
    """The referee is killed three times in a match and comes back on its port each time.

    No decision is put to a bot twice, and the audit of the log finds nothing.
    """
    milestones = [5, 20, 40]
    bots = [MilestoneBot(milestones), MilestoneBot([])]
    folder = tmp_path / "referee"
    async with AsyncExitStack() as stack:
        process = await stack.enter_async_context(referee_process(folder))
        target = process.target
        client = await stack.enter_async_context(RefereeClient.connect(target, backoff=QUICK))
        playing = asyncio.create_task(play_match(client, "maghribi", bots))
        for milestone in milestones:
            await bots[0].reached[milestone].wait()
            os.kill(process.pid, signal.SIGKILL)
            process = await stack.enter_async_context(referee_process(folder, target))
        played = await playing
    assert max(played.scores) >= 41
    for bot, result in zip(bots, played.seats, strict=True):
        assert len(bot.asked) == len(set(bot.asked)) == result.moves
    assert audited(played.log, tmp_path / "match.rlog") is None


async def test_bot_that_was_restarted_plays_its_seat_on(target: str) -> None:
    """It joins again, is refused for it, and goes on where the earlier one failed."""

    class FailingBot:
        def __init__(self) -> None:
            self._bot = RandomBot(1)
            self._left = 10

        def choose(self, view: SeatView, decision: Decision) -> Move:
            if self._left == 0:
                raise RuntimeError("out of luck")
            self._left -= 1
            return self._bot.choose(view, decision)

    async with RefereeClient.connect(target) as client:
        created = await client.create_match("sarii", 2)
        first, second = created.seat_tokens
        other = asyncio.create_task(play_seat(client, created.match_id, second, RandomBot(2)))
        with pytest.raises(Exception, match="out of luck"):
            await play_seat(client, created.match_id, first, FailingBot())
        result = await play_seat(client, created.match_id, first, RandomBot(3))
        assert result.seat == 0
        assert result.winners == (await other).winners


async def test_refusals_of_the_real_referee_are_understood(target: str) -> None:
    """Reasons and clauses arrive, whatever the call."""

    class CheatingBot:
        def choose(self, view: SeatView, decision: Decision) -> Move:
            held = {(held.rank, held.suit) for held in view.hand}
            other = next(rank for rank in (1, 2, 3, 4) if (rank, card(rank).suit) not in held)
            return play(other)

    async with RefereeClient.connect(target) as client:
        with pytest.raises(RefereeError) as no_rules:
            await client.create_match("belote", 2)
        with pytest.raises(RefereeError) as no_match:
            await client.get_view("no-such-match")
        created = await client.create_match("maghribi", 2)
        with pytest.raises(RefereeError) as no_seat:
            await client.join(created.match_id, "A" * 43)
        assert (await client.get_match_log(created.match_id)).startswith(b"RONDALOG")
        with pytest.raises(RefereeError) as illegal:
            await play_match(client, "maghribi", [CheatingBot(), CheatingBot()])
    assert no_rules.value.reason == "RULE_SET_NOT_FOUND"
    assert no_match.value.reason == "MATCH_NOT_FOUND"
    assert no_seat.value.reason == "WRONG_TOKEN"
    assert (illegal.value.reason, illegal.value.clause) == ("CARD_NOT_IN_HAND", "CAP-1")


async def test_views_and_public_watch(target: str) -> None:
    """A seat's view shows its hand; a spectator gets the same records and no turns."""
    async with RefereeClient.connect(target) as client:
        created = await client.create_match("sarii", 2)
        listed = [one.rule_set.id for one in await client.list_rule_sets()]
        assert listed == sorted(listed)
        assert {"maghribi", "sarii", "khlaso", "qahwa", "classic"} <= set(listed)
        for token in created.seat_tokens:
            await client.join(created.match_id, token)
        own = await client.get_view(created.match_id, created.seat_tokens[0])
        public = await client.get_view(created.match_id)
        assert isinstance(own.view, SeatView)
        assert isinstance(public.view, PublicView)
        assert len(own.view.hand) == 3
        assert own.decision is not None
        assert public.decision is None
        assert public.view == own.view.public
        playing = [
            asyncio.create_task(play_seat(client, created.match_id, token, RandomBot(seat)))
            for seat, token in enumerate(created.seat_tokens)
        ]
        hashes = []
        async for item in client.watch(created.match_id):
            assert not isinstance(item, Turn)
            hashes.append(item.hash)
        await asyncio.gather(*playing)
        records = list(read_records(await client.get_match_log(created.match_id)))
    assert len(hashes) == len(records)
    assert [record.previous_hash for record in records[1:]] == hashes[:-1]


async def ronda(*arguments: str, **environment: str) -> tuple[int | None, str, str]:
    """Run the command; return exit code, standard output and standard error."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "ronda_cli",
        *arguments,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
    )
    out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()


async def test_play_command_plays_a_match(target: str, tmp_path: Path) -> None:
    """The log is written and audited by the other command; JSON and text say who won."""
    log = tmp_path / "match.rlog"
    code, out, err = await ronda(
        *("match", "--target", target, "--rule-set", "sarii", "--seats", "3", "--bot", "greedy"),
        *("--bot", "random", "--log", str(log), "--json"),
    )
    assert (code, err) == (0, "")
    said = json.loads(out)
    assert [seat["bot"] for seat in said["seats"]] == ["greedy", "random", "greedy"]
    assert max(said["scores"]) >= 25
    assert said["log"] == str(log)
    code, out, _ = await ronda("audit", str(log))
    assert code == 0
    code, out, err = await ronda("match", "--target", target, "--rule-set", "sarii")
    assert (code, err) == (0, "")
    assert out.count("greedy") == 2
    assert "won" in out


async def test_play_command_says_why_it_cannot(target: str) -> None:
    """A refusal by the referee is one line."""
    code, out, err = await ronda("match", "--target", target, "--rule-set", "belote")
    assert (code, out) == (1, "")
    assert err.startswith("ronda: RULE_SET_NOT_FOUND: ")
    assert err.count("\n") == 1


async def test_play_command_says_where_a_bot_failed(target: str, tmp_path: Path) -> None:
    """Whether it raised or exited; one line, with the file and the line of it."""
    file = tmp_path / "poor_bots.py"
    file.write_text(
        "import sys\n"
        "class Raising:\n    def choose(self, view, decision):\n        return self.gone\n"
        "class Exiting:\n    def choose(self, view, decision):\n        sys.exit('enough')\n"
    )
    for bot, said in {
        "Raising": f"AttributeError: 'Raising' object has no attribute 'gone' ({file}:4)",
        "Exiting": f"SystemExit: enough ({file}:7)",
    }.items():
        code, out, err = await ronda(
            *("match", "--target", target, "--bot", f"poor_bots:{bot}"), PYTHONPATH=str(tmp_path)
        )
        assert (code, out) == (1, "")
        assert re.fullmatch(
            r"ronda: the bot at seat [01] of match [^ ]+, decision \d+: choose\(\) raised "
            + re.escape(said)
            + "\n",
            err,
        )


async def test_play_command_writes_its_log_into_a_fifo(target: str, tmp_path: Path) -> None:
    """Another program reads it there, and it stays a FIFO."""
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    (code, _, err), log = await asyncio.gather(
        ronda("match", "--target", target, "--rule-set", "sarii", "--log", str(fifo)),
        asyncio.to_thread(fifo.read_bytes),
    )
    assert (code, err) == (0, "")
    assert audited(log, tmp_path / "match.rlog") is None
    assert fifo.is_fifo()


async def test_bot_command_plays_a_seat(target: str, tmp_path: Path) -> None:
    """Two processes play against each other, one with its token in a file, one by environment."""
    async with RefereeClient.connect(target) as client:
        created = await client.create_match("sarii", 2)
    token = tmp_path / "token"
    token.write_text(created.seat_tokens[0])
    common = ("bot", "--target", target, "--match", created.match_id)
    (code0, out0, err0), (code1, out1, err1) = await asyncio.gather(
        ronda(*common, "--token-file", str(token), "--bot", "random", "--json"),
        ronda(*common, "--name", "Amina", RONDA_SEAT_TOKEN=created.seat_tokens[1]),
    )
    assert (code0, err0, code1, err1) == (0, "", 0, "")
    said = json.loads(out0)
    assert said["match_id"] == created.match_id
    assert said["seat"] == 0
    assert out1.startswith(f"match {created.match_id}: seat 1 ")


async def test_example_bot_plays_a_match(target: str) -> None:
    """The program in `examples` runs as it stands, and says who won."""
    example = Path(__file__).parents[2] / "examples" / "lowest_bot.py"
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(example), target, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    out, err = await process.communicate()
    assert (process.returncode, err) == (0, b"")
    assert re.fullmatch(r"\d+ : \d+, winner: \((0,|1,|0, 1)\)\n", out.decode())


def test_example_without_a_referee_says_how_it_is_used() -> None:
    """One line, and no traceback."""
    example = Path(__file__).parents[2] / "examples" / "lowest_bot.py"
    ran = subprocess.run(
        [sys.executable, str(example)], capture_output=True, text=True, check=False
    )
    assert ran.stderr == "usage: python examples/lowest_bot.py HOST:PORT | --tournament\n"
    assert (ran.returncode, ran.stdout) == (2, "")


async def test_the_example_says_what_is_wrong_with_an_address() -> None:
    """In a line, without a traceback."""
    example = Path(__file__).parents[2] / "examples" / "lowest_bot.py"
    command = [sys.executable, str(example), "127.0.0.1"]
    ran = await asyncio.to_thread(
        subprocess.run, command, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert ran.stderr.startswith("lowest_bot: '127.0.0.1' is no HOST:PORT")
    assert "Traceback" not in ran.stderr
