"""A tournament at a referee that runs already, with partners at four seats, by house rules."""

import json
from pathlib import Path

import pytest

from ronda_cli.main import main
from tests.clients.command import ronda
from tests.referee.referee_process import RefereeProcess

RULES = """
base = "single-deal"
id = "short-four"
title = "One deal for four"
summary = "One deal."
source = "these tests"
seats = [{ count = 4, opening = "TABLE_OF_FOUR" }]
"""
CONFIG = """
name = "Partners"
rule_sets = ["./short-four.toml"]
seats = 4
pairs = 1

[[entrants]]
name = "greedy"
builtin = "greedy"

[[entrants]]
name = "random"
builtin = "random"
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Give a configuration with its rules beside it."""
    (tmp_path / "short-four.toml").write_text(RULES)
    path = tmp_path / "partners.toml"
    path.write_text(CONFIG)
    return path


async def test_an_entrant_is_its_own_partner(config: Path, tmp_path: Path) -> None:
    """One program plays two seats of a match; the sides change seats with the same cards."""
    async with RefereeProcess(tmp_path / "games", "--allow-shared-shuffles") as referee:
        ran = await ronda(
            *("tournament", "run", config, "--data", tmp_path / "cup", "--json"),
            *("--target", referee.address, "--replays", "0", "--jobs", "1"),
            *("--organiser-token-file", tmp_path / "games" / "organiser-token"),
        )
    assert ran.code == 0, ran.err
    (group,) = ran.json["groups"]
    assert [match["seats"] for match in group["matches"]] == [
        ["greedy", "random", "greedy", "random"],
        ["random", "greedy", "random", "greedy"],
    ]
    assert ran.json["audit"]["findings"] == []
    assert [place["seats"] for place in ran.json["seats"]] == [[0, 2], [1, 3]]
    assert not (tmp_path / "cup" / "referee").exists()
    assert not (tmp_path / "cup" / "replays").exists()


async def test_a_referee_must_let_matches_share_their_cards(config: Path, tmp_path: Path) -> None:
    """The message says how to start one that does; nothing was played, and it can be gone on."""
    async with RefereeProcess(tmp_path / "games") as referee:
        ran = await ronda(
            *("tournament", "run", config, "--data", tmp_path / "cup"),
            *("--target", referee.address),
        )
    assert ran.code == 2
    assert ran.err.splitlines()[-1] == (
        f"ronda: the referee at {referee.address} lets no matches share a shuffle: start it with "
        "--allow-shared-shuffles"
    )
    lines = (tmp_path / "cup" / "journal.jsonl").read_text().splitlines()
    assert [json.loads(line)["type"] for line in lines] == ["begun"]


def test_check_says_what_is_wrong(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A configuration that is right gets a line, one that is wrong all its problems."""
    assert main(["tournament", "check", str(config)]) == 0
    assert capsys.readouterr().out == (
        f"{config}: Partners can be played: round-robin, 4 seats, 2 entrants\n"
    )
    config.write_text(CONFIG.replace("seats = 4", "seats = 2").replace('"greedy"', '"deep"'))
    assert main(["tournament", "check", str(config)]) == 2
    assert capsys.readouterr().out.splitlines() == [
        f"{config}:3: rule_sets: ./short-four.toml is played with 4 seats, not with 2",
        (
            f'{config}:9: entrants[1].builtin: it must be "random" or "greedy" or "counting" or '
            '"searcher", not "deep"'
        ),
    ]
    assert main(["tournament", "check", str(config), "--json"]) == 2
    said = json.loads(capsys.readouterr().out)
    assert said["ok"] is False
    assert [one["line"] for one in said["problems"]] == [3, 9]
