"""The power fails at any moment: what was acknowledged is there, once, and matches go on.

A referee plays matches on a real file; then, for each write and sync of that run, the disk is put
together as it may be when the power is back, and a referee is started on it. The test command
tries some of the cuts; `make powercuts` tries every one of a longer run, several times.
"""

import asyncio
import hashlib
import os
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import apsw
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ronda.v1 import log_pb2
from ronda.v1.match_terms_pb2 import MatchTerms
from ronda_conformance.rule_set_files import load_rule_sets
from ronda_referee.convert import move_to_proto
from ronda_referee.match import Match
from ronda_referee.play import Joined
from ronda_referee.referee import Referee
from ronda_referee.signing_key import SigningKey
from ronda_referee.store import SqliteStore
from ronda_referee.store_check import file_findings, match_findings
from ronda_referee.surroundings import Surroundings
from ronda_rules.engine import legal_moves
from tests.referee.older_stores import make_older
from tests.referee.power_cuts import Disk, Left, Op, recorded

EVERY = os.environ.get("POWER_CUTS") == "every"
MOVES = 20 if EVERY else 6
# Each seed has its own choices of what is left.
SEEDS = range(8) if EVERY else range(1)
# The test command tries each cut that follows a sync, and one in so many of the others.
ONE_IN = 1 if EVERY else 3
# As many pages in the WAL before SQLite brings them into the file, so that it does so often.
CHECKPOINT_PAGES = 12

TABLES = ("match", "seat", "log_row")

KEY = SigningKey(Ed25519PrivateKey.from_private_bytes(b"k" * 32))


@dataclass
class Contents:
    """What a store holds.

    Attributes:
        problems: what is wrong with it.
        records: how often what can be acknowledged is in it: kind, match, content.
    """

    problems: list[str]
    records: Counter[tuple[str, str, bytes]] = field(default_factory=Counter)


@dataclass
class Run:
    """A run of a referee, and what it has acknowledged.

    Attributes:
        ops: what it did to its files.
        acknowledged: what, and how much it had done to its files by then.
        seen: the contents of stores that were looked through, by the digest of their rows.
    """

    ops: list[Op]
    acknowledged: list[tuple[int, str, str, bytes]] = field(default_factory=list)
    seen: dict[bytes, Contents] = field(default_factory=dict)

    def note(self, kind: str, match_id: str, content: bytes = b"") -> None:
        """Note that something was acknowledged."""
        self.acknowledged.append((len(self.ops), kind, match_id, content))


async def _created(referee: Referee, run: Run) -> list[str]:
    """Create matches of two and three seats at the same time, and take every seat."""
    rule_set = load_rule_sets()["maghribi"]

    async def table(seats: int) -> str:
        match_id, _ = await referee.create(log_pb2.LogHeader(rule_set=rule_set, seats=seats))
        run.note("created", match_id)
        for seat in range(seats):
            await referee.match(match_id).join(seat, Joined(f"player {seat}", b""))
            joined = log_pb2.SeatJoined(seat=seat, name=f"player {seat}")
            run.note("joined", match_id, joined.SerializeToString(deterministic=True))
        return match_id

    return list(await asyncio.gather(table(2), table(3), table(2)))


async def _played(referee: Referee, run: Run, matches: list[str], first: int) -> None:
    """Make so many moves in each match, at the same time; name their requests by number."""

    async def moves(match: Match) -> None:
        for number in range(first, first + MOVES):
            seat, decision_id = min(match.published.decisions.items())
            state = match.seen(seat)
            assert state is not None
            accepted = log_pb2.MoveAccepted(
                seat=seat,
                decision_id=decision_id,
                request_id=f"request {number}",
                move=move_to_proto(legal_moves(state, seat)[-1]),
            )
            await match.submit(accepted)
            run.note("moved", match.match_id, accepted.SerializeToString(deterministic=True))

    await asyncio.gather(*(moves(referee.match(match_id)) for match_id in matches))


def _opened(folder: Path, synchronous: str | None) -> SqliteStore:
    store = SqliteStore(folder / "matches.sqlite")
    store._db.pragma("wal_autocheckpoint", CHECKPOINT_PAGES)
    if synchronous is not None:
        store._db.pragma("synchronous", synchronous)
    return store


async def _recorded(
    folder: Path, monkeypatch: pytest.MonkeyPatch, synchronous: str | None = None
) -> Run:
    """Run a referee on a new store, stop it in order, and run it again until the power fails."""
    with recorded(monkeypatch) as ops:
        run = Run(ops)
        with _opened(folder, synchronous) as store:
            referee = Referee(store, KEY, Surroundings(), default_terms=MatchTerms())
            matches = await _created(referee, run)
            await _played(referee, run, matches, 0)
        store = _opened(folder, synchronous)
        referee = Referee(store, KEY, Surroundings(), default_terms=MatchTerms())
        assert referee.restore() == 3
        await _played(referee, run, matches, MOVES)
        until_then = list(ops)
        store.close()
    run.ops = until_then
    return run


def _problems(folder: Path, files: dict[str, bytes], run: Run, cut: int) -> list[str]:
    """Give what is wrong after a cut: with the file, with its matches, with what was promised."""
    for file in folder.iterdir():
        file.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)
        (folder / name).chmod(0o600)
    with SqliteStore(folder / "matches.sqlite") as store:
        # Nothing is wanted of this store afterwards, so nothing needs to reach the disk.
        store._db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        found = [finding.detail for finding in file_findings(store._db, full=True)]
        # Many cuts leave the same rows, and what follows hangs on them alone.
        rows = [list(store._db.execute(f"SELECT * FROM {table}")) for table in TABLES]  # noqa: S608  # ours
        key = hashlib.sha256(repr(rows).encode()).digest()
        if key not in run.seen:
            run.seen[key] = _contents(store)
    contents = run.seen[key]
    return [
        *found,
        *contents.problems,
        *(
            f"lost: {kind} {match_id}"
            for done, kind, match_id, content in run.acknowledged
            if done <= cut and not contents.records[kind, match_id, content]
        ),
    ]


def _contents(store: SqliteStore) -> Contents:
    """Look a store through, and have a referee bring its matches back."""
    found = Contents([finding.detail for finding in match_findings(store._db)])
    requests: Counter[tuple[str, int, str]] = Counter()
    for match_id in store.open_matches():
        found.records["created", match_id, b""] += 1
        for row in store.rows(match_id, 0, 10_000):
            record = log_pb2.LogRecord.FromString(row.record)
            if record.HasField("seat_joined"):
                content = record.seat_joined.SerializeToString(deterministic=True)
                found.records["joined", match_id, content] += 1
            elif record.HasField("move_accepted"):
                accepted = record.move_accepted
                requests[match_id, accepted.seat, accepted.request_id] += 1
                content = accepted.SerializeToString(deterministic=True)
                found.records["moved", match_id, content] += 1
    found.problems += [f"twice: {what}" for what, times in found.records.items() if times > 1]
    found.problems += [f"twice: {what}" for what, times in requests.items() if times > 1]
    if Referee(store, KEY, Surroundings(), default_terms=MatchTerms()).restore() != len(
        store.open_matches()
    ):
        found.problems.append("a match does not go on")
    if any(match.fault for match in store.matches(10)):
        found.problems.append("a match is frozen")
    return found


def _cuts(ops: list[Op]) -> Iterator[int]:
    """Give the cuts to try: after how much of a run the power fails."""
    for cut in range(len(ops) + 1):
        after_sync = cut > 0 and ops[cut - 1].kind == "sync"
        before_sync = cut < len(ops) and ops[cut].kind == "sync"
        if after_sync or before_sync or cut % ONE_IN == 0:
            yield cut


def _tried(
    folder: Path,
    run: Run,
    before: Mapping[str, bytes] | None = None,
    *,
    lying: bool = False,
    lefts: tuple[Left, ...] = tuple(Left),
    seed: int = 0,
) -> Iterator[tuple[str, list[str]]]:
    """Try the cuts of a run one by one; give each with its problems."""
    folder.mkdir()
    chance = random.Random(seed)
    disk = Disk(before, lying=lying)
    wanted = set(_cuts(run.ops))
    for cut in range(len(run.ops) + 1):
        if cut in wanted:
            for left in lefts:
                files = disk.after_cut(left, chance)
                what = f"cut {cut} of {len(run.ops)}, left: {left.value}"
                yield what, _problems(folder, files, run, cut)
        if cut < len(run.ops):
            disk.do(run.ops[cut])


@pytest.mark.parametrize("seed", SEEDS)
async def test_whatever_a_power_cut_leaves_every_acknowledged_write_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Matches, seats and moves; each once; the file is sound, and every match goes on."""
    run = await _recorded(tmp_path, monkeypatch)
    tried = 0
    # What is left by no choice is left in the same way whatever the seed.
    lefts = tuple(Left) if seed == 0 else (Left.BEGINNING, Left.SECTORS)
    for what, problems in _tried(tmp_path / "after", run, lefts=lefts, seed=seed):
        assert problems == [], what
        tried += 1
    # The run was worth it: the store was made, matches were written, and the WAL was brought into
    # the file and begun anew, more than once.
    kinds = Counter((op.kind, op.file) for op in run.ops)
    assert kinds["sync", "matches.sqlite"] >= 3
    assert kinds["sync", "matches.sqlite-wal"] >= 20
    assert Counter(kind for _, kind, _, _ in run.acknowledged) == {
        "created": 3,
        "joined": 7,
        "moved": 2 * 3 * MOVES,
    }
    assert tried >= 300


async def test_a_power_cut_while_a_store_is_migrated_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store is of the old version or of the new one, with every match and every record."""
    made = await _recorded(tmp_path, monkeypatch)
    store = tmp_path / "matches.sqlite"
    make_older(store, 1)
    before = {store.name: store.read_bytes()}
    with recorded(monkeypatch) as ops:
        migrated = SqliteStore(store)
        until_then = list(ops)
        migrated.close()
    run = Run(
        until_then,
        [(0, kind, match_id, content) for _, kind, match_id, content in made.acknowledged],
    )
    tried = 0
    for what, problems in _tried(tmp_path / "after", run, before):
        assert problems == [], what
        tried += 1
    assert tried >= 20


async def test_a_disk_that_only_says_that_it_has_synced_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check can fail: with such a disk acknowledged writes are lost at nearly every cut."""
    run = await _recorded(tmp_path, monkeypatch)
    tried = list(_tried(tmp_path / "after", run, lying=True, lefts=(Left.NOTHING,)))
    lost = [what for what, problems in tried if any("lost: " in one for one in problems)]
    assert len(lost) > len(tried) // 2


async def test_a_store_that_does_not_sync_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check can fail: with synchronous=off the last moves are lost."""
    run = await _recorded(tmp_path, monkeypatch, "off")
    tried = list(_tried(tmp_path / "after", run, lefts=(Left.NOTHING,)))
    problems = [one for _, found in tried for one in found]
    assert any(one.startswith("lost: moved") for one in problems)


def test_the_store_asks_for_every_sync(tmp_path: Path) -> None:
    """SQLite's numbers: synchronous 2 is full; the journal is a WAL."""
    with SqliteStore(tmp_path / "matches.sqlite") as store:
        assert isinstance(store._db, apsw.Connection)
        assert store._db.pragma("synchronous") == 2
        assert store._db.pragma("journal_mode") == "wal"
        assert store._db.pragma("fullfsync") == 1
