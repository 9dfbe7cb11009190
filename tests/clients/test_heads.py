"""The heads that were seen outlive the program, and a log that differs from them is refused."""

import json
from contextlib import aclosing
from pathlib import Path

import grpc
import pytest

from ronda_client import (
    Backoff,
    ForkedLog,
    Heads,
    HeadsError,
    RefereeClient,
    SeenHead,
    play_seats,
    read_heads,
)
from ronda_client.heads import MOST_REMEMBERED
from tests.clients.command import ronda
from tests.clients.fake_referee import Fail, FakeReferee, serving
from tests.clients.scripted_log import Book, of_match, play, turn
from tests.referee.running import running

QUICK = Backoff(first=0.001, cap=0.01, patience=20)
UNAVAILABLE = Fail(grpc.StatusCode.UNAVAILABLE)


def head(number: int) -> bytes:
    """Give some head."""
    return bytes([number]) * 32


class LastMove:
    """Plays the last of the legal moves."""

    def choose(self, view: object, decision: object) -> object:
        """Choose it."""
        return decision.legal_moves[-1]  # type: ignore[attr-defined]  # a Decision


def test_heads_are_written_a_line_each_and_read_back(tmp_path: Path) -> None:
    """A head that is not new is not written again; the next run goes on after it."""
    path = tmp_path / "heads.jsonl"
    heads = Heads(path)
    heads.remember(SeenHead("m1", 4, head(1)))
    heads.save("m1")
    heads.save("m1")
    heads.remember(SeenHead("m1", 9, head(2)))
    heads.save("m1")
    heads.save("m2")
    assert [json.loads(line) for line in path.read_text().splitlines()] == [
        {"match_id": "m1", "sequence": 4, "head": "01" * 32},
        {"match_id": "m1", "sequence": 9, "head": "02" * 32},
    ]
    again = Heads(path)
    assert again.last("m1") == SeenHead("m1", 9, head(2))
    again.save("m1")
    assert read_heads(path) == {"m1": {4: [head(1)], 9: [head(2)]}}


def test_a_line_that_was_cut_off_is_dropped_and_the_file_goes_on(tmp_path: Path) -> None:
    """A process that was killed while it wrote leaves half a line, which spoils no other."""
    path = tmp_path / "heads.jsonl"
    whole = json.dumps({"match_id": "m1", "sequence": 4, "head": "01" * 32}) + "\n"
    path.write_text(whole + whole[:30])
    assert read_heads(path) == {"m1": {4: [head(1)]}}
    heads = Heads(path)
    heads.remember(SeenHead("m2", 1, head(3)))
    heads.save("m2")
    assert read_heads(path) == {"m1": {4: [head(1)]}, "m2": {1: [head(3)]}}


def test_another_file_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    """Nothing is appended to a file of something else."""
    path = tmp_path / "notes.txt"
    path.write_text("notes\n")
    with pytest.raises(HeadsError, match=r"notes\.txt, line 1: it is no object with match_id"):
        Heads(path)
    assert path.read_text() == "notes\n"


def test_memory_is_bounded() -> None:
    """Of ever more matches the one is forgotten that was not looked at for the longest time."""
    heads = Heads()
    for number in range(MOST_REMEMBERED + 1):
        heads.remember(SeenHead(f"m{number}", 0, head(0)))
    assert heads.last("m0") is None
    assert heads.last("m1") is not None


async def watch(fake: FakeReferee, heads: Heads, *, from_sequence: int = 0) -> int:
    """Watch match m1 to its end and return how many records came."""
    count = 0
    async with (
        serving(fake) as target,
        RefereeClient.connect(target, backoff=QUICK, heads=heads) as client,
        aclosing(client.watch("m1", from_sequence=from_sequence)) as items,
    ):
        async for _ in items:
            count += 1
    return count


async def test_another_log_in_the_next_run_is_a_fork(tmp_path: Path) -> None:
    """The program is started anew, and the referee has another past by then."""
    fake, book = FakeReferee(), Book()
    fake.watches.append([book.header(), book.deal(1), Fail(grpc.StatusCode.NOT_FOUND)])
    heads = Heads(tmp_path / "heads")
    with pytest.raises(Exception, match="NOT_FOUND"):
        await watch(fake, heads)
    other = Book()
    fake.watches.append([other.header(), other.deal(7), other.deal(2), other.ended()])
    with pytest.raises(ForkedLog, match="when it was seen before") as caught:
        await watch(fake, Heads(tmp_path / "heads"))
    assert caught.value.sequence == 1


async def test_a_log_that_ends_before_what_was_seen_is_a_fork(tmp_path: Path) -> None:
    """A referee cannot cut off what a watcher saw in an earlier run."""
    fake, book, shorter = FakeReferee(), Book(), Book()
    fake.watches.append([book.header(), book.deal(1), book.deal(2), book.ended()])
    heads = Heads(tmp_path / "heads")
    assert await watch(fake, heads) == 3
    fake.watches.append([shorter.header(), shorter.deal(1), shorter.ended()])
    with pytest.raises(ForkedLog, match="the log ends before it, and record 2 was seen before"):
        await watch(fake, heads)


async def test_a_watch_that_goes_on_is_held_against_the_head_before_it() -> None:
    """Whoever asks for the records after the last one seen gets them chained to it."""
    fake, book, other = FakeReferee(), Book(), Book()
    fake.watches.append([book.header(), book.deal(1), book.ended()])
    heads = Heads()
    assert await watch(fake, heads) == 2
    other.header()
    other.deal(7)
    fake.watches.append([other.deal(2), other.ended()])
    with pytest.raises(ForkedLog, match="it follows on"):
        await watch(fake, heads, from_sequence=2)


async def test_play_is_held_against_what_was_watched(tmp_path: Path) -> None:
    """One log for the watcher and another for the player: the client has seen both."""
    fake, book, other = FakeReferee(), Book(), Book()
    fake.watches.append([book.header(), book.deal(1), book.deal(2), book.ended()])
    heads = Heads(tmp_path / "heads")
    assert await watch(fake, heads) == 3
    fake.plays.append(
        [
            of_match("m1", other.header(), seat=0),
            of_match("m1", other.deal(1), other.deal(9), turn(0, [play(1)])),
        ]
    )
    async with (
        serving(fake) as target,
        RefereeClient.connect(target, backoff=QUICK, heads=heads) as client,
    ):
        results = await play_seats(client, [("m1", "token 0")], LastMove())  # type: ignore[arg-type]
    assert isinstance(results["m1"], ForkedLog)
    assert results["m1"].sequence == 2


async def test_heads_of_played_and_watched_matches_prove_their_logs(tmp_path: Path) -> None:
    """A real referee: the heads that `ronda` kept are those of the log, and of no other."""
    async with running(tmp_path / "data") as run:
        at = ("--target", run.serving.address)
        played = tmp_path / "played"
        ran = await ronda("match", *at, "--heads", played, "--json", "--log", tmp_path / "m.rlog")
        assert ran.code == 0, ran.err
        match_id = ran.json["match_id"]
        watched = tmp_path / "watched"
        ran = await ronda("matches", "watch", match_id, *at, "--heads", watched)
        assert ran.code == 0, ran.err
    seen = read_heads(played)[match_id]
    assert len(seen) > 10
    last = max(seen)
    assert read_heads(watched)[match_id][last] == seen[last]
    assert ran.out == (
        f"match {match_id}: {last + 1} records, the last with the hash {seen[last][0].hex()}\n"
    )
    files = ("--heads", played, "--heads", watched, tmp_path / "m.rlog")
    ran = await ronda("audit", *files)
    assert (ran.code, ran.err) == (0, "")
    assert " heads as they were seen; " in ran.out
    number = sorted(seen)[3]
    text = played.read_text().replace(seen[number][0].hex(), "00" * 32)
    played.write_text(text)
    ran = await ronda("audit", *files)
    assert ran.code == 1
    assert f"HEAD_DIFFERS in record {number} at byte " in ran.out
