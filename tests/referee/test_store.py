"""What the store keeps of a match beside its log, and that a write is made whole or not at all."""

import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from ronda_referee.match_log import LogRow
from ronda_referee.store import SqliteStore, StoredMatch, Write
from ronda_referee.store_records import MatchState

HASHES = (b"\x01" * 32, b"\x02" * 32)
NEW = StoredMatch("m1", b"\x05" * 32, HASHES, "maghribi", 1_700_000_000_000)


def _store(folder: Path) -> SqliteStore:
    return SqliteStore(folder / "store.sqlite")


def _kill_after(folder: Path, code: str) -> None:
    """Run code with an open `store` in a process of its own, which then dies without a word."""
    program = (
        "import os\n"
        "from pathlib import Path\n"
        "from ronda_referee.match_log import LogRow\n"
        "from ronda_referee.store import SqliteStore, StoredMatch, Write\n"
        "from ronda_referee.store_records import MatchState\n"
        f"store = SqliteStore(Path({str(folder / 'store.sqlite')!r}))\n"
        f"{code}\n"
        "os._exit(9)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True)
    assert ran.returncode == 9, ran.stderr


# A log that says of its match what the store says, as far as a start looks at it.
HEADER = LogRow(0, b"\x22\x06\x1a\x02m1\x28\x02")
PLAYED = LogRow(1, b"\x08\x01\x3a\x00")


def test_a_new_match_is_stored_with_its_seats(tmp_path: Path) -> None:
    """Nobody has joined it, and no move of it was refused."""
    with _store(tmp_path) as store:
        store.write([Write("m1", [HEADER], created=NEW)])
    with _store(tmp_path) as store:
        found = store.match("m1")
        assert found == StoredMatch(
            *("m1", b"\x05" * 32, HASHES, "maghribi", 1_700_000_000_000, MatchState.JOINING),
            names=("", ""),
            refusals=(0, 0),
            fault=None,
            number=1,
        )
        assert found is not None
        assert found.open
        assert store.match("m2") is None
        assert store.rows("m1", 0, 10) == [HEADER]


def test_names_refusals_and_token_hashes_survive_a_kill(tmp_path: Path) -> None:
    """Each is on disk when the write returns, alone or with rows."""
    with _store(tmp_path) as store:
        store.write([Write("m1", [HEADER], created=NEW)])
    _kill_after(
        tmp_path,
        "store.write([Write('m1', names={1: 'Brahim'})])\n"
        "store.write([Write('m1', refusals={0: 3})])\n"
        "store.write([Write('m1', token_hashes={1: b'\\x09' * 32})])\n"
        "store.write([Write('m1', [LogRow(1, b'\\x08\\x01\\x3a\\x00')], state=MatchState.PLAYING,\n"
        "    names={0: 'Amina'}, refusals={0: 4, 1: 1}, token_hashes={0: b'\\x08' * 32})])",
    )
    with _store(tmp_path) as store:
        found = store.match("m1")
        assert found is not None
        assert found.names == ("Amina", "Brahim")
        assert found.refusals == (4, 1)
        assert found.token_hashes == (b"\x08" * 32, b"\x09" * 32)
        assert found.state is MatchState.PLAYING
        assert found.fault is None
        assert store.rows("m1", 0, 10) == [HEADER, PLAYED]


def test_a_write_that_cannot_be_made_leaves_nothing_of_itself(tmp_path: Path) -> None:
    """A row of that number exists: neither names nor tokens of that write are stored."""
    with _store(tmp_path) as store:
        store.write([Write("m1", [HEADER], created=NEW)])
        with pytest.raises(apsw.ConstraintError):
            store.write(
                [
                    Write("m1", names={0: "Amina"}),
                    Write("m1", [HEADER], refusals={0: 1}, token_hashes={0: b"\x09" * 32}),
                ]
            )
        found = store.match("m1")
        assert found is not None
        assert (found.names, found.refusals) == (("", ""), (0, 0))
        assert found.token_hashes == HASHES
        store.write([Write("m1", [PLAYED], state=MatchState.PLAYING)])
        assert len(store.rows("m1", 0, 10)) == 2


def test_rows_of_a_match_that_there_is_not_are_refused(tmp_path: Path) -> None:
    """They would be nobody's."""
    with _store(tmp_path) as store, pytest.raises(apsw.ConstraintError):
        store.write([Write("m1", [HEADER])])


def test_a_match_is_frozen_with_its_first_fault(tmp_path: Path) -> None:
    """What came first is what is looked for."""
    with _store(tmp_path) as store:
        store.write([Write("m1", [HEADER], created=NEW)])
        store.freeze("m1", "first")
        store.freeze("m1", "second")
        found = store.match("m1")
        assert found is not None
        assert found.fault == "first"
        assert store.open_matches() == ["m1"]


def test_a_match_that_has_ended_or_was_cancelled_is_not_open(tmp_path: Path) -> None:
    """Only what can still grow is brought back after a restart."""
    with _store(tmp_path) as store:
        for number, state in enumerate(MatchState):
            match_id = f"m{number}"
            stored = StoredMatch(match_id, bytes(32), HASHES, "maghribi", number, state)
            store.write([Write(match_id, created=stored)])
        assert store.open_matches() == ["m0", "m1"]
        assert [(match.match_id, match.open) for match in store.matches(9)] == [
            ("m3", False),
            ("m2", False),
            ("m1", True),
            ("m0", True),
        ]


def test_secrets_are_not_in_what_is_printed_of_a_match() -> None:
    """It may come into a log line."""
    shown = repr(NEW) + repr(Write("m1", token_hashes={0: b"\x09" * 32}))
    assert "x05" not in shown
    assert "x01" not in shown
    assert "x09" not in shown
