"""What is seen while a tournament is played."""

import io

from rich.console import Console

from ronda_tournament.live import LiveObserver, PlainObserver
from ronda_tournament.results import Failure, FailureKind, Results
from ronda_tournament.schedule import Group, Meeting
from tests.tournament.made import config, play

MEETING = Meeting(1, 1, ((0,), (1,)))
FAILURE = Failure(1, FailureKind.EXITED, "its program ended", "run 1 event 1", "r1-m1-p2", "m")


def results() -> Results:
    """Give a tournament of two in which one pair of two is over: a has won it."""
    tournament = Results(config(entrants=2))
    play(tournament, MEETING, [((9, 1), (2, 8))])
    return tournament


def test_lines_come_now_and_then_and_failures_at_once() -> None:
    """Between two lines of progress ten seconds pass; the clock here goes by four."""
    stream, played = io.StringIO(), results()
    ticks = iter(range(0, 400, 4))
    with PlainObserver(config(entrants=2), played, stream, lambda: float(next(ticks))) as observer:
        observer.stage([MEETING])
        observer.failure(FAILURE)
        played.apply({"type": "void", "group": "r1-m1-p2", "why": "b failed", "failures": []})
        observer.group(Group(MEETING, 2, 0))
        observer.stopped(1, "it failed 3 times")
    assert stream.getvalue().splitlines() == [
        "ronda tournament: 1 meetings of 2 groups: 1 of 2 groups, 2 matches ended",
        "ronda tournament: b failed in r1-m1-p2: EXITED: its program ended",
        "ronda tournament: b is stopped: it failed 3 times",
        "ronda tournament: 2 of 2 groups, 2 matches ended",
    ]


def test_a_terminal_shows_a_table() -> None:
    """Every bot with its pairs, its share of their points and its failures."""
    stream, played = io.StringIO(), results()
    console = Console(file=stream, force_terminal=True, width=80, color_system=None)
    with LiveObserver(config(entrants=2), played, console) as observer:
        observer.stage([MEETING])
        observer.failure(FAILURE)
    shown = stream.getvalue()
    rows = [line.split() for line in shown.splitlines() if "│" in line]
    assert ["│", "a", "│", "1", "│", "100.0%", "│", "0", "│"] in rows
    assert ["│", "b", "│", "1", "│", "0.0%", "│", "0", "│"] in rows
    assert "1 of 2 groups, 2 matches ended" in shown
    assert "b failed in r1-m1-p2: EXITED: its program ended" in shown
