"""The journal and the folder: what outlives a kill, and what is refused."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from ronda.v1.rule_set_pb2 import RuleSet
from ronda_tournament.folder import FolderError, TournamentFolder, journal_of
from ronda_tournament.journal import Journal, JournalError
from ronda_tournament.schedule import Meeting
from tests.tournament.made import config, play


async def test_a_line_that_was_cut_off_was_never_said(tmp_path: Path) -> None:
    """It is dropped, and the next one follows the last whole one."""
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b'{"type":"a"}\n{"type":"b","va')
    lines: list[Mapping[str, Any]] = []
    journal = Journal(path, lines.append)
    journal.note("c", value=1)
    await journal.sync()
    journal.close()
    assert lines == [{"type": "a"}, {"type": "c", "value": 1}]
    assert path.read_bytes() == b'{"type":"a"}\n{"type":"c","value":1}\n'


async def test_a_line_that_is_no_journals_is_refused(tmp_path: Path) -> None:
    """The message names the file, the line and what is wrong."""
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b'{"type":"a"}\nnonsense\n')
    lines: list[Mapping[str, Any]] = []
    with pytest.raises(JournalError, match=r"journal\.jsonl, line 2: Expecting value"):
        Journal(path, lines.append)


async def test_a_folder_goes_on_with_its_own_tournament(tmp_path: Path) -> None:
    """Seed and commitment stay, and every run is counted."""
    with TournamentFolder(tmp_path / "cup", config()) as folder:
        seed, commitment = folder.seed, folder.commitment
        assert (len(seed), folder.results.runs) == (32, 1)
    assert (tmp_path / "cup" / "commitment.txt").read_text() == f"{commitment}\n"
    assert (tmp_path / "cup" / "seed.secret").stat().st_mode & 0o777 == 0o600
    with TournamentFolder(tmp_path / "cup", config()) as folder:
        assert (folder.seed, folder.commitment, folder.results.runs) == (seed, commitment, 2)
    assert [line["type"] for line in journal_of(tmp_path / "cup")] == ["begun", "resumed"]


async def test_another_tournament_does_not_get_into_the_folder(tmp_path: Path) -> None:
    """The message names what differs."""
    with TournamentFolder(tmp_path / "cup", config(pairs=2)):
        pass
    with (
        pytest.raises(FolderError, match="holds a tournament with another pairs: 2, not 3"),
        TournamentFolder(tmp_path / "cup", config(pairs=3)),
    ):
        pass


async def test_house_rules_that_were_changed_make_another_tournament(tmp_path: Path) -> None:
    """Also where they have kept their id."""
    with TournamentFolder(tmp_path / "cup", config()):
        pass
    changed = replace(config(), rules=(RuleSet(id="rules-0", target=25),))
    with (
        pytest.raises(FolderError, match="holds a tournament with another rules_sha256: "),
        TournamentFolder(tmp_path / "cup", changed),
    ):
        pass


async def test_a_folder_has_one_runner_at_a_time(tmp_path: Path) -> None:
    """The second is refused, and has changed nothing."""
    with TournamentFolder(tmp_path / "cup", config()):
        with (
            pytest.raises(FolderError, match="another runner is at work in this folder"),
            TournamentFolder(tmp_path / "cup", config()),
        ):
            pass
        assert len(journal_of(tmp_path / "cup")) == 1


async def test_a_seed_that_was_changed_is_noticed(tmp_path: Path) -> None:
    """It is not the one that was committed to."""
    with TournamentFolder(tmp_path / "cup", config()):
        pass
    (tmp_path / "cup" / "seed.secret").write_text("00" * 32)
    with (
        pytest.raises(FolderError, match="it is not the seed that was committed to"),
        TournamentFolder(tmp_path / "cup", config()),
    ):
        pass


async def test_a_folder_whose_first_run_broke_off_at_its_seed_is_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is no half of a seed, so the next run makes one; it is for its owner alone."""
    with monkeypatch.context() as broken:
        broken.setattr("os.fdopen", Mock(side_effect=OSError("no space left")))
        with pytest.raises(OSError, match="no space left"), TournamentFolder(tmp_path, config()):
            pass
    with TournamentFolder(tmp_path, config()) as folder:
        assert len(folder.seed) == 32
    secret = tmp_path / "seed.secret"
    assert (secret.read_text(), secret.stat().st_mode & 0o777) == (f"{folder.seed.hex()}\n", 0o600)
    assert not list(tmp_path.glob(".seed*"))


@pytest.mark.parametrize("name", ["", "commitment.txt", "nowhere"])
async def test_what_is_something_else_is_no_tournaments_folder(tmp_path: Path, name: str) -> None:
    """There is no journal: in a folder, in a file, in nothing at all."""
    (tmp_path / "commitment.txt").touch()
    with pytest.raises(FolderError, match=r"it is no tournament's folder: there is no journal"):
        journal_of(tmp_path / name)


async def test_results_are_folded_from_the_journal_alone(tmp_path: Path) -> None:
    """What one run has noted, the next one knows: games, failures, incidents, who was stopped."""
    meeting = Meeting(1, 1, ((0,), (3,)))
    with TournamentFolder(tmp_path / "cup", config()) as folder:
        play(folder.results, meeting, [((9, 1), (2, 8))])
        note = folder.journal.note
        fields = {"detail": "it ended", "incident": "run 1 bot 1 start 1", "match_id": "x"}
        for group in ("r1-m2-p1", "r2-m1-p1"):
            failure = {"entrant": 1, "kind": "EXITED", "group": group, **fields}
            note("void", group=group, why="it ended", failures=[failure])
        note("created", group="r1-m2-p2", game=0, match_id="open", seats=[1, 2])
        note("stopped", entrant=1, why="it ended", stage=1)
    with TournamentFolder(tmp_path / "cup", config()) as folder:
        results = folder.results
        assert results.incidents(1) == 1
        assert dict(results.failure_counts(1)) == {"EXITED": 2}
        assert results.open_matches() == ["open"]
        assert results.void == {"r1-m2-p1": "it ended", "r2-m1-p1": "it ended"}
        assert results.is_out(1)
        assert results.stopped_in(1) == 1
        # That one was folded in without being noted.
        assert results.valid_groups(meeting) == []
