"""Writes that come one after the other share a commit where commits take long, and only there."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from ronda_referee import commits as group
from ronda_referee.commits import Commits
from ronda_referee.store import SqliteStore, Write


class Noting(SqliteStore):
    """A store that notes what each commit is asked to write, and writes nothing."""

    def __init__(self, path: Path) -> None:
        """Begin with no commit."""
        super().__init__(path)
        self.groups: list[list[str]] = []

    def write(self, writes: Sequence[Write]) -> None:
        """Note one commit."""
        self.groups.append([write.match_id for write in writes])


@pytest.fixture
def store(tmp_path: Path) -> Noting:
    """Give a store that notes its commits."""
    return Noting(tmp_path / "matches.sqlite")


async def one_a_turn(commits: Commits, names: str) -> None:
    """Have a write come in each turn of the event loop, and wait for all."""
    tasks = []
    for name in names:
        tasks.append(asyncio.create_task(commits.write(Write(name))))
        # The task's own turn, and the one in which a commit that does not wait is made.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    await asyncio.gather(*tasks)


async def test_where_commits_are_quick_none_waits(store: Noting) -> None:
    """Nothing is known of the disk yet: each write is committed in the turn after its own."""
    await one_a_turn(Commits(store), "abc")
    assert store.groups == [["a"], ["b"], ["c"]]


async def test_where_commits_take_long_a_commit_waits_for_what_comes(
    store: Noting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three writes in three turns are one commit; so are the three after them."""
    monkeypatch.setattr(group, "_GAP_SECONDS", 0.2)
    monkeypatch.setattr(group, "_LONGEST_SECONDS", 60.0)
    commits = Commits(store)
    commits._usual_seconds = 1.0
    await one_a_turn(commits, "abc")
    await one_a_turn(commits, "def")
    assert store.groups == [["a", "b", "c"], ["d", "e", "f"]]


async def test_no_write_waits_for_longer_than_a_while(
    store: Noting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many others keep coming."""
    monkeypatch.setattr(group, "_LONGEST_SECONDS", 0.0)
    commits = Commits(store)
    commits._usual_seconds = 1.0
    first = asyncio.create_task(commits.write(Write("a")))
    others = []
    while not first.done():
        others.append(asyncio.create_task(commits.write(Write("b"))))
        await asyncio.sleep(0)
    assert store.groups[0][0] == "a"
    await asyncio.gather(*others)


async def test_who_plays_alone_does_not_wait_for_others(
    store: Noting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After one wait in vain the next eight commits do without, and after the second sixteen."""
    waits = 0
    look_later = Commits._look_later

    def counted(commits: Commits) -> None:
        nonlocal waits
        waits += 1
        look_later(commits)

    monkeypatch.setattr(Commits, "_look_later", counted)
    # What is waited for less than once, however late the timer comes.
    monkeypatch.setattr(group, "_GAP_SECONDS", 1e-9)
    commits = Commits(store)
    commits._usual_seconds = 1.0
    seen = []
    for _ in range(27):
        await commits.write(Write("a"))
        commits._usual_seconds = 1.0
        seen.append(waits)
    assert seen == [1] * 9 + [2] * 17 + [3]
