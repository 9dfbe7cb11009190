"""Reports: drawings, quoted clauses, JUnit XML, the page, and files that are whole or not there."""

import json
import re
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from ronda.conformance.v1 import testee_service_pb2 as pb
from ronda.v1 import card_pb2, rule_set_pb2, view_pb2
from ronda_conformance import data_folders
from ronda_conformance.__main__ import main
from ronda_conformance.clauses import read_clauses
from ronda_conformance.comparing import Mismatch
from ronda_conformance.drawings import drawing
from ronda_conformance.html_report import html_report
from ronda_conformance.judging import judge
from ronda_conformance.junit_report import junit_report
from ronda_conformance.report_files import ReportFileError, check_writable, write_report
from ronda_conformance.reports import summary, text_report
from ronda_conformance.results import Result, Run, Status
from tests.conformance.fake_testee import card, cards
from tests.conformance.small_case import SCENARIO, read, right_answer

CLAUSES = read_clauses(data_folders.spec())


def parsed(report: bytes) -> ET.Element:
    """Read XML of our own."""
    return ET.fromstring(report)  # noqa: S314  # nobody else wrote it


def results(folder: Path) -> list[Result]:
    """Return a result of each status; the failed one lacks a card that was captured."""
    wrong = right_answer()
    wrong.steps[0].events[1].cards_captured.cards.pop()
    made = []
    for status in Status:
        name = status.value.replace(" ", "-")
        case = read(SCENARIO.replace("id: small-case", f"id: {name}"), folder, name)
        result = judge(case, wrong) if status is Status.FAILED else Result(case, status)
        made.append(result)
    return made


def test_a_position_is_drawn() -> None:
    """Table with the card just laid, chain, hands, piles, pack, announcements and debts."""
    public = view_pb2.PublicView(
        seats=3,
        deal=2,
        dealer=2,
        batch=3,
        to_act=[1],
        table=cards("1o 10c"),
        hand_sizes=[1, 2, 0],
        pile_sizes=[4, 0, 12],
        pack_size=9,
        scores=[3, 0, 41],
        announcements=[
            view_pb2.AnnouncementView(batch=1, seat=0, kind=rule_set_pb2.ANNOUNCEMENT_KIND_TRINGA)
        ],
        caida_card=card("10c"),
        last_capturer=2,
        asked=view_pb2.ASKED_CARD,
        held=view_pb2.HeldView(seat=2, rank=card_pb2.RANK_7, step=2, cards=5, mesa=1),
        debts=[view_pb2.DebtView(payer=0, receiver=1, cards=2)],
    )
    hands = ["2e", "3b 12o", ""]
    sight = pb.Sight(
        public=public,
        seats=[
            view_pb2.SeatView(public=public, seat=seat, hand=cards(hand))
            for seat, hand in enumerate(hands)
        ],
    )
    assert drawing(sight) == [
        "  table   [ 1o] [10c]*  * just laid",
        "  chain   ||||| 5  seat 2, step 2, rank 7, mesa 1",
        "  seat 0  [ 2e]",
        "> seat 1  [ 3b] [12o]",
        "  seat 2  -  dealer",
        "  pile 0  |||| 4, score 3",
        "  pile 1  0, score 0",
        "  pile 2  |||||||||||| 12, score 41",
        "  pack    ||||||||| 9  deal 2, batch 3, captured last: seat 2, asked for: card",
        "  said    batch 1 seat 0 tringa",
        "  owed    0:1:2",
    ]


def test_more_than_there_can_be_is_not_drawn() -> None:
    """A program that shows a million of everything makes no report of a million lines."""
    public = view_pb2.PublicView(
        hand_sizes=[1] * 1000, pile_sizes=[2**32 - 1] * 1000, table=cards("1o") * 1000
    )
    assert sum(map(len, drawing(pb.Sight(public=public)))) < 2000


def test_a_clause_is_quoted_by_its_first_sentences() -> None:
    """As many as stay short; what is left out shows."""
    assert CLAUSES["CAP-4"].quote == (
        "If no card of its rank is on the table, the played card stays there face up and takes "
        "nothing, also where the next rank is there."
    )
    assert CLAUSES["DEAL-2"].quote == (
        "2, 3 or 4 seats play. They are numbered in the order of play, and after the last comes "
        "seat 0. With 2 or 3 seats each seat is a side of its own. "
        "With 4, seats 0 and 2 are side 0 and seats 1 and 3 are side 1. [...]"
    )
    assert (CLAUSES["CAP-4"].title, CLAUSES["CAP-4"].chapter) == (
        "Without an equal the card lies",
        "capture",
    )


def test_every_clause_has_a_quote() -> None:
    """None of the specification's clauses is quoted as nothing or at length."""
    for clause in CLAUSES.values():
        assert 20 < len(clause.quote) < 420, clause


def test_the_text_tells_what_is_loud(tmp_path: Path) -> None:
    """Failures in full; what is known, unsupported or not run is a number."""
    run = Run("a program", results(tmp_path))
    text = text_report(run, CLAUSES)
    assert re.findall(r"^[A-Z ]+(?= \S+ \()", text, re.MULTILINE) == [
        "FAILED",
        "NO ANSWER",
        "NOW PASSING",
    ]
    assert "MESA-1 Emptying the table: A capture after which no card lies on the table" in text
    assert text.endswith(
        "7 scenarios against a program: 1 passed, 1 failed, 1 no answer, 1 known failing, "
        "1 unsupported, 1 now passing, 1 not run.\n"
        "The run is partial: not every scenario was answered. It is no pass."
    )


def test_a_very_long_value_is_cut(tmp_path: Path) -> None:
    """The report says how much is missing."""
    case = read(SCENARIO, tmp_path)
    mismatches = [Mismatch(1, "captured", "6", "7" * 5000)]
    run = Run("x", [Result(case, Status.FAILED, mismatches=mismatches)])
    text = text_report(run, CLAUSES)
    assert "7 [4000 more characters]" in text
    assert len(text) < 3000


def test_what_a_program_says_moves_no_cursor(tmp_path: Path) -> None:
    """Control characters in a refusal's detail or a reason are shown as their numbers."""
    case = read(SCENARIO, tmp_path)
    mismatches = [Mismatch(1, "refused", "accepted", "refused X: \x1b[2J")]
    run = Run("x", [Result(case, Status.FAILED, "said\x07", mismatches)])
    text = text_report(run, CLAUSES)
    assert "refused X: \\u001b[2J\n" in text
    assert "  said\\u0007\n" in text


def test_a_selection_is_called_one(tmp_path: Path) -> None:
    """One of seven."""
    run = Run("x", results(tmp_path)[:1], suite_size=7)
    assert summary(run) == "A selection of 1 of 7 scenarios against x: 1 passed."


def test_junit_has_a_suite_for_each_chapter(tmp_path: Path) -> None:
    """Each status in its element, and one more error because the run is partial."""
    run = Run("x", results(tmp_path), suite_size=9)
    root = parsed(junit_report(run, CLAUSES))
    assert root.attrib == {
        "name": "ronda conform against x",
        "tests": "8",
        "failures": "2",
        "errors": "2",
        "skipped": "3",
    }
    capture, whole = root.findall("testsuite")
    assert (capture.get("name"), whole.get("name")) == ("capture", "run")
    kinds = {
        case.get("name"): [child.tag for child in case] for case in capture.findall("testcase")
    }
    assert kinds == {
        "passed": [],
        "failed": ["failure"],
        "no-answer": ["error"],
        "known-failing": ["skipped"],
        "unsupported": ["skipped"],
        "now-passing": ["failure"],
        "not-run": ["skipped"],
    }
    failure = capture.find("testcase[@name='failed']/failure")
    assert failure is not None
    assert failure.get("message") == "step 1, captured: expected 6 7 10, got 6c 7o"
    assert "expected: 6 7 10\n      got:      6c 7o\n" in (failure.text or "")
    selection = capture.find("properties/property[@name='summary']")
    assert selection is not None
    assert (selection.get("value") or "").startswith("A selection of 7 of 9 scenarios against x: ")


def test_a_whole_run_has_no_error_in_junit(tmp_path: Path) -> None:
    """The suite `run` is there for partial ones alone."""
    root = parsed(junit_report(Run("x", results(tmp_path)[:1]), CLAUSES))
    assert [suite.get("name") for suite in root] == ["capture"]
    assert root.get("errors") == "0"


def test_junit_holds_what_xml_can_hold(tmp_path: Path) -> None:
    """Control characters, half of a surrogate pair and ]]> from a program."""
    case = read(SCENARIO, tmp_path)
    reason = "a\x00b\x1b[31m\ufffe\udc80 <]]>& \U0001f0a1"
    report = junit_report(Run("x\x01", [Result(case, Status.FAILED, reason)]), CLAUSES)
    failure = parsed(report).find("testsuite/testcase/failure")
    assert failure is not None
    assert failure.get("message") == "a\\u0000b\\u001b[31m\\ufffe\\udc80 <]]>& \U0001f0a1"


def test_the_page_has_a_cell_and_an_entry_for_each_case(tmp_path: Path) -> None:
    """A row for each clause, and the mismatches of a case where it opens."""
    page = html_report(Run("x", results(tmp_path), suite_size=9), CLAUSES).decode()
    assert re.findall(r'<tr><th scope="row">([^<]*)', page) == ["CAP-3", "MESA-1"]
    assert page.count('<a class="failed" href="#failed" title="failed: failed">✗</a>') == 2
    assert len(re.findall("<details id=", page)) == 7
    assert "A selection of 7 of 9 scenarios against x" in page
    entry = page[page.index('<details id="failed"') :]
    entry = entry[: entry.index("</details>")]
    assert "expected: 6 7 10\n      got:      6c 7o\n" in entry
    assert "&gt; seat 0  [ 6o] [11o]" in entry
    assert "CAP-3 The run above goes along: " in entry


def test_the_page_needs_no_network_and_runs_nothing_of_a_program(tmp_path: Path) -> None:
    """What a program says is text, also where it looks like the page's own places to fill."""
    case = read(SCENARIO, tmp_path)
    reason = "</pre><script>alert(1)</script> %%script%% \x00 \udc80"
    page = html_report(Run("<b>", [Result(case, Status.FAILED, reason)]), CLAUSES).decode()
    assert page.count("<script>") == 1
    assert "&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt; %%script%% \\u0000 \\udc80" in page
    assert "<title>ronda conform against &lt;b&gt;</title>" in page
    assert not re.search(r"(?:src|href)=\"(?!#)|https?://|@import|url\(", page)
    assert "default-src &#x27;none&#x27;; script-src &#x27;sha256-" in page
    assert "prefers-color-scheme: dark" in page


def shown(page: Path, *filters: str) -> dict[str, object]:
    """Return what the page shows with a text, a clause, statuses and the case of its address."""
    command = ["node", str(Path(__file__).parent / "page_in_node.mjs"), str(page), *filters]
    ran = subprocess.run(command, capture_output=True, check=True, text=True)
    seen: dict[str, object] = json.loads(ran.stdout)
    return seen


def test_the_page_is_filtered_by_text_clause_and_status(tmp_path: Path) -> None:
    """Each narrows what is shown, and the case that the address names is open."""
    made = results(tmp_path)
    other = SCENARIO.replace("id: small-case", "id: other").replace("[CAP-3, MESA-1]", "[MESA-1]")
    made.append(Result(read(other, tmp_path, "other"), Status.PASSED))
    page = tmp_path / "page.html"
    page.write_bytes(html_report(Run("x", made), CLAUSES))
    everything = shown(page, "", "", "")
    assert everything["clauses"] == ["CAP-3", "MESA-1"]
    assert everything["cells"] == [7, 8]
    assert everything["shown"] == "8 of 8 shown"
    assert shown(page, "Expected: 6 7", "", "")["cases"] == ["failed"]
    assert shown(page, "", "cap-3", "")["cells"] == [7, 7]
    assert shown(page, "", "cap-3", "")["clauses"] == ["CAP-3"]
    assert shown(page, "", "MESA-", "")["clauses"] == ["MESA-1"]
    assert shown(page, "", "CAP-30", "")["cases"] == []
    assert shown(page, "", "", "passed,not_run")["cases"] == ["passed", "not-run", "other"]
    assert shown(page, "", "CAP-3", "passed")["cases"] == ["passed"]
    assert shown(page, "", "", "", "failed")["open"] == ["failed"]


def test_a_report_replaces_the_file_as_a_whole(tmp_path: Path) -> None:
    """Nothing of ours is left beside it."""
    file = tmp_path / "report.xml"
    file.write_bytes(b"old")
    check_writable("--junit", file)
    assert file.read_bytes() == b"old"
    write_report("--junit", file, b"new")
    assert file.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("missing/report.xml", "cannot be written: No such file or directory"),
        (".", "is no file; name a file that may be written"),
        ("plain/report.xml", "cannot be written: Not a directory"),
    ],
)
def test_a_report_that_cannot_be_written_is_refused(
    tmp_path: Path, name: str, problem: str
) -> None:
    """With the option and the file."""
    (tmp_path / "plain").touch()
    with pytest.raises(ReportFileError, match=f"--html .*{problem}"):
        check_writable("--html", tmp_path / name)


def test_reports_are_checked_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The program is not even started: it is not there."""
    read(SCENARIO, tmp_path)
    arguments = ["--suites", str(tmp_path), "--command", "no-such-program"]
    assert main([*arguments, "--junit", str(tmp_path / "no" / "x.xml")]) == 2
    assert "conform: --junit " in capsys.readouterr().err
    same = str(tmp_path / "x")
    assert main([*arguments, "--junit", same, "--html", same]) == 2
    assert "--junit and --html both name " in capsys.readouterr().err


def test_a_report_that_can_no_longer_be_written_ends_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text report is there all the same."""

    def full(option: str, file: Path, content: bytes) -> None:
        message = f"{option} {file} cannot be written: No space left on device"
        raise ReportFileError(message)

    monkeypatch.setattr("ronda_conformance.reporting.write_report", full)
    read(SCENARIO, tmp_path)
    arguments = ["--suites", str(tmp_path), "--target", "127.0.0.1:1", "--timeout", "0.2"]
    assert main([*arguments, "--html", str(tmp_path / "x.html")]) == 2
    captured = capsys.readouterr()
    assert "1 not run" in captured.out
    assert "conform: --html " in captured.err
    assert "No space left on device" in captured.err
