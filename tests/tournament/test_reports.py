"""What is seen while a tournament is played, and what is said of it in the end."""

import io
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

from ronda_tournament import report_html, report_rich, report_text
from ronda_tournament.folder import TournamentFolder
from ronda_tournament.live import LiveObserver, PlainObserver
from ronda_tournament.results import Failure, FailureKind, Results
from ronda_tournament.schedule import Group, Meeting
from ronda_tournament.summary import summarise
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


def test_what_a_bot_wrote_steers_no_terminal() -> None:
    """Its last words may be anything; they stand in one line, as text."""
    stream, played = io.StringIO(), results()
    words = "its last words: \x1b]0;mine\x07\nmore\u202e"
    with PlainObserver(config(entrants=2), played, stream) as observer:
        observer.failure(replace(FAILURE, detail=words))
    assert stream.getvalue().splitlines()[0] == (
        "ronda tournament: b failed in r1-m1-p2: EXITED: "
        "its last words: \\x1b]0;mine\\x07 more\\u202e"
    )


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


def summary(tmp_path: Path) -> Mapping[str, Any]:
    """Give what is said of two pairs: a is 14 points ahead in the first, none in the second."""
    tournament = config(entrants=2)
    with TournamentFolder(tmp_path / "cup", tournament) as folder:
        play(folder.results, MEETING, [((9, 1), (2, 8)), ((4, 4), (5, 5))])
        folder.results.apply({"type": "finished"})
        said: Mapping[str, Any] = json.loads(json.dumps(summarise(tournament, folder)))
        return said


def test_the_report_says_what_was_measured(tmp_path: Path) -> None:
    """Differences 14 and 0: mean 7, deviation 9.8995, error 7, times 12.706 = 88.94.

    A has won both matches of the first pair, and the others are drawn. Seat 0 has made 9, 2, 4 and
    5 points, seat 1 has made 1, 8, 4 and 5.
    """
    said = summary(tmp_path)
    (meeting,) = said["meetings"]
    assert meeting["pairs"] == {"won": 1, "drawn": 1, "lost": 0}
    assert meeting["matches"] == {"won": 2, "drawn": 2, "lost": 0}
    assert meeting["differences"] == [14, 0]
    mean = meeting["difference"]
    assert (mean["mean"], round(mean["low"], 2), round(mean["high"], 2)) == (7.0, -81.94, 95.94)
    first, second = said["entrants"]
    assert (first["won"], first["drawn"], first["lost"], first["points_ahead"]) == (2, 2, 0, 3.5)
    assert (second["won"], second["drawn"], second["lost"]) == (0, 2, 2)
    assert said["crosstable"][0] == [None, {"pairs": 2, "share": 0.75, "difference": 7.0}]
    assert [(one["won"], one["drawn"], one["points"]) for one in said["seats"]] == [
        (1, 2, 5.0),
        (1, 2, 4.5),
    ]
    assert "r1-m1    a - b  2       0     0         1-1-0           +7.00  -81.94 to 95.94" in (
        list(report_text.lines(said))
    )


def test_failures_are_told_whole_and_where_to_look(tmp_path: Path) -> None:
    """The last failure of each bot, however long its reason, and what its program has written."""
    reason = "choose() must return a ronda.v1 Move, " * 8 + "it returned NoneType"
    tournament = config(entrants=2)
    with TournamentFolder(tmp_path / "cup", tournament) as folder:
        play(folder.results, MEETING, [((9, 1), (2, 8))])
        failures = [
            {"entrant": 1, "kind": kind, "detail": detail, "incident": kind, "group": "r1-m1-p1"}
            for kind, detail in (("EXITED", "its program ended"), ("EXCEPTION", reason))
        ]
        void = {"type": "void", "group": "r1-m1-p1", "why": "b failed", "failures": failures}
        folder.results.apply(void)
        folder.bot_log("b").write_text("out of cards\n")
        said = list(report_text.lines(summarise(tournament, folder)))
    assert said[-5:] == [
        "",
        "failures, which count for nothing else",
        "  b: 1 EXITED, 1 EXCEPTION",
        f"    the last one: EXCEPTION: {reason}",
        "    what it wrote to standard error: bots/b.log",
    ]


def test_a_terminal_gets_the_same_in_tables(tmp_path: Path) -> None:
    """The rows are those of the text."""
    stream = io.StringIO()
    report_rich.show(summary(tmp_path), Console(file=stream, width=120))
    rows = [
        [cell.strip() for cell in line.split("│")[1:-1]] for line in stream.getvalue().splitlines()
    ]
    assert ["r1-m1", "a - b", "2", "0", "0", "1-1-0", "+7.00", "-81.94 to 95.94", ""] in rows
    assert ["a", "-", "+7.00"] in rows


def test_what_bots_are_called_is_text_in_the_page(tmp_path: Path) -> None:
    """Nothing of it is markup."""
    said = json.loads(json.dumps(summary(tmp_path)).replace('"a"', '"<b>a</b>"'))
    page = report_html.page(said, {})
    assert "<b>" not in page
    assert "&lt;b&gt;a&lt;/b&gt;" in page
