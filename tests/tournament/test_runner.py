"""How a runner starts the programs of a group before it plays the group's matches."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from ronda_client import RefereeClient
from ronda_tournament.config import Config, Entrant
from ronda_tournament.folder import TournamentFolder
from ronda_tournament.results import FailureKind
from ronda_tournament.runner import Runner
from ronda_tournament.schedule import groups, stages
from tests.tournament.made import config

# Is ready once four programs have come as far, and waits for that.
TOGETHER = """
import json, os, pathlib, sys, time
greeting = json.loads(sys.stdin.readline())
pathlib.Path(f"came-{os.getpid()}").touch()
while len(list(pathlib.Path().glob("came-*"))) < 4:
    time.sleep(0.01)
print(json.dumps({"type": "ready", "version": greeting["version"], "name": "x"}), flush=True)
sys.stdin.read()
"""


class Nobody:
    """Is told how the tournament goes on, and says nothing."""

    def stage(self, *_: object) -> None:
        """Hear that a stage begins."""

    def group(self, *_: object) -> None:
        """Hear that a group is over."""

    def failure(self, *_: object) -> None:
        """Hear that a bot has failed."""

    def stopped(self, *_: object) -> None:
        """Hear that a bot was stopped."""


async def started(
    folder: Path, *programs: str, stopped: Sequence[tuple[int, int]] = ()
) -> list[list[tuple[int, FailureKind]]]:
    """Start the programs of the first group of a tournament; give the failures, by what failed.

    Those that are named, by entrant and match, were stopped before.
    """
    entrants = tuple(
        Entrant(name, command=("python", "-c", program))
        for name, program in zip("ab", programs, strict=True)
    )
    cup: Config = dataclasses.replace(config(entrants=2), entrants=entrants, folder=folder)
    with TournamentFolder(folder / "cup", cup) as kept:
        runner = Runner(cup, kept, RefereeClient("127.0.0.1:1"), Nobody())
        group = next(groups(cup, next(stages(cup, kept.results))))
        for one in stopped:
            await runner._players[one].stop()
        try:
            failed = await runner._start(group, [0, 1])
        finally:
            for player in set(runner._players.values()):
                await player.stop()
    return [[(one.entrant, one.kind) for one in end.failures] for end in failed]


async def test_the_programs_of_a_group_are_started_at_once(tmp_path: Path) -> None:
    """Two bots, a program each for either match: none is ready before all four are there."""
    assert await started(tmp_path, TOGETHER, TOGETHER) == []


async def test_bots_that_do_not_start_are_told_once_each(tmp_path: Path) -> None:
    """Each has two programs, and all four end at once."""
    assert await started(tmp_path, "", "") == [
        [(0, FailureKind.NOT_STARTED)],
        [(1, FailureKind.NOT_STARTED)],
    ]


async def test_a_failure_is_told_though_another_program_was_stopped(tmp_path: Path) -> None:
    """The first bot's program for the first match was stopped; that for the second one fails."""
    assert await started(tmp_path, "", "", stopped=[(0, 0)]) == [
        [(1, FailureKind.NOT_STARTED)],
        [(0, FailureKind.NOT_STARTED)],
    ]
